/** Who may operate the venue. */
import { type ApiKey, isMemberUsable } from "./member.ts";
import type { Venue } from "../venue.ts";

/** Whether a key may change the venue; without this scope an operator's key only reads. */
export function mayOperate({ role, scopes }: ApiKey): boolean {
  return role === "operator" && scopes.includes("trade");
}

/** Returns the keys that operate the venue: active ones, of members that may act. */
export function operatorKeys(venue: Venue): ApiKey[] {
  return venue.keys.map(({ key }) => key).filter((key) => operates(venue, key));
}

/** Whether these are all operator keys that are left: without them nobody operates the venue. */
export function areLastOperatorKeys(venue: Venue, keys: readonly ApiKey[]): boolean {
  // Keys of members are changed often, and finding the operators' takes a walk over all keys.
  return keys.some((key) => operates(venue, key)) &&
    operatorKeys(venue).every((key) => keys.includes(key));
}

function operates(venue: Venue, key: ApiKey): boolean {
  return mayOperate(key) && key.state === "active" &&
    isMemberUsable(venue.holder(key.member).member);
}
