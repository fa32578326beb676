/** A member's orders by the ids that it has given them. */
import type { Holder } from "./venue.ts";

/**
 * Ids of a member's orders by these client order ids; absent where there is none. One names the
 * order that took it within the last 24 hours before `now`, or else the youngest that is open: an
 * order can be named as long as it is open, however long nobody else may have its name. The open
 * ones are looked through once, however many names are asked for.
 */
export function ordersNamed(
  { clientOrders, openOrders }: Holder,
  clientOrderIds: Iterable<string>,
  now: number,
): Map<string, number> {
  const ids = new Map<string, number>();
  const sought = new Set<string>();
  for (const name of clientOrderIds) {
    const taken = clientOrders?.get(name, now);
    if (taken !== undefined) ids.set(name, taken.id);
    // Without a name are all that have none.
    else if (name !== "") sought.add(name);
  }
  if (sought.size === 0) return ids;
  for (const { id, clientOrderId } of openOrders.values()) {
    // By id: in what order they come is not the same in every process.
    if (sought.has(clientOrderId) && id > (ids.get(clientOrderId) ?? 0)) ids.set(clientOrderId, id);
  }
  return ids;
}
