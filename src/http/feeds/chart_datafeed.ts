/** What TradingView's charts read, as their Universal Datafeed (UDF) has it. */
import * as z from "zod";
import type { Candle } from "../../domain/trading/candle.ts";
import type { Market } from "../../domain/trading/market.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import { formatDecimal, formatInteger } from "../../domain/money/money.ts";
import type { Venue } from "../../domain/venue.ts";
import { invalidField } from "../../edge/errors.ts";
import {
  BARS_MAX,
  RESOLUTIONS,
  UDF_BARS,
  UDF_CONFIG,
  UDF_FOUND,
  UDF_HISTORY_QUERY,
  UDF_SEARCH_QUERY,
  UDF_SYMBOL,
  UDF_SYMBOL_QUERY,
} from "../../edge/schemas/feeds.ts";
import { listedBooks, NO_LISTED_MARKET } from "../../edge/wire/listed_markets.ts";
import { secondsOf } from "../../edge/wire/wire.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { MARKET_DATA, ok } from "../endpoint_parts.ts";
import { answerKept } from "./feed_wire.ts";
import type { KeptTexts } from "./kept_texts.ts";

/** What charts call the venue. */
const EXCHANGE = "kvenue";
const TYPE = "crypto";
/** Resolutions that are shown; some have two names. */
const SHOWN = ["1", "5", "15", "30", "60", "120", "240", "360", "720", "1D", "3D", "1W"];
const INTRADAY = SHOWN.filter((resolution) => /^\d+$/.test(resolution));

const CONFIG = {
  supports_search: true,
  supports_group_request: false,
  supports_marks: false,
  supports_timescale_marks: false,
  supports_time: true,
  supported_resolutions: SHOWN,
  exchanges: [{ value: EXCHANGE, name: EXCHANGE, desc: EXCHANGE }],
  symbols_types: [{ value: TYPE, name: TYPE }],
};

function symbolJson(market: Market): z.infer<typeof UDF_SYMBOL> {
  return {
    name: market.name,
    ticker: market.id,
    description: market.name,
    type: TYPE,
    session: "24x7",
    timezone: "Etc/UTC",
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    minmov: 1,
    pricescale: 10 ** market.pricePrecision,
    format: "price",
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: true,
    supported_resolutions: SHOWN,
    intraday_multipliers: INTRADAY,
    volume_precision: market.amountPrecision,
    data_status: "streaming",
  };
}

function foundJson({ id, name }: Market): z.infer<typeof UDF_FOUND> {
  return {
    symbol: name,
    full_name: `${EXCHANGE}:${name}`,
    description: name,
    exchange: EXCHANGE,
    ticker: id,
    type: TYPE,
  };
}

/** @throws {ApiError} if there is no such market */
function bookOfSymbol(venue: Venue, given: string): MarketBook {
  const name = given.replace(new RegExp(`^${EXCHANGE}:`, "i"), "").toLowerCase();
  const book = listedBooks(venue).find(({ market }) =>
    market.id === name || market.name.toLowerCase() === name
  );
  if (book === undefined) throw invalidField(NO_LISTED_MARKET, "symbol", given);
  return book;
}

function findSymbols({ engine, query }: QueryCall<typeof UDF_SEARCH_QUERY>): string {
  const { limit, type = "", exchange = "" } = query;
  const wanted = (query.query ?? "").toLowerCase();
  const isMeant = (type === "" || type === TYPE) && (exchange === "" || exchange === EXCHANGE);
  const found = listedBooks(engine.venue).map(({ market }) => market)
    .filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted));
  return JSON.stringify(isMeant ? found.slice(0, limit).map(foundJson) : []);
}

async function barsText(
  { engine, query }: QueryCall<typeof UDF_HISTORY_QUERY>,
): Promise<string> {
  const { market } = bookOfSymbol(engine.venue, query.symbol);
  const period = RESOLUTIONS[query.resolution];
  const { countback, from, to } = query;
  const last = to - 1;
  if (last < 0) return JSON.stringify({ s: "no_data" });
  const candles = await engine.candles(market.index, period, {
    to: last,
    limit: countback ?? BARS_MAX,
    ...(countback === undefined && from !== undefined ? { from } : {}),
  });
  if (candles.length > 0) return columnsText(market, candles);
  const before = countback === undefined && from !== undefined && from > 0
    ? await engine.candles(market.index, period, { to: from - 1, limit: 1 })
    : [];
  const [earlier] = before;
  return JSON.stringify({
    s: "no_data",
    ...(earlier === undefined ? {} : { nextTime: earlier.start }),
  });
}

