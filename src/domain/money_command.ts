/** Commands about money that comes in and goes out. */
import type { SoughtAct } from "./people/act_names.ts";
import type { Deposit, DepositAction } from "./money/deposit.ts";
import type { OtpProof } from "./identity_command.ts";
import type { Switches } from "./event.ts";
import type { MemberClasses, Settings } from "./settings.ts";
import type { Withdraw, WithdrawAction } from "./money/withdraw.ts";
import type { WithdrawLimit, WithdrawLimitName } from "./money/withdraw_limits.ts";

/** A command that takes effect once if its operator has named it. */
export interface OnceOnly {
  readonly once?: SoughtAct;
}

/** Creates a beneficiary; its first pin counts as sent. */
export interface CreateBeneficiary {
  readonly kind: "create_beneficiary";
  readonly member: number;
  /** Currency code. */
  readonly currency: string;
  /** Name of one of its networks; absent for the first. */
  readonly network?: string;
  /** Of the address's canonical name; empty for fiat. */
  readonly addressDigest: string;
  /** Ids of those whose digest is of another spelling, and whose address is the same. */
  readonly respelledIds?: readonly number[];
}

/** Tries a pin, which was compared outside the log, where the pins are. */
export interface TryPin {
  readonly kind: "try_pin";
  readonly member: number;
  readonly id: number;
  /** `pinsSent` of the pin that it was compared with. */
  readonly pin: number;
  readonly isRight: boolean;
}

/** Counts a new pin as sent, which invalidates the one before. */
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

/** Deletes a member's beneficiary for an operator. */
export interface DisableBeneficiary {
  readonly kind: "disable_beneficiary";
  readonly uid: string;
  readonly id: number;
}

/** Requests a withdrawal: locks its funds, or does nothing. */
export interface RequestWithdraw {
  readonly kind: "request_withdraw";
  readonly member: number;
  readonly otp: OtpProof;
  readonly beneficiary: number;
  /** Currency code. */
  readonly currency: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** Set for a coin that the venue's rail does not serve, see `Withdraw`. */
  readonly isByHand?: true;
}

/** Takes back a withdrawal. */
export interface CancelWithdraw {
  readonly kind: "cancel_withdraw";
  readonly member: number;
  readonly id: number;
}

/** Advances a withdrawal. */
export interface ChangeWithdraw extends OnceOnly {
  readonly kind: "change_withdraw";
  readonly id: number;
  readonly action: WithdrawAction;
  /** With `send`; with `succeed` if the operator knows the transaction that paid it. */
  readonly txid?: string;
  /** With `confirm` and `succeed`. */
  readonly confirmations?: number;
  /**
   * How many claims the process has seen; one more since then is a refusal. Required with `claim`,
   * and with `fail` while the claim lives.
   */
  readonly claims?: number;
  /** `updatedAt` of what the rail was asked about; a change since then is a refusal. */
  readonly updatedAt?: number;
  /** With `approve`, for a coin that the venue's rail does not serve, see `Withdraw`. */
  readonly isByHand?: true;
}

/**
 * Reports a deposit that the rail or the operator has seen. One already known, by its output or its
 * whole transaction, is answered with its id and stays as it is.
 */
export interface ObserveDeposit extends OnceOnly {
  readonly kind: "observe_deposit";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  /** Name of one of its networks; absent for the first. */
  readonly network?: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** Empty if nothing tells it from others: it is then always new. */
  readonly txid: string;
  /** `ANY_OUTPUT` if only the transaction is named: it is known if any of its outputs is. */
  readonly output: number;
  readonly confirmations: number;
  /** Id of the deposit under this name in the rows (0 for none) as of `checkedAt`, a sequence. */
  readonly knownId: number;
  readonly checkedAt: number;
  /** Id of a deposit that was turned down or reversed: its name is free for another. */
  readonly freedId?: number;
}

/** Advances a deposit. */
export interface ChangeDeposit extends OnceOnly {
  readonly kind: "change_deposit";
  readonly id: number;
  readonly action: DepositAction;
  /** With `confirm` and `accept`. */
  readonly confirmations?: number;
}

/** Reverses a deposit or a withdrawal that has ended, see `decide_reversal.ts`. */
export interface Reverse extends OnceOnly {
  readonly kind: "reverse";
  /** The record as the rows or the state have it; an ended one stays as it is. */
  readonly reversed:
    | { readonly type: "deposit"; readonly record: Deposit }
    | { readonly type: "withdraw"; readonly record: Withdraw };
  /** The payment that came back, if it has a name; looked up as a deposit of its would be. */
  readonly payment?: Pick<ObserveDeposit, "txid" | "knownId" | "checkedAt" | "freedId">;
  /** Id of the reversal in the rows (0 for none) as of `checkedAt`, a sequence. */
  readonly knownId: number;
  readonly checkedAt: number;
}

/** Records that an address was made; the same commit writes the row that holds it. */
export interface NoteDepositAddress {
  readonly kind: "note_deposit_address";
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  /** Name of one of its networks; absent for the first. */
  readonly network?: string;
}

/** Sets a row of the table of withdrawal limits. */
export interface SetWithdrawLimit {
  readonly kind: "set_withdraw_limit";
  readonly row: WithdrawLimit;
}

/** Deletes a row of the table of withdrawal limits. */
export interface DeleteWithdrawLimit {
  readonly kind: "delete_withdraw_limit";
  readonly row: WithdrawLimitName;
}

/** Stops or resumes trading and withdrawals on the whole venue. */
export interface SetSwitches {
  readonly kind: "set_switches";
  readonly switches: Partial<Switches>;
}

/** Changes settings of the whole venue. */
export interface SetSettings {
  readonly kind: "set_settings";
  readonly changes: Partial<Settings>;
  /** Whether a process was started with them: they count only where the log has none. */
  readonly isFirst?: boolean;
}

/** Defines the groups and levels that members may have. */
export interface SetMemberClasses {
  readonly kind: "set_member_classes";
  readonly classes: MemberClasses;
  /** Whether they were defined before the log held them: they count only where it has none. */
  readonly isFirst?: boolean;
}

/** A member's commands about its money. */
export type MemberMoneyCommand =
  | CreateBeneficiary
  | TryPin
  | ResendPin
  | ArchiveBeneficiary
  | RequestWithdraw
  | CancelWithdraw;

/** Commands of an operator, or of a rail on behalf of the venue. */
export type OperatorMoneyCommand =
  | DisableBeneficiary
  | ChangeWithdraw
  | ObserveDeposit
  | ChangeDeposit
  | Reverse
  | NoteDepositAddress
  | SetWithdrawLimit
  | DeleteWithdrawLimit
  | SetSwitches
  | SetSettings
  | SetMemberClasses;
