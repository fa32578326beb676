/** What may be asked of the venue, and what it answers. */
import type { Currency } from "./currency.ts";
import type { Levels, OrderAccepted } from "./event.ts";
import type { Beneficiary } from "./beneficiary.ts";
import type { Deposit } from "./deposit.ts";
import type { ApiKey, KeyState, Member, MemberState, NonceMode, Role, Scope } from "./member.ts";
import type { Market } from "./market.ts";
import type { IdentityCommand, OtpProof } from "./identity_command.ts";
import type { MemberMoneyCommand, OperatorMoneyCommand } from "./money_command.ts";
import type { Switches } from "./money_event.ts";
import type { OrderType, SelfTradePrevention, Side, TimeInForce } from "./order.ts";
import type { Rejection } from "./rejection.ts";
import type { Withdraw } from "./withdraw.ts";

/** One order as asked; amounts in ledger units, not yet on the market's grid. */
export interface OrderRequest {
  /** Market index. */
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradePrevention;
  readonly amount: bigint;
  /** 0 where absent. */
  readonly price: bigint;
  /** 0 where absent. */
  readonly triggerPrice: bigint;
  /** Empty where absent. */
  readonly clientOrderId: string;
}

/** Place orders: all or none. */
export interface PlaceOrders {
  readonly kind: "place_orders";
  readonly member: number;
  readonly orders: readonly OrderRequest[];
  /** The venue's bulk limit; a member's own goes before it. */
  readonly bulkOrdersMax: number;
}

/** Names an order by id or by the member's own id. */
export type OrderName = { readonly id: number } | { readonly clientOrderId: string };

/**
 * Cancel orders by name. `strict`: an order that is not the member's is a
 * refusal; `finished` says that the caller saw it ended (its record is no longer in memory).
 */
export interface CancelOrders {
  readonly kind: "cancel_orders";
  readonly member: number;
  readonly names: readonly OrderName[];
  readonly strict: boolean;
  readonly finished: boolean;
}

/** Cancel every open order of a member on one market, or on all (-1), of one side or both. */
export interface CancelAllOrders {
  readonly kind: "cancel_all_orders";
  readonly member: number;
  readonly market: number;
  readonly side: Side | null;
}

/** Sets a cancel timer of a key, or clears it; setting it again postpones it. */
export interface SetCancelTimer {
  readonly kind: "set_cancel_timer";
  /** Key index; a signed call sets those of its own key alone. */
  readonly key: number;
  /** Which of the key's timers, see {@linkcode CancelTimer}. */
  readonly timer: number;
  /** From the stamped time; 0 clears the timer. */
  readonly timeoutMs: number;
}

/** Uses up a nonce and does nothing else: a signed read where processes share a store. */
export interface SpendNonce {
  readonly kind: "spend_nonce";
  readonly member: number;
  /** What the key must be good for; `read` where it is absent. */
  readonly scope?: Scope;
}

/** Moves funds between a member and the outside. */
export interface AdjustBalance {
  readonly kind: "adjust_balance";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  /** Signed, in ledger units. */
  readonly amount: bigint;
}

/** Makes a member. */
export interface CreateMember {
  readonly kind: "create_member";
  readonly uid: string;
  readonly emailDigest: string;
  readonly level: number;
  readonly group: string;
  /** `active` by default; `pending` until a person has confirmed the address. */
  readonly state?: MemberState;
}

/** What an operator may change of a member. */
export type MemberChanges = Partial<
  Pick<
    Member,
    | "level"
    | "group"
    | "state"
    | "bulkOrdersMax"
    | "openOrdersMax"
    | "marketOrdersEnabled"
    | "hasTwoFactor"
  >
>;

/** Changes a member. */
export interface ChangeMember {
  readonly kind: "change_member";
  readonly uid: string;
  readonly changes: MemberChanges;
}

/** Makes a key for a member. */
export interface CreateKey {
  readonly kind: "create_key";
  readonly uid: string;
  readonly kid: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly nonceMode: NonceMode;
  /** Of a member that makes its own key. */
  readonly otp?: OtpProof;
}

/** Changes a key of a member. */
export interface ChangeKey {
  readonly kind: "change_key";
  readonly uid: string;
  readonly kid: string;
  readonly state?: KeyState;
  readonly scopes?: readonly Scope[];
  /** Of a member that changes its own key. */
  readonly otp?: OtpProof;
}

/** A currency without its place. */
export type CurrencyDefinition = Omit<Currency, "index">;

