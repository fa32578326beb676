/** Judges the placing of orders: refusals, and how much is locked. */
import type {
  OrderRequest,
  Outcome,
  PlacedOrder,
  PlaceOrders,
} from "../../../src/domain/command.ts";
import type { MarketSet, OrderAccepted, OrderTriggered } from "../../../src/domain/event.ts";
import type { OrderTerms } from "../../../src/domain/trading/order.ts";
import type { Rejection, RejectionCode } from "../../../src/domain/rejection.ts";
import { decimal } from "./amounts.ts";
import { lockOf } from "./lock.ts";
import type { OracleMarket, OracleOrder } from "./market.ts";
import { difference } from "./same.ts";
import type { NamedOrder, OracleMember, OracleState } from "./state.ts";
import type { Settings } from "../../../src/domain/settings.ts";
import { settingsOf } from "./judge_settings.ts";

const DAY_MS = 86_400_000;
/** Maximum ticks of a price, and maximum lots of an order. */
const UNITS_MAX = 10_000_000_000_000n;
/** Maximum lots at one price. */
const LEVEL_MAX = 2 ** 53 - 1;

interface Accepted {
  readonly event: OrderAccepted;
  /** The event by which the market becomes used, for its first order. */
  readonly first: readonly MarketSet[];
  readonly order: OracleOrder;
  /** The order that had the client order id before. */
  readonly named: NamedOrder | undefined;
  readonly seen: { readonly low: number; readonly high: number };
}

/** The expected outcome and events of placing orders. */
export interface Placed {
  readonly outcome: Outcome;
  readonly events: readonly (MarketSet | OrderAccepted | OrderTriggered)[];
}

/** Places all orders or none; those in the queue stay there. */
export function place(state: OracleState, command: PlaceOrders, at: number): Placed {
  const member = state.member(command.member);
  const { level, bulkOrdersMax } = member.record;
  if (level < state.levels.trading) return refused({ rejected: "trading_level_too_low" });
  const settings = settingsOf(state);
  const ordersMax = bulkOrdersMax === 0 ? settings.bulkOrdersMax : bulkOrdersMax;
  if (command.orders.length > ordersMax) {
    return refused({ rejected: "orders_per_bulk_exceeded", limit: `${ordersMax}` });
  }
  for (const [index, request] of command.orders.entries()) {
    const refusal = refuseItself(state, request);
    if (refusal !== null) return refused({ ...refusal, index });
  }
  const accepted: Accepted[] = [];
  const orders: PlacedOrder[] = [];
  for (let index = 0; index < command.orders.length; index++) {
    const request = command.orders[index] as OrderRequest;
    const isNamedTwice = request.clientOrderId !== "" &&
      command.orders.findIndex((one) => one.clientOrderId === request.clientOrderId) < index;
    const answer = isNamedTwice
      ? { rejected: "client_order_id_repeated", field: "client_order_id" } as const
      : placeOne(state, member, request, settings, at);
    if ("rejected" in answer) {
      for (const one of accepted.reverse()) takeBack(state, member, one);
      return refused({ ...answer, index });
    }
    if ("repeats" in answer) orders.push(answer);
    else {
      accepted.push(answer);
      orders.push({ accepted: answer.event, at });
    }
  }
  return { outcome: { kind: "orders_placed", orders }, events: accepted.flatMap(eventsOf) };
}

/** Returns an order's events; a stop that is triggered on arrival joins the queue. */
function eventsOf(
  { event, first, order }: Accepted,
): (MarketSet | OrderAccepted | OrderTriggered)[] {
  const events = [...first, event];
  if (!isStop(order) || order.place === "stops") return events;
  return [...events, { kind: "order_triggered", id: order.id, member: order.member }];
}

function refused(rejection: Rejection): Placed {
  return { outcome: rejection, events: [] };
}

