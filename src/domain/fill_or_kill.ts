/**
 * Tells whether a fill-or-kill order can fill. One that can't costs its member nothing, so the
 * check goes by the sums of the levels: repeated walks over all orders of a large book could stop
 * the venue.
 */
import type { MarketBook } from "./market_book.ts";
import type { Order } from "./order.ts";
import type { Venue } from "./venue.ts";

/** Whether the orders within its limit fill this one, after self-trade prevention. */
export function isFillable(venue: Venue, book: MarketBook, taker: Order): boolean {
  const { price, remaining, selfTrade } = taker;
  const side = book.oppositeOf(taker.side);
  const own = selfTrade === "none" ? [] : ownMakers(venue, book, taker);
  const [first] = own;
  if (first === undefined) return side.lotsWithin(price, remaining) >= remaining;
  if (selfTrade === "cancel_oldest") {
    return side.lotsWithin(price, remaining, lotsByPrice(own)) >= remaining;
  }
  // The taker ends when it meets one of its member's own orders.
  const met = own.reduce((one, other) => side.isBefore(other, one) ? other : one, first);
  return side.lotsBefore(met, remaining) >= remaining;
}

/** Returns the open orders of the taker's own member that are within its limit. */
function ownMakers(venue: Venue, book: MarketBook, { member, side, price }: Order): Order[] {
  const { openCounts, openOrders } = venue.holder(member);
  // The one open order is the taker itself.
  if (openCounts[book.market.index] === 1) return [];
  const makers = book.oppositeOf(side);
  // Stops and orders of other markets are in other levels.
  return [...openOrders.values()].filter((order) =>
    makers.at(order.price) === order.level &&
    (side === "buy" ? order.price <= price : order.price >= price)
  );
}

/** Sums the lots at each price, where they are safe integers; their total may not be. */
function lotsByPrice(orders: readonly Order[]): Map<number, number> {
  const lots = new Map<number, number>();
  for (const { price, remaining } of orders) lots.set(price, (lots.get(price) ?? 0) + remaining);
  return lots;
}
