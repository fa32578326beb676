/** Bulk orders: placing, cancelling by uuid, cancelling by id. */
import * as z from "zod";
import {
  expectedReceipt,
  type OrderName,
  type OrderRequest,
  type OrdersPlaced,
} from "../../domain/command.ts";
import { firstTermsRefusal } from "../../domain/trading/decide_orders.ts";
import type { AnyCall, Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { created, ofTrading, ok } from "../endpoint_parts.ts";
import { ApiError, rejectionError } from "../../edge/errors.ts";
import {
  BULK_LIMIT,
  bulkItems,
  CANCELLED_HEADER,
  learnMarkets,
  type PlacedAnswer,
  placeOrders,
} from "../../edge/orders/order_entry.ts";
import { CREATED_ORDER } from "../../edge/schemas/answers.ts";
import { CREATED_ORDER_EXAMPLE } from "../../edge/schemas/examples.ts";
import { NEW_ORDER, orderRequest } from "../../edge/schemas/orders.ts";
import { orderError } from "../../edge/orders/order_errors.ts";
import {
  INVALID_NAME,
  invalidNameError,
  type NameKind,
  parseOrderName,
} from "../../edge/orders/order_names.ts";
import {
  CANCELLED_HEADERS,
  newOrderParser,
  ORDER_ERRORS,
  showCreated,
  showResult,
  usualType,
} from "./orders.ts";

/** The answer to bulk cancels. */
const CANCEL_ACCEPTED = "orders.cancel.accepted";

async function createOrders(call: Call<undefined, unknown>): Promise<Response> {
  try {
    const items = bulkItems(call, call.body);
    const learning = learnMarkets(call.engine, items.flatMap(namedMarket));
    if (learning !== null) await learning;
    const { requests, asking } = orderRequests(call, items);
    return asking === null
      ? await placeOrders(call, requests, "bulk", answerCreated)
      : await placeOrders(call, requests, "bulk", answerEach(asking), true);
  } catch (error) {
    throw orderError(error, call.body, usualType(call));
  }
}

/** The orders of a bulk. */
interface BulkRequests {
  readonly requests: OrderRequest[];
  /** Indexes of those that are answered with what becomes of them; null if none is. */
  readonly asking: ReadonlySet<number> | null;
}

/** @throws {ApiError} that names the first order with a wrong field */
function orderRequests(call: AnyCall, items: readonly unknown[]): BulkRequests {
  const { venue } = call.engine;
  const parse = newOrderParser(call);
  const requests: OrderRequest[] = [];
  let asking: Set<number> | null = null;
  for (const [index, item] of items.entries()) {
    try {
      const order = parse(item ?? {}, index);
      if (order.response === "result") (asking ??= new Set()).add(index);
      requests.push(orderRequest(venue, order, index));
    } catch (error) {
      // Fields that do not fit each other are checked later, but may be those of an earlier order.
      const earlier = firstTermsRefusal(venue, requests);
      throw earlier === null ? error : rejectionError(call.asNamed(earlier), "bulk");
    }
  }
  return { requests, asking };
}

/** Answers a request for several orders. */
async function answerCreated(
  call: AnyCall,
  { orders }: OrdersPlaced,
): Promise<Response> {
  const texts = await Promise.all(orders.map((order) => showCreated(call, order)));
  return call.text(201, `[${texts.join(",")}]`);
}

/** Answers a request for several orders, some of which are shown with what has become of them. */
function answerEach(asking: ReadonlySet<number>): PlacedAnswer<AnyCall, Response> {
  return async (call, receipt) => {
    const texts: string[] = [];
    for (const [index, placed] of receipt.orders.entries()) {
      texts.push(
        asking.has(index)
          ? await showResult(call, placed, receipt)
          : await showCreated(call, placed),
      );
    }
    return call.text(201, `[${texts.join(",")}]`);
  };
}

/** Returns the market that an item names, if it is an order at all. */
function namedMarket(item: unknown): string[] {
  if (typeof item !== "object" || item === null || !("market" in item)) return [];
  return typeof item.market === "string" ? [item.market] : [];
}

async function cancelNamed(
  call: Call<undefined, unknown>,
  kinds: readonly NameKind[],
): Promise<Response> {
  const names = bulkItems(call, call.body).map((item, index): OrderName => {
    const text = typeof item === "string" ? item : JSON.stringify(item) ?? "";
    const name = parseOrderName(call.engine, text, kinds);
    if (name !== null) return name;
    const error = invalidNameError(text);
    throw new ApiError(error.status, error.errors, { ...error.extras, index });
  });
  const receipt = await call.submit({
    kind: "cancel_orders",
    member: call.caller.member,
    names,
    strict: false,
    isKnown: false,
  });
  const { ids, unchanged = 0 } = expectedReceipt(receipt, "orders_cancelled");
  return call.json(200, CANCEL_ACCEPTED, { [CANCELLED_HEADER]: String(ids.length - unchanged) });
}

const LIST_ERRORS = [
  "market.order.missing_orders",
  "market.order.invalid_orders",
  "market.order.empty_orders",
];

/** Declares a cancel of several orders by their names of one kind, or the member's own. */
function cancelEndpoint(
  kind: "id" | "uuid",
  name: z.ZodType,
  example: readonly unknown[],
  declared: Pick<Endpoint, "id" | "paths">,
): Endpoint {
  return endpoint({
    ...declared,
    method: "DELETE",
    ...ofTrading("trade"),
    summary: `Cancel several orders by ${kind}`,
    description: "Also accepts `client:` followed by your own id. Costs 1 of the rate limit for " +
      "each.",
    isCancel: true,
    body: {
      schema: z.array(name).min(1) as z.ZodType<unknown>,
      example,
      isReadByHandler: true,
      isBulk: true,
      brokenStatus: 422,
    },
    answer: {
      ...ok(
        "Submitted. Orders that are unknown, not yours, ended or on a halted market are skipped.",
        z.literal(CANCEL_ACCEPTED),
        CANCEL_ACCEPTED,
      ),
      headers: CANCELLED_HEADERS,
    },
    errors: { 413: [BULK_LIMIT], 422: [...LIST_ERRORS, INVALID_NAME] },
    handle: (call: Call<undefined, unknown>) => cancelNamed(call, [kind, "client"]),
  });
}

/** Endpoints of bulk orders. */
export const BULK_ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createOrders",
    method: "POST",
    paths: ["/api/v2/trading/market/bulk/orders", "/api/v2/peatio/market/bulk/orders"],
    ...ofTrading("trade"),
    summary: "Create several orders, all or none",
    description:
      "If an order fails, none is placed, and `index` names the first one with a wrong field " +
      "(one that is missing, forbidden, off the market's grid, or names no market), or else the " +
      "first one that the venue refuses. New orders may stand beside repeats of a " +
      "`client_order_id`, but no id twice. Each order is answered as its own `response` " +
      "says. Costs 1 of the rate limit for each order.",
    body: {
      schema: z.array(NEW_ORDER).min(1) as z.ZodType<unknown>,
      example: [
        { market: "btcusdt", side: "buy", amount: "0.25", type: "limit", price: "9120" },
        { market: "btcusdt", side: "sell", amount: "0.25", type: "post_only", price: "9300" },
      ],
      isReadByHandler: true,
      isBulk: true,
      brokenStatus: 422,
    },
    answer: created("The orders, in the order of the request.", z.array(CREATED_ORDER), [
      CREATED_ORDER_EXAMPLE,
    ]),
    errors: {
      403: ["market.trade.not_permitted"],
      413: [BULK_LIMIT],
      422: [...LIST_ERRORS, ...ORDER_ERRORS],
    },
    handle: createOrders,
  }),
  cancelEndpoint("uuid", z.string().meta({ format: "uuid" }), [CREATED_ORDER_EXAMPLE.uuid], {
    id: "cancelOrdersByUuid",
    paths: ["/api/v2/trading/market/bulk/orders", "/api/v2/peatio/market/bulk/orders"],
  }),
  cancelEndpoint("id", z.int().min(1), [10440269, 10440270], {
    id: "cancelOrdersById",
    paths: ["/api/v2/trading/market/bulk/orders_by_id", "/api/v2/peatio/market/bulk/orders_by_id"],
  }),
];
