/**
 * What happened: the only thing ever written to the log. An event carries absolute results (an
 * account's new balances, what an order still locks), touches a bounded number of rows, and sums to
 * zero per currency.
 */
import type { Currency } from "./money/currency.ts";
import type { FeeName, FeeRow } from "./trading/fees.ts";
import type { Market } from "./trading/market.ts";
import type { MoneyEvent } from "./money_event.ts";
import type { ApiKey, Member } from "./people/member.ts";
import type { CloseReason, OrderTerms, Side } from "./trading/order.ts";

/** A signed call has spent its nonce. */
export interface NonceSpent {
  readonly kind: "nonce_spent";
  /** Key index. */
  readonly key: number;
  /** Milliseconds since the epoch, as the client sent them. */
  readonly nonce: number;
  /** Digest of the request for keys in `request` mode, else 0. */
  readonly digest: number;
}

/** An order is accepted and its funds are locked. */
export interface OrderAccepted extends OrderTerms {
  readonly kind: "order_accepted";
  readonly id: number;
  readonly member: number;
  /** Rates in parts per million, fixed for the life of the order. */
  readonly makerFee: number;
  readonly takerFee: number;
  /** What this order locks. */
  readonly orderLocked: bigint;
  /** Whether it keeps what it pays in fees; false in entries of formats before 4. */
  readonly keepsFees: boolean;
  /** The member's balances of the locked currency afterwards. */
  readonly available: bigint;
  readonly locked: bigint;
  /** Whether it meets nobody and rests in the book at once; otherwise it waits to be matched. */
  readonly resting: boolean;
}

/** The market's price has reached a stop order's trigger. */
export interface OrderTriggered {
  readonly kind: "order_triggered";
  readonly id: number;
  readonly member: number;
}

/** An order joins the book with what matching has left of it. */
export interface OrderRested {
  readonly kind: "order_rested";
  readonly id: number;
  /**
   * The owner of an order that was reported as `pending`, who gets a message. Absent from all
   * others, and from entries of formats before 3.
   */
  readonly member?: number;
}

/** One fill. The taker's side says who bought. */
export interface Trade {
  readonly kind: "trade";
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly volume: number;
  readonly takerSide: Side;
  /**
   * Whether one member is on both sides, and has a trade on each. Absent from all other trades, and
   * from entries of formats before 4, in which such a member has the maker's trade alone.
   */
  readonly isOwn?: true;
  readonly maker: number;
  readonly taker: number;
  readonly makerMember: number;
  readonly takerMember: number;
  /** Rates in parts per million. */
  readonly makerFee: number;
  readonly takerFee: number;
  /** What the two orders still lock. */
  readonly makerLocked: bigint;
  readonly takerLocked: bigint;
  /** Balances afterwards. */
  readonly buyerQuoteAvailable: bigint;
  readonly buyerQuoteLocked: bigint;
  readonly buyerBaseAvailable: bigint;
  readonly sellerBaseLocked: bigint;
  readonly sellerQuoteAvailable: bigint;
  readonly feesBaseAvailable: bigint;
  readonly feesQuoteAvailable: bigint;
}

/** An order ends before it is filled; its lock is released. */
export interface OrderClosed {
  readonly kind: "order_closed";
  readonly id: number;
  readonly member: number;
  readonly state: "cancel" | "reject";
  readonly reason: CloseReason;
  /** The member's balances of the locked currency afterwards. */
  readonly available: bigint;
  readonly locked: bigint;
  /**
   * How many of the member's orders have ended without a trade on this day (UTC), with this one; 0
   * for an order that has traded, and in entries of formats before 4.
   */
  readonly untraded: number;
}

/** The operator moved funds between a member and the outside. */
export interface BalanceAdjusted {
  readonly kind: "balance_adjusted";
  readonly id: number;
  readonly member: number;
  readonly currency: number;
  readonly amount: bigint;
  readonly available: bigint;
  readonly outsideAvailable: bigint;
}

/** A member is new or has changed: the whole record. */
export interface MemberSet {
  readonly kind: "member_set";
  readonly member: Member;
}

/** A key is new or has changed: the whole record. */
export interface KeySet {
  readonly kind: "key_set";
  readonly key: ApiKey;
}

/** A currency is new or has changed: the whole record. */
export interface CurrencySet {
  readonly kind: "currency_set";
  readonly currency: Currency;
}

/** A market is new or has changed: the whole record. */
export interface MarketSet {
  readonly kind: "market_set";
  readonly market: Market;
}

/** A row of the fee table. */
export interface FeeSet {
  readonly kind: "fee_set";
  readonly row: FeeRow;
}

/** A row of the fee table is gone. */
export interface FeeDeleted {
  readonly kind: "fee_deleted";
  readonly row: FeeName;
}

/** Minimum member levels. */
export interface Levels {
  readonly deposit: number;
  readonly withdraw: number;
  readonly trading: number;
}

/** The minimum levels have changed. */
export interface LevelsSet {
  readonly kind: "levels_set";
  readonly levels: Levels;
}

/** Any event. */
export type VenueEvent =
  | NonceSpent
  | OrderAccepted
  | OrderTriggered
  | OrderRested
  | Trade
  | OrderClosed
  | BalanceAdjusted
  | MemberSet
  | KeySet
  | CurrencySet
  | MarketSet
  | FeeSet
  | FeeDeleted
  | LevelsSet
  | MoneyEvent;
