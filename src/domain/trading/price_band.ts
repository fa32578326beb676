/**
 * The price band, if the venue has one: no buy may pay more than its width above a reference, and no
 * sell be paid less than its width below. It guards members from their own slips, so the other side
 * of the reference is free.
 */
import { isPriceless, type OrderTerms } from "./order.ts";
import type { MarketBook } from "./market_book.ts";
import { divideUp, formatInteger } from "../money/money.ts";
import { reject, type Rejection } from "../rejection.ts";
import { multiply } from "../whole_number.ts";

/**
 * Gives an order without a limit price its bound, and refuses a limit price beyond it.
 *
 * @param bandBps width of the band in basis points, above 0
 */
export function withinBand(
  book: MarketBook,
  terms: OrderTerms,
  bandBps: number,
): OrderTerms | Rejection {
  const bound = boundOf(book, terms, bandBps);
  if (isPriceless(terms)) return { ...terms, price: bound };
  const isWorse = terms.side === "buy" ? terms.price > bound : terms.price < bound;
  if (bound === 0 || !isWorse) return terms;
  return reject("price_out_of_band", "price", formatInteger(bound, book.market.pricePrecision));
}

/**
 * Returns the worst price within the band, in ticks; 0 for any. The reference is the trigger price,
 * from which the last price may be far until the order fires; for other orders the last price. The
 * next tick is always within: a market whose ticks are wider than the band could never move again.
 */
function boundOf(book: MarketBook, { side, triggerPrice }: OrderTerms, bandBps: number): number {
  const reference = triggerPrice || book.lastPrice;
  if (reference === 0) return 0;
  if (side === "buy") {
    const highest = Number(multiply(reference, 10_000 + bandBps) / 10_000n);
    return Math.max(highest, reference + 1);
  }
  const lowest = Number(divideUp(multiply(reference, 10_000 - bandBps), 10_000n));
  return Math.min(lowest, reference - 1);
}
