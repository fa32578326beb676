/** The commands that the venue takes, and its answers. */
import type { Currency, CurrencyNetwork, NetworkTerms } from "./money/currency.ts";
import type { Levels, OrderAccepted, Switches } from "./event.ts";
import type { Beneficiary } from "./people/beneficiary.ts";
import type { FeeRow } from "./trading/fees.ts";
import type { Deposit } from "./money/deposit.ts";
import type {
  ApiKey,
  KeyState,
  Member,
  MemberState,
  NonceMode,
  OperatorRole,
  Role,
  Scope,
} from "./people/member.ts";
import type { Market } from "./trading/market.ts";
import type { IdentityCommand, OtpProof } from "./identity_command.ts";
import type { MemberMoneyCommand, OnceOnly, OperatorMoneyCommand } from "./money_command.ts";
import type { OrderType, SelfTradePrevention, Side, TimeInForce } from "./trading/order.ts";
import type { OrderResult } from "./trading/order_result.ts";
import type { Rejection } from "./rejection.ts";
import type { MemberClasses, Settings } from "./settings.ts";
import type { Withdraw } from "./money/withdraw.ts";
import type { WithdrawLimit } from "./money/withdraw_limits.ts";

/** An order as requested; amounts are in ledger units, not yet on the market's grid. */
export interface OrderRequest {
  /** Market index. */
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradePrevention;
  readonly amount: bigint;
  /** 0 if absent. */
  readonly price: bigint;
  /** 0 if absent. */
  readonly triggerPrice: bigint;
  /** Empty if absent. */
  readonly clientOrderId: string;
}

/** Places orders, all or none. */
export interface PlaceOrders {
  readonly kind: "place_orders";
  readonly member: number;
  readonly orders: readonly OrderRequest[];
  /** Whether the receipt is to tell what has become of them in their own entry. */
  readonly tellsResults?: true;
}

/** Names an order by its id or its client order id. */
export type OrderName = { readonly id: number } | { readonly clientOrderId: string };

/**
 * Cancels orders by name. With `strict`, a name that leads to no open order is a refusal, unless the
 * caller has seen that the order exists (`isKnown`): then it has ended.
 */
export interface CancelOrders {
  readonly kind: "cancel_orders";
  readonly member: number;
  readonly names: readonly OrderName[];
  readonly strict: boolean;
  readonly isKnown: boolean;
}

/** Cancels a member's open orders on one market or on all (-1), of one side or of both (null). */
export interface CancelAllOrders {
  readonly kind: "cancel_all_orders";
  readonly member: number;
  readonly market: number;
  readonly side: Side | null;
}

/** Sets or clears a cancel timer of a key; setting it again postpones it. */
export interface SetCancelTimer {
  readonly kind: "set_cancel_timer";
  /** Key index; a signed call sets only the timers of its own key. */
  readonly key: number;
  /** Which of the key's timers, see {@linkcode CancelTimer}. */
  readonly timer: number;
  /** Counted from the stamped time; 0 clears the timer. */
  readonly timeoutMs: number;
}

/** Spends a nonce and does nothing else: a signed read when processes share a store. */
export interface SpendNonce {
  readonly kind: "spend_nonce";
  readonly member: number;
  /** The scope that the key needs; `read` if absent. */
  readonly scope?: Scope;
}

/**
 * Cancels open orders of a member in any state, on one market or on all (-1), of one side or of
 * both (null), while the batch has room.
 */
export interface SweepMember {
  readonly kind: "sweep_member";
  readonly uid: string;
  readonly market: number;
  readonly side: Side | null;
}

/** Cancels all members' open orders on a market while the batch has room. */
export interface SweepMarket {
  readonly kind: "sweep_market";
  /** Market id. */
  readonly id: string;
}

/** Moves funds between a member and the outside; what an operator moves at once is bounded. */
export interface AdjustBalance extends OnceOnly {
  readonly kind: "adjust_balance";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  /** Signed, in ledger units. */
  readonly amount: bigint;
}

/** Creates a member. */
export interface CreateMember {
  readonly kind: "create_member";
  readonly uid: string;
  readonly emailDigest: string;
  readonly level: number;
  readonly group: string;
  /** `active` by default; `pending` until a person confirms the address. */
  readonly state?: MemberState;
}

/** What an operator may change about a member. */
export type MemberChanges = Partial<
  Pick<
    Member,
    | "level"
    | "group"
    | "state"
    | "bulkOrdersMax"
    | "openOrdersMax"
    | "untradedOrdersMax"
    | "marketOrdersEnabled"
    | "hasTwoFactor"
    | "emailDigest"
  >
>;

/** Changes a member. */
export interface ChangeMember {
  readonly kind: "change_member";
  readonly uid: string;
  readonly changes: MemberChanges;
}

