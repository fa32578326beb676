/** The order methods of the RPC dialect, by the same rules as calls over HTTP. */
import { ApiError, type ErrorReport, INVALID_BODY, invalidField } from "../../edge/errors.ts";
import {
  bulkItems,
  cancelNamedOrder,
  cancelOpenOrders,
  learnMarkets,
  noSuchOrder,
  type PlacedAnswer,
  placedId,
  placeOrders,
} from "../../edge/orders/order_entry.ts";
import { findResult } from "../../edge/orders/found_result.ts";
import { findNamedOrder, findOrders } from "../../edge/orders/order_reading.ts";
import { orderError } from "../../edge/orders/order_errors.ts";
import { fieldNames, unknownField } from "../../edge/reading/known_fields.ts";
import { INVALID_NAME, type NameKind } from "../../edge/orders/order_names.ts";
import { LIST_LIMIT_MAX } from "../../edge/schemas/lists.ts";
import {
  CANCEL_FILTER,
  NEW_ORDER,
  newOrderSchema,
  orderRequest,
  ORDERS_QUERY,
} from "../../edge/schemas/orders.ts";
import { parseWith } from "../../edge/reading/validation.ts";
import { present } from "../../domain/assert.ts";
import type { OrdersPlaced } from "../../domain/command.ts";
import type { OrderState } from "../../domain/trading/order.ts";
import { RequestPlace } from "./request_line.ts";
import { refuseSurplus, shownArgument, unexpectedArgument } from "./rpc_arguments.ts";
import { JsonText, type RpcRequest } from "./rpc_frame.ts";
import { AccessEndedError } from "../caller_access.ts";
import type { RpcTrader } from "./rpc_trader.ts";
import {
  FILL_OR_KILL_LETTER,
  memberTradeTuple,
  orderTuple,
  type Tuple,
  TYPE_LETTERS,
} from "./rpc_tuples.ts";
import { setOwnTimer } from "../../edge/cancel_timer.ts";
import { CANCEL_TIMER } from "../../edge/schemas/cancel_timer.ts";

/** The result of a request; `extra` is what the dialect's own answer has no place for. */
export interface RpcAnswer {
  readonly args: unknown;
  readonly extra?: unknown;
}

/** Describes a failed item of a bulk request. */
type ItemReporter = (error: Error) => ErrorReport["body"];

/** How a request is answered. */
export interface RpcContext {
  readonly report: ItemReporter;
  /** Whether records have extra elements after the dialect's own. */
  readonly hasExtras: boolean;
  /** Takes from the caller what looking at so many records costs. */
  readonly chargeRecords: (count: number) => void;
}

/** Replaces an item that failed. */
const FAILED = "error";

/** Fields of an order that have positions. */
const POSITIONS: readonly string[] = ["market", "type", "side", "amount", "price"];
/** All others, which come as an object behind them. */
const OPTIONS: ReadonlySet<string> = new Set(
  [...fieldNames(NEW_ORDER)].filter((field) => !POSITIONS.includes(field)),
);

/** States of orders that have not ended; `pending` is only reported. */
const OPEN_STATES: readonly OrderState[] = ["wait", "trigger_wait"];

const TYPE_WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.entries(TYPE_LETTERS).map(([word, letter]) => [letter, word] as const),
  [FILL_OR_KILL_LETTER, "fill_or_kill"],
]);

/**
 * `[market, type, side, amount, price, fields?]` → `[uuid]`, or `[uuid, order, trades]` if `fields`
 * ask for the result
 */
export async function createOrder(
  trader: RpcTrader,
  { args }: RpcRequest,
  context: RpcContext,
): Promise<RpcAnswer> {
  const placed = await placeOne(trader, args, "args", context);
  return { args: typeof placed === "string" ? [placed] : placed };
}

/**
 * `[[market, type, side, amount, price, fields?], …]` → `[uuid or "error", …]`, with
 * `[uuid, order, trades]` in the place of each that asks for its result
 */
export async function createBulk(
  trader: RpcTrader,
  { args }: RpcRequest,
  context: RpcContext,
): Promise<RpcAnswer> {
  return await eachItem(trader, bulkItems(trader, args), async (own, item, index) => {
    return await placeOne(own, item, `args.${index}`, context);
  }, context.report);
}

/** An order's uuid, with the order and its trades if it asks for its result. */
type PlacedTuple = string | readonly [uuid: string, order: Tuple, trades: readonly Tuple[]];

