/** What trades change in a market's row. */
import type { Trade } from "../../domain/event.ts";
import type { MarketRecord } from "../../store/rows/row_codec.ts";

/** Returns what a row holds of a market without trades. */
export function emptyMarket(): Omit<MarketRecord, "market"> {
  return { lastPrice: 0, triggerLow: 0, triggerHigh: 0, tradesCount: 0, pending: [] };
}

/** Applies a trade to the record. */
export function noteTrade(market: MarketRecord, { price }: Trade): MarketRecord {
  market.lastPrice = price;
  market.triggerLow = market.triggerLow === 0 ? price : Math.min(market.triggerLow, price);
  market.triggerHigh = Math.max(market.triggerHigh, price);
  market.tradesCount += 1;
  return market;
}
