/** What feeds have in common: pairs' names, and decimals as exact texts. */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { BookSide } from "../../domain/trading/order_book.ts";
import type { MarketTrade } from "../../domain/trading/trade_record.ts";
import { formatDecimal, formatInteger } from "../../domain/money/money.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Engine, Ticker } from "../../engine/engine.ts";
import { definedFields } from "../../edge/answer.ts";
import { invalidField } from "../../edge/errors.ts";
import { FEED_TRADES_MAX } from "../../edge/schemas/feeds.ts";
import type { Call } from "../call.ts";
import type { KeptTexts } from "./kept_texts.ts";
import { listedBooks, NO_LISTED_MARKET } from "../../edge/wire/listed_markets.ts";
import { levelTexts } from "../../edge/wire/market_wire.ts";
import { amountText, currencyId, totalOf } from "../../edge/wire/wire.ts";

/** A market's two currencies, as feeds name them. */
export interface Pair {
  readonly base: string;
  readonly quote: string;
  /** Both, with `_` between them. */
  readonly name: string;
}

/** Returns the names of a market's currencies, in capitals. */
export function pairOf(venue: Venue, { market }: MarketBook): Pair {
  const base = currencyId(venue, market.base).toUpperCase();
  const quote = currencyId(venue, market.quote).toUpperCase();
  return { base, quote, name: `${base}_${quote}` };
}

/**
 * Returns the listed market of a pair's name, such as `BTC_USDT`, in any case.
 *
 * @param field the field that holds it
 * @throws {ApiError} if there is none
 */
export function bookOfPair(venue: Venue, given: string, field: string): MarketBook {
  const wanted = given.toUpperCase();
  const book = listedBooks(venue).find((listed) => pairOf(venue, listed).name === wanted);
  if (book === undefined) throw invalidField(NO_LISTED_MARKET, field, given);
  return book;
}

/** A market's last 24 hours as decimal texts. */
export interface DayTexts {
  readonly last: string;
  readonly high: string;
  readonly low: string;
  readonly bid: string;
  readonly ask: string;
  readonly baseVolume: string;
  readonly quoteVolume: string;
}

/** Returns a market's last 24 hours; 0 for what there is not. */
export function dayTexts({ market, bids, asks }: MarketBook, ticker: Ticker): DayTexts {
  const price = (ticks: number) => formatInteger(ticks, market.pricePrecision, 1);
  return {
    last: price(ticker.last),
    high: price(ticker.high),
    low: price(ticker.low),
    bid: price(bids.best()?.price ?? 0),
    ask: price(asks.best()?.price ?? 0),
    baseVolume: formatDecimal(ticker.volume, market.amountPrecision, 1),
    quoteVolume: amountText(ticker.total, 1),
  };
}

/** Returns both sides of a book as fields of JSON, best first: at most so many levels of each. */
export function sidesText(book: MarketBook, levels: number): string {
  const side = (of: BookSide) => `[${levelTexts(book, of, levels, 1).join(",")}]`;
  return `"bids":${side(book.bids)},"asks":${side(book.asks)}`;
}

/** A trade as decimal texts. */
export interface TradeTexts {
  readonly price: string;
  readonly baseVolume: string;
  readonly quoteVolume: string;
}

/** Returns a trade's price and volumes. */
export function tradeTexts({ market }: MarketBook, trade: MarketTrade): TradeTexts {
  const { pricePrecision, amountPrecision } = market;
  return {
    price: formatInteger(trade.price, pricePrecision, 1),
    baseVolume: formatInteger(trade.volume, amountPrecision, 1),
    quoteVolume: formatDecimal(totalOf(trade), pricePrecision + amountPrecision, 1),
  };
}

/** Which trades a feed asks for. */
export interface FeedTrades {
  /** The earliest, in ms. */
  readonly from?: number | undefined;
  /** The end, itself not included, in ms. */
  readonly to?: number | undefined;
  readonly side?: "buy" | "sell" | undefined;
  readonly limit: number;
}

/** Returns a market's trades, newest first; those of one side among the last 1,000 that are meant. */
export async function feedTrades(
  engine: Engine,
  { market }: MarketBook,
  { from, to, side, limit }: FeedTrades,
): Promise<readonly MarketTrade[]> {
  const trades = await engine.marketTrades(market.index, {
    ...definedFields<{ from?: number; to?: number }>({ from, to }),
    limit: side === undefined ? limit : FEED_TRADES_MAX,
    direction: "desc",
  });
  if (side === undefined) return trades;
  return trades.filter(({ takerSide }) => takerSide === side).slice(0, limit);
}

/** Answers a call with the text that is kept of its path and query, or made now. */
export async function answerKept(
  texts: KeptTexts,
  call: Call<unknown>,
  make: () => string | Promise<string>,
): Promise<Response> {
  const { c, engine, path, query } = call;
  // Not by the URL, which may hold anything else besides.
  const asked = JSON.stringify([path, c.req.param("pair"), query]);
  return call.text(200, await texts.text(asked, engine.now(), make));
}
