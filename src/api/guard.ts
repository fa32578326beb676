/** What stands before a route. */
import type { Context } from "hono";
import type { Scope } from "../domain/member.ts";
import type { Env } from "./env.ts";
import type { CallKind } from "./rate_limit.ts";

/** Lets callers through. On the way of an order nothing is awaited that is there already. */
export interface Guard {
  /**
   * Finds out who calls and puts them on the context; null where that is done at once.
   *
   * @throws {ApiError} they may not; also by way of the promise
   */
  admit(c: Context<Env>): Promise<void> | null;
  /** What is left to do once a call that was let through has its answer; null where nothing is. */
  settle(c: Context<Env>, status: number): Promise<unknown> | null;
}

/** Guards by who may call. */
export interface Guards {
  /** Lets everybody through but other sites' pages. */
  visitor(): Guard;
  /**
   * Lets keys with the scope through, and people who are signed in.
   *
   * @param kind what their calls are counted as, `other` by default
   */
  member(scope: Scope, kind?: CallKind): Guard;
  /** Lets people through who are signed in. */
  session(): Guard;
  /** Lets operators' keys through. */
  operator(): Guard;
}

/** There is nothing to do, and nothing to wait for. */
export function nothing(): null {
  return null;
}
