/** Schemas of the queries of public endpoints and of balances. */
import * as z from "zod";
import { CANDLE_PERIODS } from "../../domain/trading/candle.ts";
import { REPEATED_FIELD, repeatedField } from "../errors.ts";
import { parseShallow, RepeatedKeyError } from "../reading/exact_json.ts";
import { CHECKSUM_WORDS } from "../wire/book_checksum.ts";
import { withErrors } from "./field_errors.ts";
import { flag, integer, optional, text, unixSeconds, withDefault, word } from "./fields.ts";
import {
  directionField,
  idFields,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  pageFields,
  timeFields,
} from "./lists.ts";

/** Maximum number of k-line points in one answer. */
export const CANDLES_MAX = 10_000;
const DEPTH_LEVELS_DEFAULT = 300;
const BOOK_ORDERS_DEFAULT = 20;
const CANDLES_DEFAULT = 30;
const SEARCH_LENGTH_MAX = 1000;

const PERIODS = CANDLE_PERIODS as readonly number[];
const K_LINE = "public.k_line";

const K_LINE_FIELDS = z.object({
  period: withDefault(
    integer({
      prefix: K_LINE,
      name: "period",
      min: Math.min(...PERIODS),
      max: Math.max(...PERIODS),
    }),
    1,
  )
    .refine((period) => PERIODS.includes(period), `${K_LINE}.invalid_period`)
    .meta({
      type: "integer",
      enum: PERIODS,
      default: 1,
      description: "Length of a period, in minutes.",
    }),
  time_from: optional(
    unixSeconds({ prefix: K_LINE, name: "time_from", empty: `${K_LINE}.empty_time_from` }, {
      description: "Earliest start of a period, in Unix seconds.",
    }),
  ),
  time_to: optional(
    unixSeconds({ prefix: K_LINE, name: "time_to", empty: `${K_LINE}.empty_time_to` }, {
      description: "Latest start of a period, in Unix seconds.",
    }),
  ),
  limit: withDefault(
    integer({ prefix: K_LINE, name: "limit", min: 1, max: CANDLES_MAX }, {
      description: "Number of points; ignored if both times are given.",
    }),
    CANDLES_DEFAULT,
  ),
});

/** Query of candles. */
export const K_LINE_QUERY = z.preprocess(withoutIgnoredLimit, K_LINE_FIELDS);

/** Drops `limit`, valid or not, if both times are given. */
function withoutIgnoredLimit(query: unknown): unknown {
  const { limit: _, ...others } = query as Record<string, unknown>;
  return "time_from" in others && "time_to" in others ? others : query;
}

/** Query of the depth. */
export const DEPTH_QUERY = z.object({
  limit: withDefault(
    integer({ prefix: "public.market_depth", name: "limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Number of price levels per side.",
    }),
    DEPTH_LEVELS_DEFAULT,
  ),
  checksum: optional(word("public.market_depth", "checksum", CHECKSUM_WORDS, {
    description: "Adds a `checksum`; both words mean the same.",
  })),
});

/** Query of recent trades. */
export const PUBLIC_TRADES_QUERY = z.object({
  limit: withDefault(
    integer({ prefix: "public.trade", name: "limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Number of trades.",
    }),
    LIST_LIMIT_DEFAULT,
  ),
  timestamp: optional(unixSeconds({ prefix: "public.trade", name: "timestamp" }, {
    description: "Only trades executed before this time, in Unix seconds; the same as `time_to`.",
  })),
  ...timeFields("public.trade"),
  ...idFields("public.trade"),
  order_by: directionField("public.trade"),
});

/** Query of the order book. */
export const ORDER_BOOK_QUERY = z.object({
  asks_limit: withDefault(
    integer({ prefix: "public.order_book", name: "ask_limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Number of sell orders.",
    }),
    BOOK_ORDERS_DEFAULT,
  ),
  bids_limit: withDefault(
    integer({ prefix: "public.order_book", name: "bid_limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Number of buy orders.",
    }),
    BOOK_ORDERS_DEFAULT,
  ),
});

/** Fields by which markets may be sorted. */
const MARKET_ORDER_FIELDS = [
  "id",
  "name",
  "base_unit",
  "quote_unit",
  "min_price",
  "max_price",
  "min_amount",
  "min_total",
  "amount_precision",
  "price_precision",
  "state",
  "position",
] as const;

/** Query of the list of markets. */
export const MARKETS_QUERY = z.object({
  ...pageFields("pagination"),
  ordering: withDefault(
    word("public.markets", "ordering", ["asc", "desc"], { description: "Sort order." }),
    "asc",
  ),
  order_by: withDefault(
    word("public.markets", "order_by", MARKET_ORDER_FIELDS, { description: "Field to sort by." }),
    "position",
  ),
  base_unit: optional(unit("base_unit")),
  quote_unit: optional(unit("quote_unit")),
  ...searchFields("public.markets", ["base_code", "quote_code", "base_name", "quote_name"]),
});

/** Query of the list of currencies. */
export const CURRENCIES_QUERY = z.object({
  ...pageFields("pagination"),
  type: optional(
    word("public.currency", "type", ["coin", "fiat"], { description: "Kind of currency." }),
  ),
  ...searchFields("public.currency", ["code", "name"]),
});

/** Query of the list of balances. */
export const BALANCES_QUERY = z.object({
  ...pageFields("pagination"),
  nonzero: withDefault(
    flag("account.balances", "nonzero", { description: "Whether to omit zero balances." }),
    false,
  ),
  ...searchFields("account.balances", ["currency_code", "currency_name"]),
});

function unit(name: string): z.ZodType<string, string> {
  return text({ prefix: "public.markets", name }, {
    description: "Currency code, case-sensitive.",
  });
}

type SearchSchemas<K extends string> = {
  search: z.ZodType<Readonly<Record<string, string>> | undefined, string | undefined>;
} & { [N in K as `search[${N}]`]: z.ZodType<string | undefined, string | undefined> };

/** Returns the fields `search`, which is JSON, and `search[name]` for each name. */
function searchFields<const K extends string>(
  prefix: string,
  names: readonly K[],
): SearchSchemas<K> {
  const rules = { prefix, name: "search", lengthMax: SEARCH_LENGTH_MAX };

  const json = text(rules).transform((given, context) => {
    const terms = searchTerms(given);
    if (terms === null) context.addIssue({ code: "custom", message: `${prefix}.invalid_search` });
    return terms ?? {};
  }).meta({ type: "string", description: "The searches below as one JSON object." });
  withErrors(json, `${prefix}.missing_search`, REPEATED_FIELD);
  const bracketed = names.map((name) => [
    `search[${name}]`,
    optional(
      text(rules, {
        description:
          "Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` " +
          "for one, and `\\` before either for itself. Without them, a part of the value. Several " +
          "searches are combined with OR.",
      }),
    ),
  ]);
  return {
    search: optional(json as z.ZodType<Readonly<Record<string, string>>, string>),
    ...Object.fromEntries(bracketed),
  };
}

function searchTerms(given: string): Record<string, string> | null {
  try {
    const value = parseShallow(given);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    const terms = Object.entries<unknown>({ ...value }).filter(([, term]) => term !== null);
    return terms.every(isTextual) ? Object.fromEntries(terms) : null;
  } catch (error) {
    if (error instanceof RepeatedKeyError) throw repeatedField(`search.${error.key}`);
    return null;
  }
}

function isTextual(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
