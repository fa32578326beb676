/** What a bot has to keep to on a market. */
import type { CallOptions } from "../../contract_calls.ts";
import { decimalOf, type Records, unitsOf, type Venue } from "../../client.ts";
import { VALUE_DIGITS } from "./walked_prices.ts";

export type Market = Records["Market"];

/** Digits of the ledger, which no decimal of the venue exceeds. */
const LEDGER_DIGITS = 16;
/** Digits that a typed amount has, from the first that is not zero on. */
const TYPED_DIGITS = 4;

/** Reads a market's terms. @throws {Error} if the venue lists no such market */
export async function readMarket(venue: Venue, id: string, options: CallOptions): Promise<Market> {
  const markets = await venue.get("/api/v2/backend/public/markets", options);
  const market = markets.find((one) => one.id === id);
  if (market === undefined) throw new Error(`the venue lists no market "${id}"`);
  return market;
}

/**
 * Returns an amount that is worth so much, as somebody would type it, and no less than the market
 * takes.
 *
 * @param value in hundredths of the currency of values
 * @param baseValue of one of the base, see `WalkedPrices.valueOf`
 * @param price in the market's ticks
 */
export function amountFor(market: Market, value: bigint, baseValue: bigint, price: bigint): string {
  const { amount_precision, min_amount, min_total, price_precision } = market;
  const exact = value * 10n ** BigInt(amount_precision + VALUE_DIGITS - 2) / baseValue;
  const text = String(exact);
  const typed = BigInt(text.slice(0, TYPED_DIGITS).padEnd(text.length, "0"));
  const leastOf = (decimal: string, digits: number) =>
    unitsOf(decimal, LEDGER_DIGITS) * 10n ** BigInt(digits) / 10n ** BigInt(LEDGER_DIGITS);
  const leastTotal = leastOf(min_total, amount_precision + price_precision);
  const least = [leastOf(min_amount, amount_precision), leastTotal / price + 1n];
  const amount = least.reduce((most, one) => one > most ? one : most, typed);
  return decimalOf(amount, amount_precision);
}
