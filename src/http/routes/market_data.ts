/** Market data: tickers, candles, depth, trades and order books. */
import * as z from "zod";
import type { CandlePeriod } from "../../domain/trading/candle.ts";
import { BookOrderTexts } from "../../edge/orders/book_order_texts.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { classicTrade } from "../../edge/orders/classic_wire.ts";
import { definedFields } from "../../edge/answer.ts";
import { DepthTexts } from "../../edge/wire/depth_texts.ts";
import { backendPaths, MARKET_DATA, ok } from "../endpoint_parts.ts";
import { bookOf, listedBooks, NO_LISTED_MARKET } from "../../edge/wire/listed_markets.ts";
import { candlesText, tickerJson } from "../../edge/wire/market_wire.ts";
import {
  BOOK_ORDER_EXAMPLE,
  PUBLIC_TRADE_EXAMPLE,
  TICKER_EXAMPLE,
} from "../../edge/schemas/examples.ts";
import { idRange, SCAN_LIMITED } from "../../edge/schemas/lists.ts";
import {
  DEPTH,
  K_LINE,
  ORDER_BOOK,
  PUBLIC_TRADE,
  TICKER,
  TICKERS,
} from "../../edge/schemas/market_answers.ts";
import {
  CANDLES_MAX,
  DEPTH_QUERY,
  K_LINE_QUERY,
  ORDER_BOOK_QUERY,
  PUBLIC_TRADES_QUERY,
} from "../../edge/schemas/market_data.ts";
import { publicTradeJson, secondsOf } from "../../edge/wire/wire.ts";
import { msOf } from "../../edge/filters.ts";

function readTicker(call: Call): Response {
  const { engine, fraction } = call;
  const book = bookOf(engine.venue, call.param("market"));
  const at = secondsOf(engine.now());
  return call.json(200, tickerJson(book, engine.ticker(book.market.index), at, fraction));
}

function readTickers(call: Call): Response {
  const { engine, fraction } = call;
  const at = secondsOf(engine.now());
  const tickers = listedBooks(engine.venue).map((book) => [
    book.market.id,
    tickerJson(book, engine.ticker(book.market.index), at, fraction),
  ]);
  return call.json(200, Object.fromEntries(tickers));
}

async function readKLine(call: QueryCall<typeof K_LINE_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const { market } = bookOf(engine.venue, call.param("market"));
  const { time_from: from, time_to: to } = query;
  const isBounded = from !== undefined && to !== undefined;
  const candles = await engine.candles(
    market.index,
    query.period as CandlePeriod,
    {
      ...definedFields<{ from?: number; to?: number }>({ from, to }),
      limit: isBounded ? CANDLES_MAX : query.limit,
    },
  );
  const isCut = isBounded && candles.length === CANDLES_MAX;
  return call.text(
    200,
    candlesText(market, candles),
    isCut ? SCAN_LIMITED : undefined,
  );
}

function readDepth(
  depths: DepthTexts,
  call: QueryCall<typeof DEPTH_QUERY>,
): Response {
  const { engine, fraction } = call;
  const book = bookOf(engine.venue, call.param("market"));
  const { limit, checksum } = call.query;
  const second = secondsOf(engine.now());
  return call.text(200, depths.text(book, limit, second, fraction, checksum !== undefined));
}

async function listTrades(call: QueryCall<typeof PUBLIC_TRADES_QUERY>): Promise<Response> {
  const { engine, query, fraction, isPeatio } = call;
  const { market } = bookOf(engine.venue, call.param("market"));
  const { timestamp = Infinity, time_to: end = Infinity } = query;
  const to = Math.min(timestamp, end);
  const times = { from: msOf(query.time_from), to: msOf(to === Infinity ? undefined : to) };
  const trades = await engine.marketTrades(market.index, {
    ...definedFields<{ from?: number; to?: number }>(times),
    ...idRange(query),
    limit: query.limit,
    direction: query.order_by,
  });
  const shown = trades.map((trade) => publicTradeJson(engine.venue, trade, fraction));
  return call.json(200, isPeatio ? shown.map(classicTrade) : shown);
}

function readOrderBook(
  orders: BookOrderTexts,
  call: QueryCall<typeof ORDER_BOOK_QUERY>,
): Response {
  const { engine, query, fraction, isPeatio } = call;
  const book = bookOf(engine.venue, call.param("market"));
  const form = { fraction, isPeatio };
  const asks = orders.list(engine, book, book.asks, query.asks_limit, form);
  const bids = orders.list(engine, book, book.bids, query.bids_limit, form);
  const text = `{"asks":${asks},"bids":${bids}}`;
  // The specification asks for a list; the older path answers with the book itself.
  return call.text(200, isPeatio ? text : `[${text}]`);
}

