/** What a buy takes of the asks, by the sums of the levels: whoever can't pay may ask again. */
import type { MarketBook } from "./market_book.ts";
import type { Worth } from "./order_book.ts";
import {
  firstServed,
  type Gone,
  lotsByPrice,
  NOTHING_GONE,
  ownMakers,
  type Taker,
} from "./own_makers.ts";
import type { Venue } from "../venue.ts";

/** Returns what a market or stop buy takes if it has enough money, after self-trade prevention. */
export function asksWithin(
  venue: Venue,
  book: MarketBook,
  buy: Taker,
  gone: Gone = NOTHING_GONE,
): Worth {
  const { asks } = book;
  const limit = limitOf(buy);
  const own = ownMakers(venue, book, buy, gone);
  if (buy.selfTrade === "cancel_oldest") {
    return asks.worthWithin(limit, buy.remaining, gone.lots, lotsByPrice(own, gone));
  }
  // It ends at the first of its member's own asks.
  const met = firstServed(asks, own);
  const enough = buy.remaining + gone.lots;
  const reachable = met === undefined ? enough : asks.lotsBefore(met, enough);
  const most = Math.min(buy.remaining, Math.max(0, reachable - gone.lots));
  return asks.worthWithin(limit, most, gone.lots);
}

/** Returns the highest price that a buy pays, in ticks. */
export function limitOf({ price }: Pick<Taker, "price">): number {
  return price === 0 ? Infinity : price;
}
