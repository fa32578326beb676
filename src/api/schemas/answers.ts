/** The shapes of trading answers and of errors: what the wire functions return and the contract shows. */
import * as z from "zod";
import {
  ORDER_STATES,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../domain/order.ts";

/** A decimal in an answer: always a string in fixed notation. */
export function decimalText(description: string, example: string): z.ZodString {
  return z.string().meta({ format: "decimal", description, examples: [example] });
}

/** A time as seconds since the epoch. */
export function seconds(description: string): z.ZodInt {
  return z.int().meta({ description, examples: [1583146260] });
}

/** A time as ISO 8601 in UTC. */
export function isoTime(description: string): z.ZodString {
  return z.string().meta({
    format: "date-time",
    description,
    examples: ["2020-03-12T17:01:56Z"],
  });
}

const REQUEST_FIELDS = {
  uuid: z.string().meta({
    format: "uuid",
    description: "Address of the order.",
    examples: ["b436163d-5c73-81ea-be71-1831bf9834b0"],
  }),
  id: z.int().meta({ description: "Address of the order.", examples: [10440269] }),
  side: z.enum(SIDES),
  market: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
  ord_type: z.enum(ORDER_TYPES),
  price: decimalText("Limit price; null where the order has none.", "160.82").nullable(),
  trigger_price: decimalText("Price that releases a stop; null otherwise.", "150.0").nullable(),
  time_in_force: z.enum(TIMES_IN_FORCE),
  self_trade_prevention: z.enum(SELF_TRADE_PREVENTIONS),
  client_order_id: z.string().nullable().meta({
    description: "The member's own id, if it gave one.",
    examples: ["my-1"],
  }),
  origin_volume: decimalText("Volume asked.", "31.0"),
  remaining_volume: decimalText("Volume not yet filled.", "4.64351"),
  executed_volume: decimalText("Volume filled.", "26.35649"),
  avg_price: decimalText("Mean price of its fills; 0 before the first.", "160.82"),
  trades_count: z.int().meta({ description: "Number of fills.", examples: [6] }),
  maker_fee: decimalText("Rate as maker, frozen at creation.", "0.002"),
  taker_fee: decimalText("Rate as taker, frozen at creation.", "0.002"),
  created_at: seconds("Creation, in seconds since the epoch."),
  updated_at: seconds("Last change, in seconds since the epoch."),
};

/** An order as it is read. */
export const ORDER = z.object({
  ...REQUEST_FIELDS,
  state: z.enum(ORDER_STATES).meta({ description: "Present state.", examples: ["wait"] }),
  reject_reason: z.string().nullable().meta({
    description: "Why it ended without filling; null where it did not.",
    examples: [null],
  }),
}).meta({ id: "Order", description: "An order, as read by its member." });

/** An order as answered on creation. */
export const CREATED_ORDER = z.object({
  type: z.enum(ORDER_TYPES),
  market_id: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
  volume: decimalText("Volume asked.", "31"),
  ...REQUEST_FIELDS,
  state: z.literal("pending"),
}).meta({ id: "CreatedOrder", description: "An order, submitted and awaiting processing." });

/** A trade as one of its members sees it. */
export const MEMBER_TRADE = z.object({
  id: z.int().meta({ examples: [1834499] }),
  price: decimalText("Price.", "160.82"),
  amount: decimalText("Volume in the base unit.", "5.0"),
  total: decimalText("Price × amount, in the quote unit.", "804.1"),
  fee_currency: z.string().meta({ description: "Currency of the fee.", examples: ["btc"] }),
  fee: decimalText("Fee rate.", "0.002"),
  fee_amount: decimalText("Fee paid.", "0.01"),
  market: z.string().meta({ examples: ["btcusdt"] }),
  created_at: isoTime("Execution."),
  taker_type: z.enum(SIDES).meta({ description: "Side of the taker." }),
  side: z.enum(SIDES).meta({ description: "Side of the member." }),
  order_id: z.int().meta({ description: "Order of the member.", examples: [10440269] }),
  liquidity: z.enum(["maker", "taker"]),
}).meta({ id: "Trade", description: "An executed trade of the member." });

/** An order with its trades. */
export const ORDER_WITH_TRADES = ORDER.extend({ trades: z.array(MEMBER_TRADE) })
  .meta({ id: "OrderWithTrades", description: "An order with its trades." });

/** The balances of one currency. */
export const ACCOUNT = z.object({
  currency: z.string().meta({ examples: ["btc"] }),
  balance: decimalText("Free to use.", "5.0"),
  locked: decimalText("Held by open orders, withdrawals and deposits on their way.", "0.5"),
}).meta({ id: "Account", description: "The member's balance of one currency." });

/** Every error. */
export const ERROR = z.object({
  errors: z.array(z.string()).meta({
    description: "What went wrong, as dotted identifiers.",
    examples: [["market.order.invalid_side"]],
  }),
  index: z.int().optional().meta({ description: "Failing item of a bulk request." }),
  details: z.object({
    field: z.string().optional(),
    value: z.string().optional(),
    limit: z.string().optional(),
  }).optional().meta({ description: "The field, its value and the limit that it broke." }),
  sent_at: z.string().optional().meta({
    format: "date-time",
    description: "With a refused resending of a pin: when the last one was sent.",
  }),
  server_time: z.int().optional().meta({
    description: "With nonce errors: the server's clock, in ms since the epoch.",
  }),
  uuid: z.string().optional().meta({
    description: "With `server.outcome_unknown`: the order to ask for. Without it, an order that " +
      "has no `client_order_id` was not placed.",
  }),
  uuids: z.array(z.string()).optional().meta({
    description: "The same of several.",
  }),
  client_order_id: z.string().optional().meta({
    description: "With `server.outcome_unknown`: the order to ask for.",
  }),
  client_order_ids: z.array(z.string()).optional().meta({
    description: "The same of several.",
  }),
}).meta({ id: "Error", description: "Body of every 4xx and 5xx answer." });
