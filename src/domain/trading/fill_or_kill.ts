/**
 * Tells whether a fill-or-kill order can fill. One that can't costs its member nothing, so the
 * check goes by the sums of the levels: repeated walks over all orders of a large book could stop
 * the venue.
 */
import type { MarketBook } from "./market_book.ts";
import type { Order } from "./order.ts";
import { firstServed, type Gone, lotsByPrice, NOTHING_GONE, ownMakers } from "./own_makers.ts";
import type { Venue } from "../venue.ts";

/** Whether the orders within its limit fill this one, after self-trade prevention. */
export function isFillable(
  venue: Venue,
  book: MarketBook,
  taker: Order,
  gone: Gone = NOTHING_GONE,
): boolean {
  const side = book.oppositeOf(taker.side);
  const enough = taker.remaining + gone.lots;
  // The one open order is the taker itself.
  const isAlone = venue.holder(taker.member).openCounts[taker.market] === 1;
  const own = isAlone ? [] : ownMakers(venue, book, taker, gone);
  if (taker.selfTrade === "cancel_oldest") {
    return side.lotsWithin(taker.price, enough, lotsByPrice(own, gone)) >= enough;
  }
  // The taker ends when it meets one of its member's own orders.
  const met = firstServed(side, own);
  if (met === undefined) return side.lotsWithin(taker.price, enough) >= enough;
  return side.lotsBefore(met, enough) >= enough;
}
