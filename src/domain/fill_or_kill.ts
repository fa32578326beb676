/**
 * Tells whether a fill-or-kill order can fill. One that can't costs its member nothing, so the
 * check goes by the sums of the levels: repeated walks over all orders of a large book could stop
 * the venue.
 */
import type { MarketBook } from "./market_book.ts";
import type { Order } from "./order.ts";
import type { Venue } from "./venue.ts";

/** What others will have taken or ended by an order's turn: the first lots of the other side. */
export interface Gone {
  readonly lots: number;
  /** The first order that is left, perhaps in part; null if none is. */
  readonly front: Order | null;
}

/**
 * Whether the orders within its limit fill this one, after self-trade prevention.
 *
 * @param gone absent if it is the order's turn
 */
export function isFillable(venue: Venue, book: MarketBook, taker: Order, gone?: Gone): boolean {
  const { price, selfTrade } = taker;
  const side = book.oppositeOf(taker.side);
  const enough = taker.remaining + (gone?.lots ?? 0);
  const own = selfTrade === "none" ? [] : ownMakers(venue, book, taker, gone?.front ?? null);
  const [first] = own;
  if (first === undefined) return side.lotsWithin(price, enough) >= enough;
  if (selfTrade === "cancel_oldest") {
    return side.lotsWithin(price, enough, lotsByPrice(own)) >= enough;
  }
  // The taker ends when it meets one of its member's own orders.
  const met = own.reduce((one, other) => side.isBefore(other, one) ? other : one, first);
  return side.lotsBefore(met, enough) >= enough;
}

/** Returns the open orders of the taker's own member that are within its limit. */
function ownMakers(
  venue: Venue,
  book: MarketBook,
  { member, side, price }: Order,
  front: Order | null,
): Order[] {
  const holder = venue.holder(member);
  const { index } = book.market;
  // The one open order is the taker itself.
  if (holder.openCounts[index] === 1) return [];
  const makers = book.oppositeOf(side);
  const own: Order[] = [];
  for (const order of holder.openOn(index)) {
    // Stops are in other levels.
    if (makers.at(order.price) !== order.level) continue;
    if (side === "buy" ? order.price > price : order.price < price) continue;
    if (front === null || !makers.isBefore(order, front)) own.push(order);
  }
  return own;
}

/** Sums the lots at each price, where they are safe integers; their total may not be. */
function lotsByPrice(orders: readonly Order[]): Map<number, number> {
  const lots = new Map<number, number>();
  for (const { price, remaining } of orders) lots.set(price, (lots.get(price) ?? 0) + remaining);
  return lots;
}
