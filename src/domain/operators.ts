/** Who may operate the venue. */
import { type ApiKey, isMemberUsable } from "./member.ts";
import type { Venue } from "./venue.ts";

/** Whether a key may change the venue; without this scope an operator's key only reads. */
export function mayOperate({ role, scopes }: ApiKey): boolean {
  return role === "operator" && scopes.includes("trade");
}

/** Returns the keys that operate the venue: active ones, of members that may act. */
export function operatorKeys(venue: Venue): ApiKey[] {
  return venue.keys.map(({ key }) => key).filter((key) =>
    mayOperate(key) && key.state === "active" && isMemberUsable(venue.holder(key.member).member)
  );
}

/** Whether these are all operator keys that are left: without them nobody operates the venue. */
export function areLastOperatorKeys(venue: Venue, areMeant: (key: ApiKey) => boolean): boolean {
  const keys = operatorKeys(venue);
  return keys.length > 0 && keys.every(areMeant);
}
