/** Finds a member's orders, for calls and sockets alike. */
import type * as z from "zod";
import type { Order } from "../../domain/trading/order.ts";
import type { MemberTrade } from "../../domain/trading/trade_record.ts";
import type { Engine, OrderFilter, Page } from "../../engine/engine.ts";
import { classicOrder, type ClassicOrderJson, classicTrade } from "./classic_wire.ts";
import { definedFields } from "../answer.ts";
import { marketIndexes, msOf } from "../filters.ts";
import { invalidNameError, type NameKind, orderIdOf, parseOrderName } from "./order_names.ts";
import { pageRequest } from "../schemas/lists.ts";
import type { ORDERS_QUERY } from "../schemas/orders.ts";
import {
  type Fraction,
  type MemberTradeJson,
  memberTradeJson,
  type OrderJson,
  orderJson,
} from "../wire/wire.ts";

/**
 * Returns the member's orders that a query asks for; call {@linkcode Engine.fresh} first.
 *
 * @throws {ApiError} if there is no such market, or the page is too deep
 */
export async function findOrders(
  engine: Engine,
  member: number,
  query: z.infer<typeof ORDERS_QUERY>,
): Promise<Page<Order>> {
  const filter = definedFields<OrderFilter>({
    markets: marketIndexes(engine.venue, query),
    states: query.state,
    types: query.ord_type,
    side: query.type,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  return await engine.orders(member, filter, pageRequest(query, query.order_by, "market.order"));
}

/**
 * Returns the member's order with this name, or null; call {@linkcode Engine.fresh} first.
 *
 * @throws {ApiError} if the name is invalid
 */
export async function findNamedOrder(
  engine: Engine,
  member: number,
  given: string,
  kinds: readonly NameKind[],
): Promise<Order | null> {
  const name = parseOrderName(engine, given, kinds);
  if (name === null) throw invalidNameError(given);
  const id = await orderIdOf(engine, member, name);
  return id === null ? null : await engine.order(member, id);
}

/** How a path shows records. */
interface ShownAs {
  readonly engine: Engine;
  readonly fraction: Fraction;
  readonly isPeatio: boolean;
}

/** Returns an order as the path shows it. */
export function ownOrder(
  { engine, fraction, isPeatio }: ShownAs,
  order: Order,
): OrderJson | ClassicOrderJson {
  const json = orderJson(engine, order, fraction);
  return isPeatio ? classicOrder(json, order) : json;
}

/** Returns a member's trade as the path shows it. */
export function ownTrade(
  { engine, fraction, isPeatio }: ShownAs,
  trade: MemberTrade,
): MemberTradeJson {
  const json = memberTradeJson(engine.venue, trade, fraction);
  return isPeatio ? classicTrade(json) : json;
}
