/** What may be asked about money that comes in and goes out. */
import type { DepositAction } from "./deposit.ts";
import type { OtpProof } from "./identity_command.ts";
import type { Switches } from "./money_event.ts";
import type { WithdrawAction } from "./withdraw.ts";
import type { WithdrawLimit } from "./withdraw_limits.ts";

/** Makes a beneficiary; its first pin counts as sent. */
export interface CreateBeneficiary {
  readonly kind: "create_beneficiary";
  readonly member: number;
  /** Currency code. */
  readonly currency: string;
  /** Empty for fiat. */
  readonly addressDigest: string;
}

/** Tries a pin that was compared outside, where the pins are. */
export interface TryPin {
  readonly kind: "try_pin";
  readonly member: number;
  readonly id: number;
  /** `pinsSent` of the pin that it was compared with. */
  readonly pin: number;
  readonly isRight: boolean;
}

/** A new pin is on its way; the one before dies. */
export interface ResendPin {
  readonly kind: "resend_pin";
  readonly member: number;
  readonly id: number;
}

/** Deletes a beneficiary. */
export interface ArchiveBeneficiary {
  readonly kind: "archive_beneficiary";
  readonly member: number;
  readonly id: number;
}

/** Asks for a withdrawal: funds are locked, or nothing happens. */
export interface RequestWithdraw {
  readonly kind: "request_withdraw";
  readonly member: number;
  readonly otp: OtpProof;
  readonly beneficiary: number;
  /** Currency code. */
  readonly currency: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** How long a new beneficiary has to wait, in ms. */
  readonly holdMs: number;
  /**
   * How long after a change of password or second factor a beneficiary waits, in ms, unless it is
   * twice as old as that.
   */
  readonly credentialHoldMs?: number;
}

/** Moves a withdrawal on. */
export interface ChangeWithdraw {
  readonly kind: "change_withdraw";
  readonly id: number;
  readonly action: WithdrawAction;
  /** With `send`; with `succeed` where the operator knows by which transaction it was paid. */
  readonly txid?: string;
  /** With `confirm` and `succeed`. */
  readonly confirmations?: number;
  /**
   * How many claims the process has seen: refused where there was one more. A must with `claim`,
   * and with `fail` while the claim lives.
   */
  readonly claims?: number;
  /** `updatedAt` of what the rail was asked about: refused where it has changed since. */
  readonly updatedAt?: number;
}

/**
 * The rail or the operator has seen a deposit. One that is known already, by its output or by its
 * whole transaction, is answered with its id and stays as it is.
 */
export interface ObserveDeposit {
  readonly kind: "observe_deposit";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** Empty: nothing to tell it from others by, always a new one. */
  readonly txid: string;
  /** `ANY_OUTPUT` where only the transaction is named: refused if any of its outputs is known. */
  readonly output: number;
  readonly confirmations: number;
  /** Id of the deposit under this name in the rows, 0 for none, as of `checkedAt` (a sequence). */
  readonly knownId: number;
  readonly checkedAt: number;
}

/** Moves a deposit on. */
export interface ChangeDeposit {
  readonly kind: "change_deposit";
  readonly id: number;
  readonly action: DepositAction;
  /** With `confirm` and `accept`. */
  readonly confirmations?: number;
}

/** Takes note that an address was made; the row that holds it is written in the same commit. */
export interface NoteDepositAddress {
  readonly kind: "note_deposit_address";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
}

/** Sets a row of the table of withdrawal limits. */
export interface SetWithdrawLimit {
  readonly kind: "set_withdraw_limit";
  readonly row: WithdrawLimit;
}

/** Stops or lets go trading and withdrawals on the whole venue. */
export interface SetSwitches {
  readonly kind: "set_switches";
  readonly switches: Partial<Switches>;
}

/** Keeps profit and loss in these currencies from here on. */
export interface SetPnlCurrencies {
  readonly kind: "set_pnl_currencies";
  readonly currencies: readonly string[];
}

/** What a member asks about its money. */
export type MemberMoneyCommand =
  | CreateBeneficiary
  | TryPin
  | ResendPin
  | ArchiveBeneficiary
  | RequestWithdraw;

/** What an operator asks, or a rail on behalf of the venue. */
export type OperatorMoneyCommand =
  | ChangeWithdraw
  | ObserveDeposit
  | ChangeDeposit
  | NoteDepositAddress
  | SetWithdrawLimit
  | SetSwitches
  | SetPnlCurrencies;
