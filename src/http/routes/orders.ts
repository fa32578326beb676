/** Placing and cancelling single orders, and cancelling all open ones. */
import * as z from "zod";
import { present } from "../../domain/assert.ts";
import type { OrdersPlaced, PlacedOrder } from "../../domain/command.ts";
import { inSlices } from "../../engine/yield_to_others.ts";
import type { AnyCall, Call } from "../call.ts";
import { OrdersBefore } from "../../edge/orders/classic_wire.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { type CreatedOrder, createdOrderText } from "../../edge/orders/created_order_text.ts";
import { created, ofTrading, ok } from "../endpoint_parts.ts";
import { NO_MARKET } from "../../edge/filters.ts";
import { closedParser } from "../../edge/reading/known_fields.ts";
import {
  CANCELLED_HEADER,
  cancelNamedOrder,
  cancelOpenOrders,
  learnMarkets,
  noSuchOrder,
  placeOrders,
} from "../../edge/orders/order_entry.ts";
import { CREATED_ORDER, ORDER } from "../../edge/schemas/answers.ts";
import { CREATED_ORDER_EXAMPLE, TRADING_ORDER_EXAMPLE } from "../../edge/schemas/examples.ts";
import {
  CANCEL_FILTER,
  NEW_ORDER,
  newOrderSchema,
  orderRequest,
  PEATIO_CANCEL_FILTER,
  PEATIO_NEW_ORDER,
  peatioOrderSchema,
} from "../../edge/schemas/orders.ts";
import { ownOrder, ownTrade } from "../../edge/orders/order_reading.ts";
import { findResult } from "../../edge/orders/found_result.ts";
import { orderError } from "../../edge/orders/order_errors.ts";
import { INVALID_NAME, orderIdOf, parseOrderName } from "../../edge/orders/order_names.ts";
import { givenName } from "../older_paths.ts";

const PLACED_OR_REFUSED = "an order is placed or refused";
/** Orders that are shown before others get a turn, at some 10 µs each. */
const ORDERS_PER_SLICE = 128;

/** Errors of a new order, in addition to those of its fields. */
export const ORDER_ERRORS = [
  "market.order.missing_price",
  "market.order.missing_trigger_price",
  "market.market.doesnt_exist_or_not_enabled",
  "market.trade.disabled_api",
  "market.order.market_order_price",
  "market.order.invalid_trigger_price",
  "market.order.market_type_disabled",
  "market.order.price_out_of_band",
  "market.order.duplicate_client_order_id",
  "market.order.client_order_ids_limit",
  "market.order.client_order_ids_venue_limit",
  "market.order.untraded_orders_limit",
  "market.order.open_orders_limit",
  "market.account.insufficient_balance",
] as const;

/**
 * Returns an order as it was created, as JSON text; for a repeat, which may have to be read, the
 * earlier order with its client order id.
 */
export function showCreated(call: AnyCall, placed: PlacedOrder): string | Promise<string> {
  return "accepted" in placed
    ? createdText(call, placed.accepted, placed.at)
    : showRepeated(call, placed.repeats);
}

async function showRepeated(call: AnyCall, id: number): Promise<string> {
  const first = await call.engine.order(call.caller.member, id);
  const order = present(first, `order ${id}, which a repeat names, exists`);
  return createdText(call, order, order.createdAt);
}

function createdText(call: AnyCall, order: CreatedOrder, at: number): string {
  return createdOrderText(call.engine, order, at, call.fraction, call.isPeatio);
}

/**
 * Returns what has become of an order in its own commit, with its trades, as JSON text; for a repeat,
 * how the earlier order is by now.
 */
export async function showResult(
  call: AnyCall,
  placed: PlacedOrder,
  receipt: OrdersPlaced,
): Promise<string> {
  const { caller, engine } = call;
  const chargeRecords = (count: number) => call.chargeRecords(count);
  return await findResult({ engine, member: caller.member, chargeRecords }, placed, receipt, {
    order: (order) => {
      const shown = ownOrder(call, order);
      const { market: market_id, origin_volume: volume, ord_type: type } = shown;
      return JSON.stringify({ type, market_id, volume, ...shown });
    },
    trade: (trade) => JSON.stringify(ownTrade(call, trade)),
    whole: (order, trades) => `${order.slice(0, -1)},"trades":[${trades.join(",")}]}`,
  });
}

