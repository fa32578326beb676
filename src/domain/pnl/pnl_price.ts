/** The price of one currency in another at an event, at which profit and loss is valued. */
import { assert } from "../assert.ts";
import { LEDGER_ONE } from "../money/money.ts";

/**
 * A price as a fraction, which keeps the inverse of a price exact: an amount of one currency ×
 * `numerator` / `denominator` is its value in the other.
 */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The prices of a market, in ledger units of its quote for one whole coin of its base. */
export interface PairPrices {
  /** Price of its first trade, and the sequence of that trade. */
  readonly first: bigint;
  readonly firstAt: number;
  /** Price of its last trade. */
  readonly last: bigint;
}

/** The price of a currency in itself. */
export const PRICE_ONE: Price = { numerator: 1n, denominator: 1n };

/** Returns a market's price of its base, or, if `inverse`, of its quote in the base. */
export function marketPrice(units: bigint, direction: "direct" | "inverse"): Price {
  return direction === "direct"
    ? { numerator: units, denominator: LEDGER_ONE }
    : { numerator: LEDGER_ONE, denominator: units };
}

/**
 * Returns the price of a currency by the last trade on the market of the two currencies (`direct`),
 * or else on the market of the same two reversed (`inverse`); null if neither has traded.
 */
export function lastPrice(
  direct: PairPrices | undefined,
  inverse: PairPrices | undefined,
): Price | null {
  if (direct !== undefined) return marketPrice(direct.last, "direct");
  return inverse === undefined ? null : marketPrice(inverse.last, "inverse");
}

/** Returns the price of a currency by the very first trade on either of the two markets. */
export function firstPrice(
  direct: PairPrices | undefined,
  inverse: PairPrices | undefined,
): Price | null {
  const isDirect = inverse === undefined ||
    (direct !== undefined && direct.firstAt < inverse.firstAt);
  if (!isDirect) return marketPrice(inverse.first, "inverse");
  return direct === undefined ? null : marketPrice(direct.first, "direct");
}

/** Returns a market's prices after a trade at `units`, the event `sequence` of the log. */
export function notePrice(
  old: PairPrices | undefined,
  units: bigint,
  sequence: number,
): PairPrices {
  return { first: old?.first ?? units, firstAt: old?.firstAt ?? sequence, last: units };
}

/** Returns the price of one currency in another by the operator's own prices; 0 if one has none. */
export function ratioPrice(price: bigint, inPrice: bigint): Price {
  return inPrice === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: price, denominator: inPrice };
}

/** Returns the value of an amount, rounded to the nearest ledger unit, halves up. */
export function worth(amount: bigint, { numerator, denominator }: Price): bigint {
  return denominator === 1n ? amount * numerator : divideNearest(amount * numerator, denominator);
}

/** Returns `dividend` / `divisor` rounded half up, as the decimal columns of this family do. */
export function divideNearest(dividend: bigint, divisor: bigint): bigint {
  assert(dividend >= 0n && divisor > 0n, "a division to the nearest is of positive numbers");
  return (2n * dividend + divisor) / (2n * divisor);
}
