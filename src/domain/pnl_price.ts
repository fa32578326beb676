/** What one currency was worth in another when something happened: what profit and loss is valued at. */
import { assert } from "./assert.ts";
import { LEDGER_ONE } from "./money.ts";

/**
 * A price as a fraction, so that one over another price is exact: an amount of
 * one currency × `numerator` / `denominator` is its value in the other.
 */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** What a market has shown, in ledger units of its quote for one whole coin of its base. */
export interface PairPrices {
  /** Price of its first trade, and the sequence of that. */
  readonly first: bigint;
  readonly firstAt: number;
  /** Price of its last trade. */
  readonly last: bigint;
}

/** The price of a currency in itself. */
export const PRICE_ONE: Price = { numerator: 1n, denominator: 1n };

/** The price that a market shows for its base, or, inverse, for its quote in the base. */
export function marketPrice(units: bigint, direction: "direct" | "inverse"): Price {
  return direction === "direct"
    ? { numerator: units, denominator: LEDGER_ONE }
    : { numerator: LEDGER_ONE, denominator: units };
}

/**
 * The price of a currency by the last trade on the market of the two
 * currencies (`direct`), else on the market of the same two the other way
 * round (`inverse`); null where neither has traded.
 */
export function lastPrice(
  direct: PairPrices | undefined,
  inverse: PairPrices | undefined,
): Price | null {
  if (direct !== undefined) return marketPrice(direct.last, "direct");
  return inverse === undefined ? null : marketPrice(inverse.last, "inverse");
}

/** The price of a currency by the very first trade on either of the two markets. */
export function firstPrice(
  direct: PairPrices | undefined,
  inverse: PairPrices | undefined,
): Price | null {
  const isDirect = inverse === undefined ||
    (direct !== undefined && direct.firstAt < inverse.firstAt);
  if (!isDirect) return marketPrice(inverse.first, "inverse");
  return direct === undefined ? null : marketPrice(direct.first, "direct");
}

/** What a market shows after a trade at `units`, the event `sequence` of the log. */
export function notePrice(
  old: PairPrices | undefined,
  units: bigint,
  sequence: number,
): PairPrices {
  return { first: old?.first ?? units, firstAt: old?.firstAt ?? sequence, last: units };
}

/** What the operator's own prices of two currencies say of one in the other; 0 where one has none. */
export function ratioPrice(price: bigint, inPrice: bigint): Price {
  return inPrice === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: price, denominator: inPrice };
}

/** The value of an amount, rounded to the nearest ledger unit, halves up. */
export function worth(amount: bigint, { numerator, denominator }: Price): bigint {
  return denominator === 1n ? amount * numerator : divideNearest(amount * numerator, denominator);
}

/** `dividend` / `divisor` rounded to the nearest, halves up; as the family's decimal columns do. */
export function divideNearest(dividend: bigint, divisor: bigint): bigint {
  assert(dividend >= 0n && divisor > 0n, "a division to the nearest is of positive numbers");
  return (2n * dividend + divisor) / (2n * divisor);
}
