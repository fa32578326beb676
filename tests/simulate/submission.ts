import type { Command, Signature } from "../../src/domain/command.ts";

/** One call of one client: the command, and the key and nonce that sign it. */
export interface Submission {
  /** Unique within a run. */
  readonly tag: number;
  readonly command: Command;
  /** Null for what the venue itself submits on behalf of a session. */
  readonly signature: Signature | null;
}
