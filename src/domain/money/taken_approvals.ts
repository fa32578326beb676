/** Approvals of withdrawals that are taken back: whoever gave them did not know what is known now. */
import type { Beneficiary } from "../people/beneficiary.ts";
import type { EventSink } from "../event_sink.ts";
import { balancesAfter } from "./money_balances.ts";
import type { Venue } from "../venue.ts";
import type { ApprovalReason, Withdraw } from "./withdraw.ts";

/**
 * Takes back the approvals, given or implied, of a member's withdrawals, unless a process has begun
 * to pay them.
 */
export function takeBackApprovals(venue: Venue, member: number, sink: EventSink): void {
  takeBack(venue, "member_locked", (one) => one.member === member, sink);
}

/** Takes back those of withdrawals to a beneficiary that is disabled. */
export function takeBackPayments(venue: Venue, { id }: Beneficiary, sink: EventSink): void {
  takeBack(venue, "beneficiary_disabled", ({ beneficiary }) => beneficiary === id, sink);
}

/** Returns whether an operator has disabled the beneficiary of a withdrawal. */
export function isPayeeDisabled(
  venue: Venue,
  { beneficiary, member }: Pick<Withdraw, "beneficiary" | "member">,
): boolean {
  return venue.holder(member).beneficiaries.get(beneficiary)?.isDisabled ?? false;
}

function takeBack(
  venue: Venue,
  approvalReason: ApprovalReason,
  isMeant: (withdraw: Withdraw) => boolean,
  sink: EventSink,
): void {
  const approved = [...venue.withdraws.values()].filter((one) =>
    isMeant(one) && isApprovedUnclaimed(venue, one)
  );
  for (const one of approved) {
    const updatedAt = sink.at;
    const state = "accepted";
    const withdraw: Withdraw = { ...one, state, isApproved: false, approvalReason, updatedAt };
    sink.emit({ kind: "withdraw_set", withdraw, ...balancesAfter(venue, withdraw, {}) });
  }
}

/** Whether it is approved, and no process pays it: to a bank somebody does, by hand. */
function isApprovedUnclaimed(venue: Venue, { currency, isApproved, state }: Withdraw): boolean {
  if (!isApproved) return false;
  return state === "accepted" || (state === "processing" && !venue.isCoin(currency));
}
