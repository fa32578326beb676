/** Folds the trades of a market into its candles of every period. */
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

/** A trade in lots and ledger units, computed once for all periods. */
interface CandleTrade {
  readonly market: number;
  readonly at: number;
  readonly price: number;
  readonly volume: bigint;
  readonly total: bigint;
}

/** Folds trades of one market, oldest first; `unit` is one tick × lot in ledger units. */
export async function foldCandles(
  sheet: Sheet<CandleName, Candle>,
  trades: readonly MarketTrade[],
  unit: bigint,
  sequence: number,
): Promise<void> {
  const parts = trades.map((trade) => candleTradeOf(trade, unit));
  for (const period of CANDLE_PERIODS) {
    for (let from = 0; from < parts.length;) {
      const to = endOfCandle(parts, from, period);
      await foldCandle(sheet, parts.slice(from, to), period, sequence);
      from = to;
    }
  }
}

function candleTradeOf({ market, at, price, volume }: MarketTrade, unit: bigint): CandleTrade {
  const lots = BigInt(volume);
  return { market, at, price, volume: lots, total: BigInt(price) * lots * unit };
}

/** Returns the index at which the trades of the next candle begin. */
function endOfCandle(trades: readonly CandleTrade[], from: number, period: CandlePeriod): number {
  const start = candleStart(trades[from]?.at ?? 0, period);
  let to = from + 1;
  while (to < trades.length && candleStart(trades[to]?.at ?? 0, period) === start) to += 1;
  return to;
}

async function foldCandle(
  sheet: Sheet<CandleName, Candle>,
  trades: readonly CandleTrade[],
  period: CandlePeriod,
  sequence: number,
): Promise<void> {
  const { market, at } = present(trades[0], "a candle has a trade");
  const name = { market, period, start: candleStart(at, period) };
  await sheet.load([name]);
  sheet.change(name, sequence, (old) => {
    let candle: Candle | null = old ?? null;
    for (const { price, volume, total } of trades) {
      candle = extendCandle(candle, name.start, price, volume, total);
    }
    return present(candle, "a candle has a trade");
  });
}
