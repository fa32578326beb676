/** Schemas of public answers. */
import * as z from "zod";
import { TAG_KINDS, TAG_NAMES } from "../../domain/money/tag.ts";
import { MARKET_STATES } from "../../domain/trading/market.ts";
import { decimalText, MEMBER_TRADE, ORDER, seconds } from "./answers.ts";

/** A trade as the public sees it. */
export const PUBLIC_TRADE = MEMBER_TRADE.pick({
  id: true,
  price: true,
  amount: true,
  total: true,
  market: true,
  created_at: true,
  created_at_ms: true,
  taker_type: true,
}).meta({ id: "PublicTrade", description: "A trade on a market." });

/** Ticker of one market. */
export const TICKER = z.object({
  at: seconds("Time of the response, in Unix seconds."),
  ticker: z.object({
    at: seconds("Time of the response, in Unix seconds."),
    low: decimalText("Lowest price in the last 24 hours.", "9100.0"),
    high: decimalText("Highest price in the last 24 hours.", "9300.0"),
    open: decimalText("First price in the last 24 hours.", "9200.0"),
    last: decimalText("Last price, however old.", "9250.0"),
    volume: decimalText("Volume in the last 24 hours, in the quote currency.", "18450.0"),
    vol: decimalText("Same as `volume`.", "18450.0"),
    amount: decimalText("Volume in the last 24 hours, in the base currency.", "2.0"),
    avg_price: decimalText("Volume-weighted average price in the last 24 hours.", "9225.0"),
    price_change_percent: z.string().meta({
      description: "Change from `open` to `last`, in percent.",
      examples: ["+0.54%"],
    }),
    buy: decimalText("Best bid.", "9249.0"),
    sell: decimalText("Best ask.", "9251.0"),
  }),
}).meta({ id: "MarketTicker", description: "Rolling 24 hours of a market." });

/** Tickers by market id. */
export const TICKERS = z.record(z.string(), TICKER).meta({
  description: "Tickers by market id.",
});

/** Points of a k-line. */
export const K_LINE = z.array(z.array(z.number())).meta({
  description:
    "Points `[time, open, high, low, close, volume]`, oldest first; volume in the base " +
    "currency.",
  examples: [[[1583146260, 9200, 9300, 9100, 9250, 2]]],
});

const DEPTH_LEVELS = z.array(z.array(z.string())).meta({
  description: "Levels `[price, volume]`, from the highest price to the lowest.",
  examples: [[["9251.0", "0.5"]]],
});

/** Depth of a market. */
export const DEPTH = z.object({
  timestamp: seconds("Time of the response, in Unix seconds."),
  asks: DEPTH_LEVELS,
  bids: DEPTH_LEVELS,
  event: z.int().meta({
    description:
      "Number, in the venue's log, of the last event that changed the book, or of a later " +
      "one up to which none did. Messages of its streams with a greater `event` come on top of it.",
    examples: [61],
  }),
  checksum: z.int().optional().meta({
    description:
      "If the query asks for it: the CRC32 of the ten best asks, then the ten best bids, " +
      "best first, each as `price:volume` with at least one digit after each point, all joined with " +
      "`:`.",
    examples: [3720841938],
  }),
}).meta({ id: "Depth", description: "Volume of a market's book by price." });

/** An order as the public sees it. */
export const BOOK_ORDER = ORDER.pick({
  id: true,
  uuid: true,
  side: true,
  ord_type: true,
  price: true,
  avg_price: true,
  state: true,
  market: true,
  created_at: true,
  updated_at: true,
  created_at_ms: true,
  updated_at_ms: true,
  origin_volume: true,
  remaining_volume: true,
  executed_volume: true,
  trades_count: true,
}).meta({ id: "BookOrder", description: "An open order of an undisclosed member." });

/** Order book of a market. */
export const ORDER_BOOK = z.object({
  asks: z.array(BOOK_ORDER),
  bids: z.array(BOOK_ORDER),
}).meta({ id: "OrderBook", description: "Open orders of a market, best first." });

/** A market. */
export const MARKET = z.object({
  id: z.string().meta({ examples: ["btcusdt"] }),
  name: z.string().meta({ examples: ["BTC/USDT"] }),
  base_unit: z.string().meta({ examples: ["btc"] }),
  quote_unit: z.string().meta({ examples: ["usdt"] }),
  min_price: decimalText("Minimum order price.", "0.01"),
  max_price: decimalText("Maximum order price; 0 for none.", "0.0"),
  min_amount: decimalText("Minimum order volume.", "0.0001"),
  min_total: decimalText("Minimum price × volume of an order; 0 for none.", "0.0"),
  amount_precision: z.int().meta({ examples: [6] }),
  price_precision: z.int().meta({ examples: [2] }),
  state: z.enum(MARKET_STATES),
  position: z.int().meta({ examples: [1] }),
}).meta({ id: "Market", description: "A market." });