function placeOne(
  state: OracleState,
  member: OracleMember,
  request: OrderRequest,
  settings: Settings,
  at: number,
): Accepted | { readonly repeats: number } | Rejection {
  const market = state.markets[request.market] as OracleMarket;
  const terms = termsOf(market, request);
  const named = terms.clientOrderId === "" ? undefined : member.named.get(terms.clientOrderId);
  if (named !== undefined && at - named.at < DAY_MS) {
    return difference(named.terms, terms) === null
      ? { repeats: named.id }
      : { rejected: "client_order_id_taken", field: "client_order_id" };
  }
  const refusal = refuseNow(state, market, member, request) ??
    refuseBounds(market, request, terms);
  if (refusal !== null) return refusal;
  const { priceBandBps, openOrdersMax } = settings;
  const bound = priceBandBps === 0 ? 0 : bandBound(market, terms, priceBandBps);
  const placing = (placed: OrderTerms) =>
    member.untraded.refuse(member.record, settings, at) ??
      accept(state, market, member, placed, openOrdersMax, at);
  if (!isPriced(terms)) return placing({ ...terms, price: bound });
  const isBeyond = terms.side === "buy" ? terms.price > bound : terms.price < bound;
  return bound > 0 && isBeyond
    ? {
      rejected: "price_out_of_band",
      field: "price",
      limit: decimal(BigInt(bound) * market.tick),
    }
    : placing(terms);
}

/** Returns the worst price that the price band allows; 0 for any. */
function bandBound(
  market: OracleMarket,
  { side, triggerPrice }: OrderTerms,
  bandBps: number,
): number {
  const center = BigInt(triggerPrice > 0 ? triggerPrice : market.last);
  if (center === 0n) return 0;
  // What is less than a tick is cut off the width, on either side, but for a single one.
  const width = center * BigInt(bandBps) / 10_000n || 1n;
  return Number(side === "buy" ? center + width : center - width);
}

function isPriced(order: { readonly type: OrderTerms["type"] }): boolean {
  return order.type !== "market" && order.type !== "stop";
}

function isStop(order: { readonly type: OrderTerms["type"] }): boolean {
  return order.type === "stop" || order.type === "stop_limit";
}

function mayStay(order: Pick<OrderTerms, "type" | "timeInForce">): boolean {
  return order.type !== "market" && order.timeInForce === "gtc";
}

/** Returns the refusal of an order that is wrong by itself. */
function refuseItself(state: OracleState, request: OrderRequest): Rejection | null {
  const market = state.markets[request.market];
  if (market === undefined) return { rejected: "market_not_found", field: "market" };
  return refuseFields(request) ?? refuseGrid(market, request);
}

/** Returns the refusal of an order whose fields do not fit its type. */
function refuseFields(request: OrderRequest): Rejection | null {
  const hasPrice = request.price !== 0n;
  if (hasPrice !== isPriced(request)) {
    return { rejected: hasPrice ? "price_forbidden" : "price_missing", field: "price" };
  }
  const hasTrigger = request.triggerPrice !== 0n;
  if (hasTrigger !== isStop(request)) {
    const rejected = hasTrigger ? "trigger_price_forbidden" : "trigger_price_missing";
    return { rejected, field: "trigger_price" };
  }
  if (request.type !== "limit" && request.timeInForce !== "gtc") {
    return { rejected: "time_in_force_forbidden", field: "time_in_force" };
  }
  return null;
}

function refuseGrid(market: OracleMarket, request: OrderRequest): Rejection | null {
  const { pricePrecision, amountPrecision } = market.definition;
  const refuse = (
    [offGrid, tooLarge]: readonly [RejectionCode, RejectionCode],
    name: "amount" | "price" | "triggerPrice",
    unit: bigint,
    digits: number,
  ): Rejection | null => {
    const field = name === "triggerPrice" ? "trigger_price" : name;
    if (request[name] % unit !== 0n) return { rejected: offGrid, field, limit: `${digits}` };
    const most = UNITS_MAX * unit;
    return request[name] > most ? { rejected: tooLarge, field, limit: decimal(most) } : null;
  };
  const ticks = [market.tick, pricePrecision] as const;
  return refuse(["volume_off_grid", "volume_too_large"], "amount", market.lot, amountPrecision) ??
    refuse(["price_off_grid", "price_too_high"], "price", ...ticks) ??
    refuse(["trigger_price_off_grid", "price_too_high"], "triggerPrice", ...ticks);
}

