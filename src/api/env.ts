/** What middleware puts on the Hono context. */
import type { Signature } from "../domain/command.ts";
import type { ApiKey } from "../domain/member.ts";

/** Who signed the call. */
export interface Caller {
  /** Member index. */
  readonly member: number;
  readonly key: ApiKey;
  readonly signature: Signature;
}

/** The context of every route. */
export interface Env {
  Variables: {
    /** Set by the authentication middleware; absent on anonymous routes. */
    caller: Caller;
    /** The body as it came, read before authentication; empty for a call without one. */
    rawBody: string;
  };
}
