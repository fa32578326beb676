/** Reads from the handshake who wants its orders cancelled with the socket's end, and who may. */
import type { Context } from "hono";
import type { ApiKey } from "../domain/people/member.ts";
import { reject } from "../domain/rejection.ts";
import { TIMER_WITHOUT_KEY } from "../edge/cancel_timer.ts";
import type { Caller, Env } from "../edge/env.ts";
import { ApiError, invalidField, rejectionError } from "../edge/errors.ts";
import { queryPairs } from "../edge/reading/query.ts";

/** Query field; `true` asks for it. */
const PARAMETER = "cancel_on_disconnect";

/** @throws {ApiError} the field is neither `true` nor `false` */
export function asksForGuard(c: Context<Env>): boolean {
  const given = queryPairs(c.req.url).getAll(PARAMETER);
  const wrong = given.find((value) => value !== "true" && value !== "false");
  if (wrong !== undefined) throw invalidField(`stream.invalid_${PARAMETER}`, PARAMETER, wrong);
  return given.includes("true");
}

/**
 * Returns the key that the timer is set for.
 *
 * @throws {ApiError} there is none, or it may not trade
 */
export function guardedKey(caller: Caller | null): ApiKey {
  const key = caller?.key ?? null;
  if (key === null) throw new ApiError(422, TIMER_WITHOUT_KEY);
  if (!key.scopes.includes("trade")) {
    throw rejectionError(reject("scope_not_permitted"));
  }
  return key;
}