/** A network that a currency lives on. */
export const NETWORK = z.object({
  network: z.string().meta({ description: "Name of the network.", examples: ["sepolia"] }),
  contract: z.string().nullable().meta({
    description: "Address of a token's contract; null for the network's own coin.",
    examples: [null],
  }),
  deposit_enabled: z.boolean(),
  withdrawal_enabled: z.boolean(),
  withdraw_fee: decimalText("Withdrawal fee on this network.", "0.0"),
  min_confirmations: z.int().meta({ examples: [6] }),
}).meta({ id: "CurrencyNetwork", description: "A currency on one of its networks." });

/** How a currency's addresses have tags. */
const TAG = z.object({ name: z.enum(TAG_NAMES), kind: z.enum(TAG_KINDS) }).meta({
  id: "CurrencyTag",
  description:
    "What stands beside the addresses of a coin: its name as a field of a beneficiary's `data`, and " +
    "whether it is a number of 32 bits or a text of 1 to 64 printable characters of ASCII. Absent " +
    "for a currency without tags.",
});

/** A currency. */
export const CURRENCY = z.object({
  id: z.string().meta({ examples: ["btc"] }),
  name: z.string().optional().meta({ examples: ["Bitcoin"] }),
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  price: decimalText("Price of one coin in the platform currency.", "1.0"),
  explorer_transaction: z.string().optional(),
  explorer_address: z.string().optional(),
  type: z.enum(["coin", "fiat"]),
  deposit_enabled: z.boolean(),
  withdrawal_enabled: z.boolean(),
  deposit_fee: decimalText("Deposit fee.", "0.0"),
  min_deposit_amount: decimalText("Minimum deposit.", "0.0001"),
  withdraw_fee: decimalText("Withdrawal fee.", "0.0"),
  min_withdraw_amount: decimalText("Minimum withdrawal.", "0.0"),
  withdraw_limit_24h: decimalText(
    "Amount of this currency that a member may withdraw per 24 hours without an operator's " +
      "approval; null for no limit, 0 for none at all.",
    "10.0",
  ).nullable(),
  withdraw_limit_72h: decimalText(
    "Amount of this currency that a member may withdraw per 72 hours without an operator's " +
      "approval; null for no limit, 0 for none at all.",
    "20.0",
  ).nullable(),
  base_factor: z.number().meta({
    description: "10 to the power of `precision`.",
    examples: [100000000],
  }),
  precision: z.int().meta({ examples: [8] }),
  position: z.int().meta({ examples: [1] }),
  icon_url: z.string().optional(),
  min_confirmations: z.int().optional().meta({ examples: [6] }),
  networks: z.array(NETWORK).optional().meta({
    description: "Networks that a coin lives on; the first is its default. Coins only.",
  }),
  tag: TAG.optional(),
}).meta({ id: "Currency", description: "A currency." });

const MINIMUM_LEVEL = z.object({ minimum_level: z.int().meta({ examples: [3] }) });

/** Minimum member levels. */
export const MEMBER_LEVELS = z.object({
  deposit: MINIMUM_LEVEL,
  withdraw: MINIMUM_LEVEL,
  trading: MINIMUM_LEVEL,
}).meta({ id: "MemberLevels", description: "Minimum member level for each privilege." });

/** Example of the minimum levels. */
export const MEMBER_LEVELS_EXAMPLE = {
  deposit: { minimum_level: 1 },
  withdraw: { minimum_level: 3 },
  trading: { minimum_level: 2 },
};

/** A row of the fee table. */
export const TRADING_FEE = z.object({
  id: z.int().meta({
    description: "Names the row for as long as it is there; follows from what it is for.",
    examples: [1],
  }),
  market_id: z.string().meta({ description: "Market id, or `any`.", examples: ["any"] }),
  group: z.string().meta({ description: "Member group, or `any`.", examples: ["any"] }),
  maker: decimalText("Maker fee rate.", "0.002"),
  taker: decimalText("Taker fee rate.", "0.002"),
}).meta({
  id: "TradingFee",
  description: "A row of the fee table. Rates are shares of what a trade brings (buy: base, " +
    "sell: quote).",
});

/** Example of a row of the fee table. */
export const TRADING_FEE_EXAMPLE = {
  id: 1,
  market_id: "any",
  group: "any",
  maker: "0.002",
  taker: "0.002",
};
