/** Who asks at the handshake for its orders to be cancelled when the socket ends, and who may. */
import type { Context } from "hono";
import type { ApiKey } from "../domain/member.ts";
import { reject } from "../domain/rejection.ts";
import { TIMER_WITHOUT_KEY } from "../api/cancel_timer.ts";
import type { Caller, Env } from "../api/env.ts";
import { ApiError, invalidField, rejectionError } from "../api/errors.ts";
import { queryPairs } from "../api/query.ts";

/** Field of the query: `true` asks for it. */
const PARAMETER = "cancel_on_disconnect";

/** @throws {ApiError} where the query says neither yes nor no */
export function asksForGuard(c: Context<Env>): boolean {
  const given = queryPairs(c.req.url).getAll(PARAMETER);
  const wrong = given.find((value) => value !== "true" && value !== "false");
  if (wrong !== undefined) throw invalidField(`stream.invalid_${PARAMETER}`, PARAMETER, wrong);
  return given.includes("true");
}

/**
 * The key that the timer is set for.
 *
 * @throws {ApiError} where there is none, or it may not trade
 */
export function guardedKey(caller: Caller | null): ApiKey {
  const key = caller?.key ?? null;
  if (key === null) throw new ApiError(422, TIMER_WITHOUT_KEY);
  if (!key.scopes.includes("trade")) {
    throw rejectionError(reject("scope_not_permitted"), "single");
  }
  return key;
}
