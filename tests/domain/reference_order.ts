/** The records of the reference venue, and how they compare. */
import { min, times } from "./reference_amounts.ts";
import type {
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from "../../src/domain/trading/order.ts";

/** A market of the reference; amounts in units of 10⁻¹⁶. */
export interface ReferenceMarket {
  readonly base: string;
  readonly quote: string;
  /** The volume step. */
  readonly lot: bigint;
  readonly tick: bigint;
  readonly minAmount: bigint;
  readonly minPrice: bigint;
  readonly minTotal: bigint;
  state: "enabled" | "cancel_only" | "halted" | "disabled";
  makerFee: bigint;
  takerFee: bigint;
  last: bigint | null;
  /** Prices that may trigger stops: the last one before the newest order, and all since. */
  seen: bigint[];
}

/** The request for an order. */
export interface ReferenceRequest {
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradePrevention;
  readonly amount: bigint;
  readonly price: bigint;
  readonly triggerPrice: bigint;
  readonly clientOrderId: string;
}

/** An order and its state. */
export interface ReferenceOrder extends ReferenceRequest {
  readonly id: number;
  readonly member: string;
  readonly makerFee: bigint;
  readonly takerFee: bigint;
  remaining: bigint;
  locked: bigint;
  quoteMoved: bigint;
  tradesCount: number;
  state: string;
  reason: string;
  /** Where it is: in the queue for matching, in the book, among the stops, or nowhere. */
  place: "queue" | "book" | "stops" | "gone";
  /** Order of arrival at its place. */
  arrival: number;
}

/** A trade. */
export interface ReferenceTrade {
  readonly market: number;
  readonly price: bigint;
  readonly volume: bigint;
  readonly maker: number;
  readonly taker: number;
  readonly takerSide: Side;
}

/** Whether the last price has reached the trigger. */
export function isReached(
  { last }: ReferenceMarket,
  { side, triggerPrice }: ReferenceRequest,
): boolean {
  if (last === null) return false;
  return side === "buy" ? last >= triggerPrice : last <= triggerPrice;
}

/** Whether two orders would trade. */
export function crosses(taker: ReferenceRequest, maker: ReferenceRequest): boolean {
  if (maker.side === taker.side) return false;
  return taker.side === "buy" ? maker.price <= taker.price : maker.price >= taker.price;
}

/** Whether one request repeats the other. */
export function isSame(a: ReferenceRequest, b: ReferenceRequest): boolean {
  return a.market === b.market && a.side === b.side && a.type === b.type &&
    a.timeInForce === b.timeInForce && a.selfTrade === b.selfTrade && a.amount === b.amount &&
    a.price === b.price && a.triggerPrice === b.triggerPrice;
}

/** Returns whether the makers would fill the whole taker, considering its self-trade prevention. */
export function fillsWhole(taker: ReferenceOrder, makers: readonly ReferenceOrder[]): boolean {
  let filled = 0n;
  for (const maker of makers) {
    if (filled >= taker.remaining) break;
    const isOwn = maker.member === taker.member && taker.selfTrade !== "none";
    if (isOwn && taker.selfTrade !== "cancel_oldest") return false;
    if (!isOwn) filled += maker.remaining;
  }
  return filled >= taker.remaining;
}

/** Returns what a buy pays to these asks with enough money. */
export function costOf(buy: ReferenceOrder, asks: readonly ReferenceOrder[]): bigint {
  let wanted = buy.remaining;
  let cost = 0n;
  for (const { member, price, remaining } of asks) {
    const isOwn = member === buy.member && buy.selfTrade !== "none";
    if (isOwn && buy.selfTrade !== "cancel_oldest") break;
    const volume = isOwn ? 0n : min(remaining, wanted);
    cost += times(price, volume);
    wanted -= volume;
  }
  return cost;
}

/** Returns the state of a taker that ends before it is filled. */
export function endState(taker: ReferenceOrder): string {
  return taker.tradesCount === 0 ? "reject" : "cancel";
}
