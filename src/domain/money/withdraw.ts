/** Withdrawals: funds on their way out, and how far they have come. */
import { CLAIM_LIFE_MS } from "../limits.ts";

/** The states that interfaces of this family have, in their order. */
export const WITHDRAW_STATES = [
  "prepared",
  "accepted",
  "skipped",
  "to_reject",
  "rejected",
  "processing",
  "succeed",
  "canceled",
  "failed",
  "errored",
  "confirming",
  "under_review",
] as const;
export type WithdrawState = typeof WITHDRAW_STATES[number];

/**
 * Why a withdrawal needs the operator's approval: it is above a limit of its currency or of its
 * member, the member has a limit and the currency no price, it goes to a bank, or its member was
 * locked, or its beneficiary disabled by an operator, before it was paid.
 */
export const APPROVAL_REASONS = [
  "currency_limit",
  "member_limit",
  "no_price",
  "fiat",
  "member_locked",
  "beneficiary_disabled",
] as const;
export type ApprovalReason = typeof APPROVAL_REASONS[number];

/** What the log records of a withdrawal; amounts are in ledger units. */
export interface Withdraw {
  readonly id: number;
  /** Member index. */
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
  /** As requested; `amount - fee` is sent. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Beneficiary id. */
  readonly beneficiary: number;
  readonly state: WithdrawState;
  /** Whether it is within the limits or approved by the operator: the rail may take it. */
  readonly isApproved: boolean;
  /** Absent if it needs no approval, and from those of older versions. */
  readonly approvalReason?: ApprovalReason;
  /**
   * Who pays a coin: somebody by hand, or else the venue's rail. What somebody may have begun to pay
   * by hand no rail pays, unless the operator hands it over, and what is the rail's nobody reports as
   * paid by hand. Absent for fiat, which is paid by hand only, and from those of older versions, of
   * which either may be true.
   */
  readonly isByHand?: boolean;
  /** Transaction on the chain, or name of a transfer; empty before it is sent. */
  readonly txid: string;
  readonly confirmations: number;
  /** How often a process has claimed the payout. */
  readonly claims: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it ended, in ms; 0 before. */
  readonly doneAt: number;
}

const FINAL_STATES: ReadonlySet<WithdrawState> = new Set([
  "succeed",
  "rejected",
  "canceled",
  "failed",
]);

/** Whether the withdrawal can still change; its amount is locked while it can. */
export function isWithdrawOpen(withdraw: Pick<Withdraw, "state">): boolean {
  return !FINAL_STATES.has(withdraw.state);
}

/** Whether it is approved, or was until that was taken back: it may have been paid by hand. */
export function wasApproved({ isApproved, approvalReason }: Withdraw): boolean {
  const isTakenBack = approvalReason === "member_locked" ||
    approvalReason === "beneficiary_disabled";
  return isApproved || isTakenBack;
}

/** Whether somebody may have begun to pay it by hand; of older ones nobody knows. */
export function mayBePaidByHand(withdraw: Withdraw): boolean {
  return withdraw.isByHand ?? wasApproved(withdraw);
}

/**
 * Whether the member may take it back: while it waits for approval, or for its rail. One that was
 * approved and is not the rail's may be under payment by hand.
 */
export function isReturnable(withdraw: Withdraw): boolean {
  return withdraw.state === "accepted" &&
    (!wasApproved(withdraw) || withdraw.isByHand === false);
}

/** Whether a process may be sending the payout at time `at` (ms): its claim lives. */
export function isClaimed({ state, updatedAt }: Withdraw, at: number): boolean {
  return state === "processing" && at - updatedAt <= CLAIM_LIFE_MS;
}

/** Whether the withdrawal counts against its member's limits. */
export function isWithdrawCounted(withdraw: Withdraw): boolean {
  return isWithdrawOpen(withdraw) ? withdraw.state !== "to_reject" : withdraw.state === "succeed";
}

/** What may be done with a withdrawal, and in which states. */
export const WITHDRAW_ACTIONS = {
  /** The operator approves one that is above the limits. */
  approve: ["accepted"],
  /** It is to be paid by hand: there is no rail any more, or nobody knows whether there was one. */
  leave_to_hand: ["accepted"],
  /** The operator has the rail pay what was to be paid by hand. */
  hand_over: ["accepted"],
  /** A process takes on the payout, perhaps after another one has stopped. */
  claim: ["accepted", "processing"],
  /** The rail has sent it: `txid` is known. */
  send: ["processing", "errored"],
  /** The chain shows more or fewer confirmations. */
  confirm: ["confirming"],
  /** It has arrived: the locked amount has left, and the fee is the venue's. */
  succeed: ["accepted", "processing", "confirming", "errored"],
  /** It is certain never to arrive: the amount is available again. */
  fail: ["processing", "confirming", "skipped", "errored"],
  /** Nobody knows whether it was sent, or it has failed on the chain: the operator has to look. */
  park: ["accepted", "processing", "confirming"],
  /** The operator resends a parked one, under the same payout id. */
  retry: ["errored", "skipped"],
  /** The operator refuses it: the amount is available again. */
  reject: ["accepted", "to_reject"],
  /** Whoever requested it takes it back, see `isReturnable`. */
  cancel: ["accepted"],
} as const satisfies Record<string, readonly WithdrawState[]>;
export type WithdrawAction = keyof typeof WITHDRAW_ACTIONS;
