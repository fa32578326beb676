/** Schemas of calls about orders. */
import * as z from "zod";
import type { OrderRequest } from "../../domain/command.ts";
import {
  CLIENT_ORDER_ID_LENGTH_MAX,
  CLIENT_ORDER_IDS_PER_MEMBER_MAX,
} from "../../domain/limits.ts";
import {
  ORDER_STATES,
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../domain/trading/order.ts";
import type { Venue } from "../../domain/venue.ts";
import { ApiError } from "../errors.ts";
import {
  decimal,
  flag,
  joinedText,
  OBJECT,
  optional,
  someWords,
  text,
  unlessAll,
  withDefault,
  word,
} from "./fields.ts";
import { directionField, idPageFields, timeFields } from "./lists.ts";

const PREFIX = "market.order";
const OFF_GRID = `${PREFIX}.invalid_volume_or_price`;
const CLIENT_ORDER_ID = /^[A-Za-z0-9_-]+$/;

/** Values of `type`: the order types, and fill_or_kill for a limit order with fok. */
const REQUEST_TYPES = [...ORDER_TYPES, "fill_or_kill"] as const;

const market = text({ prefix: PREFIX, name: "market" }, {
  description: "Market id.",
  example: "btcusdt",
});
const side = word(PREFIX, "side", SIDES, { description: "Side of the order.", example: "buy" });
const requestType = word(PREFIX, "type", REQUEST_TYPES, {
  description: "Order type. `fill_or_kill` means `limit` with `time_in_force` `fok`. `stop` and " +
    "`stop_limit` become a market or limit order once triggered, but keep their type.",
  example: "limit",
});
const clientOrderId = text({
  prefix: PREFIX,
  name: "client_order_id",
  lengthMin: 1,
  lengthMax: CLIENT_ORDER_ID_LENGTH_MAX,
  pattern: CLIENT_ORDER_ID,
}, {
  description: "Your own id of the order, unique within 24 hours. Repeating the same order " +
    "returns the first response again, not the order's present state, and places nothing (with " +
    "`response` `result`: its present state and trades); another " +
    "order under this id is `market.order.duplicate_client_order_id`. You may use " +
    `${CLIENT_ORDER_IDS_PER_MEMBER_MAX.toLocaleString("en")} in that time, and all members ` +
    "together as many as the venue allows.",
  example: "my-1",
});

function volumeField(name: "amount" | "volume"): z.ZodType<bigint, string> {
  return decimal({
    prefix: PREFIX,
    name: "volume",
    sign: "positive",
    missing: `${PREFIX}.missing_${name}`,
    invalid: OFF_GRID,
  }, { description: "Volume in the base currency.", example: "0.25" });
}

function priceField(name: "price" | "trigger_price", description: string): z.ZodType<
  bigint | undefined,
  string | undefined
> {
  const rules = { prefix: PREFIX, name, sign: "positive", invalid: OFF_GRID } as const;
  return optional(decimal(rules, { description, example: "9120" }));
}

const SHARED_FIELDS = {
  price: priceField("price", "Limit price; omit for market and stop orders."),
  trigger_price: priceField(
    "trigger_price",
    "Price that triggers a stop or stop_limit order: a buy as soon as the market trades at it or " +
      "above, a sell at it or below. If the last trade was there already, at once: a sell with " +
      "a trigger above the market, or a buy with one below, protects nothing but trades now.",
  ),
  time_in_force: optional(word(PREFIX, "time_in_force", TIMES_IN_FORCE, {
    description: "How long a limit order stays active: `gtc`, the default, until it is filled or " +
      "cancelled; `ioc` fills at once as far as it can, the rest is cancelled; `fok` fills at once " +
      "and completely, or is cancelled completely.",
  })),
  post_only: optional(flag(PREFIX, "post_only", {
    description: "`true` turns type `limit` into `post_only`.",
  })),
  self_trade_prevention: withDefault(
    word(PREFIX, "self_trade_prevention", SELF_TRADE_PREVENTIONS, {
      description: "What happens if the order would match an order of the same member.",
    }),
    "cancel_newest",
  ),
  client_order_id: optional(clientOrderId),
};

/** What a new order is answered with. */
const ANSWERS = ["ack", "result"] as const;
const ANSWER = {
  response: optional(word(PREFIX, "response", ANSWERS, {
    description:
      "`ack`, the default, is answered with the order as it was accepted; `result` with " +
      "what has become of it by the end of its own commit, and with its `trades`. Its `state` is " +
      "then `pending` only if matching goes on in the next commit.",
  })),
};

const TERMS = { market, side, amount: volumeField("amount"), type: requestType, ...SHARED_FIELDS };
/** Most orders say nothing of their answer, and are not to pay for what others may say. */
const BARE_ORDER = z.object(TERMS, OBJECT);

/** A new order. */
export const NEW_ORDER = z.object({ ...TERMS, ...ANSWER }, OBJECT)
  .meta({ id: "OrderInput", description: "An order to place." });

type BareOrder = z.infer<typeof BARE_ORDER>;
export type NewOrder = BareOrder & { readonly response?: (typeof ANSWERS)[number] | undefined };

/** Returns the schema that a new order is parsed by. */
export function newOrderSchema(given: unknown): z.ZodType<NewOrder> {
  return saysAnswer(given) ? NEW_ORDER : BARE_ORDER;
}

function saysAnswer(given: unknown): boolean {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "response");
}

