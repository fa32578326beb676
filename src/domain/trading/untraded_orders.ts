/**
 * A member's orders that ended without a trade, counted by the day (UTC) on which they ended. Such
 * orders cost the venue as much as others and bring it nothing.
 */
import { DAY_MS } from "../calendar.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Member } from "../people/member.ts";
import type { Settings } from "../settings.ts";

/** The count of one day. */
export interface UntradedOrders {
  /** Days since the epoch. */
  day: number;
  count: number;
}

/** Returns the count of a member that has had no such order. */
export function noUntradedOrders(): UntradedOrders {
  return { day: 0, count: 0 };
}

/** Returns how many orders had ended without a trade by `at` (ms), on its day. */
export function untradedOn({ day, count }: UntradedOrders, at: number): number {
  return day === dayOf(at) ? count : 0;
}

/** Notes the count after an order that ended at `at` (ms). */
export function noteUntraded(untraded: UntradedOrders, count: number, at: number): void {
  untraded.day = dayOf(at);
  untraded.count = count;
}

/** Refuses a new order of a member of which too many have ended without a trade on this day. */
export function refuseUntraded(
  { member, untraded }: { readonly member: Member; readonly untraded: UntradedOrders },
  { untradedOrdersMax }: Pick<Settings, "untradedOrdersMax">,
  at: number,
): Rejection | null {
  const max = member.untradedOrdersMax || untradedOrdersMax;
  if (max === 0 || untradedOn(untraded, at) < max) return null;
  const refusal = reject("untraded_orders_exceeded", "market", String(max));
  return { ...refusal, resetsAt: (dayOf(at) + 1) * DAY_MS };
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