async function placeOne(
  trader: RpcTrader,
  item: unknown,
  place: string,
  context: RpcContext,
): Promise<PlacedTuple> {
  const { engine } = trader;
  const fields = orderFields(item, place);
  try {
    const order = parseWith(newOrderSchema(fields), fields);
    const learning = learnMarkets(engine, [order.market]);
    if (learning !== null) await learning;
    const request = orderRequest(engine.venue, order);
    return order.response === "result"
      ? await placeOrders(trader, [request], "single", resultTuple(context), true)
      : await placeOrders(trader, [request], "single", uuidOfPlaced);
  } catch (error) {
    throw orderError(error, fields);
  }
}

const PLACED_OR_REFUSED = "an order is placed or refused";

function uuidOfPlaced({ engine }: RpcTrader, { orders: [placed] }: OrdersPlaced): string {
  return engine.uuidOf(placedId(present(placed, PLACED_OR_REFUSED)));
}

/** Returns what tells what has become of an order. */
function resultTuple(
  { hasExtras, chargeRecords }: Pick<RpcContext, "hasExtras" | "chargeRecords">,
): PlacedAnswer<RpcTrader, PlacedTuple> {
  return async ({ engine, caller }, receipt) => {
    const placed = present(receipt.orders[0], PLACED_OR_REFUSED);
    const reader = { engine, member: caller.member, chargeRecords };
    let ownId: string | null = null;
    return await findResult(reader, placed, receipt, {
      order: (order) => {
        ownId = hasExtras ? order.clientOrderId : null;
        return orderTuple(engine, order, hasExtras);
      },
      trade: (trade) => memberTradeTuple(engine, trade, ownId),
      whole: (order, trades) => [engine.uuidOf(placedId(placed)), order, trades] as const,
    });
  };
}

/** Returns the fields of an order by name; those without a position come as an object. */
function orderFields(item: unknown, place: string): Record<string, unknown> {
  if (!Array.isArray(item)) throw new ApiError(422, INVALID_BODY);
  refuseSurplus(item, POSITIONS.length + 1, place);
  const [market, type, side, amount, price, others] = item;
  if (others !== undefined && (typeof others !== "object" || Array.isArray(others))) {
    throw new ApiError(422, INVALID_BODY);
  }
  for (const [field, value] of Object.entries(others ?? {})) {
    if (POSITIONS.includes(field)) {
      throw unexpectedArgument(`${place}.${POSITIONS.length}.${field}`, value);
    }
    if (!OPTIONS.has(field)) throw unknownField(field, OPTIONS);
  }
  const word = TYPE_WORDS.get(type) ?? type;
  // The dialect has a position for the price even if the order has none.
  const isPriceless = word === "market" || word === "stop";
  return { ...others, market, side, amount, type: word, price: isPriceless ? undefined : price };
}

/** `["id" or "uuid", value]`, `["market", market, side?]` or `["all", side?]` → null */
export async function cancelOrder(trader: RpcTrader, { args }: RpcRequest): Promise<RpcAnswer> {
  const [mode, value, third] = args;
  refuseSurplus(args, mode === "market" ? 3 : 2);
  if (mode === "all") await cancelMeant(trader, { side: value });
  else if (mode === "market") {
    if (value === undefined || value === null) {
      throw invalidField("market.order.missing_market", "market");
    }
    await cancelMeant(trader, { market: value, side: third });
  } else {
    const kinds = nameKinds(mode);
    await cancelNamedOrder(trader, nameText(value), kinds, () => null);
  }
  return { args: null };
}

/** A part of the filter that is absent means all, but none may be null. */
async function cancelMeant(
  trader: RpcTrader,
  filter: { readonly market?: unknown; readonly side: unknown },
): Promise<void> {
  const { market, side } = parseWith(CANCEL_FILTER, filter);
  await cancelOpenOrders(trader, market, side);
}

/** `["id" or "uuid", [value, …]]` → `[value or "error", …]` */
export async function cancelBulk(
  trader: RpcTrader,
  { args: [mode, values], given }: RpcRequest,
  { report }: RpcContext,
): Promise<RpcAnswer> {
  const kinds = nameKinds(mode);
  const items = bulkItems(trader, values ?? undefined);
  const echoes = given[1] as readonly unknown[];
  return await eachItem(trader, items, async (own, value, index) => {
    return await cancelNamedOrder(own, nameText(value), kinds, () => echoes[index]);
  }, report);
}

