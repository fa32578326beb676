/** The messages of trades, candles and tickers. */
import { formatDecimal, formatInteger } from "../../domain/money/money.ts";
import type { Candle } from "../../domain/trading/candle.ts";
import type { Market } from "../../domain/trading/market.ts";
import type { MarketTrade } from "../../domain/trading/trade_record.ts";
import type { TickerJson } from "../../edge/wire/market_wire.ts";
import type { VenueStatus } from "../../edge/wire/status_wire.ts";
import { secondsOf } from "../../edge/wire/wire.ts";
import type { StreamContent } from "../stream_message.ts";

/** A trade as the public sees it. */
export class TradeMade implements StreamContent {
  constructor(readonly market: Market, readonly trade: MarketTrade) {}

  payload(): string {
    const { id, price, volume, takerSide, at } = this.trade;
    const { pricePrecision, amountPrecision } = this.market;
    const date = secondsOf(at);
    const trade = {
      tid: id,
      taker_type: takerSide,
      date,
      created_at: date,
      created_at_ms: at,
      price: formatInteger(price, pricePrecision, 1),
      amount: formatInteger(volume, amountPrecision, 1),
    };
    return JSON.stringify({ trades: [trade] });
  }
}

/** The current candle of a period; decimals are exact number literals, as in calls. */
export class CandleChanged implements StreamContent {
  constructor(
    readonly market: Market,
    /** Name of the period. */
    readonly period: string,
    readonly candle: Candle,
  ) {}

  payload(): string {
    const { start, open, high, low, close, volume } = this.candle;
    const { pricePrecision, amountPrecision } = this.market;
    const prices = [open, high, low, close].map((ticks) => formatInteger(ticks, pricePrecision));
    return `[${start},${prices.join(",")},${formatDecimal(volume, amountPrecision)}]`;
  }
}

/** What the venue takes since something has changed. */
export class StatusChanged implements StreamContent {
  constructor(readonly status: VenueStatus) {}

  payload(): string {
    return JSON.stringify(this.status);
  }
}

/** A market among the tickers. */
export interface TickerRecord extends Omit<TickerJson["ticker"], "vol"> {
  readonly name: string;
  readonly base_unit: string;
  readonly quote_unit: string;
  /** The last price, the same as `last`. */
  readonly close: string;
}

/** The tickers of all markets, by market id. */
export class Tickers implements StreamContent {
  constructor(readonly byMarket: Readonly<Record<string, TickerRecord>>) {}

  payload(): string {
    return JSON.stringify(this.byMarket);
  }
}