/** Makes a currency. */
export interface CreateCurrency {
  readonly kind: "create_currency";
  readonly currency: CurrencyDefinition;
}

/** Changes a currency; its code and type stay. */
export interface ChangeCurrency {
  readonly kind: "change_currency";
  readonly id: string;
  readonly changes: Partial<Omit<CurrencyDefinition, "id" | "type">>;
}

/** A market as the operator defines it; amounts in ledger units. */
export interface MarketDefinition {
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

/** Makes a market. */
export interface CreateMarket {
  readonly kind: "create_market";
  readonly market: MarketDefinition;
}

/** Changes a market; its currencies stay, and its precisions from its first order on. */
export interface ChangeMarket {
  readonly kind: "change_market";
  readonly id: string;
  readonly changes: Partial<Omit<MarketDefinition, "base" | "quote">>;
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

/** Sets the minimum member levels. */
export interface SetLevels {
  readonly kind: "set_levels";
  readonly levels: Levels;
}

/** Has no effect of its own: what an operator does beside the log stands in the audit trail by it. */
export interface NoteAct {
  readonly kind: "note_act";
}

/** What a member asks. */
export type MemberCommand =
  | PlaceOrders
  | CancelOrders
  | CancelAllOrders
  | SetCancelTimer
  | SpendNonce
  | MemberMoneyCommand;

/** What an operator asks. */
export type OperatorCommand =
  | AdjustBalance
  | CreateMember
  | ChangeMember
  | CreateKey
  | ChangeKey
  | CreateCurrency
  | ChangeCurrency
  | CreateMarket
  | ChangeMarket
  | SetFee
  | SetLevels
  | NoteAct
  | OperatorMoneyCommand;

/** Everything that may be asked. */
export type Command = MemberCommand | OperatorCommand | IdentityCommand;

/** The key and nonce that a call was signed with; spent with the command, refused or not. */
export interface Signature {
  /** Key index. */
  readonly key: number;
  readonly nonce: number;
  /** Digest of the request for keys in `request` mode, else 0. */
  readonly digest: number;
}

/** The key that a connection was opened with: what comes over it is not signed, and spends no nonce. */
export interface ConnectionKey {
  /** Key index. */
  readonly key: number;
  readonly nonce: null;
}

/** A new order, or the earlier one that a repeated client order id names. */
export type PlacedOrder =
  | { readonly accepted: OrderAccepted; readonly at: number }
  | { readonly repeats: number };

/** What an accepted command did; that of an operator's signed command names the act in the audit trail. */
export type Receipt = Effect & { readonly act?: number };

/** What an accepted command did. */
export type Effect =
  | { readonly kind: "orders_placed"; readonly orders: readonly PlacedOrder[] }
  /** Ids of the orders named that exist, cancelled now or ended before. */
  | { readonly kind: "orders_cancelled"; readonly ids: readonly number[] }
  /** Stamped time, and the time that the timer fires at: 0 where it is cleared. In ms. */
  | { readonly kind: "cancel_timer_set"; readonly at: number; readonly firesAt: number }
  | { readonly kind: "nonce_spent" }
  | { readonly kind: "balance_adjusted"; readonly id: number; readonly available: bigint }
  | { readonly kind: "member_set"; readonly member: Member }
  | { readonly kind: "key_set"; readonly key: ApiKey }
  | { readonly kind: "currency_set"; readonly currency: Currency }
  | { readonly kind: "market_set"; readonly market: Market }
  | { readonly kind: "fee_set" }
  | { readonly kind: "levels_set"; readonly levels: Levels }
  | { readonly kind: "act_noted" }
  | { readonly kind: "beneficiary_set"; readonly beneficiary: Beneficiary }
  /** A pin was tried, and was wrong; the try counts. */
  | { readonly kind: "pin_wrong"; readonly beneficiary: Beneficiary }
  | { readonly kind: "withdraw_set"; readonly withdraw: Withdraw }
  | { readonly kind: "deposit_set"; readonly deposit: Deposit }
  /** The output was seen before: nothing has changed. */
  | { readonly kind: "deposit_known"; readonly id: number }
  | { readonly kind: "deposit_address_made" }
  | { readonly kind: "withdraw_limit_set" }
  | { readonly kind: "switches_set"; readonly switches: Switches }
  | { readonly kind: "pnl_currencies_set" };

/** The venue's answer to a command. */
export type Outcome = Receipt | Rejection;

/** Whether the venue said no. */
export function isRejection(outcome: Outcome): outcome is Rejection {
  return "rejected" in outcome;
}
