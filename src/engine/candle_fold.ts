/** Folds the trades of a market into its candles, of every period. */
import { present } from "../domain/assert.ts";
import {
  type Candle,
  CANDLE_PERIODS,
  type CandlePeriod,
  candleStart,
  extendCandle,
} from "../domain/candle.ts";
import type { MarketTrade } from "../domain/trade_record.ts";
import type { CandleName, Sheet } from "./row_sheets.ts";

/** Takes a window's trades of one market, oldest first; `unit` is what one tick × lot is worth. */
export async function foldCandles(
  sheet: Sheet<CandleName, Candle>,
  trades: readonly MarketTrade[],
  unit: bigint,
  sequence: number,
): Promise<void> {
  for (const period of CANDLE_PERIODS) {
    for (let from = 0; from < trades.length;) {
      const to = endOfCandle(trades, from, period);
      await foldCandle(sheet, trades.slice(from, to), period, unit, sequence);
      from = to;
    }
  }
}

/** Where the trades of the next candle begin. */
function endOfCandle(trades: readonly MarketTrade[], from: number, period: CandlePeriod): number {
  const start = candleStart(trades[from]?.at ?? 0, period);
  let to = from + 1;
  while (to < trades.length && candleStart(trades[to]?.at ?? 0, period) === start) to += 1;
  return to;
}

async function foldCandle(
  sheet: Sheet<CandleName, Candle>,
  trades: readonly MarketTrade[],
  period: CandlePeriod,
  unit: bigint,
  sequence: number,
): Promise<void> {
  const { market, at } = present(trades[0], "a candle has a trade");
  const name = { market, period, start: candleStart(at, period) };
  await sheet.load([name]);
  sheet.change(name, sequence, (old) => {
    let candle: Candle | null = old ?? null;
    for (const { price, volume } of trades) {
      const total = BigInt(price) * BigInt(volume) * unit;
      candle = extendCandle(candle, name.start, price, volume, total);
    }
    return present(candle, "a candle has a trade");
  });
}