/** Kinds of names by which single orders are cancelled. */
const NAME_KINDS = ["id", "uuid", "client"] as const;

const parseNewOrder = closedParser(NEW_ORDER, newOrderSchema);
const parsePeatioOrder = closedParser(PEATIO_NEW_ORDER, peatioOrderSchema);
const parseCancelFilter = closedParser(CANCEL_FILTER);
const parsePeatioFilter = closedParser(PEATIO_CANCEL_FILTER);

/** Returns the parser of a new order, with the field names that the path uses. */
export function newOrderParser(call: AnyCall): typeof parseNewOrder {
  return call.isPeatio ? parsePeatioOrder : parseNewOrder;
}

/** Returns the type of an order that does not say it. */
export function usualType({ isPeatio }: AnyCall): string | undefined {
  return isPeatio ? "limit" : undefined;
}

async function createOrder(call: Call<undefined, unknown>): Promise<Response> {
  try {
    const order = newOrderParser(call)(call.body ?? {});
    const learning = learnMarkets(call.engine, [order.market]);
    if (learning !== null) await learning;
    const request = orderRequest(call.engine.venue, order);
    return order.response === "result"
      ? await placeOrders(call, [request], "single", answerResult, true)
      : await placeOrders(call, [request], "single", answerCreated);
  } catch (error) {
    throw orderError(error, call.body, usualType(call));
  }
}

/** Answers a request for one order. */
function answerCreated(
  call: AnyCall,
  { orders: [placed] }: OrdersPlaced,
): Response | Promise<Response> {
  const shown = showCreated(call, present(placed, PLACED_OR_REFUSED));
  return typeof shown === "string"
    ? call.text(201, shown)
    : shown.then((text) => call.text(201, text));
}

/** Answers a request for one order with what has become of it. */
async function answerResult(call: AnyCall, receipt: OrdersPlaced): Promise<Response> {
  const placed = present(receipt.orders[0], PLACED_OR_REFUSED);
  return call.text(201, await showResult(call, placed, receipt));
}

async function cancelOrder(call: Call): Promise<Response> {
  const given = givenName(call);
  const before = await ordersBefore(call, given);
  const read = (id: number) => orderTexts(call, [id], before);
  const [order] = await cancelNamedOrder(call, given, NAME_KINDS, read);
  if (order === undefined) throw noSuchOrder(given);
  return call.text(201, order);
}

/**
 * Returns what the oldest members of the family answer a cancel with; null elsewhere.
 *
 * @param given the name of the order; all open ones if absent
 */
async function ordersBefore(call: AnyCall, given?: string): Promise<OrdersBefore | null> {
  if (!call.isPeatio) return null;
  const { engine } = call;
  const { member } = call.caller;
  const before = new OrdersBefore();
  await engine.fresh();
  if (given === undefined) await before.noteAll(engine, member);
  else {
    const name = parseOrderName(engine, given, NAME_KINDS);
    const id = name === null ? null : await orderIdOf(engine, member, name);
    if (id !== null) before.note(engine.venue.openOrder(member, id));
  }
  return before;
}

/**
 * Returns the member's orders with these ids, as JSON texts. They have just been decided about, so
 * what is published is not older than that.
 */
async function orderTexts(
  call: AnyCall,
  ids: readonly number[],
  before: OrdersBefore | null,
): Promise<string[]> {
  const { engine } = call;
  const { member } = call.caller;
  const texts: string[] = [];
  // A member may have a hundred thousand orders to cancel.
  for await (const slice of inSlices(ids, ORDERS_PER_SLICE)) {
    const orders = await Promise.all(slice.map((id) => engine.order(member, id)));
    for (const order of orders) {
      if (order === null) continue;
      texts.push(JSON.stringify(ownOrder(call, before?.asItWas(order) ?? order)));
    }
  }
  return texts;
}

async function cancelOrders(call: Call<undefined, unknown>): Promise<Response> {
  const parse = call.isPeatio ? parsePeatioFilter : parseCancelFilter;
  const before = await ordersBefore(call);
  const ids = await cancelMeant(call, parse);
  const texts = await orderTexts(call, ids, before);
  // Older members of this family answer 201 here.
  const headers = { [CANCELLED_HEADER]: String(ids.length) };
  return call.text(call.isPeatio ? 201 : 200, `[${texts.join(",")}]`, headers);
}

