/**
 * What happened: the only thing ever written to the log. An event carries absolute results (an
 * account's new balances, what an order still locks), touches a bounded number of rows, and sums to
 * zero per currency.
 */
import type { Currency } from "./money/currency.ts";
import type { FeeName, FeeRow } from "./trading/fees.ts";
import type { Market } from "./trading/market.ts";
import type { ApiKey, Member } from "./people/member.ts";
import type { ActName } from "./people/act_names.ts";
import type { Beneficiary } from "./people/beneficiary.ts";
import type { Deposit } from "./money/deposit.ts";
import type { StoredSettings } from "./settings.ts";
import type { Withdraw } from "./money/withdraw.ts";
import type { WithdrawLimit, WithdrawLimitName } from "./money/withdraw_limits.ts";
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

/** Balances of the record's currency afterwards: of the member, the fees and the outside. */
export interface MoneyBalances {
  readonly available: bigint;
  readonly locked: bigint;
  readonly feesAvailable: bigint;
  readonly outsideAvailable: bigint;
}

/** A deposit is new or has changed: the whole record. */
export interface DepositSet extends MoneyBalances {
  readonly kind: "deposit_set";
  readonly deposit: Deposit;
  /** The canonical name of a new one's transaction, if it came under another. */
  readonly transaction?: string;
  /** The canonical name of a payment that came back, so that no other deposit has it. */
  readonly payment?: string;
}

/** A withdrawal is new or has changed: the whole record. */
export interface WithdrawSet extends MoneyBalances {
  readonly kind: "withdraw_set";
  readonly withdraw: Withdraw;
}

/** A beneficiary is new or has changed: the whole record. */
export interface BeneficiarySet {
  readonly kind: "beneficiary_set";
  readonly beneficiary: Beneficiary;
}

/** A row of the table of withdrawal limits. */
export interface WithdrawLimitSet {
  readonly kind: "withdraw_limit_set";
  readonly row: WithdrawLimit;
}

/** A row of that table is gone. */
export interface WithdrawLimitDeleted {
  readonly kind: "withdraw_limit_deleted";
  readonly row: WithdrawLimitName;
}

/** What the operator has stopped on the whole venue; false means stopped. */
export interface Switches {
  /** Whether new orders are taken. */
  readonly trading: boolean;
  /** Whether new withdrawals are taken and payouts sent. */
  readonly withdrawals: boolean;
  /**
   * The copy that a restore has gone on from, until withdrawals are open again: what is open since
   * may have been paid, of which the log knows nothing.
   */
  readonly restored?: CopyEnd;
}

/** Where a copy of a log ends. */
export interface CopyEnd {
  readonly epoch: string;
  readonly sequence: number;
  /** In ms, as stamped. */
  readonly at: number;
  /** How far the lost log was at least; 0 if nothing was known of it. */
  readonly reached: number;
}

/** The switches have changed. */
export interface SwitchesSet {
  readonly kind: "switches_set";
  readonly switches: Switches;
}

/** The currencies in which profit and loss is kept have changed. */
export interface PnlCurrenciesSet {
  readonly kind: "pnl_currencies_set";
  /** Currency codes, in the order in which they are shown. */
  readonly currencies: readonly string[];
  /**
   * All that are kept: also those of earlier times, which are not shown. In entries of formats
   * before 5 the same as `currencies`.
   */
  readonly kept: readonly string[];
}

/** Settings of the whole venue have changed: all that were ever set. */
export interface SettingsSet {
  readonly kind: "settings_set";
  readonly settings: StoredSettings;
}

/** Stands for no key: a person, or a command of the venue, was the one that acted. */
export const NO_KEY = 0xffff_ffff;

/** An operator has acted. The events before it in its entry say how, a sidecar row says why. */
export interface ActNoted {
  readonly kind: "act_noted";
  readonly id: number;
  /** Key index, or {@linkcode NO_KEY}. */
  readonly key: number;
  /** Member index of the person who has acted in a session; absent if a key has signed. */
  readonly person?: number;
  /** Present if the operator has named the call. */
  readonly once?: ActName;
}

/** A member has a deposit address of a currency; the address itself is in the sidecar. */
export interface DepositAddressMade {
  readonly kind: "deposit_address_made";
  readonly member: number;
  readonly currency: number;
  /** Name of the network that it is on; absent for the currency's first, and if it has none. */
  readonly network?: string;
}

/** Events, apart from trades, that move a member's funds. */
export type FundsEvent = DepositSet | WithdrawSet | BalanceAdjusted;

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
  | DepositSet
  | WithdrawSet
  | BeneficiarySet
  | WithdrawLimitSet
  | WithdrawLimitDeleted
  | SwitchesSet
  | PnlCurrenciesSet
  | SettingsSet
  | ActNoted
  | DepositAddressMade;

/** The kinds of events. */
export type EventKind = VenueEvent["kind"];

/** The event of a kind. */
export type EventOf<Kind extends EventKind> = Extract<VenueEvent, { readonly kind: Kind }>;

/** What is done with an event of each kind: one that lacks a kind does not compile. */
export type ByKind<Arguments extends unknown[], Result> = {
  readonly [Kind in EventKind]: (event: EventOf<Kind>, ...rest: Arguments) => Result;
};

/** Returns what is done with an event, to be called with it. */
export function forEvent<Arguments extends unknown[], Result>(
  table: ByKind<Arguments, Result>,
  event: VenueEvent,
): (event: VenueEvent, ...rest: Arguments) => Result {
  return table[event.kind] as (event: VenueEvent, ...rest: Arguments) => Result;
}
