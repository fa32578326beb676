/**
 * Whether a fill-or-kill order fills whole. It is asked of orders that then cost their member
 * nothing, so that it goes by the sums of the levels: a walk over all the orders of a large book,
 * again and again, would be a way to stop the venue.
 */
import type { MarketBook } from "./market_book.ts";
import type { Order } from "./order.ts";
import type { Venue } from "./venue.ts";

/** Whether the orders that this one reaches fill it, given what self-trade prevention takes away. */
export function isFillable(venue: Venue, book: MarketBook, taker: Order): boolean {
  const { price, remaining, selfTrade } = taker;
  const side = book.oppositeOf(taker.side);
  const own = selfTrade === "none" ? [] : ownMakers(venue, book, taker);
  const [first] = own;
  if (first === undefined) return side.lotsWithin(price, remaining) >= remaining;
  if (selfTrade === "cancel_oldest") {
    return side.lotsWithin(price, remaining, lotsByPrice(own)) >= remaining;
  }
  // It ends where it meets one of its member's own.
  const met = own.reduce((one, other) => side.isBefore(other, one) ? other : one, first);
  return side.lotsBefore(met, remaining) >= remaining;
}

/** The orders of the taker's own member that it reaches. */
function ownMakers(venue: Venue, book: MarketBook, { member, side, price }: Order): Order[] {
  const { openCounts, openOrders } = venue.holder(member);
  // The taker is open, too.
  if (openCounts[book.market.index] === 1) return [];
  const makers = book.oppositeOf(side);
  // Stops, and what rests on other markets, stand in other levels.
  return [...openOrders.values()].filter((order) =>
    makers.at(order.price) === order.level &&
    (side === "buy" ? order.price <= price : order.price >= price)
  );
}

/** At each price they are a safe integer; all of them together may not be. */
function lotsByPrice(orders: readonly Order[]): Map<number, number> {
  const lots = new Map<number, number>();
  for (const { price, remaining } of orders) lots.set(price, (lots.get(price) ?? 0) + remaining);
  return lots;
}
