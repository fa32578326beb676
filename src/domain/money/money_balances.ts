/** The balances that a money event carries. */
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../people/member.ts";
import type { MoneyBalances } from "../event.ts";
import type { Venue } from "../venue.ts";

/** By how much each balance changes; absent if it doesn't. */
export interface BalanceChanges {
  readonly available?: bigint;
  readonly locked?: bigint;
  readonly fees?: bigint;
  readonly outside?: bigint;
}

/** Returns the balances of a member, the venue's income and the outside after a change. */
export function balancesAfter(
  venue: Venue,
  { member, currency }: { readonly member: number; readonly currency: number },
  changes: BalanceChanges,
): MoneyBalances {
  const account = venue.holder(member).accounts[currency];
  const fees = venue.holder(FEES_MEMBER).accounts[currency];
  const outside = venue.holder(OUTSIDE_MEMBER).accounts[currency];
  return {
    available: (account?.available ?? 0n) + (changes.available ?? 0n),
    locked: (account?.locked ?? 0n) + (changes.locked ?? 0n),
    feesAvailable: (fees?.available ?? 0n) + (changes.fees ?? 0n),
    outsideAvailable: (outside?.available ?? 0n) + (changes.outside ?? 0n),
  };
}
