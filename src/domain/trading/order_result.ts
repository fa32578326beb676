/**
 * What becomes of orders within the entry that accepts them, told from its events alone: whoever
 * reads the state later may see more.
 */
import type { OrderAccepted, OrderClosed, Trade, VenueEvent } from "../event.ts";
import type { Venue } from "../venue.ts";
import type { Order } from "./order.ts";
import { closeOrder, createOrder, fillOrder } from "./order_changes.ts";
import { makerTradeOf, type MemberTrade, sidesOf, takerTradeOf } from "./trade_record.ts";

/** An order as it stands, and its trades. */
export interface OrderResult {
  /** Its state is `pending` as long as matching has not come to its end. */
  readonly order: Order;
  /** Oldest first. */
  readonly trades: readonly MemberTrade[];
}

/** An order whose result is being made. */
interface Followed {
  readonly order: Order;
  readonly trades: MemberTrade[];
  /** Whether it waits to be matched, or is being matched. */
  isQueued: boolean;
}

/** An entry's events, whose first has this sequence. */
export interface FollowedEntry {
  readonly events: readonly VenueEvent[];
  readonly first: number;
  /** Time stamped on it, in ms. */
  readonly at: number;
}

/**
 * Returns what has become of orders by the end of the entry that accepts them, by their ids; without
 * those that it does not accept.
 */
export function orderResults(
  { events, first, at }: FollowedEntry,
  ids: ReadonlySet<number>,
  venue: Venue,
): ReadonlyMap<number, OrderResult> {
  const followed = new Map<number, Followed>();
  for (const [index, event] of events.entries()) {
    switch (event.kind) {
      case "order_accepted":
        if (ids.has(event.id)) followed.set(event.id, begun(event, first + index, at));
        break;
      case "order_triggered": {
        const one = followed.get(event.id);
        if (one !== undefined) one.order.state = "wait";
        break;
      }
      case "order_rested": {
        const one = followed.get(event.id);
        if (one !== undefined) one.isQueued = false;
        break;
      }
      case "trade":
        fill(followed.get(event.maker), event, "maker", venue, at);
        fill(followed.get(event.taker), event, "taker", venue, at);
        break;
      case "order_closed":
        close(followed.get(event.id), event, at);
        break;
    }
  }
  for (const { order, isQueued } of followed.values()) {
    if (isQueued && order.state === "wait") order.state = "pending";
  }
  return followed;
}

/** Returns whether an open order of the venue's is still to be matched. */
export function isQueued({ state, level }: Pick<Order, "state" | "level">): boolean {
  return state === "wait" && level === null;
}

function begun(event: OrderAccepted, sequence: number, at: number): Followed {
  // A stop is in a state of its own until it is triggered.
  return { order: createOrder(event, sequence, at), trades: [], isQueued: !event.resting };
}

function fill(
  followed: Followed | undefined,
  trade: Trade,
  liquidity: MemberTrade["liquidity"],
  venue: Venue,
  at: number,
): void {
  if (followed === undefined) return;
  const isMaker = liquidity === "maker";
  const book = venue.book(trade.market);
  const total = book.total(trade.price, trade.volume);
  fillOrder(
    book,
    followed.order,
    trade,
    total,
    isMaker ? trade.makerLocked : trade.takerLocked,
    at,
  );
  const [own] = isMaker ? sidesOf(makerTradeOf(trade, at)) : [takerTradeOf(trade, at)];
  if (own !== undefined) followed.trades.push(own);
}

function close(followed: Followed | undefined, { state, reason }: OrderClosed, at: number): void {
  if (followed !== undefined) closeOrder(followed.order, state, reason, at);
}
