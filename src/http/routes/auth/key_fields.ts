/** Fields of keys that operators and members set in the same way. */
import { type ApiKey, mayWithdraw, type Scope, SCOPES } from "../../../domain/people/member.ts";
import { invalidField } from "../../../edge/errors.ts";
import type { Services } from "../../route_needs.ts";

/** Scopes of a new key unless it is given others. */
export const DEFAULT_SCOPES: readonly Scope[] = ["read", "trade"];

/** Returns the scopes in their fixed order, each once. */
export function scopeList(scopes: ReadonlySet<Scope>): readonly Scope[] {
  return SCOPES.filter((scope) => scopes.has(scope));
}

/**
 * Refuses a key that may withdraw and be used from anywhere, if the venue does not allow that.
 *
 * @param prefix of the error identifier
 * @throws {ApiError} 422
 */
export function refuseUnconfined(
  { engine }: Pick<Services, "engine">,
  prefix: string,
  key: Pick<ApiKey, "role" | "scopes">,
  allowList: readonly string[],
): void {
  const { needsWithdrawIpLists } = engine.venue.settings;
  if (needsWithdrawIpLists && mayWithdraw(key) && allowList.length === 0) {
    throw invalidField(`${prefix}.missing_ip_allow_list`, "ip_allow_list");
  }
}

/**
 * Returns the allow-list that a key has after a change of its scopes or of the list.
 *
 * @param prefix of the error identifier
 * @throws {ApiError} 422 if the key could then withdraw from anywhere, which the venue forbids
 */
export async function allowListAfter(
  services: Pick<Services, "engine" | "credentials">,
  prefix: string,
  key: ApiKey,
  changes: { scopes: readonly Scope[] | undefined; allowList: readonly string[] | undefined },
): Promise<readonly string[]> {
  const { scopes, allowList } = changes;
  const after = allowList ?? await services.credentials.allowList(key.kid);
  if (scopes !== undefined || allowList !== undefined) {
    refuseUnconfined(services, prefix, { ...key, scopes: scopes ?? key.scopes }, after);
  }
  return after;
}

/**
 * Returns what `make` makes of an allow-list.
 *
 * @param prefix of the error identifier
 * @throws {ApiError} 422 if an entry is not an address or range
 */
export async function checkedAllowList<T>(
  prefix: string,
  allowList: readonly string[],
  make: () => T | Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField(`${prefix}.invalid_ip_allow_list`, "ip_allow_list", allowList.join(","));
  }
}
