/** Cancels orders by name, or all that a member has open. */
import type { CancelAllOrders, CancelOrders, OrderName, Outcome } from "./command.ts";
import type { Decision } from "./decide.ts";
import type { EventSink } from "./event_sink.ts";
import { close } from "./matching.ts";
import { ordersNamed } from "./named_orders.ts";
import type { Order } from "./order.ts";
import { reject } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/**
 * Cancels the named orders. An order that is unknown, another member's or on a halted market is a
 * refusal if the command is `strict`; otherwise it is skipped for the sake of the others.
 */
export function decideCancelOrders(venue: Venue, command: CancelOrders, sink: EventSink): Outcome {
  const holder = venue.holder(command.member);
  // Looked up before any of them is cancelled.
  const named = ordersNamed(holder, command.names.flatMap(clientOrderIds), sink.at);
  const ids: number[] = [];
  for (const name of command.names) {
    const id = "id" in name ? name.id : named.get(name.clientOrderId);
    const order = id === undefined ? undefined : venue.openOrder(command.member, id);
    if (order === undefined) {
      // A client order id is its member's own, so the order it names exists, whoever saw it end.
      const isSeen = command.finished || ("clientOrderId" in name && id !== undefined);
      if (command.strict && !isSeen) return reject("order_not_found", "id");
      if (id !== undefined) ids.push(id);
      continue;
    }
    const book = venue.book(order.market);
    if (book.market.state === "halted") {
      if (command.strict) return reject("market_halted", "market");
      continue;
    }
    close(venue, book, order, "cancel", "requested", sink);
    ids.push(order.id);
  }
  return { kind: "orders_cancelled", ids };
}

function clientOrderIds(name: OrderName): string[] {
  return "id" in name ? [] : [name.clientOrderId];
}

/**
 * Cancels a member's open orders while the batch has room; the rest follow in the next one. Orders
 * on halted markets stay, but naming such a market is a refusal: silence would look like a cancel.
 */
export function decideCancelAllOrders(
  venue: Venue,
  command: CancelAllOrders,
  sink: EventSink,
): Decision {
  if (venue.books[command.market]?.market.state === "halted") {
    return { outcome: reject("market_halted", "market"), complete: true };
  }
  const ids: number[] = [];
  let complete = true;
  for (const order of venue.holder(command.member).openOrders.values()) {
    if (!isMeant(venue, command, order)) continue;
    if (sink.isFull()) {
      complete = false;
      break;
    }
    close(venue, venue.book(order.market), order, "cancel", "requested", sink);
    ids.push(order.id);
  }
  return { outcome: { kind: "orders_cancelled", ids }, complete };
}

function isMeant(venue: Venue, command: CancelAllOrders, order: Order): boolean {
  return (command.market < 0 || order.market === command.market) &&
    (command.side === null || order.side === command.side) &&
    venue.book(order.market).market.state !== "halted";
}
