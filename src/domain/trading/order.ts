/** An order, its vocabulary and its transitions, shared by the venue's state and the fold. */

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

/** The orders at one price, oldest first. */
export class Level {
  /** Remaining lots of all orders in the queue. */
  lots = 0;
  count = 0;
  first: Order | null = null;
  last: Order | null = null;

  constructor(readonly price: number) {}
}
