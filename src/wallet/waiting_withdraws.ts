/** What open withdrawals wait for, as an operator sees it. */
import { isMemberUsable } from "../domain/people/member.ts";
import { networkIn } from "../domain/money/currency.ts";
import { isPayeeDisabled } from "../domain/money/taken_approvals.ts";
import type { Venue } from "../domain/venue.ts";
import { isWithdrawOpen, type Withdraw } from "../domain/money/withdraw.ts";
import { withdrawCurrency, withdrawWay } from "../domain/money/withdraw_network.ts";

/** What a withdrawal may wait for. */
export const WAITING_FOR = [
  /** The operator's approval. */
  "approval",
  /** A payment by hand, which the operator then reports. */
  "payment_by_hand",
  /** Its rail: to send it, or to see it confirmed. */
  "rail",
  /**
   * The operator's decision about a payout that was parked, or whose rail is gone, or that goes to a
   * beneficiary that an operator has disabled.
   */
  "decision",
  /** The end of a lock of its member, or of a stop of withdrawals, all or those of its currency. */
  "hold",
] as const;
export type WaitingFor = typeof WAITING_FOR[number];

/**
 * Returns what a withdrawal waits for; null if it has ended. A payment by hand is what the log says
 * is one, whatever rail a process has: no rail pays it.
 */
export function waitingFor(venue: Venue, withdraw: Withdraw): WaitingFor | null {
  if (!isWithdrawOpen(withdraw)) return null;
  const currency = withdrawCurrency(venue, withdraw);
  if (withdraw.state === "errored" || withdraw.state === "skipped") return "decision";
  const isByHand = currency.type === "fiat" || withdraw.isByHand === true;
  if (withdraw.state !== "accepted") {
    if (isByHand) return "payment_by_hand";
    const isLeft = withdraw.state === "confirming" && venue.settings.walletRail === "none";
    return isLeft ? "decision" : "rail";
  }
  if (isPayeeDisabled(venue, withdraw)) return "decision";
  const isStopped = !venue.switches.withdrawals || !currency.withdrawalEnabled ||
    !isMemberUsable(venue.holder(withdraw.member).member);
  if (isStopped) return "hold";
  if (!withdraw.isApproved) return "approval";
  return isByHand ? "payment_by_hand" : "rail";
}

/** How many withdrawals wait for something. */
export interface WaitingCount {
  readonly count: number;
  /** When the oldest of them last changed, in ms; 0 if there is none. */
  readonly oldestAt: number;
}

/** Counts the open withdrawals by what they wait for; looks at nothing but them. */
export function waitingCounts(venue: Venue): Readonly<Record<WaitingFor, WaitingCount>> {
  const none: WaitingCount = { count: 0, oldestAt: 0 };
  const counts: Record<WaitingFor, WaitingCount> = {
    approval: none,
    payment_by_hand: none,
    rail: none,
    decision: none,
    hold: none,
  };
  for (const withdraw of venue.withdraws.values()) {
    const reason = waitingFor(venue, withdraw);
    if (reason === null) continue;
    const { count, oldestAt } = counts[reason];
    const { updatedAt } = withdraw;
    const oldest = count === 0 ? updatedAt : Math.min(oldestAt, updatedAt);
    counts[reason] = { count: count + 1, oldestAt: oldest };
  }
  return counts;
}

/**
 * Returns what approved withdrawals of a currency still take on one of its networks, in ledger units:
 * what a rail has to pay, now or once a stop or a lock has ended.
 */
export function owedOn(
  venue: Venue,
  { currency, network }: { readonly currency: string; readonly network: string },
): bigint {
  const isOwed = (withdraw: Withdraw) => {
    const { state, isApproved, isByHand } = withdraw;
    const isUnsent = state === "accepted" || state === "processing";
    if (!isUnsent || !isApproved || isByHand !== false) return false;
    const way = withdrawWay(venue, withdraw);
    return way.currency === currency &&
      networkIn(venue.currency(withdraw.currency), way.network)?.name === network;
  };
  return [...venue.withdraws.values()]
    .filter(isOwed)
    .reduce((sum, { amount, fee }) => sum + amount - fee, 0n);
}
