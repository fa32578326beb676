/** Cancels orders by name, or all that a member or a market has open. */
import type {
  CancelAllOrders,
  CancelOrders,
  Decision,
  OrderName,
  Outcome,
  SweepMarket,
  SweepMember,
} from "../command.ts";
import type { EventSink } from "../event_sink.ts";
import { CANCELS_PER_PORTION_MAX } from "../limits.ts";
import { close } from "./matching.ts";
import { ordersNamed } from "./named_orders.ts";
import type { Order, Side } from "./order.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Holder, Venue } from "../venue.ts";

/**
 * Cancels the named orders. An order that is unknown, another member's or on a halted market is a
 * refusal if the command is `strict`; otherwise it is skipped for the sake of the others.
 */
export function decideCancelOrders(venue: Venue, command: CancelOrders, sink: EventSink): Outcome {
  const holder = venue.holder(command.member);
  // Looked up before any of them is cancelled.
  const named = ordersNamed(holder, command.names.flatMap(clientOrderIds), sink.at);
  const ids: number[] = [];
  let unchanged = 0;
  for (const name of command.names) {
    const id = "id" in name ? name.id : named.get(name.clientOrderId);
    const order = id === undefined ? undefined : venue.openOrder(command.member, id);
    if (order === undefined) {
      // A client order id is its member's own, so what it leads to exists, too.
      const hasEnded = command.isKnown || ("clientOrderId" in name && id !== undefined);
      if (command.strict && !hasEnded) return reject("order_not_found", "id");
      if (id === undefined) continue;
      ids.push(id);
      unchanged += 1;
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
  return { kind: "orders_cancelled", ids, ...(unchanged === 0 ? {} : { unchanged }) };
}

function clientOrderIds(name: OrderName): string[] {
  return "id" in name ? [] : [name.clientOrderId];
}

/**
 * Cancels a portion of a member's open orders; the rest follow in the next batches, as they are by
 * then. Orders on halted markets stay, but naming such a market is a refusal: silence would look
 * like a cancel.
 */
export function decideCancelAllOrders(
  venue: Venue,
  command: CancelAllOrders,
  sink: EventSink,
): Decision {
  const refusal = refuseHalted(venue, command.market);
  if (refusal !== null) return { outcome: refusal, complete: true };
  const orders = meant(venue.holder(command.member), command);
  const { ids, isDone } = closeEach(venue, cancellable(venue, orders), sink);
  return { outcome: { kind: "orders_cancelled", ids }, complete: isDone };
}

/**
 * Like a cancel of all by the member, but each portion is a command of its own, and orders on halted
 * markets are among them: the operator who has halted a market may clear it.
 */
export function decideSweepMember(venue: Venue, command: SweepMember, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  return swept(closeEach(venue, meant(holder, command), sink));
}

/** Cancels everybody's orders on a market in any state, with its stops. */
export function decideSweepMarket(venue: Venue, { id }: SweepMarket, sink: EventSink): Outcome {
  const book = venue.bookById.get(id);
  if (book === undefined) return reject("market_not_found", "id");
  return swept(closeEach(venue, book.orders(), sink));
}

/** Which of a member's orders to cancel: of one market or all (-1), of one side or both (null). */
interface Filter {
  readonly market: number;
  readonly side: Side | null;
}

function refuseHalted(venue: Venue, market: number): Rejection | null {
  const isHalted = venue.books[market]?.market.state === "halted";
  return isHalted ? reject("market_halted", "market") : null;
}

function* meant(holder: Holder, { market, side }: Filter): Generator<Order> {
  for (const order of market < 0 ? holder.openOrders.values() : holder.openOn(market)) {
    if (side === null || order.side === side) yield order;
  }
}

/** Returns the orders that are not on halted markets. */
function* cancellable(venue: Venue, orders: Iterable<Order>): Generator<Order> {
  for (const order of orders) {
    if (venue.book(order.market).market.state !== "halted") yield order;
  }
}

/** Cancels a portion of the orders, while the batch has room. */
function closeEach(venue: Venue, orders: Iterable<Order>, sink: EventSink): Closed {
  const ids: number[] = [];
  for (const order of orders) {
    const isEnough = ids.length === CANCELS_PER_PORTION_MAX || sink.isFull();
    if (isEnough) return { ids, isDone: false };
    close(venue, venue.book(order.market), order, "cancel", "requested", sink);
    ids.push(order.id);
  }
  return { ids, isDone: true };
}

interface Closed {
  readonly ids: readonly number[];
  readonly isDone: boolean;
}

function swept({ ids, isDone }: Closed): Outcome {
  return { kind: "orders_swept", cancelled: ids.length, isDone };
}
