/** Schemas of the feeds for sites that list venues, and for charts. */
import * as z from "zod";
import { decimalText } from "./answers.ts";
import { integer, optional, text, unixSeconds, withDefault, word } from "./fields.ts";

/** Most levels of one side of a feed's book. */
export const FEED_LEVELS_MAX = 1_000;
/** Most trades of one answer of a feed. */
export const FEED_TRADES_MAX = 1_000;
const FEED_TRADES_DEFAULT = 500;
const PAIR_LENGTH_MAX = 64;

const COINGECKO = "public.coingecko";
const COINMARKETCAP = "public.coinmarketcap";
const UDF = "public.udf";

const TICKER_ID = text({ prefix: COINGECKO, name: "ticker_id", lengthMax: PAIR_LENGTH_MAX }, {
  description: "A pair, such as `BTC_USDT`.",
  example: "BTC_USDT",
});

function depthField(prefix: string): z.ZodType<number, string | undefined> {
  const rules = { prefix, name: "depth", min: 0, max: 2 * FEED_LEVELS_MAX };
  return withDefault(
    integer(rules, {
      description: "Levels of both sides together: 100 are 50 of each side, and 0 all, which are " +
        `up to ${FEED_LEVELS_MAX} of each.`,
    }),
    0,
  );
}

/** Query of CoinGecko's order book. */
export const COINGECKO_BOOK_QUERY = z.object({
  ticker_id: TICKER_ID,
  depth: depthField(COINGECKO),
});

/** Query of CoinGecko's trades. */
export const COINGECKO_TRADES_QUERY = z.object({
  type: optional(
    word(COINGECKO, "type", ["buy", "sell"], {
      description: "Only trades whose taker bought, or sold.",
    }),
  ),
  ticker_id: TICKER_ID,
  limit: withDefault(
    integer({ prefix: COINGECKO, name: "limit", min: 0, max: FEED_TRADES_MAX }, {
      description:
        `Number of trades, the last ones; 0 for all, which are up to ${FEED_TRADES_MAX}.`,
    }),
    FEED_TRADES_DEFAULT,
  ),
  start_time: optional(unixSeconds({ prefix: COINGECKO, name: "start_time" }, {
    description: "Only trades at this time or later, in Unix seconds.",
  })),
  end_time: optional(unixSeconds({ prefix: COINGECKO, name: "end_time" }, {
    description: "Only trades at this time or earlier, in Unix seconds.",
  })),
});

/** Query of CoinMarketCap's order book. */
export const COINMARKETCAP_BOOK_QUERY = z.object({ depth: depthField(COINMARKETCAP) });

const SYMBOL = text({ prefix: UDF, name: "symbol", lengthMax: PAIR_LENGTH_MAX }, {
  description: "A market's name or id, with or without the exchange before it.",
  example: "BTC/USDT",
});

/** Query of a chart's symbol. */
export const UDF_SYMBOL_QUERY = z.object({ symbol: SYMBOL });

/** Query of a search for symbols. */
export const UDF_SEARCH_QUERY = z.object({
  query: optional(
    text({ prefix: UDF, name: "query", lengthMax: PAIR_LENGTH_MAX }, {
      description: "A part of a market's name or id, in any case.",
    }),
  ),
  type: optional(
    text({ prefix: UDF, name: "type", lengthMax: PAIR_LENGTH_MAX }, {
      description: "Kind of symbols; all are `crypto`.",
    }),
  ),
  exchange: optional(
    text({ prefix: UDF, name: "exchange", lengthMax: PAIR_LENGTH_MAX }, {
      description: "Name of an exchange; there is one.",
    }),
  ),
  limit: withDefault(
    integer({ prefix: UDF, name: "limit", min: 1, max: 100 }, { description: "Most symbols." }),
    30,
  ),
});

/** Resolutions of charts, as periods in minutes. */
export const RESOLUTIONS = {
  "1": 1,
  "5": 5,
  "15": 15,
  "30": 30,
  "60": 60,
  "120": 120,
  "240": 240,
  "360": 360,
  "720": 720,
  "D": 1440,
  "1D": 1440,
  "3D": 4320,
  "W": 10080,
  "1W": 10080,
} as const;

const RESOLUTION_NAMES = Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[];
/** Most bars of one answer. */
export const BARS_MAX = 10_000;

/** Query of a chart's bars. */
export const UDF_HISTORY_QUERY = z.object({
  resolution: word(UDF, "resolution", RESOLUTION_NAMES, { description: "Length of a bar." }),
  symbol: SYMBOL,
  from: optional(unixSeconds({ prefix: UDF, name: "from" }, {
    description: "Earliest start of a bar, in Unix seconds; ignored if there is a `countback`.",
  })),
  to: unixSeconds({ prefix: UDF, name: "to" }, {
    description: "End of the bars' starts, itself not included, in Unix seconds.",
  }),
  countback: optional(
    integer({ prefix: UDF, name: "countback", min: 1, max: BARS_MAX }, {
      description: "Number of bars before `to`.",
    }),
  ),
});

const LEVELS = z.array(z.array(z.string()));
const NUMBERS = z.array(z.number());

/** CoinGecko's pairs. */
export const COINGECKO_PAIR = z.object({
  ticker_id: z.string(),
  base: z.string(),
  target: z.string(),
});