/** Returns bars as columns: exact decimals as number literals, never through a float. */
function columnsText(market: Market, candles: readonly Candle[]): string {
  const { pricePrecision, amountPrecision } = market;
  const column = (name: string, text: (candle: Candle) => string) =>
    `"${name}":[${candles.map(text).join(",")}]`;
  const prices = (name: string, ticks: (candle: Candle) => number) =>
    column(name, (candle) => formatInteger(ticks(candle), pricePrecision));
  const columns = [
    column("t", ({ start }) => String(start)),
    prices("o", ({ open }) => open),
    prices("h", ({ high }) => high),
    prices("l", ({ low }) => low),
    prices("c", ({ close }) => close),
    column("v", ({ volume }) => formatDecimal(volume, amountPrecision)),
  ];
  return `{"s":"ok",${columns.join(",")}}`;
}

const SYMBOL_EXAMPLE = {
  name: "BTC/USDT",
  ticker: "btcusdt",
  description: "BTC/USDT",
  type: TYPE,
  session: "24x7",
  timezone: "Etc/UTC",
  exchange: EXCHANGE,
  listed_exchange: EXCHANGE,
  minmov: 1,
  pricescale: 100,
  format: "price",
  has_intraday: true,
  has_daily: true,
  has_weekly_and_monthly: true,
  supported_resolutions: SHOWN,
  intraday_multipliers: INTRADAY,
  volume_precision: 6,
  data_status: "streaming",
};
const FOUND_EXAMPLE = {
  symbol: "BTC/USDT",
  full_name: `${EXCHANGE}:BTC/USDT`,
  description: "BTC/USDT",
  exchange: EXCHANGE,
  ticker: "btcusdt",
  type: TYPE,
};
const BARS_EXAMPLE = {
  s: "ok",
  t: [1583146260],
  o: [9200],
  h: [9300],
  l: [9100],
  c: [9250],
  v: [2],
};

/** Endpoints that charts read. */
export function chartEndpoints(texts: KeptTexts): Endpoint[] {
  return [
    endpoint({
      id: "readChartConfig",
      method: "GET",
      paths: ["/api/v2/udf/config"],
      ...MARKET_DATA,
      summary: "Get what charts may ask for",
      answer: ok("What the datafeed has.", UDF_CONFIG, CONFIG),
      handle: (call: Call) => answerKept(texts, call, () => JSON.stringify(CONFIG)),
    }),
    endpoint({
      id: "readChartTime",
      method: "GET",
      paths: ["/api/v2/udf/time"],
      ...MARKET_DATA,
      summary: "Get the time, for charts",
      answer: ok("The time, in Unix seconds.", z.int(), 1583146260),
      handle: (call: Call) => call.text(200, String(secondsOf(call.engine.now()))),
    }),
    endpoint({
      id: "readChartSymbol",
      method: "GET",
      paths: ["/api/v2/udf/symbols"],
      ...MARKET_DATA,
      summary: "Get a market, for charts",
      query: UDF_SYMBOL_QUERY,
      answer: ok("The market.", UDF_SYMBOL, SYMBOL_EXAMPLE),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof UDF_SYMBOL_QUERY>) =>
        answerKept(texts, call, () => {
          const { market } = bookOfSymbol(call.engine.venue, call.query.symbol);
          return JSON.stringify(symbolJson(market));
        }),
    }),
    endpoint({
      id: "searchChartSymbols",
      method: "GET",
      paths: ["/api/v2/udf/search"],
      ...MARKET_DATA,
      summary: "Search markets, for charts",
      query: UDF_SEARCH_QUERY,
      answer: ok("Markets by position.", z.array(UDF_FOUND), [FOUND_EXAMPLE]),
      handle: (call: QueryCall<typeof UDF_SEARCH_QUERY>) =>
        answerKept(texts, call, () => findSymbols(call)),
    }),
    endpoint({
      id: "readChartBars",
      method: "GET",
      paths: ["/api/v2/udf/history"],
      ...MARKET_DATA,
      summary: "Get bars, for charts",
      query: UDF_HISTORY_QUERY,
      answer: ok("Bars as columns, oldest first.", UDF_BARS, BARS_EXAMPLE),
      errors: { 422: [NO_LISTED_MARKET] },
      handle: (call: QueryCall<typeof UDF_HISTORY_QUERY>) =>
        answerKept(texts, call, () => barsText(call)),
    }),
  ];
}
