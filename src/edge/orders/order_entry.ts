/** Places and cancels orders, for calls and sockets alike. */
import {
  type Command,
  expectedReceipt,
  type OrderName,
  type OrderRequest,
  type OrdersPlaced,
  type PlacedOrder,
  type Receipt,
} from "../../domain/command.ts";
import type { Side } from "../../domain/trading/order.ts";
import {
  beforehand,
  type Engine,
  OutcomeUnknownError,
  UnreadableError,
} from "../../engine/engine.ts";
import { ApiError, invalidField, OrderOutcomeUnknownError } from "../errors.ts";
import { NO_MARKET } from "../filters.ts";
import { invalidNameError, type NameKind, parseOrderName } from "./order_names.ts";

/** A member who trades, and how its commands reach the venue; a call is one. */
export interface Trader {
  readonly engine: Engine;
  readonly caller: { readonly member: number };
  /** @throws {ApiError} if the venue refuses */
  submit(
    command: Command,
    options?: { readonly shown?: "single" | "bulk" },
  ): Promise<Receipt>;
}

/** Header of an answer to a cancel of several orders: how many it has cancelled. */
export const CANCELLED_HEADER = "X-Cancelled-Orders";

/** Error identifier for more items than one request may have. */
export const BULK_LIMIT = "market.order.bulk_limit_exceeded";

/** Answers a request for orders. */
export type PlacedAnswer<C extends Trader, T> = (
  trader: C,
  placed: OrdersPlaced,
) => T | Promise<T>;

/**
 * Places all orders or none, and returns what `answer` makes of them. That should hold few objects:
 * V8's collector promotes what settles a promise that has waited long, even if it is dead.
 *
 * @param tellsResults whether it is told what has become of them in their own entry
 */
export async function placeOrders<C extends Trader, T>(
  trader: C,
  orders: readonly OrderRequest[],
  shown: "single" | "bulk",
  answer: PlacedAnswer<C, T>,
  tellsResults = false,
): Promise<T> {
  const { member } = trader.caller;
  let placed: readonly PlacedOrder[] = [];
  try {
    const command: Command = tellsResults
      ? { kind: "place_orders", member, orders, tellsResults }
      : { kind: "place_orders", member, orders };
    const receipt = await trader.submit(command, { shown });
    const receipts = expectedReceipt(receipt, "orders_placed");
    placed = receipts.orders;
    return await answer(trader, receipts);
  } catch (error) {
    if (!isUntold(error)) throw error;
    const orderIds = error instanceof UnreadableError ? placed.map(placedId) : error.orderIds;
    const names = orders.map((order) => order.clientOrderId).filter((name) => name !== "");
    // Unplaced orders' ids are reused, so an id is given only for an order without another name.
    const ids = orderIds.filter((_, i) => orders[i]?.clientOrderId === "");
    throw new OrderOutcomeUnknownError(ids, names);
  }
}

/** Returns the id of a placed order; for a repeated request, that of the earlier order. */
export function placedId(placed: PlacedOrder): number {
  return "accepted" in placed ? placed.accepted.id : placed.repeats;
}

/** Returns whether the outcome of a write is unknown, or known but not readable. */
function isUntold(error: unknown): error is OutcomeUnknownError | UnreadableError {
  return error instanceof OutcomeUnknownError || error instanceof UnreadableError;
}

/**
 * Catches up if a market is unknown here, since another process may just have made it; null if
 * there is nothing to wait for.
 */
export function learnMarkets(engine: Engine, ids: readonly string[]): Promise<void> | null {
  const areKnown = ids.every((id) => engine.venue.bookById.has(id));
  return areKnown ? null : beforehand(engine.fresh());
}

/**
 * Returns the items of a bulk request, within the member's limit.
 *
 * @throws {ApiError} if they are not a list, or it is empty or too long
 */
export function bulkItems(trader: Trader, given: unknown): readonly unknown[] {
  if (given === undefined) throw new ApiError(422, "market.order.missing_orders");
  if (!Array.isArray(given)) throw new ApiError(422, "market.order.invalid_orders");
  if (given.length === 0) throw new ApiError(422, "market.order.empty_orders");
  checkItemCount(trader, given.length);
  return given;
}

/**
 * Checks the number of items of a bulk request, which may be known before they are.
 *
 * @throws {ApiError} 413 if there are more than the member may send
 */
export function checkItemCount(
  { engine, caller }: Pick<Trader, "engine" | "caller">,
  count: number,
): void {
  const { member } = engine.venue.holder(caller.member);
  const limit = member.bulkOrdersMax || engine.venue.settings.bulkOrdersMax;
  if (count <= limit) return;
  throw new ApiError(413, BULK_LIMIT, {
    details: { value: String(count), limit: String(limit) },
  });
}

/**
 * Cancels the order of this name, which may already have ended, and returns what `answer` makes of
 * its id.
 *
 * @throws {ApiError} if the name is invalid, or the member has no such order
 */
export async function cancelNamedOrder<T>(
  trader: Trader,
  given: string,
  kinds: readonly NameKind[],
  answer: (id: number) => T | Promise<T>,
): Promise<T> {
  const name = parseOrderName(trader.engine, given, kinds);
  if (name === null) throw invalidNameError(given);
  const { member } = trader.caller;
  const known = await beforehand(isKnown(trader, name));
  try {
    const receipt = await trader.submit(
      { kind: "cancel_orders", member, names: [name], strict: true, isKnown: known },
    );
    const [id] = expectedReceipt(receipt, "orders_cancelled").ids;
    if (id === undefined) throw noSuchOrder(given);
    return await answer(id);
  } catch (error) {
    if (!isUntold(error)) throw error;
    // The client can ask by the name that it gave.
    throw "id" in name
      ? new OrderOutcomeUnknownError(name.id > 0 ? [name.id] : [], [])
      : new OrderOutcomeUnknownError([], [name.clientOrderId]);
  }
}

/** Returns the error for a name under which the member has no order. */
export function noSuchOrder(given: string): ApiError {
  return invalidField("record.not_found", "id", given);
}

/**
 * Returns whether the member has the order, open or ended. What a client order id leads to is for
 * the venue to say: it knows by then of orders that are only about to be placed.
 */
async function isKnown({ engine, caller }: Trader, name: OrderName): Promise<boolean> {
  if (!("id" in name)) return false;
  const { member } = caller;
  if (engine.venue.openOrder(member, name.id) !== undefined) return true;
  await engine.fresh();
  return await engine.order(member, name.id) !== null;
}

/**
 * Cancels every open order of the member, of one market or side if given.
 *
 * @returns their ids
 * @throws {ApiError} if there is no such market
 */
export async function cancelOpenOrders(
  trader: Trader,
  market: string | undefined,
  side: Side | undefined,
): Promise<readonly number[]> {
  const receipt = await trader.submit({
    kind: "cancel_all_orders",
    member: trader.caller.member,
    market: await marketMeant(trader.engine, market),
    side: side ?? null,
  });
  return expectedReceipt(receipt, "orders_cancelled").ids;
}

/**
 * Returns the index of the market that a cancel of all orders names; -1 if it names none.
 *
 * @throws {ApiError} if there is no such market
 */
export async function marketMeant(engine: Engine, market: string | undefined): Promise<number> {
  if (market === undefined) return -1;
  await learnMarkets(engine, [market]);
  const book = engine.venue.bookById.get(market);
  if (book === undefined) throw invalidField(NO_MARKET, "market", market);
  return book.market.index;
}