const LAST_24_HOURS =
  "The last 24 hours start on a full minute: at 10:30:45, at 10:30:00 of the day before. If " +
  "they contain no trade, all fields except `last`, `buy` and `sell` are zero.";

/** Creates the endpoints of market data, which hold the texts of depths and of books' orders. */
export function createMarketDataEndpoints(): readonly Endpoint[] {
  const depths = new DepthTexts();
  return [
    endpoint({
      id: "readTickers",
      method: "GET",
      paths: backendPaths("public/markets/tickers"),
      ...MARKET_DATA,
      summary: "Get the tickers of all markets",
      description: LAST_24_HOURS,
      answer: ok("Tickers by market id.", TICKERS, { btcusdt: TICKER_EXAMPLE }),
      handle: readTickers,
    }),
    endpoint({
      id: "readTicker",
      method: "GET",
      paths: backendPaths("public/markets/{market}/tickers"),
      ...MARKET_DATA,
      summary: "Get the ticker of a market",
      description: LAST_24_HOURS,
      answer: ok("The ticker of the last 24 hours.", TICKER, TICKER_EXAMPLE),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: readTicker,
    }),
    ...historyEndpoints(),
    ...bookEndpoints(depths, new BookOrderTexts()),
  ];
}

function historyEndpoints(): Endpoint[] {
  return [
    endpoint({
      id: "readKLine",
      method: "GET",
      paths: [
        ...backendPaths("public/markets/{market}/k-line"),
        "/api/v2/trading/public/markets/{market}/k-line",
      ],
      ...MARKET_DATA,
      summary: "Get OHLC data (k-line) of a market",
      description:
        "Periods start at multiples of their length since 1970 in UTC: days at midnight, weeks " +
        "on Thursdays. Periods without trades are omitted. With only `time_from`, returns the " +
        "first points from then on, otherwise the last ones; with both times, at most " +
        `${CANDLES_MAX} points.`,
      query: K_LINE_QUERY,
      answer: {
        ...ok("Points, oldest first.", K_LINE, [[1583146260, 9200, 9300, 9100, 9250, 2]]),
        headers: {
          "X-Scan-Limited": "`true` if there may be earlier points between the two times.",
        },
      },
      errors: { 422: [NO_LISTED_MARKET] },
      handle: readKLine,
    }),
    endpoint({
      id: "listMarketTrades",
      method: "GET",
      paths: backendPaths("public/markets/{market}/trades"),
      ...MARKET_DATA,
      summary: "List the recent trades of a market",
      description:
        "By id, which grows with time. Many trades may share a second, and a millisecond: to read " +
        "them all, each once, walk by `from_id` and `order_by=asc`, or back by `to_id`.",
      query: PUBLIC_TRADES_QUERY,
      answer: ok("Trades, newest first by default.", z.array(PUBLIC_TRADE), [PUBLIC_TRADE_EXAMPLE]),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: listTrades,
    }),
  ];
}

function bookEndpoints(depths: DepthTexts, orders: BookOrderTexts): Endpoint[] {
  return [
    endpoint({
      id: "readDepth",
      method: "GET",
      paths: backendPaths("public/markets/{market}/depth"),
      ...MARKET_DATA,
      summary: "Get the depth of a market",
      description:
        "Returns the levels nearest to the spread; both sides from the highest price to the " +
        "lowest. Messages of the book's streams with a greater `event` come on top of it.",
      query: DEPTH_QUERY,
      answer: ok("Volume by price.", DEPTH, {
        timestamp: 1583146260,
        asks: [["9251.0", "0.5"]],
        bids: [["9249.0", "1.5"]],
        event: 61,
      }),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof DEPTH_QUERY>) => readDepth(depths, call),
    }),
    endpoint({
      id: "readOrderBook",
      method: "GET",
      paths: backendPaths("public/markets/{market}/order-book"),
      ...MARKET_DATA,
      summary: "Get the order book of a market",
      description: "Under `/api/v2/peatio` the order book is returned directly, not in a list.",
      query: ORDER_BOOK_QUERY,
      answer: ok("A list with one order book; orders are sorted best first.", z.array(ORDER_BOOK), [
        {
          asks: [{ ...BOOK_ORDER_EXAMPLE, side: "sell", price: "9251.0" }],
          bids: [BOOK_ORDER_EXAMPLE],
        },
      ]),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof ORDER_BOOK_QUERY>) => readOrderBook(orders, call),
    }),
  ];
}