async function cancelMeant(
  call: Call<undefined, unknown>,
  parse: typeof parseCancelFilter,
): Promise<readonly number[]> {
  try {
    const { market, side } = parse(call.body ?? {});
    return await cancelOpenOrders(call, market, side);
  } catch (error) {
    throw orderError(error, call.body);
  }
}

/** The header of answers to cancels of several orders, as the contract has it. */
export const CANCELLED_HEADERS = {
  [CANCELLED_HEADER]: "How many orders this request has cancelled.",
};

/** Endpoints that place and cancel single orders. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createOrder",
    method: "POST",
    paths: ["/api/v2/trading/market/orders", "/api/v2/peatio/market/orders"],
    ...ofTrading("trade"),
    summary: "Create an order",
    description:
      "The response confirms that the order is durable; matching follows at once, and the first " +
      "message of the `order` stream may arrive before the response. An order that depends on the " +
      "book (post_only, fill or kill, market) may still end as `reject` or `cancel`: ask for " +
      '`response: "result"` or read the order to find out, `reject_reason` tells why. A market ' +
      "order fills at any price, unless " +
      "the venue bounds how far from the last one: the rest then ends as if nobody offered more. " +
      "A market buy locks what the asks that it takes cost, and a tenth more, or all you have if " +
      "that is less; if you have less than they cost, it is refused. Where nobody offers as much " +
      "as it wants, it fills what there is. A stop buy locks the same of its `trigger_price`, " +
      "which need not be all you have; when it is triggered, its lock is raised to what the " +
      "asks cost then, and only what your balance can't pay is not filled. After a time-out or a " +
      "504, repeat the order under the same `client_order_id`. Under `/api/v2/peatio` the fields have their " +
      "older names: `volume`, `ord_type` (`limit` by default) and `client_id`.",
    body: {
      schema: NEW_ORDER as z.ZodType<unknown>,
      example: { market: "btcusdt", side: "buy", amount: "0.25", type: "limit", price: "9120" },
      isReadByHandler: true,
    },
    answer: created(
      'The order, submitted and awaiting processing; with `response: "result"` what has become of ' +
        "it.",
      CREATED_ORDER,
      CREATED_ORDER_EXAMPLE,
    ),
    errors: { 403: ["market.trade.not_permitted"], 422: ORDER_ERRORS },
    handle: createOrder,
  }),
  endpoint({
    id: "cancelOrder",
    method: "POST",
    paths: [
      "/api/v2/trading/market/orders/cancel/{id}",
      "/api/v2/peatio/market/orders/{id}/cancel",
    ],
    ...ofTrading("trade"),
    summary: "Cancel an order",
    description: "Accepts the id, the uuid, or `client:` followed by your own id; under " +
      "`/api/v2/peatio` also your own id with `?client_id=true`. An order that has ended is " +
      "returned unchanged.",
    isCancel: true,
    answer: created("The order in its current state.", ORDER, {
      ...TRADING_ORDER_EXAMPLE,
      state: "cancel",
    }),
    errors: { 422: [INVALID_NAME, "record.not_found", "market.market.halted"] },
    handle: cancelOrder,
  }),
  endpoint({
    id: "cancelOrders",
    method: "POST",
    paths: ["/api/v2/trading/market/orders/cancel", "/api/v2/peatio/market/orders/cancel"],
    ...ofTrading("trade"),
    summary: "Cancel all open orders",
    description:
      "Cancels those of one market or side, if given. Orders on halted markets are skipped; " +
      "naming such a market is refused. Many orders are cancelled in portions, between which " +
      "others trade: the answer lacks what is filled meanwhile. Under `/api/v2/peatio` the status " +
      "is 201.",
    isCancel: true,
    body: {
      schema: CANCEL_FILTER as z.ZodType<unknown>,
      example: { market: "btcusdt", side: "buy" },
      isReadByHandler: true,
      brokenStatus: 422,
    },
    answer: {
      ...ok("The cancelled orders.", z.array(ORDER), [{
        ...TRADING_ORDER_EXAMPLE,
        state: "cancel",
      }]),
      headers: CANCELLED_HEADERS,
    },
    errors: { 422: [NO_MARKET, "market.market.halted"] },
    handle: cancelOrders,
  }),
];
