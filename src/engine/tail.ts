/**
 * The tail: what happened after the watermark, in memory, in segments that are released whole once
 * the rows hold them. A read takes what it needs from the tail before it reads the store; what it
 * has taken stays alive for it.
 */
import type { Deposit } from "../domain/money/deposit.ts";
import type { Trade } from "../domain/event.ts";
import type { FundsRecord } from "../domain/money/funds.ts";
import type { Order } from "../domain/trading/order.ts";
import {
  type MarketTrade,
  marketTradeOf,
  type MemberTrade,
  memberTradeOf,
} from "../domain/trading/trade_record.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import { endOf, type Entry } from "../store/log/entry_codec.ts";
import type { IdRange } from "./engine.ts";
import { addToGroup } from "./grouped_items.ts";

/** Events at which a segment is full. */
const SEGMENT_EVENTS = 4096;

/** A trade, and when it happened, in ms. Views of it are made for those who read it. */
interface TimedTrade {
  readonly trade: Trade;
  readonly at: number;
}

class Segment {
  readonly entries: Entry[] = [];
  /** By member, and by id: an order ends once. */
  readonly endedOrders = new Map<number, Order[]>();
  readonly endedOrderById = new Map<number, Order>();
  readonly memberTrades = new Map<number, TimedTrade[]>();
  readonly marketTrades = new Map<number, TimedTrade[]>();
  readonly endedDeposits = new Map<number, Deposit[]>();
  readonly endedWithdraws = new Map<number, Withdraw[]>();
  readonly funds = new Map<number, FundsRecord[]>();
  events = 0;
  /** Sequence of the last event. */
  last = 0;
}

/** The entries since the watermark, and what they ended or traded. */
export class Tail {
  #segments: Segment[] = [];
  #releasedSequence = 0;
  #releasedHash: Uint8Array | null = null;

  /** Sequence of the last event that was released. */
  get releasedSequence(): number {
    return this.#releasedSequence;
  }

  /** Adds an entry; what it ended and traded is added after it. */
  addEntry(entry: Entry): void {
    let segment = this.#segments[this.#segments.length - 1];
    if (segment === undefined || segment.events >= SEGMENT_EVENTS) {
      segment = new Segment();
      this.#segments.push(segment);
    }
    segment.entries.push(entry);
    segment.events += entry.events.length;
    segment.last = endOf(entry);
  }

  /** Adds an ended order to the entry added last. */
  addEndedOrder(order: Order): void {
    const { endedOrders, endedOrderById } = this.#newest();
    addToGroup(endedOrders, order.member, order);
    endedOrderById.set(order.id, order);
  }

  /** Adds a trade of the entry added last, made at `at` (ms). */
  addTrade(trade: Trade, at: number): void {
    const { marketTrades, memberTrades } = this.#newest();
    const one = { trade, at };
    addToGroup(marketTrades, trade.market, one);
    addToGroup(memberTrades, trade.makerMember, one);
    if (trade.takerMember !== trade.makerMember) {
      addToGroup(memberTrades, trade.takerMember, one);
    }
  }

