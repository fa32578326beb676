/**
 * Sums what all members have at one moment, while the venue goes on: they are counted in portions,
 * and whoever is about to change is counted before.
 */
import type { VenueEvent } from "../../domain/event.ts";
import { accountsSetBy } from "../../domain/event_effects.ts";
import { FEES_MEMBER, FIRST_MEMBER } from "../../domain/people/member.ts";
import type { Venue } from "../../domain/venue.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** Members that are counted before others get a turn. */
export const MEMBERS_PER_PORTION = 2_000;

/** What there is of one currency, in ledger units. */
export interface CurrencyFunds {
  /** What all members have, and the part of it that is locked. */
  total: bigint;
  locked: bigint;
  /** Number of members that have any. */
  holders: number;
  /** What the venue has earned and not taken out. */
  readonly fees: bigint;
}

/** A count of all members as they are when it is made. */
export class FundsWalk {
  /** By index of the currency. */
  readonly #sums: readonly CurrencyFunds[];
  readonly #venue: Venue;
  /** The members are those up to here; others come later. */
  readonly #end: number;
  #next = FIRST_MEMBER;
  /** Members that were counted before their turn. */
  readonly #ahead = new Set<number>();

  constructor(venue: Venue) {
    const { accounts } = venue.holder(FEES_MEMBER);
    this.#venue = venue;
    this.#end = venue.holders.length;
    this.#sums = venue.currencies.map(({ index }) => {
      return { total: 0n, locked: 0n, holders: 0, fees: accounts[index]?.available ?? 0n };
    });
  }

  /** Counts whom an event is about to change. */
  before(event: VenueEvent): void {
    for (const { member } of accountsSetBy(event, this.#venue)) this.#countAhead(member);
  }

  #countAhead(member: number): void {
    if (member < this.#next || member >= this.#end || this.#ahead.has(member)) return;
    this.#ahead.add(member);
    this.#count(member);
  }

  /** Counts all others, and returns the sums by index of the currency. */
  async sums(): Promise<readonly CurrencyFunds[]> {
    while (this.#next < this.#end) {
      const end = Math.min(this.#next + MEMBERS_PER_PORTION, this.#end);
      for (; this.#next < end; this.#next++) {
        if (!this.#ahead.delete(this.#next)) this.#count(this.#next);
      }
      await yieldToOthers();
    }
    return this.#sums;
  }

  #count(member: number): void {
    this.#venue.holder(member).accounts.forEach((account, currency) => {
      const sum = this.#sums[currency];
      if (account === undefined || sum === undefined) return;
      const total = account.available + account.locked;
      sum.total += total;
      sum.locked += account.locked;
      if (total > 0n) sum.holders += 1;
    });
  }
}