function nameKinds(mode: unknown): readonly NameKind[] {
  if (mode === "id" || mode === "uuid") return [mode, "client"];
  throw invalidField("market.order.invalid_mode", "mode", shownArgument(mode));
}

function nameText(value: unknown): string {
  if (typeof value === "string") return value;
  throw invalidField(INVALID_NAME, "id", shownArgument(value));
}

/** `[market?, page?, limit?, state?]` → tuples of orders, newest first; see the reference page */
export async function listOrders(
  trader: RpcTrader,
  { args }: RpcRequest,
  { hasExtras, chargeRecords }: Pick<RpcContext, "hasExtras" | "chargeRecords">,
): Promise<RpcAnswer> {
  const { engine, caller } = trader;
  const [market, page, limit, state] = args.map(asked);
  // Older clients name the market alone, and take what they get for all of their open orders.
  const asksForOpen = page === undefined && state === undefined;
  const query = parseWith(ORDERS_QUERY, {
    market,
    page,
    limit: limit ?? (asksForOpen ? String(LIST_LIMIT_MAX) : undefined),
    state: asksForOpen ? OPEN_STATES : state,
  });
  await engine.fresh();
  const { items, scanned } = await findOrders(engine, caller.member, query);
  chargeRecords(scanned);
  return { args: items.map((order) => orderTuple(engine, order, hasExtras)) };
}

/** Returns an argument; undefined for one that only fills its position. */
function asked(value: unknown): unknown {
  return value === null || value === "" || value === "0" ? undefined : value;
}

/** `[uuid, …]` → order tuples of those that the member has */
export async function getOrders(
  trader: RpcTrader,
  { args }: RpcRequest,
  { hasExtras }: Pick<RpcContext, "hasExtras">,
): Promise<RpcAnswer> {
  const { engine, caller } = trader;
  const names = bulkItems(trader, args).map(nameText);
  await engine.fresh();
  const orders = await Promise.all(
    names.map((name) => findNamedOrder(engine, caller.member, name, ["uuid", "client"])),
  );
  const known = orders.filter((order) => order !== null);
  return { args: known.map((order) => orderTuple(engine, order, hasExtras)) };
}

/** `[uuid]` → trade tuples */
export async function getOrderTrades(
  trader: RpcTrader,
  { args: [uuid] }: RpcRequest,
  { hasExtras, chargeRecords }: Pick<RpcContext, "hasExtras" | "chargeRecords">,
): Promise<RpcAnswer> {
  const { engine, caller } = trader;
  const name = nameText(uuid);
  await engine.fresh();
  const order = await findNamedOrder(engine, caller.member, name, ["uuid", "client"]);
  if (order === null) throw noSuchOrder(name);
  chargeRecords(order.tradesCount);
  const clientOrderId = hasExtras ? order.clientOrderId : null;
  const trades = await engine.orderTrades(
    caller.member,
    order,
    (trade) => JSON.stringify(memberTradeTuple(engine, trade, clientOrderId)),
  );
  return { args: new JsonText(`[${trades.join(",")}]`) };
}

/** Handles each item separately, in their order; failures are listed in an extra element. */
async function eachItem(
  trader: RpcTrader,
  items: readonly unknown[],
  act: (trader: RpcTrader, item: unknown, index: number) => Promise<unknown>,
  report: ItemReporter,
): Promise<RpcAnswer> {
  const failures: unknown[] = [];
  let last = trader.turn.before;
  const acts = items.map((item, index) => {
    const turn = new RequestPlace(last);
    const acted = actOn(trader.inTurn(turn), item, index).finally(() => turn.pass());
    last = turn.after();
    return acted;
  });
  trader.turn.passAfter(last);
  const args = await Promise.all(acts);
  return failures.length === 0 ? { args } : { args, extra: { failures } };

  async function actOn(own: RpcTrader, item: unknown, index: number): Promise<unknown> {
    try {
      return await act(own, item, index);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof AccessEndedError) throw error;
      failures.push({ ...report(error), index });
      return FAILED;
    }
  }
}

/** `[timeout]` → `[current time, time that everything is cancelled at or null]` */
export async function cancelAllAfter(
  trader: RpcTrader,
  { args: [timeout] }: RpcRequest,
): Promise<RpcAnswer> {
  const set = await setOwnTimer(trader, parseWith(CANCEL_TIMER, { timeout }).timeout);
  return { args: [set.current_time, set.trigger_time] };
}
