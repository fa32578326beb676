/** Applies an event to durable state and asserts what must hold of every event: no sum moves, nothing goes negative. */
import { apply, lockedCurrency } from "./apply.ts";
import { assert } from "./assert.ts";
import type { Trade, VenueEvent } from "./event.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "./member.ts";
import type { Venue } from "./venue.ts";

/** An account that an event touches. */
interface Touched {
  readonly member: number;
  readonly currency: number;
}

const NONE: readonly Touched[] = [];

/**
 * Applies one event.
 *
 * @throws {InvariantError} money appears, vanishes or is owed
 */
export function checkedApply(venue: Venue, event: VenueEvent, at: number): void {
  const touched = accountsOf(venue, event);
  if (touched.length === 0) return apply(venue, event, at);
  const before = touched.map(({ member, currency }) => balanceOf(venue, member, currency));
  apply(venue, event, at);
  let first = 0n;
  let second = 0n;
  touched.forEach(({ member, currency }, i) => {
    const account = venue.account(member, currency);
    assert(account.locked >= 0n, `locked of member ${member} is not negative`);
    assert(
      member === OUTSIDE_MEMBER || account.available >= 0n,
      `available of member ${member} is not negative`,
    );
    const moved = account.available + account.locked - (before[i] ?? 0n);
    // An event moves one currency, or the two of its market.
    if (currency === touched[0]?.currency) first += moved;
    else second += moved;
  });
  assert(first === 0n && second === 0n, `event ${venue.sequence} sums to zero per currency`);
}

function balanceOf(venue: Venue, member: number, currency: number): bigint {
  const account = venue.account(member, currency);
  return account.available + account.locked;
}

function accountsOf(venue: Venue, event: VenueEvent): readonly Touched[] {
  switch (event.kind) {
    case "order_accepted":
      return [{ member: event.member, currency: lockedCurrency(venue.book(event.market), event) }];
    case "order_closed": {
      const order = venue.order(event.id);
      return [{ member: order.member, currency: lockedCurrency(venue.book(order.market), order) }];
    }
    case "trade":
      return accountsOfTrade(venue, event);
    case "balance_adjusted":
      return [event, { member: OUTSIDE_MEMBER, currency: event.currency }];
    default:
      return NONE;
  }
}

function accountsOfTrade(venue: Venue, event: Trade): readonly Touched[] {
  const { base, quote } = venue.book(event.market).market;
  const members = event.makerMember === event.takerMember
    ? [event.makerMember, FEES_MEMBER]
    : [event.makerMember, event.takerMember, FEES_MEMBER];
  return members.flatMap((member) => [{ member, currency: base }, { member, currency: quote }]);
}
