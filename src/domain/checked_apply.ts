/** Applies an event to durable state, and asserts that sums hold and no balance goes negative. */
import type { Account } from "./money/account.ts";
import { fundsOf } from "./money/funds.ts";
import { apply } from "./apply.ts";
import { assert } from "./assert.ts";
import type { VenueEvent } from "./event.ts";
import { type AccountName, accountsSetBy } from "./event_effects.ts";
import { OUTSIDE_MEMBER } from "./people/member.ts";
import type { Venue } from "./venue.ts";

/**
 * Applies one event.
 *
 * @throws {InvariantError} if money appears, vanishes or is owed
 */
export function checkedApply(venue: Venue, event: VenueEvent, at: number): void {
  const accounts = accountsSetBy(event, venue);
  if (accounts.length === 0) return apply(venue, event, at, accounts);
  const before = sumsOf(venue, accounts);
  apply(venue, event, at, accounts);
  for (const { member, currency } of accounts) {
    if (member !== OUTSIDE_MEMBER) assertNotNegative(venue.account(member, currency));
  }
  const after = sumsOf(venue, accounts);
  const isSame = before.every((sum, currency) => sum === after[currency]);
  if (!isSame) assert(false, `event ${venue.sequence} sums to zero per currency`);
}

/** Returns what these accounts hold together, by currency; one that is named twice counts once. */
function sumsOf(venue: Venue, names: readonly AccountName[]): bigint[] {
  const sums: bigint[] = [];
  const summed: Account[] = [];
  for (const { member, currency } of names) {
    const account = venue.account(member, currency);
    if (summed.includes(account)) continue;
    summed.push(account);
    sums[currency] = (sums[currency] ?? 0n) + fundsOf(account);
  }
  return sums;
}

function assertNotNegative(account: Account): void {
  assert(account.available >= 0n && account.locked >= 0n, "a balance is not negative");
}
