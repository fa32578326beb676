import type { VenueEvent } from "../../../src/domain/event.ts";
import type { Withdraw } from "../../../src/domain/withdraw.ts";
import type { OracleState } from "./state.ts";
import { balancesAfter } from "./verdict.ts";

/** Returns the events of a lock, after which a member's approved withdrawals need approval anew. */
export function takeBack(state: OracleState, member: number, at: number): VenueEvent[] {
  const payable = [...state.withdraws.values()].filter((one) =>
    one.member === member && one.state === "accepted" && one.isApproved
  );
  return payable.map((one) => {
    const withdraw: Withdraw = {
      ...one,
      isApproved: false,
      approvalReason: "member_locked",
      updatedAt: at,
    };
    return { kind: "withdraw_set", withdraw, ...balancesAfter(state, withdraw, {}) };
  });
}
