/** An order, its vocabulary and its transitions, shared by the venue's state and the fold. */
import { assert } from "../assert.ts";
import type { OrderAccepted, Trade } from "../event.ts";
import type { UnitFees } from "./fees.ts";
import { feeOfFill, type Fill } from "./fees_paid.ts";
import type { Level } from "./order_book.ts";

/** Whether an order buys or sells the base of its market. */
export const SIDES = ["buy", "sell"] as const;
export type Side = typeof SIDES[number];

/** A `stop` becomes a market order at its trigger price, a `stop_limit` a limit order. */
export const ORDER_TYPES = ["limit", "market", "post_only", "stop", "stop_limit"] as const;
export type OrderType = typeof ORDER_TYPES[number];

/**
 * `gtc` rests until it is cancelled; `ioc` fills at once as far as it can; `fok` fills at once and
 * completely, or ends.
 */
export const TIMES_IN_FORCE = ["gtc", "ioc", "fok"] as const;
export type TimeInForce = typeof TIMES_IN_FORCE[number];

/** Which of a member's two orders ends when they would meet; with `none` they trade. */
export const SELF_TRADE_PREVENTIONS = [
  "cancel_newest",
  "cancel_oldest",
  "cancel_both",
  "none",
] as const;
export type SelfTradePrevention = typeof SELF_TRADE_PREVENTIONS[number];

/** `pending` is only reported; the others are stored. */
export const ORDER_STATES = [
  "pending",
  "wait",
  "done",
  "cancel",
  "reject",
  "trigger_wait",
] as const;
export type OrderState = typeof ORDER_STATES[number];

/** Why an order ended that was neither filled nor cancelled by its member. */
export const REJECT_REASONS = [
  "self_trade",
  "would_take",
  "not_fillable",
  "insufficient_market_liquidity",
  "insufficient_balance",
  "time_in_force",
  "level_full",
  "timer",
  "disconnected",
] as const;
export type RejectReason = typeof REJECT_REASONS[number];

/** Why an order ended that was not filled. The store holds their places in this list. */
export const CLOSE_REASONS = ["", "requested", ...REJECT_REASONS] as const;
export type CloseReason = typeof CLOSE_REASONS[number];

/** What was requested, in ticks and lots. */
export interface OrderTerms {
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradePrevention;
  /**
   * Limit price in ticks; for market and stop orders the bound that the venue's price band sets, or
   * 0. Nobody is shown a bound.
   */
  readonly price: number;
  /** Trigger price in ticks; 0 if there is none. */
  readonly triggerPrice: number;
  /** Lots requested. */
  readonly volume: number;
  /** Empty if there is none. */
  readonly clientOrderId: string;
}

/** An order. Only the fields that are not readonly ever change. */
export interface Order extends OrderTerms {
  readonly id: number;
  readonly member: number;
  readonly makerFee: number;
  readonly takerFee: number;
  readonly createdAt: number;
  /** Lots not yet filled. */
  remaining: number;
  /** Ledger units still locked: quote for a buy, base for a sell. */
  locked: bigint;
  /** Ledger units of the quote moved by its fills. */
  quoteMoved: bigint;
  /** Ledger units paid in fees: base for a buy, quote for a sell; null if it was not kept. */
  feesPaid: bigint | null;
  tradesCount: number;
  /** Ids of its first and last trade; 0 before the first. */
  firstTrade: number;
  lastTrade: number;
  state: OrderState;
  reason: CloseReason;
  updatedAt: number;
  /** Sequence at which it joined its queue: its time priority within a price. */
  priority: number;
  /** Its place in a book side; null while it rests nowhere. */
  level: Level | null;
  previous: Order | null;
  next: Order | null;
  /** Its place among its member's open orders. */
  memberPrevious: Order | null;
  memberNext: Order | null;
}

/** The places of an order, which a copy of it doesn't have. */
export const UNPLACED = {
  level: null,
  previous: null,
  next: null,
  memberPrevious: null,
  memberNext: null,
} as const;

/** Returns the order that an acceptance creates. */
export function createOrder(event: OrderAccepted, sequence: number, at: number): Order {
  return {
    id: event.id,
    member: event.member,
    market: event.market,
    side: event.side,
    type: event.type,
    timeInForce: event.timeInForce,
    selfTrade: event.selfTrade,
    price: event.price,
    triggerPrice: event.triggerPrice,
    volume: event.volume,
    clientOrderId: event.clientOrderId,
    makerFee: event.makerFee,
    takerFee: event.takerFee,
    createdAt: at,
    remaining: event.volume,
    locked: event.orderLocked,
    quoteMoved: 0n,
    feesPaid: event.keepsFees ? 0n : null,
    tradesCount: 0,
    firstTrade: 0,
    lastTrade: 0,
    state: event.triggerPrice > 0 ? "trigger_wait" : "wait",
    reason: "",
    updatedAt: at,
    priority: sequence,
    level: null,
    previous: null,
    next: null,
    memberPrevious: null,
    memberNext: null,
  };
}

/** Applies one fill to an order; `total` is in ledger units of the quote. */
export function fillOrder(
  fees: UnitFees,
  order: Order,
  trade: Fill & Pick<Trade, "id">,
  total: bigint,
  locked: bigint,
  at: number,
): void {
  const lots = trade.volume;
  assert(lots > 0 && lots <= order.remaining, "a fill fits the order's remaining volume");
  order.remaining -= lots;
  order.locked = locked;
  order.quoteMoved += total;
  if (order.feesPaid !== null) order.feesPaid += feeOfFill(fees, order, trade);
  order.tradesCount += 1;
  if (order.firstTrade === 0) order.firstTrade = trade.id;
  order.lastTrade = trade.id;
  order.updatedAt = at;
  if (order.remaining === 0) order.state = "done";
}

/** Ends an order that is not filled. */
export function closeOrder(
  order: Order,
  state: "cancel" | "reject",
  reason: CloseReason,
  at: number,
): void {
  assert(isOpen(order), "only an open order is closed");
  order.state = state;
  order.reason = reason;
  order.locked = 0n;
  order.updatedAt = at;
}

/** Whether the order is neither filled, cancelled nor refused. */
export function isOpen(order: Order): boolean {
  return order.state === "wait" || order.state === "trigger_wait";
}

/** Whether the order has no limit price: a market order, or a stop, which becomes one. */
export function isPriceless(order: Pick<OrderTerms, "type">): boolean {
  return order.type === "market" || order.type === "stop";
}

/** Returns the price that was requested, in ticks; 0 if there is none. */
export function limitPrice(order: Pick<OrderTerms, "type" | "price">): number {
  return isPriceless(order) ? 0 : order.price;
}

/** Whether the book may refuse the order right after it is accepted: it is `pending` until then. */
export function isRefusable({ type, timeInForce }: OrderTerms): boolean {
  return type === "post_only" || type === "market" || timeInForce === "fok";
}

/** Whether orders of this type wait for a trigger. */
export function hasTrigger(type: OrderType): boolean {
  return type === "stop" || type === "stop_limit";
}

/** Whether the order may end up resting in the book or among the stops. */
export function canRest(terms: OrderTerms): boolean {
  return terms.type !== "market" && terms.timeInForce === "gtc";
}

/** Returns 53 bits that tell a repeat of a client order id from another order. */
export function termsDigest(terms: OrderTerms): number {
  const text = `${terms.market}|${terms.side}|${terms.type}|${terms.timeInForce}|` +
    `${terms.selfTrade}|${limitPrice(terms)}|${terms.triggerPrice}|${terms.volume}`;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
