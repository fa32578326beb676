/** What a member has and has done, for operators: balances, orders and trades. */
import type { QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, okPage } from "../../endpoint_parts.ts";
import { NO_MARKET } from "../../../edge/filters.ts";
import { ACCOUNT_EXAMPLE } from "../../../edge/schemas/account_examples.ts";
import { ACCOUNT, MEMBER_TRADE, ORDER } from "../../../edge/schemas/answers.ts";
import { ORDER_EXAMPLE, TRADE_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { BALANCES_QUERY } from "../../../edge/schemas/market_data.ts";
import { ORDERS_QUERY, TRADES_QUERY } from "../../../edge/schemas/orders.ts";
import { holderOf } from "./admin_members.ts";
import { answerBalances } from "../balances.ts";
import { answerOrders } from "../reading_orders.ts";
import { answerTrades } from "../trades.ts";

function listMemberBalances(call: QueryCall<typeof BALANCES_QUERY>): Response {
  return answerBalances(call, holderOf(call));
}

async function listMemberOrders(call: QueryCall<typeof ORDERS_QUERY>): Promise<Response> {
  return await answerOrders(call, holderOf(call).member.index);
}

async function listMemberTrades(call: QueryCall<typeof TRADES_QUERY>): Promise<Response> {
  return await answerTrades(call, holderOf(call).member.index);
}

/** Endpoints of members' balances, orders and trades. */
export const ADMIN_MEMBER_RECORD_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listMemberBalances",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/balances"],
    ...ofOperators("viewer"),
    summary: "List a member's balances",
    query: BALANCES_QUERY,
    answer: okPage("Balances, by position of the currency.", ACCOUNT, ACCOUNT_EXAMPLE),
    errors: NOT_FOUND,
    handle: listMemberBalances,
  }),
  endpoint({
    id: "listMemberOrders",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/orders"],
    ...ofOperators("viewer"),
    summary: "List a member's orders",
    query: ORDERS_QUERY,
    answer: okPage("Orders by id, newest first by default.", ORDER, ORDER_EXAMPLE),
    errors: { ...NOT_FOUND, 422: [NO_MARKET] },
    handle: listMemberOrders,
  }),
  endpoint({
    id: "listMemberTrades",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/trades"],
    ...ofOperators("viewer"),
    summary: "List a member's trades",
    query: TRADES_QUERY,
    answer: okPage("Trades, newest first by default.", MEMBER_TRADE, TRADE_EXAMPLE),
    errors: { ...NOT_FOUND, 422: [NO_MARKET] },
    handle: listMemberTrades,
  }),
];
