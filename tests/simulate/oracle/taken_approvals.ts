import type { VenueEvent } from "../../../src/domain/event.ts";
import type { ApprovalReason, Withdraw } from "../../../src/domain/money/withdraw.ts";
import type { OracleState } from "./state.ts";
import { balancesAfter } from "./verdict.ts";

/** Returns the events of a lock, after which a member's approved withdrawals need approval anew. */
export function takeBack(state: OracleState, member: number, at: number): VenueEvent[] {
  return takenBack(state, at, "member_locked", (one) => one.member === member);
}

/** Returns those of the disabling of a beneficiary. */
export function takeBackTo(state: OracleState, beneficiary: number, at: number): VenueEvent[] {
  return takenBack(state, at, "beneficiary_disabled", (one) => one.beneficiary === beneficiary);
}

function takenBack(
  state: OracleState,
  at: number,
  approvalReason: ApprovalReason,
  isOne: (withdraw: Withdraw) => boolean,
): VenueEvent[] {
  const payable = [...state.withdraws.values()].filter((one) => {
    const isFiat = state.currencies[one.currency]?.type === "fiat";
    const isWaiting = one.state === "accepted" || (isFiat && one.state === "processing");
    return isOne(one) && isWaiting && one.isApproved;
  });
  return payable.map((one) => {
    const withdraw: Withdraw = {
      ...one,
      state: "accepted",
      isApproved: false,
      approvalReason,
      updatedAt: at,
    };
    return { kind: "withdraw_set", withdraw, ...balancesAfter(state, withdraw, {}) };
  });
}