function termsOf(market: OracleMarket, request: OrderRequest): OrderTerms {
  return {
    market: request.market,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    selfTrade: request.selfTrade,
    price: Number(request.price / market.tick),
    triggerPrice: Number(request.triggerPrice / market.tick),
    volume: Number(request.amount / market.lot),
    clientOrderId: request.clientOrderId,
  };
}

/** Returns a refusal that depends on the present state. */
function refuseNow(
  state: OracleState,
  { definition }: OracleMarket,
  member: OracleMember,
  request: OrderRequest,
): Rejection | null {
  if (!state.switches.trading) return { rejected: "trading_stopped", field: "market" };
  const sides = [state.currencies[definition.base], state.currencies[definition.quote]];
  const isStill = sides.some((currency) => currency?.tradingEnabled !== true);
  const limit = definition.state === "enabled" && isStill ? "cancel_only" : definition.state;
  if (limit !== "enabled") return { rejected: "market_not_enabled", field: "market", limit };
  return !isPriced(request) && !member.record.marketOrdersEnabled
    ? { rejected: "market_orders_disabled", field: "type" }
    : null;
}

function refuseBounds(
  market: OracleMarket,
  request: OrderRequest,
  terms: OrderTerms,
): Rejection | null {
  const { minAmount, minTotal } = market.definition;
  const least = market.amount(minAmount);
  if (request.amount <= 0n || request.amount < least) {
    return { rejected: "volume_too_small", field: "amount", limit: decimal(least) };
  }
  const refusal = (isPriced(terms) ? refusePrice(market, request.price, "price") : null) ??
    (isStop(terms) ? refusePrice(market, request.triggerPrice, "trigger_price") : null);
  if (refusal !== null) return refusal;
  if (isPriced(terms) && minTotal > 0n && market.cost(terms.price, terms.volume) < minTotal) {
    return { rejected: "total_too_small", field: "amount", limit: decimal(minTotal) };
  }
  if (!mayStay(terms)) return null;
  const lots = isStop(terms)
    ? market.stops(terms.side).lotsAt(terms.triggerPrice)
    : market.side(terms.side).lotsAt(terms.price);
  return lots > LEVEL_MAX - terms.volume ? { rejected: "volume_too_large", field: "amount" } : null;
}

function refusePrice(market: OracleMarket, price: bigint, field: string): Rejection | null {
  const lowest = BigInt(market.definition.minPrice) * market.tick;
  const highest = BigInt(market.definition.maxPrice) * market.tick;
  if (price <= 0n || price < lowest) {
    return { rejected: "price_too_low", field, limit: decimal(lowest) };
  }
  return highest > 0n && price > highest
    ? { rejected: "price_too_high", field, limit: decimal(highest) }
    : null;
}