/** Gives a member a role as an operator, in place of another one, or takes it away. */
export interface SetOperatorRole {
  readonly kind: "set_operator_role";
  readonly uid: string;
  /** Null for none. */
  readonly role: OperatorRole | null;
}

/** Creates a key for a member. */
export interface CreateKey {
  readonly kind: "create_key";
  readonly uid: string;
  readonly kid: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly nonceMode: NonceMode;
  /** Present if a member creates its own key. */
  readonly otp?: OtpProof;
  /** Whether it is an act of the key itself, which whoever starts the venue adds. */
  readonly isAct?: true;
}

/** Changes a key of a member. */
export interface ChangeKey {
  readonly kind: "change_key";
  readonly uid: string;
  readonly kid: string;
  readonly state?: KeyState;
  readonly scopes?: readonly Scope[];
  /** Present if a member changes its own key. */
  readonly otp?: OtpProof;
}

/** A currency as the operator defines it. */
export type CurrencyDefinition = Omit<Currency, "index" | "pricedAt">;

/** Creates a currency. */
export interface CreateCurrency {
  readonly kind: "create_currency";
  readonly currency: CurrencyDefinition;
}

/** Changes a currency, except its code, type, and tag, how its names are compared, and its networks. */
export interface ChangeCurrency {
  readonly kind: "change_currency";
  readonly id: string;
  readonly changes: Partial<
    Omit<CurrencyDefinition, "id" | "type" | "nameForm" | "networks" | "tag">
  >;
}

/** Adds a network to those that a currency lives on. */
export interface AddNetwork {
  readonly kind: "add_network";
  /** Currency code. */
  readonly id: string;
  readonly network: CurrencyNetwork;
}

/** Changes a currency's terms on a network. */
export interface ChangeNetwork {
  readonly kind: "change_network";
  /** Currency code. */
  readonly id: string;
  /** The network's name. */
  readonly network: string;
  readonly changes: Partial<NetworkTerms>;
}

/** Moves the price of a currency that follows a market towards what that trades at. */
export interface FollowPrice {
  readonly kind: "follow_price";
  /** Currency code. */
  readonly id: string;
  /** Price of one coin in the platform's currency, in ledger units. */
  readonly price: bigint;
}

/** A market as the operator defines it; amounts in ledger units. */
export interface MarketDefinition {
  /** The two codes, one after the other, if absent. */
  readonly id?: string;
  /** Currency codes. */
  readonly base: string;
  readonly quote: string;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly minAmount: bigint;
  readonly minTotal: bigint;
  readonly state: Market["state"];
  readonly position: number;
}

/** Creates a market. */
export interface CreateMarket {
  readonly kind: "create_market";
  readonly market: MarketDefinition;
}

/** Changes a market, except its currencies and, after its first order, its precisions. */
export interface ChangeMarket {
  readonly kind: "change_market";
  readonly id: string;
  readonly changes: Partial<Omit<MarketDefinition, "id" | "base" | "quote">>;
}

/** Sets a row of the fee table. */
export interface SetFee {
  readonly kind: "set_fee";
  /** Market id, or `any`. */
  readonly market: string;
  readonly group: string;
  /** Parts per million. */
  readonly maker: number;
  readonly taker: number;
}

/** Deletes a row of the fee table. */
export interface DeleteFee {
  readonly kind: "delete_fee";
  /** Market id, or `any`. */
  readonly market: string;
  readonly group: string;
}

/** Sets the minimum member levels. */
export interface SetLevels {
  readonly kind: "set_levels";
  readonly levels: Levels;
}

/** Has no effect of its own: it records an operator's act on the sidecar in the audit trail. */
export interface NoteAct extends OnceOnly {
  readonly kind: "note_act";
}

/** The commands of members. */
export type MemberCommand =
  | PlaceOrders
  | CancelOrders
  | CancelAllOrders
  | SetCancelTimer
  | SpendNonce
  | MemberMoneyCommand;

/** The commands of operators. */
export type OperatorCommand =
  | SweepMember
  | SweepMarket
  | AdjustBalance
  | CreateMember
  | ChangeMember
  | SetOperatorRole
  | CreateKey
  | ChangeKey
  | CreateCurrency
  | ChangeCurrency
  | AddNetwork
  | ChangeNetwork
  | FollowPrice
  | CreateMarket
  | ChangeMarket
  | SetFee
  | DeleteFee
  | SetLevels
  | NoteAct
  | OperatorMoneyCommand;

/** Any command. */
export type Command = MemberCommand | OperatorCommand | IdentityCommand;

/** The key and nonce that a call was signed with; the nonce is spent even on a refusal. */
export interface Signature {
  /** Key index. */
  readonly key: number;
  readonly nonce: number;
  /** Digest of the request if the key is in `request` mode, else 0. */
  readonly digest: number;
}

/** The key that a connection was opened with; its calls are unsigned and spend no nonce. */
export interface ConnectionKey {
  /** Key index. */
  readonly key: number;
  readonly nonce: null;
}

