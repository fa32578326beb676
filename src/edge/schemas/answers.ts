/** Schemas of trading answers and of errors, as wire functions return them. */
import * as z from "zod";
import { BROKEN_RULES } from "../rejection_answers.ts";
import {
  ORDER_STATES,
  ORDER_TYPES,
  REJECT_REASONS,
  type RejectReason,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../domain/trading/order.ts";

const REASON_MEANINGS: Readonly<Record<RejectReason, string>> = {
  self_trade: "an order that would have traded with another of the same member",
  would_take: "a `post_only` order that would have taken from the book",
  not_fillable: "a fill or kill order that could not fill completely, and so not at all",
  insufficient_market_liquidity: "a market or stop order that found nothing more in the book",
  insufficient_balance: "a stop buy that the balance did not pay for, or a market buy behind a " +
    "sell of its bulk",
  time_in_force: "what an `ioc` order could not fill at once",
  level_full: "the book can hold no more volume at its price",
  timer: "the cancel timer of a key fired",
  disconnected: "a socket with `cancel_on_disconnect` ended",
};

/** Returns the schema of a decimal in an answer: always a string in fixed notation. */
export function decimalText(description: string, example: string): z.ZodString {
  return z.string().meta({ pattern: "^-?\\d+(\\.\\d+)?$", description, examples: [example] });
}

/** Returns the schema of a time in seconds since the epoch. */
export function seconds(description: string): z.ZodInt {
  return z.int().meta({ description, examples: [1583146260] });
}

/** Returns the schema of a time in milliseconds since the epoch. */
export function milliseconds(description: string): z.ZodInt {
  return z.int().meta({ description, examples: [1583146260123] });
}

/** Returns the schema of a time as ISO 8601 in UTC. */
export function isoTime(description: string): z.ZodString {
  return z.string().meta({
    format: "date-time",
    description,
    examples: ["2020-03-12T17:01:56Z"],
  });
}

const REASONS_TEXT = REJECT_REASONS.map((reason) => `\`${reason}\`: ${REASON_MEANINGS[reason]}`)
  .join("; ");

const REQUEST_FIELDS = {
  uuid: z.string().meta({
    format: "uuid",
    description: "Uuid of the order.",
    examples: ["b436163d-5c73-81ea-be71-1831bf9834b0"],
  }),
  id: z.int().meta({ description: "Id of the order.", examples: [10440269] }),
  side: z.enum(SIDES),
  market: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
  ord_type: z.enum(ORDER_TYPES),
  price: decimalText("Limit price; null if the order has none.", "160.82").nullable(),
  trigger_price: decimalText("Price that triggers a stop order; null for other types.", "150.0")
    .nullable(),
  time_in_force: z.enum(TIMES_IN_FORCE),
  self_trade_prevention: z.enum(SELF_TRADE_PREVENTIONS),
  client_order_id: z.string().nullable().meta({
    description: "The member's own id of the order; null if none was given.",
    examples: ["my-1"],
  }),
  client_id: z.string().nullable().optional().meta({
    description: "Under `/api/v2/peatio` only: the older name of `client_order_id`.",
  }),
  origin_volume: decimalText("Volume ordered.", "31.0"),
  remaining_volume: decimalText("Volume not yet filled.", "4.64351"),
  executed_volume: decimalText("Volume filled.", "26.35649"),
  avg_price: decimalText(
    "Average price of the fills, with up to 16 digits after the point, cut off there; 0 before the " +
      "first. For exact money see `executed_total`.",
    "160.82",
  ),
  executed_total: decimalText("Price × amount of all fills, in the quote currency.", "4237.36"),
  fees: z.record(z.string(), decimalText("Fees paid in this currency.", "0.05")).nullable().meta({
    description:
      "The fees paid so far, by currency: of the base for a buy, of the quote for a sell. " +
      "Empty if none were; null for orders from before 2026-12 whose fees can't be told any more.",
    examples: [{ btc: "0.0001" }],
  }),
  trades_count: z.int().meta({ description: "Number of fills.", examples: [6] }),
  maker_fee: decimalText(
    "Maker fee rate, fixed at creation: the share that is deducted from what a fill brings (buy: " +
      "base, sell: quote).",
    "0.002",
  ),
  taker_fee: decimalText("Taker fee rate, fixed at creation.", "0.002"),
  created_at: seconds(
    "Time of creation, in Unix seconds; under `/api/v2/peatio` ISO 8601, as a string.",
  ),
  updated_at: seconds("Time of the last change, in Unix seconds."),
  created_at_ms: milliseconds("Time of creation, in Unix milliseconds."),
  updated_at_ms: milliseconds("Time of the last change, in Unix milliseconds."),
};

/** An order as it is read. */
export const ORDER = z.object({
  ...REQUEST_FIELDS,
  state: z.enum(ORDER_STATES).meta({ description: "Current state.", examples: ["wait"] }),
  reject_reason: z.enum(REJECT_REASONS).nullable().meta({
    description: "Why the venue rejected or cancelled the order, or what was left of it; null " +
      `otherwise, as for orders that you cancelled. ${REASONS_TEXT}. With \`would_take\`, ` +
      "and with `insufficient_…` before the first fill, the state is `reject`, else `cancel`. " +
      "(Until 2026-11 it was `reject` with `not_fillable`, too.)",
    examples: [null],
  }),
}).meta({ id: "Order", description: "An order, as its member sees it." });

/** A trade as one of its members sees it. */
export const MEMBER_TRADE = z.object({
  id: z.int().meta({ examples: [1834499] }),
  price: decimalText("Price.", "160.82"),
  amount: decimalText(
    "Volume in the base currency; under `/api/v2/peatio` also as `volume`.",
    "5.0",
  ),
  total: decimalText(
    "Price × amount, in the quote currency; under `/api/v2/peatio` also as `funds`.",
    "804.1",
  ),
  fee_currency: z.string().meta({
    description: "Currency of the fee: the base for a buy, the quote for a sell.",
    examples: ["btc"],
  }),
  fee: decimalText("Fee rate.", "0.002"),
  fee_amount: decimalText(
    "Fee, deducted from what you receive: `fee` × `amount` for a buy, `fee` × `total` for a sell, " +
      "exact, not rounded.",
    "0.01",
  ),
  market: z.string().meta({ examples: ["btcusdt"] }),
  created_at: isoTime("Time of execution."),
  created_at_ms: milliseconds("Time of execution, in Unix milliseconds."),
  taker_type: z.enum(SIDES).meta({ description: "Side of the taker." }),
  side: z.enum(SIDES).meta({ description: "Side of the member." }),
  order_id: z.int().meta({ description: "Id of the member's order.", examples: [10440269] }),
  liquidity: z.enum(["maker", "taker"]),
}).meta({ id: "Trade", description: "A trade of the member." });

/** An order as its creation is answered. */
export const CREATED_ORDER = z.object({
  type: z.enum(ORDER_TYPES),
  market_id: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
  volume: decimalText("Volume ordered.", "31"),
  ...REQUEST_FIELDS,
  state: z.enum(ORDER_STATES).meta({
    description: '`pending`, unless the request asked for `response: "result"`.',
    examples: ["pending"],
  }),
  reject_reason: z.enum(REJECT_REASONS).nullable().meta({
    description: "Null, since this is the order as it was accepted, before anything could reject " +
      'it: read the order to find out. With `response: "result"` as it is read.',
    examples: [null],
  }),
  trades: z.array(MEMBER_TRADE).optional().meta({
    description: 'With `response: "result"` only: its trades, oldest first.',
  }),
}).meta({ id: "CreatedOrder", description: "An order that was submitted and awaits processing." });

/** An order with its trades. */
export const ORDER_WITH_TRADES = ORDER.extend({
  trades: z.array(MEMBER_TRADE).meta({ description: "Trades, from this order's side." }),
})
  .meta({ id: "OrderWithTrades", description: "An order with its trades." });

/** The balances of one currency. */
export const ACCOUNT = z.object({
  currency: z.string().meta({ examples: ["btc"] }),
  balance: decimalText("Amount free to use.", "5.0"),
  locked: decimalText(
    "Amount held by open orders, open withdrawals and deposits not yet collected.",
    "0.5",
  ),
}).meta({ id: "Account", description: "A member's balance of one currency." });

/** The body of every error. */
export const ERROR = z.object({
  errors: z.array(z.string()).meta({
    description: "Dotted identifiers of what went wrong.",
    examples: [["market.order.invalid_side"]],
  }),
  index: z.int().optional().meta({
    description: "Zero-based index of the failing item of a bulk request.",
  }),
  details: z.object({
    field: z.string().optional(),
    value: z.string().optional(),
    limit: z.string().optional(),
    rule: z.enum(BROKEN_RULES).optional().meta({
      description: "Which rule the field breaks. The limit of `precision` is a number of digits " +
        "after the point; an amount has to be more than that of `fee`, and a fee less than that " +
        "of `below`; `forbidden` means that orders of this type have no such field, or a list " +
        "no such page beside an id. With `state` " +
        "the value is the state that something is in.",
    }),
    unit: z.string().optional().meta({ description: "Unit of the limit of a time." }),
    type: z.string().optional().meta({
      description: "Type of the order at fault, as it was sent.",
    }),
    use: z.string().optional().meta({
      description: "The type of an order that has the field, if it is another one.",
    }),
    resets_at: z.string().optional().meta({
      format: "date-time",
      description: "With `market.order.untraded_orders_limit`: when the limit counts anew.",
    }),
    held_until: z.string().optional().meta({
      format: "date-time",
      description: "With `account.beneficiary.on_hold`: when a withdrawal to it is possible.",
    }),
    currency: z.string().optional().meta({
      description: "Code of the currency that lacks what was asked for.",
    }),
    address: z.string().optional().meta({
      description:
        "With `authz.ip_not_permitted`: the address that the call was seen to come from.",
    }),
    nearest: z.string().optional().meta({
      description:
        "With `server.unknown_field`: the field that was probably meant; with a group or level " +
        "that the venue has not defined, the defined one; with a field of few words, the word.",
    }),
    needed: z.string().optional().meta({
      description: "The funds that an order would lock; for a market buy, what the asks cost.",
    }),
    available: z.string().optional().meta({
      description: "The funds that are free for it, behind the earlier orders of its bulk.",
    }),
  }).optional().meta({ description: "The field, and its value or the limit it violates." }),
  sent_at: z.string().optional().meta({
    format: "date-time",
    description: "If resending a pin is refused: when the last one was sent.",
  }),
  server_time: z.int().optional().meta({
    description: "With nonce errors: the server's clock, in Unix milliseconds.",
  }),
  uuid: z.string().optional().meta({
    description:
      "With `server.outcome_unknown`: uuid to look the order up by. A new order without this " +
      "and without `client_order_id` was not placed.",
  }),
  uuids: z.array(z.string()).optional().meta({
    description: "The same for several orders.",
  }),
  client_order_id: z.string().optional().meta({
    description: "With `server.outcome_unknown`: your own id to look the order up by.",
  }),
  client_order_ids: z.array(z.string()).optional().meta({
    description: "The same for several orders.",
  }),
}).meta({ id: "Error", description: "Body of every 4xx and 5xx response." });