/** CoinGecko's tickers. */
export const COINGECKO_TICKER = z.object({
  ticker_id: z.string(),
  base_currency: z.string(),
  target_currency: z.string(),
  last_price: decimalText("Last price.", "9250.0"),
  base_volume: decimalText("Volume of 24 hours, in the base currency.", "2.0"),
  target_volume: decimalText("Volume of 24 hours, in the quote currency.", "18450.0"),
  bid: decimalText("Best bid; 0 if there is none.", "9249.0"),
  ask: decimalText("Best ask; 0 if there is none.", "9251.0"),
  high: decimalText("Highest price of 24 hours.", "9300.0"),
  low: decimalText("Lowest price of 24 hours.", "9100.0"),
});

/** A book as CoinGecko reads it. */
export const COINGECKO_BOOK = z.object({
  ticker_id: z.string(),
  timestamp: z.int().meta({ description: "In ms since 1970." }),
  bids: LEVELS,
  asks: LEVELS,
});

const COINGECKO_TRADE = z.object({
  trade_id: z.int(),
  price: decimalText("Price.", "9120.0"),
  base_volume: decimalText("Volume in the base currency.", "0.05"),
  target_volume: decimalText("Volume in the quote currency.", "456.0"),
  trade_timestamp: z.int().meta({ description: "In ms since 1970." }),
  type: z.enum(["buy", "sell"]),
});

/** Trades as CoinGecko reads them, newest first. */
export const COINGECKO_TRADES = z.object({
  buy: z.array(COINGECKO_TRADE),
  sell: z.array(COINGECKO_TRADE),
});

/** A market as CoinMarketCap reads it. */
export const COINMARKETCAP_MARKET = z.object({
  trading_pairs: z.string(),
  base_currency: z.string(),
  quote_currency: z.string(),
  last_price: z.number(),
  lowest_ask: z.number(),
  highest_bid: z.number(),
  base_volume: z.number(),
  quote_volume: z.number(),
  price_change_percent_24h: z.number(),
  highest_price_24h: z.number(),
  lowest_price_24h: z.number(),
});

/** A currency as CoinMarketCap reads it. */
export const COINMARKETCAP_ASSET = z.object({
  name: z.string(),
  can_withdraw: z.boolean(),
  can_deposit: z.boolean(),
  min_withdraw: z.number(),
  maker_fee: z.number().optional(),
  taker_fee: z.number().optional(),
});

/** A ticker as CoinMarketCap reads it. */
export const COINMARKETCAP_TICKER = z.object({
  last_price: z.number(),
  base_volume: z.number(),
  quote_volume: z.number(),
  isFrozen: z.enum(["0", "1"]),
});

/** A book as CoinMarketCap reads it. */
export const COINMARKETCAP_BOOK = z.object({
  timestamp: z.int().meta({ description: "In ms since 1970." }),
  bids: LEVELS,
  asks: LEVELS,
});

/** A trade as CoinMarketCap reads it. */
export const COINMARKETCAP_TRADE = z.object({
  trade_id: z.int(),
  price: z.number(),
  base_volume: z.number(),
  quote_volume: z.number(),
  timestamp: z.int().meta({ description: "In ms since 1970." }),
  type: z.enum(["buy", "sell"]),
});

/** What charts may ask for. */
export const UDF_CONFIG = z.object({
  supports_search: z.boolean(),
  supports_group_request: z.boolean(),
  supports_marks: z.boolean(),
  supports_timescale_marks: z.boolean(),
  supports_time: z.boolean(),
  supported_resolutions: z.array(z.string()),
  exchanges: z.array(z.object({ value: z.string(), name: z.string(), desc: z.string() })),
  symbols_types: z.array(z.object({ value: z.string(), name: z.string() })),
});

/** A market as charts know it. */
export const UDF_SYMBOL = z.object({
  name: z.string(),
  ticker: z.string(),
  description: z.string(),
  type: z.string(),
  session: z.string(),
  timezone: z.string(),
  exchange: z.string(),
  listed_exchange: z.string(),
  minmov: z.int(),
  pricescale: z.int(),
  format: z.string(),
  has_intraday: z.boolean(),
  has_daily: z.boolean(),
  has_weekly_and_monthly: z.boolean(),
  supported_resolutions: z.array(z.string()),
  intraday_multipliers: z.array(z.string()),
  volume_precision: z.int(),
  data_status: z.string(),
});

/** A market that was found. */
export const UDF_FOUND = z.object({
  symbol: z.string(),
  full_name: z.string(),
  description: z.string(),
  exchange: z.string(),
  ticker: z.string(),
  type: z.string(),
});

/** Bars, as columns; or that there are none, and where the last one before them is. */
export const UDF_BARS = z.object({
  s: z.enum(["ok", "no_data"]),
  t: z.array(z.int()).optional().meta({ description: "Starts of the bars, in Unix seconds." }),
  o: NUMBERS.optional(),
  h: NUMBERS.optional(),
  l: NUMBERS.optional(),
  c: NUMBERS.optional(),
  v: NUMBERS.optional(),
  nextTime: z.int().optional().meta({
    description: "Without bars: start of the last one before `from`.",
  }),
});
