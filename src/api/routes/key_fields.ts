/** Fields of keys that operators and members set alike. */
import { type Scope, SCOPES } from "../../domain/member.ts";
import { invalidField } from "../errors.ts";

/** What a key may do where its maker does not say. */
export const DEFAULT_SCOPES: readonly Scope[] = ["read", "trade"];

/** Scopes in their own order, each once. */
export function scopeList(scopes: ReadonlySet<Scope>): readonly Scope[] {
  return SCOPES.filter((scope) => scopes.has(scope));
}

/**
 * What is made of an allow-list.
 *
 * @param prefix of the error's identifier
 * @throws {ApiError} 422 where an entry is no address or range
 */
export async function checkedAllowList<T>(
  prefix: string,
  allowList: readonly string[],
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField(`${prefix}.invalid_ip_allow_list`, "ip_allow_list", allowList.join(","));
  }
}
