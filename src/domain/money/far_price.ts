/** Currencies whose price, by which limits count, is far from what their markets trade at. */
import type { Currency } from "./currency.ts";
import { tickUnit } from "../trading/market.ts";
import type { MarketBook } from "../trading/market_book.ts";
import { LEDGER_ONE } from "./money.ts";
import { marketPrice } from "../pnl/pnl_price.ts";
import type { Venue } from "../venue.ts";
import { toBigint } from "../whole_number.ts";

/** A price that is farther than this from a market's is told, in percent of the market's. */
export const FAR_PRICE_PERCENT = 20n;

/** A market of which a currency's price is far. */
export interface FarPrice {
  /** Index of the currency. */
  readonly currency: number;
  /** Id of the market. */
  readonly market: string;
  /** Price of one coin by the market's last trade, in ledger units of the platform's currency. */
  readonly price: bigint;
}

/**
 * Finds the prices that are far from the last trade on a market of their currency.
 *
 * @param changed a currency as it is to be, in place of the venue's
 */
export function farPrices(venue: Venue, changed?: Currency): FarPrice[] {
  const currencyOf = (index: number) => index === changed?.index ? changed : venue.currency(index);
  return venue.books.flatMap((book) => {
    const { base, quote } = book.market;
    const far = farPrice(book, currencyOf(base), currencyOf(quote));
    return far === null ? [] : [far];
  });
}

function farPrice(
  { market, lastPrice }: MarketBook,
  base: Currency,
  quote: Currency,
): FarPrice | null {
  if (lastPrice === 0 || market.state === "disabled") return null;
  const isByBase = isSurer(base, quote);
  const [judged, known] = isByBase ? [quote, base] : [base, quote];
  const traded = marketPrice(
    toBigint(lastPrice) * tickUnit(market),
    isByBase ? "inverse" : "direct",
  );
  const price = known.price * traded.numerator / traded.denominator;
  const distance = price > judged.price ? price - judged.price : judged.price - price;
  const isFar = distance * 100n > price * FAR_PRICE_PERCENT;
  return isFar ? { currency: judged.index, market: market.id, price } : null;
}

/**
 * Whether the base tells the price of the quote, and not the other way round: what counts for one is
 * the platform's currency or as good as it, and what has no price tells none.
 */
function isSurer(base: Currency, quote: Currency): boolean {
  return quote.price === 0n || (base.price === LEDGER_ONE && quote.price !== LEDGER_ONE);
}