/** A call that a person makes as an operator, in a session on which the same commit depends. */
export interface PersonCall {
  readonly key: null;
  readonly nonce: null;
  /** Member index. */
  readonly person: number;
  /** The role that it takes. */
  readonly role: OperatorRole;
  /** The member that it touches, if the command does not say. */
  readonly touched?: string;
  /**
   * Generation of the credentials under which the session was given a fresh code; absent if it takes
   * none.
   */
  readonly codeGeneration?: number;
}

/** Who gives a command; the venue itself is nobody (null). */
export type Author = (Signature | ConnectionKey | PersonCall) & {
  /** Who has asked for it if it takes two operators, and still has to be one who may. */
  readonly askedBy?: ConnectionKey | PersonCall;
};

/** A new order, or the earlier one whose client order id the request repeats. */
export type PlacedOrder =
  | { readonly accepted: OrderAccepted; readonly at: number }
  | { readonly repeats: number };

/** What an accepted command did, with the act in the audit trail if an operator signed it. */
export type Receipt = Effect & { readonly act?: number };

/** Orders were placed. */
export interface OrdersPlaced {
  readonly kind: "orders_placed";
  readonly orders: readonly PlacedOrder[];
  /** By id, what has become of those that were accepted; for a command that asks for it. */
  readonly results?: ReadonlyMap<number, OrderResult>;
}

/** What an accepted command did. */
export type Effect =
  | OrdersPlaced
  /** Ids of the named orders that exist, whether cancelled now or ended before. */
  | {
    readonly kind: "orders_cancelled";
    readonly ids: readonly number[];
    /** How many of them were not open any more; absent if all were. */
    readonly unchanged?: number;
  }
  /** How many orders; if not done, there are more, for which the command has to be repeated. */
  | { readonly kind: "orders_swept"; readonly cancelled: number; readonly isDone: boolean }
  /** The stamped time, and the time at which the timer fires (0 if cleared), in ms. */
  | { readonly kind: "cancel_timer_set"; readonly at: number; readonly firesAt: number }
  | { readonly kind: "nonce_spent" }
  | { readonly kind: "balance_adjusted"; readonly id: number; readonly available: bigint }
  /** Also the keys that a change of credentials has disabled for good. */
  | {
    readonly kind: "member_set";
    readonly member: Member;
    readonly disabledKeys?: readonly string[];
  }
  | { readonly kind: "key_set"; readonly key: ApiKey }
  | { readonly kind: "currency_set"; readonly currency: Currency }
  | { readonly kind: "market_set"; readonly market: Market }
  | { readonly kind: "fee_set" }
  /** The row as it was. */
  | { readonly kind: "fee_deleted"; readonly row: FeeRow }
  | { readonly kind: "levels_set"; readonly levels: Levels }
  | { readonly kind: "act_noted" }
  /** The call was named like an earlier one and asked for the same: nothing has changed. */
  | { readonly kind: "act_repeated"; readonly earlier: number }
  | { readonly kind: "beneficiary_set"; readonly beneficiary: Beneficiary }
  /** The pin was wrong; the attempt counts. */
  | { readonly kind: "pin_wrong"; readonly beneficiary: Beneficiary }
  | { readonly kind: "withdraw_set"; readonly withdraw: Withdraw }
  | { readonly kind: "deposit_set"; readonly deposit: Deposit }
  /** The output was seen before: nothing has changed. */
  | { readonly kind: "deposit_known"; readonly id: number }
  | { readonly kind: "deposit_address_made" }
  | { readonly kind: "withdraw_limit_set" }
  /** The row as it was. */
  | { readonly kind: "withdraw_limit_deleted"; readonly row: WithdrawLimit }
  | { readonly kind: "switches_set"; readonly switches: Switches }
  /** The settings in force afterwards. */
  | { readonly kind: "settings_set"; readonly settings: Settings }
  | { readonly kind: "member_classes_set"; readonly classes: MemberClasses };

/** The venue's answer to a command. */
export type Outcome = Receipt | Rejection;

/** An answer, or part of one: an incomplete command goes on in the next batch. */
export interface Decision {
  readonly outcome: Outcome;
  readonly complete: boolean;
}

/** Whether the venue refused the command. */
export function isRejection(outcome: Outcome): outcome is Rejection {
  return "rejected" in outcome;
}

/**
 * Returns the receipt as one of the given kind.
 *
 * @throws {TypeError} if it is of another kind
 */
export function expectedReceipt<K extends Receipt["kind"]>(
  receipt: Receipt,
  kind: K,
): Extract<Receipt, { readonly kind: K }> {
  if (receipt.kind === kind) return receipt as Extract<Receipt, { readonly kind: K }>;
  throw new TypeError(`Unexpected receipt "${receipt.kind}"`);
}
