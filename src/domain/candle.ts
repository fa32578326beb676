/** Candles: a market in one period, which starts at a multiple of its length since the epoch. */

/** Lengths of the twelve periods, in minutes. */
export const CANDLE_PERIODS = [1, 5, 15, 30, 60, 120, 240, 360, 720, 1440, 4320, 10080] as const;
export type CandlePeriod = typeof CANDLE_PERIODS[number];

/** One candle. */
export interface Candle {
  /** Start of the period, in seconds since the epoch. */
  readonly start: number;
  /** Ticks. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots; the sum over many orders can exceed the safe integers. */
  readonly volume: bigint;
  /** Ledger units of the quote. */
  readonly total: bigint;
}

/** Returns the start of the period that contains a time, in seconds. */
export function candleStart(atMs: number, period: number): number {
  const length = period * 60;
  const seconds = Math.floor(atMs / 1000);
  return seconds - seconds % length;
}

/** Returns the candle after one more trade; `candle` is null for the first of its period. */
export function extendCandle(
  candle: Candle | null,
  start: number,
  price: number,
  volume: bigint,
  total: bigint,
): Candle {
  if (candle === null) {
    return { start, open: price, high: price, low: price, close: price, volume, total };
  }
  return {
    start,
    open: candle.open,
    high: Math.max(candle.high, price),
    low: Math.min(candle.low, price),
    close: price,
    volume: candle.volume + volume,
    total: candle.total + total,
  };
}