  /** Adds an ended deposit to the entry added last. */
  addEndedDeposit(deposit: Deposit): void {
    addToGroup(this.#newest().endedDeposits, deposit.member, deposit);
  }

  /** Adds an ended withdrawal to the entry added last. */
  addEndedWithdraw(withdraw: Withdraw): void {
    addToGroup(this.#newest().endedWithdraws, withdraw.member, withdraw);
  }

  /** Adds a record of a member's funds to the entry added last. */
  addFunds(member: number, record: FundsRecord): void {
    addToGroup(this.#newest().funds, member, record);
  }

  #newest(): Segment {
    return this.#segments[this.#segments.length - 1] as Segment;
  }

  /** Returns a member's ended orders, unordered. */
  endedOrders(member: number): Order[] {
    return this.#segments.flatMap(({ endedOrders }) => endedOrders.get(member) ?? []);
  }

  /** Returns a member's ended order with this id, by one lookup per segment. */
  endedOrder(member: number, id: number): Order | undefined {
    for (const { endedOrderById } of this.#segments) {
      const order = endedOrderById.get(id);
      if (order?.member === member) return order;
    }
    return undefined;
  }

  /** Returns the trades of a member, oldest first. */
  memberTrades(member: number, range: IdRange = {}): MemberTrade[] {
    return [...this.oldestMemberTrades(member, range)];
  }

  /** Returns the trades of a market, oldest first. */
  marketTrades(market: number, range: IdRange = {}): MarketTrade[] {
    return [...this.oldestMarketTrades(market, range)];
  }

  /** Yields the trades of a member, oldest first; to be read at once. */
  *oldestMemberTrades(member: number, range: IdRange = {}): Generator<MemberTrade> {
    for (const { memberTrades } of this.#segments) {
      const trades = memberTrades.get(member) ?? [];
      const end = placeBehind(trades, range.toId);
      for (let place = placeFrom(trades, range.fromId); place < end; place++) {
        const { trade, at } = trades[place] as TimedTrade;
        yield memberTradeOf(trade, at, member);
      }
    }
  }

  /** Yields the trades of a market, oldest first; to be read at once. */
  *oldestMarketTrades(market: number, range: IdRange = {}): Generator<MarketTrade> {
    for (const { marketTrades } of this.#segments) {
      const trades = marketTrades.get(market) ?? [];
      const end = placeBehind(trades, range.toId);
      for (let place = placeFrom(trades, range.fromId); place < end; place++) {
        const { trade, at } = trades[place] as TimedTrade;
        yield marketTradeOf(trade, at);
      }
    }
  }

  /** Yields the trades of a member, newest first; to be read at once. */
  *newestMemberTrades(member: number, range: IdRange = {}): Generator<MemberTrade> {
    for (const { memberTrades } of backwards(this.#segments)) {
      const trades = memberTrades.get(member) ?? [];
      const start = placeFrom(trades, range.fromId);
      for (let place = placeBehind(trades, range.toId) - 1; place >= start; place--) {
        const { trade, at } = trades[place] as TimedTrade;
        yield memberTradeOf(trade, at, member);
      }
    }
  }

  /** Yields the trades of a market, newest first; to be read at once. */
  *newestMarketTrades(market: number, range: IdRange = {}): Generator<MarketTrade> {
    for (const { marketTrades } of backwards(this.#segments)) {
      const trades = marketTrades.get(market) ?? [];
      const start = placeFrom(trades, range.fromId);
      for (let place = placeBehind(trades, range.toId) - 1; place >= start; place--) {
        const { trade, at } = trades[place] as TimedTrade;
        yield marketTradeOf(trade, at);
      }
    }
  }

  /** Returns the ended deposits of a member, or of all, unordered. */
  endedDeposits(member?: number): Deposit[] {
    return this.#segments.flatMap(({ endedDeposits }) => recordsOf(endedDeposits, member));
  }

  /** Returns the ended withdrawals of a member, or of all, unordered. */
  endedWithdraws(member?: number): Withdraw[] {
    return this.#segments.flatMap(({ endedWithdraws }) => recordsOf(endedWithdraws, member));
  }

  /** Returns what has moved a member's funds, oldest first, without trades. */
  funds(member: number): FundsRecord[] {
    return this.#segments.flatMap(({ funds }) => funds.get(member) ?? []);
  }

  /** Returns entries after `sequence` with at most `eventsMax` events, but at least one entry. */
  entriesAfter(sequence: number, eventsMax: number = Infinity): Entry[] {
    const entries: Entry[] = [];
    let events = 0;
    for (const segment of this.#segments) {
      if (segment.last <= sequence) continue;
      // A look at each entry of a window, none of which is in a cache, takes several milliseconds.
      if (segment.last - segment.events >= sequence && events + segment.events <= eventsMax) {
        entries.push(...segment.entries);
        events += segment.events;
        continue;
      }
      for (const entry of segment.entries) {
        if (entry.first <= sequence) continue;
        if (events > 0 && events + entry.events.length > eventsMax) return entries;
        entries.push(entry);
        events += entry.events.length;
      }
    }
    return entries;
  }

  /** Returns the chain hash of the log up to `sequence`; null if it is no longer known. */
  hashAt(sequence: number): Uint8Array | null {
    if (sequence === this.#releasedSequence) return this.#releasedHash;
    const segment = this.#segments.find(({ last }) => last >= sequence);
    return segment?.entries.find((entry) => endOf(entry) === sequence)?.hash ?? null;
  }

  /** Releases the segments that end at or before `sequence`. */
  release(sequence: number): void {
    while (this.#segments.length > 0 && (this.#segments[0] as Segment).last <= sequence) {
      const { entries, last } = this.#segments.shift() as Segment;
      this.#releasedSequence = last;
      this.#releasedHash = entries[entries.length - 1]?.hash ?? null;
    }
  }
}

function* backwards<T>(items: readonly T[]): Generator<T> {
  for (let at = items.length - 1; at >= 0; at--) yield items[at] as T;
}

/** Returns the place of the first trade with this id or a higher one. */
function placeFrom(trades: readonly TimedTrade[], id = 0): number {
  let [low, high] = [0, trades.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((trades[middle] as TimedTrade).trade.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the place behind the last trade with this id or a lower one. */
function placeBehind(trades: readonly TimedTrade[], id?: number): number {
  return id === undefined ? trades.length : placeFrom(trades, id + 1);
}

function recordsOf<T>(records: ReadonlyMap<number, readonly T[]>, member?: number): readonly T[] {
  return member === undefined ? [...records.values()].flat() : records.get(member) ?? [];
}
