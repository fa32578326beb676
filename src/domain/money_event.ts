/** Events of money that comes in and goes out, and of its limits. */
import type { ActName } from "./people/act_names.ts";
import type { Beneficiary } from "./people/beneficiary.ts";
import type { Deposit } from "./money/deposit.ts";
import type { StoredSettings } from "./settings.ts";
import type { Withdraw } from "./money/withdraw.ts";
import type { WithdrawLimit, WithdrawLimitName } from "./money/withdraw_limits.ts";

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

/** Stands for no key: a command of the venue was the one that acted. */
export const NO_KEY = 0xffff_ffff;

/** An operator has acted. The events before it in its entry say how, a sidecar row says why. */
export interface ActNoted {
  readonly kind: "act_noted";
  readonly id: number;
  /** Key index, or {@linkcode NO_KEY}. */
  readonly key: number;
  /** Present if the operator has named the call. */
  readonly once?: ActName;
}

/** A member has a deposit address of a currency; the address itself is in the sidecar. */
export interface DepositAddressMade {
  readonly kind: "deposit_address_made";
  readonly member: number;
  readonly currency: number;
}

/** Any event about money. */
export type MoneyEvent =
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
