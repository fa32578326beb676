/** What middleware puts on the Hono context. */
import type { Signature } from "../domain/command.ts";
import type { ApiKey } from "../domain/member.ts";
import type { SessionCaller } from "../identity/identity.ts";

/** A key that signed the call. */
export interface SignedCaller {
  /** Member index. */
  readonly member: number;
  readonly key: ApiKey;
  readonly signature: Signature;
  readonly session: null;
}

/** A person, signed in. */
export interface PersonCaller {
  /** Member index. */
  readonly member: number;
  readonly key: null;
  readonly signature: null;
  readonly session: SessionCaller;
}

/** Who calls. */
export type Caller = SignedCaller | PersonCaller;

/** The context of every route. */
export interface Env {
  Variables: {
    /** Set by the authentication middleware; absent on anonymous routes. */
    caller: Caller;
    /** The body as it came, read before authentication; empty for a call without one. */
    rawBody: string;
  };
}
