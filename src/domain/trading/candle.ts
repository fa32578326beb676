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
  const trade = { start, open: price, high: price, low: price, close: price, volume, total };
  return joinCandles(candle, start, trade);
}

/**
 * Returns a candle with the trades of another, later one that lies within its period; `candle` is
 * null if these are its first.
 */
export function joinCandles(candle: Candle | null, start: number, later: Candle): Candle {
  const { high, low, close, volume, total } = later;
  if (candle === null) return { start, open: later.open, high, low, close, volume, total };
  return {
    start,
    open: candle.open,
    high: Math.max(candle.high, high),
    low: Math.min(candle.low, low),
    close,
    volume: candle.volume + volume,
    total: candle.total + total,
  };
}
