/** What CoinMarketCap reads of a venue, in the fields that it asks venues for. */
import * as z from "zod";
import { ANY_MARKET } from "../../domain/trading/fees.ts";
import type { Venue } from "../../domain/venue.ts";
import {
  COINMARKETCAP_ASSET,
  COINMARKETCAP_BOOK,
  COINMARKETCAP_BOOK_QUERY,
  COINMARKETCAP_MARKET,
  COINMARKETCAP_TICKER,
  COINMARKETCAP_TRADE,
  FEED_LEVELS_MAX,
  FEED_TRADES_MAX,
} from "../../edge/schemas/feeds.ts";
import { byPosition, listedBooks, NO_LISTED_MARKET } from "../../edge/wire/listed_markets.ts";
import { changePercent } from "../../edge/wire/market_wire.ts";
import { amountText, rateText } from "../../edge/wire/wire.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { MARKET_DATA, ok } from "../endpoint_parts.ts";
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

const FIELD = "pair";
/** Of what trades are told, in ms. */
const DAY_MS = 24 * 60 * 60 * 1000;
const ANY_GROUP = "any";

/** Returns JSON whose decimals are number literals: exact, never through a float. */
function objectText(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${pairs.join(",")}}`;
}

function summaryText({ engine }: Call): string {
  const markets = listedBooks(engine.venue).map((book) => {
    const { base, quote, name } = pairOf(engine.venue, book);
    const ticker = engine.ticker(book.market.index);
    const day = dayTexts(book, ticker);
    return objectText({
      trading_pairs: JSON.stringify(name),
      base_currency: JSON.stringify(base),
      quote_currency: JSON.stringify(quote),
      last_price: day.last,
      lowest_ask: day.ask,
      highest_bid: day.bid,
      base_volume: day.baseVolume,
      quote_volume: day.quoteVolume,
      // As a number: without the sign of a rise, and without the unit.
      price_change_percent_24h: changePercent(ticker.open, ticker.last).replace(/[+%]/g, ""),
      highest_price_24h: day.high,
      lowest_price_24h: day.low,
    });
  });
  return `[${markets.join(",")}]`;
}

function assetsText({ engine: { venue } }: Call): string {
  const fees = usualFees(venue);
  const { withdrawals } = venue.switches;
  const assets = venue.currencies.filter(({ visible }) => visible).sort(byPosition)
    .map((currency) => [
      currency.id.toUpperCase(),
      objectText({
        name: JSON.stringify(currency.name || currency.id.toUpperCase()),
        can_withdraw: String(withdrawals && currency.withdrawalEnabled),
        can_deposit: String(currency.depositEnabled),
        min_withdraw: amountText(currency.minWithdrawAmount, 1),
        ...fees,
      }),
    ]);
  return objectText(Object.fromEntries(assets));
}

/** The fees that everybody pays on any market, if the table has a row for that. */
function usualFees({ fees }: Venue): Record<string, string> {
  const row = fees.rows().find(({ market, group }) => market === ANY_MARKET && group === ANY_GROUP);
  if (row === undefined) return {};
  return { maker_fee: rateText(row.maker, 1), taker_fee: rateText(row.taker, 1) };
}

function tickersText({ engine }: Call): string {
  const { trading } = engine.venue.switches;
  const tickers = listedBooks(engine.venue).map((book) => {
    const day = dayTexts(book, engine.ticker(book.market.index));
    const isTraded = trading && book.market.state === "enabled";
    return [
      pairOf(engine.venue, book).name,
      objectText({
        last_price: day.last,
        base_volume: day.baseVolume,
        quote_volume: day.quoteVolume,
        isFrozen: isTraded ? '"0"' : '"1"',
      }),
    ];
  });
  return objectText(Object.fromEntries(tickers));
}

function bookText(call: QueryCall<typeof COINMARKETCAP_BOOK_QUERY>): string {
  const { engine, query } = call;
  const book = bookOfPair(engine.venue, call.param("pair"), FIELD);
  const levels = query.depth === 0 ? FEED_LEVELS_MAX : Math.ceil(query.depth / 2);
  return `{"timestamp":${engine.now()},${sidesText(book, levels)}}`;
}

async function tradesText(call: Call): Promise<string> {
  const { engine } = call;
  const book = bookOfPair(engine.venue, call.param("pair"), FIELD);
  const from = engine.now() - DAY_MS;
  const trades = await feedTrades(engine, book, { from, limit: FEED_TRADES_MAX });
  const texts = trades.map((trade) => {
    const { price, baseVolume, quoteVolume } = tradeTexts(book, trade);
    return objectText({
      trade_id: String(trade.id),
      price,
      base_volume: baseVolume,
      quote_volume: quoteVolume,
      timestamp: String(trade.at),
      type: JSON.stringify(trade.takerSide),
    });
  });
  return `[${texts.join(",")}]`;
}

const SUMMARY = {
  trading_pairs: "BTC_USDT",
  base_currency: "BTC",
  quote_currency: "USDT",
  last_price: 9250,
  lowest_ask: 9251,
  highest_bid: 9249,
  base_volume: 2,
  quote_volume: 18450,
  price_change_percent_24h: 0.54,
  highest_price_24h: 9300,
  lowest_price_24h: 9100,
};
const ASSET = {
  name: "Bitcoin",
  can_withdraw: true,
  can_deposit: true,
  min_withdraw: 0.001,
  maker_fee: 0.002,
  taker_fee: 0.002,
};
const TICKER = { last_price: 9250, base_volume: 2, quote_volume: 18450, isFrozen: "0" };
const TRADE = {
  trade_id: 1834499,
  price: 9120,
  base_volume: 0.05,
  quote_volume: 456,
  timestamp: 1583146260123,
  type: "buy",
};

/** Endpoints that CoinMarketCap reads. */
export function coinmarketcapEndpoints(texts: KeptTexts): Endpoint[] {
  return [
    endpoint({
      id: "listCoinmarketcapSummary",
      method: "GET",
      paths: ["/api/v2/coinmarketcap/summary"],
      ...MARKET_DATA,
      summary: "List the markets, for CoinMarketCap",
      answer: ok("The last 24 hours of all markets.", z.array(COINMARKETCAP_MARKET), [SUMMARY]),
      handle: (call: Call) => answerKept(texts, call, () => summaryText(call)),
    }),
    endpoint({
      id: "listCoinmarketcapAssets",
      method: "GET",
      paths: ["/api/v2/coinmarketcap/assets"],
      ...MARKET_DATA,
      summary: "List the currencies, for CoinMarketCap",
      answer: ok("The currencies by code.", z.record(z.string(), COINMARKETCAP_ASSET), {
        BTC: ASSET,
      }),
      handle: (call: Call) => answerKept(texts, call, () => assetsText(call)),
    }),
    endpoint({
      id: "listCoinmarketcapTickers",
      method: "GET",
      paths: ["/api/v2/coinmarketcap/ticker"],
      ...MARKET_DATA,
      summary: "List the tickers, for CoinMarketCap",
      answer: ok("The tickers by pair.", z.record(z.string(), COINMARKETCAP_TICKER), {
        BTC_USDT: TICKER,
      }),
      handle: (call: Call) => answerKept(texts, call, () => tickersText(call)),
    }),
    endpoint({
      id: "readCoinmarketcapBook",
      method: "GET",
      paths: ["/api/v2/coinmarketcap/orderbook/{pair}"],
      ...MARKET_DATA,
      summary: "Get an order book, for CoinMarketCap",
      query: COINMARKETCAP_BOOK_QUERY,
      answer: ok("The book, both sides best first.", COINMARKETCAP_BOOK, {
        timestamp: 1583146260123,
        bids: [["9249.0", "1.5"]],
        asks: [["9251.0", "0.5"]],
      }),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof COINMARKETCAP_BOOK_QUERY>) =>
        answerKept(texts, call, () => bookText(call)),
    }),
    endpoint({
      id: "listCoinmarketcapTrades",
      method: "GET",
      paths: ["/api/v2/coinmarketcap/trades/{pair}"],
      ...MARKET_DATA,
      summary: "List trades, for CoinMarketCap",
      description: `The last 24 hours, at most ${FEED_TRADES_MAX} trades.`,
      answer: ok("Trades, newest first.", z.array(COINMARKETCAP_TRADE), [TRADE]),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: Call) => answerKept(texts, call, () => tradesText(call)),
    }),
  ];
}
