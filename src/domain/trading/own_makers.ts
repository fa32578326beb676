/** The resting orders of a taker's own member, which self-trade prevention keeps from trading. */
import type { MarketBook } from "./market_book.ts";
import type { Order } from "./order.ts";
import type { BookSide } from "./order_book.ts";
import type { Venue } from "../venue.ts";

/** The fields of an order that decide what it meets; a price of 0 is none. */
export type Taker = Pick<Order, "member" | "side" | "selfTrade" | "price" | "remaining">;

/** What others will have taken or ended by an order's turn: the first lots of the other side. */
export interface Gone {
  readonly lots: number;
  /** The first order that is left, perhaps in part; null if none is. */
  readonly front: Order | null;
  /** How many of the lots were the front's. */
  readonly taken: number;
}

/** What is gone at an order's own turn. */
export const NOTHING_GONE: Gone = { lots: 0, front: null, taken: 0 };

/** Returns those that are left, within the taker's limit, and that it may not trade with. */
export function ownMakers(
  venue: Venue,
  book: MarketBook,
  { member, price, selfTrade, side }: Taker,
  { front, lots }: Gone,
): Order[] {
  const areAllGone = front === null && lots > 0;
  if (selfTrade === "none" || areAllGone) return [];
  const makers = book.oppositeOf(side);
  const own: Order[] = [];
  for (const order of venue.holder(member).openOn(book.market.index)) {
    // Stops are in other levels, and the taker itself is in none.
    if (makers.at(order.price) !== order.level) continue;
    if (price !== 0 && (side === "buy" ? order.price > price : order.price < price)) continue;
    if (front === null || !makers.isBefore(order, front)) own.push(order);
  }
  return own;
}

/** Returns the one of these orders that is served first; undefined if there are none. */
export function firstServed(makers: BookSide, own: readonly Order[]): Order | undefined {
  let first = own[0];
  for (const one of own) if (first !== undefined && makers.isBefore(one, first)) first = one;
  return first;
}

/** Sums what is left of them at each price: safe integers, though their total may not be one. */
export function lotsByPrice(orders: readonly Order[], { front, taken }: Gone): Map<number, number> {
  const lots = new Map<number, number>();
  for (const order of orders) {
    const left = order.remaining - (order === front ? taken : 0);
    lots.set(order.price, (lots.get(order.price) ?? 0) + left);
  }
  return lots;
}
