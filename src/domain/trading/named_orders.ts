/** Finds a member's orders by client order id. */
import type { Holder } from "../venue.ts";

/**
 * Returns the ids of a member's orders by these client order ids, without those that name none. A
 * client order id names the order that took it in the 24 hours before `now`, or else the newest
 * open one: an order can be named as long as it is open, even after others may take its name. Looks
 * through the open orders once, however many names are asked for.
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
    // All orders without a client order id have the empty one.
    else if (name !== "") sought.add(name);
  }
  if (sought.size === 0) return ids;
  for (const { id, clientOrderId } of openOrders.values()) {
    // By id, since the order in which they come differs between processes.
    if (sought.has(clientOrderId) && id > (ids.get(clientOrderId) ?? 0)) ids.set(clientOrderId, id);
  }
  return ids;
}
