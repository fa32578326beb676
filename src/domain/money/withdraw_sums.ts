/** What a member has withdrawn lately, for display and for the limits. */
import { HOUR_MS, monthBefore } from "../calendar.ts";
import { LEDGER_ONE } from "./money.ts";
import type { Holder, Venue } from "../venue.ts";

/** Sums in ledger units of the platform's currency. */
export interface WithdrawSums {
  readonly last4Hours: bigint;
  readonly last24Hours: bigint;
  readonly lastMonth: bigint;
}

/** Sums a member's withdrawals up to `at` (ms), at the currencies' present prices. */
export function withdrawSums(venue: Venue, holder: Holder, at: number): WithdrawSums {
  const month = monthBefore(at);
  let last4Hours = 0n;
  let last24Hours = 0n;
  let lastMonth = 0n;
  for (const { currency, amount, createdAt } of holder.countedWithdraws.values()) {
    const value = platformValue(venue, currency, amount);
    if (createdAt > at - 4 * HOUR_MS) last4Hours += value;
    if (createdAt > at - 24 * HOUR_MS) last24Hours += value;
    if (createdAt > month) lastMonth += value;
  }
  return { last4Hours, last24Hours, lastMonth };
}

/** Sums a member's withdrawals of one currency up to `at` (ms), in its ledger units. */
export function currencySums(
  holder: Holder,
  currency: number,
  at: number,
): { readonly last24Hours: bigint; readonly last72Hours: bigint } {
  let last24Hours = 0n;
  let last72Hours = 0n;
  for (const counted of holder.countedWithdraws.values()) {
    if (counted.currency !== currency) continue;
    if (counted.createdAt > at - 24 * HOUR_MS) last24Hours += counted.amount;
    if (counted.createdAt > at - 72 * HOUR_MS) last72Hours += counted.amount;
  }
  return { last24Hours, last72Hours };
}

/** Converts an amount to the platform's currency, rounded down to the ledger unit. */
export function platformValue(venue: Venue, currency: number, amount: bigint): bigint {
  return amount * venue.currency(currency).price / LEDGER_ONE;
}
