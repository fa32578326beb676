/** What CoinGecko reads of a venue, in the fields that it asks venues for. */
import type { MarketTrade } from "../../domain/trading/trade_record.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import {
  COINGECKO_BOOK,
  COINGECKO_BOOK_QUERY,
  COINGECKO_PAIR,
  COINGECKO_TICKER,
  COINGECKO_TRADES,
  COINGECKO_TRADES_QUERY,
  FEED_LEVELS_MAX,
  FEED_TRADES_MAX,
} from "../../edge/schemas/feeds.ts";
import { listedBooks, NO_LISTED_MARKET } from "../../edge/wire/listed_markets.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { MARKET_DATA, ok } from "../endpoint_parts.ts";
import * as z from "zod";
import {
  answerKept,
  bookOfPair,
  dayTexts,
  feedTrades,
  pairOf,
  sidesText,
  tradeTexts,
} from "./feed_wire.ts";
import type { KeptTexts } from "./kept_texts.ts";

const FIELD = "ticker_id";

function pairsText({ engine }: Call): string {
  return JSON.stringify(
    listedBooks(engine.venue).map((book) => {
      const { base, quote, name } = pairOf(engine.venue, book);
      return { ticker_id: name, base, target: quote };
    }),
  );
}

function tickersText({ engine }: Call): string {
  return JSON.stringify(
    listedBooks(engine.venue).map((book) => {
      const { base, quote, name } = pairOf(engine.venue, book);
      const day = dayTexts(book, engine.ticker(book.market.index));
      return {
        ticker_id: name,
        base_currency: base,
        target_currency: quote,
        last_price: day.last,
        base_volume: day.baseVolume,
        target_volume: day.quoteVolume,
        bid: day.bid,
        ask: day.ask,
        high: day.high,
        low: day.low,
      };
    }),
  );
}

function bookText({ engine, query }: QueryCall<typeof COINGECKO_BOOK_QUERY>): string {
  const book = bookOfPair(engine.venue, query.ticker_id, FIELD);
  const levels = query.depth === 0 ? FEED_LEVELS_MAX : Math.ceil(query.depth / 2);
  const { name } = pairOf(engine.venue, book);
  return `{"ticker_id":${JSON.stringify(name)},"timestamp":${engine.now()},${
    sidesText(book, levels)
  }}`;
}

async function tradesText(
  { engine, query }: QueryCall<typeof COINGECKO_TRADES_QUERY>,
): Promise<string> {
  const book = bookOfPair(engine.venue, query.ticker_id, FIELD);
  const { start_time, end_time, type, limit } = query;
  const trades = await feedTrades(engine, book, {
    from: start_time === undefined ? undefined : start_time * 1000,
    to: end_time === undefined ? undefined : (end_time + 1) * 1000,
    side: type,
    limit: limit === 0 ? FEED_TRADES_MAX : limit,
  });
  const ofSide = (side: "buy" | "sell") =>
    trades.filter(({ takerSide }) => takerSide === side).map((trade) => tradeJson(book, trade));
  return JSON.stringify({ buy: ofSide("buy"), sell: ofSide("sell") });
}

function tradeJson(book: MarketBook, trade: MarketTrade): Record<string, unknown> {
  const { price, baseVolume, quoteVolume } = tradeTexts(book, trade);
  return {
    trade_id: trade.id,
    price,
    base_volume: baseVolume,
    target_volume: quoteVolume,
    trade_timestamp: trade.at,
    type: trade.takerSide,
  };
}

const PAIR = { ticker_id: "BTC_USDT", base: "BTC", target: "USDT" };
const TICKER = {
  ticker_id: "BTC_USDT",
  base_currency: "BTC",
  target_currency: "USDT",
  last_price: "9250.0",
  base_volume: "2.0",
  target_volume: "18450.0",
  bid: "9249.0",
  ask: "9251.0",
  high: "9300.0",
  low: "9100.0",
};
const BOOK = {
  ticker_id: "BTC_USDT",
  timestamp: 1583146260123,
  bids: [["9249.0", "1.5"]],
  asks: [["9251.0", "0.5"]],
};
const TRADE = {
  trade_id: 1834499,
  price: "9120.0",
  base_volume: "0.05",
  target_volume: "456.0",
  trade_timestamp: 1583146260123,
  type: "buy",
};

/** Endpoints that CoinGecko reads. */
export function coingeckoEndpoints(texts: KeptTexts): Endpoint[] {
  return [
    endpoint({
      id: "listCoingeckoPairs",
      method: "GET",
      paths: ["/api/v2/coingecko/pairs"],
      ...MARKET_DATA,
      summary: "List the pairs, for CoinGecko",
      answer: ok("The listed markets.", z.array(COINGECKO_PAIR), [PAIR]),
      handle: (call: Call) => answerKept(texts, call, () => pairsText(call)),
    }),
    endpoint({
      id: "listCoingeckoTickers",
      method: "GET",
      paths: ["/api/v2/coingecko/tickers"],
      ...MARKET_DATA,
      summary: "List the tickers, for CoinGecko",
      answer: ok("The last 24 hours of all markets.", z.array(COINGECKO_TICKER), [TICKER]),
      handle: (call: Call) => answerKept(texts, call, () => tickersText(call)),
    }),
    endpoint({
      id: "readCoingeckoBook",
      method: "GET",
      paths: ["/api/v2/coingecko/orderbook"],
      ...MARKET_DATA,
      summary: "Get an order book, for CoinGecko",
      query: COINGECKO_BOOK_QUERY,
      answer: ok("The book, both sides best first.", COINGECKO_BOOK, BOOK),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof COINGECKO_BOOK_QUERY>) =>
        answerKept(texts, call, () => bookText(call)),
    }),
    endpoint({
      id: "listCoingeckoTrades",
      method: "GET",
      paths: ["/api/v2/coingecko/historical_trades"],
      ...MARKET_DATA,
      summary: "List trades, for CoinGecko",
      query: COINGECKO_TRADES_QUERY,
      answer: ok("Trades by the taker's side, newest first.", COINGECKO_TRADES, {
        buy: [TRADE],
        sell: [],
      }),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof COINGECKO_TRADES_QUERY>) =>
        answerKept(texts, call, () => tradesText(call)),
    }),
  ];
}
