/** The variables that guards and handlers set on the Hono context. */
import type { Signature } from "../domain/command.ts";
import type { ApiKey } from "../domain/people/member.ts";
import type { SessionCaller } from "../identity/identity.ts";
import type { Context } from "hono";

/** A caller that signed with a key. */
export interface SignedCaller {
  /** Member index. */
  readonly member: number;
  readonly key: ApiKey;
  readonly signature: Signature;
  /** Whether it has signed what it asks for, too. */
  readonly isBodySigned: boolean;
  readonly session: null;
}

/** A caller who is signed in. */
export interface PersonCaller {
  /** Member index. */
  readonly member: number;
  readonly key: null;
  readonly signature: null;
  readonly session: SessionCaller;
}

/** An authenticated caller. */
export type Caller = SignedCaller | PersonCaller;

/** The context of every route. */
export interface Env {
  Variables: {
    /** Set by the guard of an endpoint; absent on anonymous routes. */
    caller: Caller;
    /** The raw body, read before authentication; empty if the call has none. */
    rawBody: string;
    /** Set if the call has a body that could not be read. */
    isBodyUnread: true;
    /** Set once a command of the call is in the log: what fails from then on undoes nothing. */
    hasHappened: true;
    /** How many items the body has, once they are counted. */
    itemCount: number | undefined;
    /** Headers that the answer gets besides its own, whatever it will be. */
    addedHeaders: Readonly<Record<string, string>>;
  };
}

/** Returns whether a call only reads, according to its method. */
export function isRead(c: Context<Env>): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}
