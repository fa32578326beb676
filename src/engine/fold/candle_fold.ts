/** Folds the trades of markets into their candles of every period. */
import { present } from "../../domain/assert.ts";
import {
  type Candle,
  CANDLE_PERIODS,
  candleStart,
  extendCandle,
  joinCandles,
} from "../../domain/trading/candle.ts";
import type { MarketTrade } from "../../domain/trading/trade_record.ts";
import { multiply, toBigint } from "../../domain/whole_number.ts";
import type { CandleName, Sheet } from "./row_sheets.ts";

/** Trades folded before the event loop gets a turn. */
const TRADES_PER_SLICE = 512;

/** The trades of one market, oldest first; `unit` is one tick × lot in ledger units. */
export interface TradesOfMarket {
  readonly market: number;
  readonly trades: readonly MarketTrade[];
  readonly unit: bigint;
}

/** A candle, and the minutes that it gets of a window. */
interface Change {
  readonly name: CandleName;
  readonly minutes: readonly Candle[];
}

/** Folds the trades of some markets. */
export async function foldCandles(
  sheet: Sheet<CandleName, Candle>,
  markets: readonly TradesOfMarket[],
  sequence: number,
  pause: () => Promise<void>,
): Promise<void> {
  const changes: Change[] = [];
  for (const { market, trades, unit } of markets) {
    changes.push(...changesOf(market, await minutesOf(trades, unit, pause)));
  }
  // All at once: each read waits for a network, and there are twelve for each market.
  await sheet.load(changes.map(({ name }) => name), pause);
  for (const { name, minutes } of changes) {
    sheet.change(name, sequence, (old) => {
      let candle: Candle | null = old ?? null;
      for (const minute of minutes) candle = joinCandles(candle, name.start, minute);
      return present(candle, "a candle has a minute");
    });
  }
}

function changesOf(market: number, minutes: readonly Candle[]): Change[] {
  const changes: Change[] = [];
  // Every period but the shortest consists of whole minutes, which are far fewer than trades.
  for (const period of CANDLE_PERIODS) {
    for (let from = 0; from < minutes.length;) {
      const start = startOf(minutes[from], period);
      let to = from + 1;
      while (to < minutes.length && startOf(minutes[to], period) === start) to += 1;
      changes.push({ name: { market, period, start }, minutes: minutes.slice(from, to) });
      from = to;
    }
  }
  return changes;
}

async function minutesOf(
  trades: readonly MarketTrade[],
  unit: bigint,
  pause: () => Promise<void>,
): Promise<Candle[]> {
  const minutes: Candle[] = [];
  for (const [i, { at, price, volume }] of trades.entries()) {
    if (i % TRADES_PER_SLICE === 0) await pause();
    const start = candleStart(at, 1);
    const isSame = minutes[minutes.length - 1]?.start === start;
    const minute = isSame ? minutes.pop() ?? null : null;
    const total = multiply(price, volume) * unit;
    minutes.push(extendCandle(minute, start, price, toBigint(volume), total));
  }
  return minutes;
}

/** Returns the start of the period that contains a minute. */
function startOf(minute: Candle | undefined, period: number): number {
  return candleStart(present(minute, "a candle has a minute").start * 1000, period);
}
