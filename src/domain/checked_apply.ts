/** Applies an event to durable state, and asserts that sums hold and no balance goes negative. */
import type { Account } from "./money/account.ts";
import { apply } from "./apply.ts";
import { assert } from "./assert.ts";
import type { Trade, VenueEvent } from "./event.ts";
import { lockedCurrency } from "./trading/market.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "./people/member.ts";
import type { Venue } from "./venue.ts";

/**
 * Applies one event.
 *
 * @throws {InvariantError} if money appears, vanishes or is owed
 */
export function checkedApply(venue: Venue, event: VenueEvent, at: number): void {
  switch (event.kind) {
    case "order_accepted": {
      const currency = lockedCurrency(venue.book(event.market).market, event);
      return applyLock(venue, event, at, venue.account(event.member, currency));
    }
    case "order_closed": {
      const order = venue.order(event.id);
      const currency = lockedCurrency(venue.book(order.market).market, order);
      return applyLock(venue, event, at, venue.account(order.member, currency));
    }
    case "trade":
      return applyTrade(venue, event, at);
    case "balance_adjusted":
      return applyMoney(venue, event, at, event);
    case "deposit_set":
      return applyMoney(venue, event, at, event.deposit);
    case "withdraw_set":
      return applyMoney(venue, event, at, event.withdraw);
    default:
      return apply(venue, event, at);
  }
}

/** Moves funds between the two halves of one account. */
function applyLock(venue: Venue, event: VenueEvent, at: number, account: Account): void {
  const before = sumOf(account);
  apply(venue, event, at);
  assertNotNegative(account);
  assertSame(venue, before, sumOf(account));
}

/** Moves funds between a member, the venue's income and the outside. */
function applyMoney(
  venue: Venue,
  event: VenueEvent,
  at: number,
  { member, currency }: { readonly member: number; readonly currency: number },
): void {
  const account = venue.account(member, currency);
  const fees = venue.account(FEES_MEMBER, currency);
  const accounts = [account, fees, venue.account(OUTSIDE_MEMBER, currency)];
  const before = sumOfAll(accounts);
  apply(venue, event, at);
  assertNotNegative(account);
  assertNotNegative(fees);
  assertSame(venue, before, sumOfAll(accounts));
}

/** Moves each currency between the two members and the fees. */
function applyTrade(venue: Venue, event: Trade, at: number): void {
  const { base, quote } = venue.book(event.market).market;
  const baseAccounts = accountsOf(venue, event, base);
  const quoteAccounts = accountsOf(venue, event, quote);
  const baseBefore = sumOfAll(baseAccounts);
  const quoteBefore = sumOfAll(quoteAccounts);
  apply(venue, event, at);
  baseAccounts.forEach(assertNotNegative);
  quoteAccounts.forEach(assertNotNegative);
  assertSame(venue, baseBefore, sumOfAll(baseAccounts));
  assertSame(venue, quoteBefore, sumOfAll(quoteAccounts));
}

function accountsOf(venue: Venue, event: Trade, currency: number): Account[] {
  const accounts = [
    venue.account(event.makerMember, currency),
    venue.account(FEES_MEMBER, currency),
  ];
  // A member that trades with itself has one account, not two.
  if (event.takerMember !== event.makerMember) {
    accounts.push(venue.account(event.takerMember, currency));
  }
  return accounts;
}

function sumOf(account: Account): bigint {
  return account.available + account.locked;
}

function sumOfAll(accounts: readonly Account[]): bigint {
  let sum = 0n;
  for (const account of accounts) sum += account.available + account.locked;
  return sum;
}

function assertNotNegative(account: Account): void {
  assert(account.available >= 0n && account.locked >= 0n, "a balance is not negative");
}

function assertSame(venue: Venue, before: bigint, after: bigint): void {
  if (before !== after) assert(false, `event ${venue.sequence} sums to zero per currency`);
}
