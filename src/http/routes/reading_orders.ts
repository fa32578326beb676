/** Reading the member's orders: a list, and one order with its trades. */
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, NOT_FOUND, ofTrading, ok, okPage } from "../endpoint_parts.ts";
import { ApiError } from "../../edge/errors.ts";
import { NO_MARKET } from "../../edge/filters.ts";
import { findNamedOrder, findOrders, ownOrder, ownTrade } from "../../edge/orders/order_reading.ts";
import { ORDER, ORDER_WITH_TRADES } from "../../edge/schemas/answers.ts";
import { ORDER_EXAMPLE, TRADE_EXAMPLE } from "../../edge/schemas/examples.ts";
import {} from "../../edge/schemas/lists.ts";
import { ORDERS_QUERY } from "../../edge/schemas/orders.ts";
import { INVALID_NAME } from "../../edge/orders/order_names.ts";
import { givenName } from "../older_paths.ts";

async function listOrders(call: QueryCall<typeof ORDERS_QUERY>): Promise<Response> {
  return await answerOrders(call, call.caller.member);
}

/** Answers with a page of a member's orders. */
export async function answerOrders(
  call: QueryCall<typeof ORDERS_QUERY>,
  member: number,
): Promise<Response> {
  const { engine, query } = call;
  const page = await findOrders(engine, member, query);
  const orders = page.items.map((order) => ownOrder(call, order));
  return call.page(orders, query, page);
}

async function readOrder(call: Call): Promise<Response> {
  const { engine } = call;
  const { member } = call.caller;
  const order = await findNamedOrder(engine, member, givenName(call), ["id", "uuid", "client"]);
  if (order === null) throw new ApiError(404, "record.not_found");
  call.chargeRecords(order.tradesCount);
  // Serialized before the trades are awaited, to match them: an open order may trade meanwhile.
  const shown = JSON.stringify(ownOrder(call, order));
  const trades = await engine.orderTrades(
    member,
    order,
    (trade) => JSON.stringify(ownTrade(call, trade)),
  );
  return call.text(200, `${shown.slice(0, -1)},"trades":[${trades.join(",")}]}`);
}

/** Endpoints that read orders. */
export const READING_ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listOrders",
    method: "GET",
    paths: [...backendPaths("market/orders"), "/api/v2/finex/market/orders"],
    ...ofTrading("read"),
    summary: "List your orders",
    query: ORDERS_QUERY,
    answer: okPage("Orders by id, newest first by default.", ORDER, ORDER_EXAMPLE),
    errors: { 422: [NO_MARKET] },
    handle: listOrders,
  }),
  endpoint({
    id: "readOrder",
    method: "GET",
    paths: [...backendPaths("market/orders/{id}"), "/api/v2/finex/market/orders/{id}"],
    ...ofTrading("read"),
    summary: "Get an order with its trades",
    description: "Accepts the id, the uuid, or `client:` followed by your own id; under " +
      "`/api/v2/peatio` also your own id with `?client_id=true`.",
    answer: ok("The order.", ORDER_WITH_TRADES, { ...ORDER_EXAMPLE, trades: [TRADE_EXAMPLE] }),
    errors: { ...NOT_FOUND, 422: [INVALID_NAME] },
    handle: readOrder,
  }),
];
