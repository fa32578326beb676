/** Who may operate the venue. */
import { type ApiKey, isMemberUsable } from "./member.ts";
import type { Venue } from "./venue.ts";

/** Keys of operators that sign calls: active, of members that may act. */
export function operatorKeys(venue: Venue): ApiKey[] {
  return venue.keys.map(({ key }) => key).filter((key) =>
    key.role === "operator" && key.state === "active" &&
    isMemberUsable(venue.holder(key.member).member)
  );
}

/** Whether these are all the operators' keys that are left: without them nobody operates the venue. */
export function areLastOperatorKeys(venue: Venue, areMeant: (key: ApiKey) => boolean): boolean {
  const keys = operatorKeys(venue);
  return keys.length > 0 && keys.every(areMeant);
}