function accept(
  state: OracleState,
  market: OracleMarket,
  member: OracleMember,
  terms: OrderTerms,
  openOrdersMax: number,
  at: number,
): Accepted | Rejection {
  const { index, group, openOrdersMax: ownMax } = member.record;
  const openMax = ownMax === 0 ? openOrdersMax : ownMax;
  if (mayStay(terms) && (member.openCounts[terms.market] ?? 0) >= openMax) {
    return { rejected: "open_orders_exceeded", field: "market", limit: `${openMax}` };
  }
  const currency = market.locks(terms.side);
  const locked = lockOf(state, market, index, terms);
  if (typeof locked !== "bigint") return locked;
  const rates = feesOf(state, terms.market, group);
  const id = ++state.counters.orders;
  const fees = { makerFee: rates.maker, takerFee: rates.taker };
  const order: OracleOrder = {
    ...terms,
    id,
    member: index,
    createdAt: at,
    ...fees,
    remaining: terms.volume,
    locked,
    trades: 0,
    place: placeOf(market, terms),
    index: -1,
  };
  const account = state.ledger.add(index, currency, -locked, locked);
  const event: OrderAccepted = {
    kind: "order_accepted",
    ...terms,
    id,
    member: index,
    ...fees,
    orderLocked: locked,
    keepsFees: true,
    available: account.available,
    locked: account.locked,
    resting: order.place === "book",
  };
  const named = member.named.get(terms.clientOrderId);
  const seen = { low: market.low, high: market.high };
  market.low = market.high = market.last;
  // The bound of the price band is not part of what was requested.
  const requested = isPriced(terms) ? terms : { ...terms, price: 0 };
  if (terms.clientOrderId !== "") {
    member.named.set(terms.clientOrderId, { id, terms: requested, at });
  }
  member.ordersCount += 1;
  member.told(ordersTold(order), 1);
  market.orders += 1;
  const first: MarketSet[] = [];
  if (market.orders === 1) {
    market.define({ ...market.definition, isUsed: true });
    first.push({ kind: "market_set", market: market.definition });
  }
  state.open(order);
  enter(market, order);
  return { event, first, order, named, seen };
}

/** Returns the number of messages about a new order: two if it was also triggered. */
function ordersTold(order: OracleOrder): number {
  return isStop(order) && order.place !== "stops" ? 2 : 1;
}

/** Returns an order's first place: the book if the queue is empty and it matches nothing. */
function placeOf(market: OracleMarket, terms: OrderTerms): OracleOrder["place"] {
  if (isStop(terms)) {
    const { last } = market;
    const isReached = terms.side === "buy"
      ? last >= terms.triggerPrice
      : last <= terms.triggerPrice;
    return last > 0 && isReached ? "queue" : "stops";
  }
  if (!mayStay(terms) || market.queue.length > 0) return "queue";
  const best = market.side(terms.side === "buy" ? "sell" : "buy").next();
  if (best === undefined) return "book";
  const meets = terms.side === "buy" ? best.price <= terms.price : best.price >= terms.price;
  return meets ? "queue" : "book";
}

function enter(market: OracleMarket, order: OracleOrder): void {
  if (order.place === "stops") market.stops(order.side).add(order);
  else if (order.place === "book") market.side(order.side).add(order);
  else market.queue.push(order);
}

function takeBack(
  state: OracleState,
  member: OracleMember,
  { order, named, seen }: Accepted,
): void {
  const market = state.markets[order.market] as OracleMarket;
  if (order.place === "stops") market.stops(order.side).remove(order);
  else if (order.place === "book") market.side(order.side).remove(order);
  else market.queue.pop();
  state.ledger.add(order.member, market.locks(order.side), order.locked, -order.locked);
  state.counters.orders -= 1;
  member.ordersCount -= 1;
  member.told(-ordersTold(order), -1);
  market.orders -= 1;
  if (market.orders === 0) market.define({ ...market.definition, isUsed: false });
  if (named !== undefined) member.named.set(order.clientOrderId, named);
  else member.named.delete(order.clientOrderId);
  market.low = seen.low;
  market.high = seen.high;
  state.end(order);
}

/** Returns the fees; a row for the group takes precedence over one for the market. */
function feesOf(
  { fees }: OracleState,
  market: number,
  group: string,
): { readonly maker: number; readonly taker: number } {
  return fees.get(`${market}:${group}`) ?? fees.get(`-1:${group}`) ?? fees.get(`${market}:any`) ??
    fees.get("-1:any") ?? { maker: 0, taker: 0 };
}
