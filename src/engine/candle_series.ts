/** The latest candles of one market, in memory; older ones are rows. */
import {
  type Candle,
  CANDLE_PERIODS,
  type CandlePeriod,
  candleStart,
  extendCandle,
  joinCandles,
} from "../domain/trading/candle.ts";
import { toBigint } from "../domain/whole_number.ts";

/** How long minute candles stay in memory, in s: the ticker looks 24 hours back. */
export const MINUTES_KEPT_S = 25 * 60 * 60;
/** How many candles of every other period stay in memory. */
const CANDLES_KEPT = 200;
const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** A market's last 24 hours. Prices are in ticks, and 0 without trades. */
export interface DaySummary {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** Lots of the base. */
  readonly volume: bigint;
  /** Ledger units of the quote. */
  readonly total: bigint;
}

/** The candles of one market. */
export class CandleSeries {
  readonly #candles = new Map<CandlePeriod, Candle[]>();
  /** The last trades' minute, which no period has yet: candles are read far less often than made. */
  #latest: Candle | null = null;
  #summary: { at: number; trades: number; day: DaySummary } | null = null;
  #trades = 0;

  /** Sets the candles of a period, as read from rows at the start. */
  load(period: CandlePeriod, candles: readonly Candle[]): void {
    this.#spread();
    this.#candles.set(period, [...candles]);
  }

  /** Adds a trade to the candles of every period. */
  add(at: number, price: number, volume: number, total: bigint): void {
    this.#trades += 1;
    const start = candleStart(at, 1);
    if (this.#latest?.start !== start) this.#spread();
    this.#latest = extendCandle(this.#latest, start, price, toBigint(volume), total);
  }

  /** Adds the last trades to every period. */
  #spread(): void {
    const latest = this.#latest;
    if (latest === null) return;
    this.#latest = null;
    for (const period of CANDLE_PERIODS) {
      const candles = this.#kept(period);
      const start = candleStart(latest.start * 1000, period);
      const last = candles[candles.length - 1];
      const isOpen = last !== undefined && last.start === start;
      const candle = joinCandles(isOpen ? last : null, start, latest);
      if (isOpen) candles[candles.length - 1] = candle;
      else {
        candles.push(candle);
        trim(period, candles, start);
      }
    }
  }

  /** Returns the candles in memory, oldest first; none after the first is missing. */
  of(period: CandlePeriod): Candle[] {
    this.#spread();
    return this.#kept(period);
  }

  #kept(period: CandlePeriod): Candle[] {
    let candles = this.#candles.get(period);
    if (candles === undefined) this.#candles.set(period, candles = []);
    return candles;
  }

  /** Summarises the 24 hours before `now` (ms), to the minute. */
  day(now: number): DaySummary {
    const minute = candleStart(now, 1);
    if (this.#summary?.at === minute && this.#summary.trades === this.#trades) {
      return this.#summary.day;
    }
    const from = minute - DAY_S;
    const hour = candleStart((from + HOUR_S - 1) * 1000, 60);
    // From the first full hour on by hours: every minute by itself would be 17 times as many.
    const day = summarise([
      ...startedWithin(this.of(1), from, hour),
      ...startedWithin(this.of(60), hour, Infinity),
    ]);
    this.#summary = { at: minute, trades: this.#trades, day };
    return day;
  }
}

function trim(period: CandlePeriod, candles: Candle[], now: number): void {
  if (period === 1) {
    let old = 0;
    while ((candles[old]?.start ?? now) < now - MINUTES_KEPT_S) old += 1;
    if (old > CANDLES_KEPT) candles.splice(0, old);
  } else if (candles.length > 2 * CANDLES_KEPT) {
    candles.splice(0, candles.length - CANDLES_KEPT);
  }
}

/** Returns the candles that start from `from` until before `to`. */
function startedWithin(candles: readonly Candle[], from: number, to: number): Candle[] {
  return candles.slice(indexOfStart(candles, from), indexOfStart(candles, to));
}

/** Returns the index of the first candle that starts at `time` or later, by bisection. */
function indexOfStart(candles: readonly Candle[], time: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { start } = candles[middle] as Candle;
    if (start < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Summarises candles that follow each other. */
function summarise(candles: readonly Candle[]): DaySummary {
  let high = 0;
  let low = Infinity;
  let volume = 0n;
  let total = 0n;
  for (const candle of candles) {
    high = Math.max(high, candle.high);
    low = Math.min(low, candle.low);
    volume += candle.volume;
    total += candle.total;
  }
  const [first] = candles;
  return { open: first?.open ?? 0, high, low: first === undefined ? 0 : low, volume, total };
}
