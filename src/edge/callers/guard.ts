/** Guards that admit callers to a route. */
import type { Context } from "hono";
import type { OperatorRole, Scope } from "../../domain/people/member.ts";
import type { ClientAddress } from "../client_address.ts";
import type { Env } from "../env.ts";
import type { AuthFailures } from "./auth_failures.ts";
import type { CallKind } from "./rate_limit.ts";

/** Admits callers. */
export interface Guard {
  /**
   * Authenticates the caller and sets it on the context.
   *
   * @returns null if there is nothing to wait for
   * @throws {ApiError} if the caller may not call, at once or when waited for
   */
  admit(c: Context<Env>): Promise<unknown> | null;
  /** Finishes an admitted call once it has its answer; null if there is nothing to wait for. */
  settle(c: Context<Env>, status: number): Promise<void> | null;
}

/** How calls are counted. */
export interface CallTerms {
  /** What they are counted as, `other` by default. */
  readonly kind?: CallKind;
  /** Returns what a call costs, as far as its text tells; 1 by default. */
  readonly costOf?: ((c: Context<Env>) => number) | undefined;
}

/** What is needed of a person who calls as an operator. */
export interface OperatorTerms {
  readonly role: OperatorRole;
  /** Whether the session must have been given a one-time code a moment ago. */
  readonly needsCode?: true;
}

/** Guards for each kind of caller. */
export interface Guards {
  /** Admits everybody except other sites' pages. */
  visitor(): Guard;
  /** Admits keys with the scope, and people who are signed in. */
  member(scope: Scope, terms?: CallTerms): Guard;
  /** Admits people who are signed in. */
  session(): Guard;
  /** Admits operators' keys, and people with a role that includes the one needed. */
  operator(terms: OperatorTerms): Guard;
  /** Takes from an admitted caller what its read turns out to cost beyond what it has paid. */
  charge(c: Context<Env>, cost: number): void;
  /** Returns the address that a call comes from. */
  readonly clientAddress: ClientAddress;
  /** Whether calls arrive through the venue's own proxies. */
  readonly isBehindProxy: boolean;
  /** Notified of every signed call that is refused, and of sign-ins that fail. */
  readonly failures: Pick<AuthFailures, "note">;
}

/** Does nothing. */
export function nothing(): null {
  return null;
}