/** Newer members of the family have other types, whose orders do not exist here. */
const MARKET_TYPE = { market_type: optional(word(PREFIX, "market_type", ["spot"])) };

const PEATIO_TERMS = {
  market,
  side,
  volume: volumeField("volume"),
  ord_type: withDefault(requestType, "limit"),
  client_id: optional(clientOrderId),
  ...MARKET_TYPE,
  ...SHARED_FIELDS,
};
const BARE_PEATIO_ORDER = z.object(PEATIO_TERMS, OBJECT).transform(inNewerNames);

/** A new order under `/api/v2/peatio`, where some fields have older names. */
export const PEATIO_NEW_ORDER: z.ZodType<NewOrder> = z
  .object({ ...PEATIO_TERMS, ...ANSWER }, OBJECT)
  .transform((order) => ({ ...inNewerNames(order), response: order.response }));

/** Returns the schema that a new order under `/api/v2/peatio` is parsed by. */
export function peatioOrderSchema(given: unknown): z.ZodType<NewOrder> {
  return saysAnswer(given) ? PEATIO_NEW_ORDER : BARE_PEATIO_ORDER;
}

function inNewerNames(order: z.infer<z.ZodObject<typeof PEATIO_TERMS>>): BareOrder {
  return {
    market: order.market,
    side: order.side,
    amount: order.volume,
    type: order.ord_type,
    price: order.price,
    trigger_price: order.trigger_price,
    time_in_force: order.time_in_force,
    post_only: order.post_only,
    self_trade_prevention: order.self_trade_prevention,
    client_order_id: order.client_id ?? order.client_order_id,
  };
}

/**
 * Converts a new order for the venue.
 *
 * @param index position of the order in a bulk request
 * @throws {ApiError} if there is no such market, or fields contradict each other
 */
export function orderRequest(venue: Venue, order: NewOrder, index?: number): OrderRequest {
  const book = venue.bookById.get(order.market);
  if (book === undefined) {
    throw new ApiError(422, "market.market.doesnt_exist_or_not_enabled", {
      details: { field: "market", value: order.market },
      ...(index === undefined ? {} : { index }),
    });
  }
  const isFillOrKill = order.type === "fill_or_kill";
  if (isFillOrKill && (order.time_in_force ?? "fok") !== "fok") {
    throw invalidTerm("time_in_force", order.time_in_force ?? "", index);
  }
  return {
    market: book.market.index,
    side: order.side,
    type: orderType(order, index),
    timeInForce: isFillOrKill ? "fok" : order.time_in_force ?? "gtc",
    selfTrade: order.self_trade_prevention,
    amount: order.amount,
    price: order.price ?? 0n,
    triggerPrice: order.trigger_price ?? 0n,
    clientOrderId: order.client_order_id ?? "",
  };
}

function orderType({ type, post_only }: NewOrder, index?: number): OrderType {
  if (post_only !== true) return type === "fill_or_kill" ? "limit" : type;
  // Ignoring the flag would charge the taker's fee to someone who ruled that out.
  if (type !== "limit" && type !== "post_only") throw invalidTerm("post_only", "true", index);
  return "post_only";
}

function invalidTerm(field: string, value: string, index?: number): ApiError {
  return new ApiError(422, `${PREFIX}.invalid_${field}`, {
    details: { field, value, rule: "forbidden" },
    ...(index === undefined ? {} : { index }),
  });
}

/** Which open orders to cancel. */
export const CANCEL_FILTER = z.object({
  market: unlessAll(market, `${PREFIX}.invalid_market`),
  side: unlessAll(side, `${PREFIX}.invalid_side`),
}, OBJECT).meta({
  id: "CancelFilter",
  description: "Which open orders to cancel; both fields are optional, but neither may be null.",
});

/** The same under `/api/v2/peatio`. */
export const PEATIO_CANCEL_FILTER = z.object({ ...CANCEL_FILTER.shape, ...MARKET_TYPE }, OBJECT);

/** Query of the member's orders. */
export const ORDERS_QUERY = z.object({
  market: optional(joinedText({ prefix: PREFIX, name: "market", lengthMax: 1000 }, {
    description: "One or more market ids.",
    example: "btcusdt",
  })),
  base_unit: optional(text({ prefix: PREFIX, name: "base_unit" }, {
    description: "Only markets with this base currency.",
  })),
  quote_unit: optional(text({ prefix: PREFIX, name: "quote_unit" }, {
    description: "Only markets with this quote currency.",
  })),
  state: optional(someWords(PREFIX, "state", ORDER_STATES, {
    description: "One or more states.",
  })),
  ...idPageFields(PREFIX),
  order_by: directionField(PREFIX),
  ord_type: optional(someWords(PREFIX, "ord_type", ORDER_TYPES, {
    description: "One or more order types.",
  })),
  type: optional(word(PREFIX, "type", SIDES, { description: "Side of the order." })),
  ...timeFields(PREFIX),
});

/** Query of the member's trades. */
export const TRADES_QUERY = z.object({
  market: optional(joinedText({ prefix: "market.trade", name: "market", lengthMax: 1000 }, {
    description: "One or more market ids.",
    example: "btcusdt",
  })),
  type: optional(word("market.trade", "type", SIDES, { description: "Side of the member." })),
  ...idPageFields("market.trade", { emptyPage: "market.trade.empty_page" }),
  ...timeFields("market.trade"),
  order_by: directionField("market.trade"),
});
