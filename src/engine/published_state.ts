/**
 * The published state: what is durable, and nothing else. It takes entries in order, this process's
 * own in the same way as others'; every answer, read and push speaks of it.
 */
import { checkedApply } from "../domain/checked_apply.ts";
import { assert } from "../domain/assert.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { Venue } from "../domain/venue.ts";
import type { Entry } from "../store/log/entry_codec.ts";
import { CandleSeries } from "./candle_series.ts";
import { dropEnded } from "./ended_records.ts";
import type { EntryListener, EventListener } from "./engine.ts";
import { FundsRecorder } from "./fold/funds_recorder.ts";
import { type CurrencyFunds, FundsWalk } from "./read/funds_walk.ts";
import { WaitingPushes } from "./shared/waiting_pushes.ts";
import { OpenMoney } from "./start/open_money.ts";
import { Tail } from "./tail.ts";

/** The venue at the last durable sequence, with what the rows do not hold yet. */
export class PublishedState {
  readonly tail = new Tail();
  readonly openMoney: OpenMoney;
  /** What clients are to be pushed of it. */
  readonly pushes = new WaitingPushes();
  readonly #funds: FundsRecorder;
  readonly #candles: CandleSeries[] = [];
  readonly #entryListeners: EntryListener[] = [];
  readonly #eventListeners: EventListener[] = [];
  /** Sums of funds that are being made. */
  readonly #walks = new Set<FundsWalk>();
  /** Chain hash of the last entry. */
  hash: Uint8Array;

  constructor(readonly venue: Venue, hash: Uint8Array) {
    this.hash = hash;
    this.openMoney = new OpenMoney(venue);
    this.#funds = new FundsRecorder({
      counters: venue.counters,
      holder: (member) => venue.holder(member),
      market: (index) => venue.book(index).market,
      // The tail is short.
      notesTrades: false,
      add: (member, record) => this.tail.addFunds(member, record),
    });
  }

  /** Sequence of the last event. */
  get sequence(): number {
    return this.venue.sequence;
  }

  /** Calls the listener after each entry. */
  onEntry(listener: EntryListener): void {
    this.#entryListeners.push(listener);
  }

  /** Calls the listener after each event. */
  onEvent(listener: EventListener): void {
    this.#eventListeners.push(listener);
  }

  /** Takes the next entry; ignores one that is already known. */
  take(entry: Entry): void {
    if (entry.first <= this.sequence) return;
    assert(entry.first === this.sequence + 1, `the published state has no gap at ${entry.first}`);
    this.tail.addEntry(entry);
    for (const event of entry.events) this.#takeEvent(event, entry.at);
    this.hash = entry.hash;
    for (const listener of this.#entryListeners) listener(entry.events, entry.first, entry.at);
  }

  #takeEvent(event: VenueEvent, at: number): void {
    const { venue, tail } = this;
    if (this.#walks.size > 0) {
      for (const walk of this.#walks) walk.before(event);
    }
    this.#funds.before(event, venue.sequence + 1);
    checkedApply(venue, event, at);
    this.#funds.after(event, venue.sequence, at);
    this.openMoney.take(event);
    for (const listener of this.#eventListeners) listener(event, venue.sequence, at);
    for (const order of venue.endedOrders) tail.addEndedOrder(order);
    for (const deposit of venue.endedDeposits) tail.addEndedDeposit(deposit);
    for (const withdraw of venue.endedWithdraws) tail.addEndedWithdraw(withdraw);
    dropEnded(venue);
    if (event.kind !== "trade") return;
    tail.addTrade(event, at);
    const total = venue.book(event.market).total(event.price, event.volume);
    this.candlesOf(event.market).add(at, event.price, event.volume, total);
  }

  /** Sums what all members have now, by index of the currency, while the venue goes on. */
  async sumFunds(): Promise<readonly CurrencyFunds[]> {
    const walk = new FundsWalk(this.venue);
    this.#walks.add(walk);
    try {
      return await walk.sums();
    } finally {
      this.#walks.delete(walk);
    }
  }

  /** Returns the candles of a market. */
  candlesOf(market: number): CandleSeries {
    return this.#candles[market] ??= new CandleSeries();
  }
}
