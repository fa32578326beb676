/** What amounts are worth in another currency, by last prices, else by the currencies' own. */
import { product, quotient, toldUnits } from "../shared/amounts.ts";

/** What is known of prices; all are decimals. */
export interface Prices {
  /** Last prices of markets, by base and quote, such as `btc/usdt`; none if nothing was traded. */
  readonly last: ReadonlyMap<string, string>;
  /** The currencies' own prices, by code; "0" if there is none. */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Returns what an amount is worth; null if nothing tells.
 *
 * @param units the amount, in units of amounts.ts
 */
export function valueOf(
  units: bigint,
  currency: string,
  quote: string,
  { last, own }: Prices,
): bigint | null {
  if (currency === quote || units === 0n) return units;
  const price = last.get(`${currency}/${quote}`);
  if (price !== undefined) return product(units, toldUnits(price));
  const inverse = last.get(`${quote}/${currency}`);
  if (inverse !== undefined) return quotient(units, toldUnits(inverse));
  const [ownPrice, quotePrice] = [own.get(currency) ?? "0", own.get(quote) ?? "0"].map(toldUnits);
  if (!ownPrice || !quotePrice) return null;
  return quotient(product(units, ownPrice), quotePrice);
}

/** What one has, and what of it is worth what. */
export interface Worth {
  /** Of all whose worth is known. */
  readonly sum: bigint;
  /** Whether there is something whose worth is not known. */
  readonly isPartial: boolean;
}

/** Sums up what several amounts are worth, by their currencies. */
export function worthOf(
  amounts: Iterable<readonly [currency: string, units: bigint]>,
  quote: string,
  prices: Prices,
): Worth {
  let [sum, isPartial] = [0n, false];
  for (const [currency, units] of amounts) {
    const value = valueOf(units, currency, quote, prices);
    if (value === null) isPartial = true;
    else sum += value;
  }
  return { sum, isPartial };
}

/**
 * Returns how many digits after the point values have that are shown: fewer, the less one of their
 * currency is worth.
 *
 * @param price of the currency, in the platform's
 */
export function shownDigits(price: string, precision: number): number {
  const [whole = ""] = price.split(".");
  return Math.min(precision, whole.length > 3 ? 6 : whole.length > 1 ? 4 : 2);
}

/** Returns the share of a whole in hundredths of a percent, whole ones; 0 of nothing. */
export function basisPoints(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number(part * 10_000n / whole);
}
