/** Notes members' funds as the log goes on: in rows, and in memory what they do not hold yet. */
import type { Account } from "../../domain/money/account.ts";
import type { FundsEvent, Trade, VenueEvent } from "../../domain/event.ts";
import { accountOf, hasEffect, membersOf, messagesForEach } from "../../domain/event_effects.ts";
import {
  fundsOf,
  type FundsRecord,
  isNotedTrade,
  type Moved,
  movedBy,
  movedUnlisted,
  totalsOf,
} from "../../domain/money/funds.ts";
import type { Market } from "../../domain/trading/market.ts";
import { FIRST_MEMBER } from "../../domain/people/member.ts";
import type { Counters } from "../../domain/venue.ts";

/** What is needed of a member. */
export interface FundsHolder {
  readonly accounts: readonly (Account | undefined)[];
  readonly tradesCount: number;
}

/** Where a recorder finds what it needs, and leaves what it makes. */
export interface FundsSource {
  /** Numbers given out, as of the last event applied. */
  readonly counters: Pick<Counters, "acts" | "trades">;
  /** Returns a member as it is now; null if nothing is to be noted of it at this sequence. */
  holder(member: number, sequence: number): FundsHolder | null;
  market(index: number): Market;
  /** Whether records follow the trades that reads begin behind. */
  readonly notesTrades: boolean;
  add(member: number, record: FundsRecord): void;
}

/** Makes the records of events, each of which is told before and after it is applied. */
export class FundsRecorder {
  readonly #source: FundsSource;
  /** The funds before the event. */
  #before = 0n;

  constructor(source: FundsSource) {
    this.#source = source;
  }

  /** Notes what an event may change. */
  before(event: VenueEvent, sequence: number): void {
    if (!hasEffect(event, "movesFunds") || event.kind === "trade") return;
    const { member, currency } = accountOf(event);
    this.#before = fundsOf(this.#source.holder(member, sequence)?.accounts[currency]);
  }

  /** Adds the records of an event, stamped `at` (ms). */
  after(event: VenueEvent, sequence: number, at: number): void {
    if (!hasEffect(event, "movesFunds")) return;
    if (event.kind === "trade") this.#afterTrade(event, sequence, at);
    else this.#afterMoney(event, sequence, at);
  }

  #afterMoney(event: FundsEvent, sequence: number, at: number): void {
    const { member, currency } = accountOf(event);
    const holder = this.#source.holder(member, sequence);
    if (holder === null) return;
    const moved = movedBy(event, fundsOf(holder.accounts[currency]) - this.#before);
    if (moved !== null) this.#add(member, holder, sequence, at, moved);
  }

  #afterTrade(event: Trade, sequence: number, at: number): void {
    const isOwn = event.makerMember === event.takerMember;
    // Nearly every trade in memory.
    if (!isOwn && !this.#source.notesTrades) return;
    for (const member of membersOf(event)) this.#noteTrade(member, event, sequence, at);
  }

  #noteTrade(member: number, event: Trade, sequence: number, at: number): void {
    const holder = this.#source.holder(member, sequence);
    if (holder === null) return;
    const moved = movedUnlisted(event, at, this.#source.market(event.market));
    const { trades } = messagesForEach(event);
    const isNoted = this.#source.notesTrades && isNotedTrade(holder.tradesCount, trades);
    if (moved !== null || isNoted) this.#add(member, holder, sequence, at, moved);
  }

  #add(
    member: number,
    holder: FundsHolder,
    id: number,
    at: number,
    moved: Moved | null,
  ): void {
    if (member < FIRST_MEMBER) return;
    const { acts, trades } = this.#source.counters;
    const totals = totalsOf(holder.accounts);
    const what = moved === null ? {} : { moved };
    this.#source.add(member, { id, at, trades, acts, ...what, totals });
  }
}
