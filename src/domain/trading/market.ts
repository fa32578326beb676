/**
 * A market and its grid: prices are whole ticks of 10^-pricePrecision quote,
 * volumes whole lots of 10^-amountPrecision base, so that every total and fee
 * is a whole number of ledger units.
 */
import { LEDGER_DIGITS, powerOfTen } from "../money/money.ts";
import type { Side } from "./order.ts";

/**
 * `enabled` trades; `cancel_only` takes cancels but no orders; `halted` takes neither; `disabled`
 * is `cancel_only` and not listed.
 */
export const MARKET_STATES = ["enabled", "cancel_only", "halted", "disabled"] as const;
export type MarketState = typeof MARKET_STATES[number];

/** One market of the venue. */
export interface Market {
  /** Position in the venue's list; never changes. */
  readonly index: number;
  /** Base and quote code, lower case, unless the operator has chosen another: `btcusdt`. */
  readonly id: string;
  /** `BTC/USDT`. */
  readonly name: string;
  /** Currency index of the base. */
  readonly base: number;
  /** Currency index of the quote. */
  readonly quote: number;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  /** Lowest price, in ticks. */
  readonly minPrice: number;
  /** Highest price, in ticks; 0 for none. */
  readonly maxPrice: number;
  /** Smallest volume, in lots. */
  readonly minAmount: number;
  /** Smallest price × volume, in ledger units of the quote; 0 for none. */
  readonly minTotal: bigint;
  readonly state: MarketState;
  readonly position: number;
  /**
   * Whether an order was ever accepted, which freezes the precisions. Absent from markets of older
   * versions of the program, which did not record it.
   */
  readonly isUsed?: boolean;
}

/** Ledger units of the base in one lot. */
export function lotUnit(market: Pick<Market, "amountPrecision">): bigint {
  return powerOfTen(LEDGER_DIGITS - market.amountPrecision);
}

/** Ledger units of the quote in one tick. */
export function tickUnit(market: Pick<Market, "pricePrecision">): bigint {
  return powerOfTen(LEDGER_DIGITS - market.pricePrecision);
}

/** Ledger units of the quote in one tick × one lot. */
export function totalUnit(market: Market): bigint {
  return powerOfTen(LEDGER_DIGITS - market.pricePrecision - market.amountPrecision);
}

/** Converts an amount to units of 10^-precision; null if it has more digits than that. */
export function wholeUnits(amount: bigint, precision: number): number | null {
  const unit = powerOfTen(LEDGER_DIGITS - precision);
  const units = amount / unit;
  return units * unit === amount ? Number(units) : null;
}

/** The currency that an order of this side locks. */
export function lockedCurrency(
  { base, quote }: Pick<Market, "base" | "quote">,
  { side }: { readonly side: Side },
): number {
  return side === "buy" ? quote : base;
}
