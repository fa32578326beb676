import type { Command, Signature } from "../../src/domain/command.ts";

/** One call of one client: what it asks, and the key and nonce that it is signed with. */
export interface Submission {
  /** Tells it from every other of its run. */
  readonly tag: number;
  readonly command: Command;
  /** Null for what the venue itself asks on behalf of a session. */
  readonly signature: Signature | null;
}
