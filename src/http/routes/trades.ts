/** The member's executed trades. */
import type { TradeFilter } from "../../engine/engine.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../../edge/answer.ts";
import { backendPaths, ofTrading, okPage } from "../endpoint_parts.ts";
import { ApiError } from "../../edge/errors.ts";
import { MEMBER_TRADE } from "../../edge/schemas/answers.ts";
import { TRADE_EXAMPLE } from "../../edge/schemas/examples.ts";
import { pageRequest } from "../../edge/schemas/lists.ts";
import { TRADES_QUERY } from "../../edge/schemas/orders.ts";
import { ownTrade } from "../../edge/orders/order_reading.ts";
import { marketIndexes, msOf, NO_MARKET } from "../../edge/filters.ts";

async function listTrades(call: QueryCall<typeof TRADES_QUERY>): Promise<Response> {
  const { venue } = call.engine;
  const { member } = venue.holder(call.caller.member);
  if (member.level < venue.levels.trading) throw new ApiError(403, "market.trade.not_permitted");
  return await answerTrades(call, member.index);
}

/** Answers with a page of a member's trades. */
export async function answerTrades(
  call: QueryCall<typeof TRADES_QUERY>,
  member: number,
): Promise<Response> {
  const { engine, query } = call;
  const { venue } = engine;
  const filter = definedFields<TradeFilter>({
    markets: marketIndexes(venue, { market: query.market }),
    side: query.type,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const request = pageRequest(query, query.order_by, "market.trade");
  const page = await engine.trades(member, filter, request);
  const trades = page.items.map((trade) => ownTrade(call, trade));
  return call.page(trades, query, page);
}

/** Endpoints of trades. */
export const TRADE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listTrades",
    method: "GET",
    paths: backendPaths("market/trades"),
    ...ofTrading("read"),
    summary: "List your trades",
    description:
      "A trade with yourself (`self_trade_prevention` `none`) is listed twice under one id, with " +
      "each of its orders, so that the list adds up to the balances. (Those from before 2026-12 " +
      "are listed as the maker's alone.) A page without a `page` has both or neither, and so may " +
      "have one trade more than its `limit`: walk by `from_id` or `to_id`, and you have each once.",
    query: TRADES_QUERY,
    answer: okPage("Trades, newest first by default.", MEMBER_TRADE, TRADE_EXAMPLE),
    errors: { 403: ["market.trade.not_permitted"], 422: [NO_MARKET] },
    handle: listTrades,
  }),
];
