/**
 * Follows the log: takes the entries of other processes into the published state, and wakes the
 * pushes of all entries. The watch reports the head and the last entry: hints, which the chain of
 * hashes proves. What they leave out is read. The head is also read on a timer, and for whoever must
 * know it; a process that owns its store knows it.
 */
import { assert, InvariantError } from "../../domain/assert.ts";
import { decodeEntry, type Entry } from "../../store/log/entry_codec.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { type Head, parseHead } from "../../store/log/head_codec.ts";
import { readEntries, readHeadAnd } from "../../store/log/venue_log.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { headKey, lastEntryKey } from "../../store/keys.ts";
import type { Hint, Store, Versioned } from "../../store/store.ts";
import type { EntryFate } from "../commit/commit_entry.ts";
import { EntriesAhead } from "./entries_ahead.ts";
import type { PublishedState } from "../published_state.ts";
import { TURN_KEYS, type Turns } from "./turns.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** How often the head is read while somebody needs to know it, or the watch is silent, in ms … */
const FOLLOW_TICK_MS = 100;
/** … and while nobody does and the watch is heard: a watch that has fallen silent is noticed. */
const FOLLOW_IDLE_MS = 1_000;
/** How long after the last call a process counts as needed, in ms. */
const NEEDED_MS = 2_000;
/**
 * Events that are read and taken before others get a turn: what is pushed to clients because of
 * them can't leave before.
 */
const EVENTS_PER_TURN = 256;

/** What the follower works with. */
export interface LogFollowerDeps {
  readonly store: Store;
  readonly published: PublishedState;
  readonly turns: Turns;
  /** Whether other processes may write, too. */
  readonly isShared: boolean;
  /** The head that the published state is at. */
  readonly head: Versioned<Head>;
  /** Called with faults that the follower survives. */
  readonly onFault: (error: unknown) => void;
  /** Called if the log in the store is not the one in memory. */
  readonly onBroken: (error: InvariantError) => void;
}

/** How far the published state may be behind the log. */
export interface Lag {
  /** Events known to be durable and not yet published. */
  readonly events: number;
  /** Time since the published state was last known to hold everything durable, in ms. */
  readonly ms: number;
}

/** What the watch reports: the head, null if there is none, and the bytes of the last entry. */
interface WatchReport {
  readonly head: { readonly value: Head; readonly versionstamp: string } | null;
  readonly entry: unknown;
}

/** A caller that waits for the fate of a batch. */
interface Awaited {
  readonly batchId: Uint8Array;
  resolve(fate: EntryFate): void;
}

/** Pause before a broken watch is set up again, in ms. */
const WATCH_AGAIN_MS = 1000;

/** Keeps the published state at the head of the log. */
export class LogFollower {
  readonly #store: Store;
  readonly #published: PublishedState;
  readonly #turns: Turns;
  readonly #isShared: boolean;
  readonly #stop = new AbortController();
  readonly #onFault: (error: unknown) => void;
  readonly #onBroken: (error: InvariantError) => void;
  readonly #hearing = new WatchHearing();
  /** Ends the current watch, to start the next one. */
  #watching = new AbortController();
  /** Told that there is something new. */
  #onWake: () => void = () => {};
  #running: Promise<void> | null = null;
  /** The reading of what reports have left to be read, and of what the last one has. */
  #following: Promise<void> | null = null;
  #reaching: Promise<void> | null = null;
  readonly #ahead = new EntriesAhead();
  /** The last head that the watch reported. */
  #reported: Versioned<Head> | null = null;
  #next: Promise<void> | null = null;
  /** The last report of the watch, until it is acted on. */
  #report: WatchReport | null = null;
  /** The batch of this process that is in flight. */
  #awaited: Awaited | null = null;
  /** Sequence that the log was last seen at. */
  #seenSequence: number;
  #touchedAt = -Infinity;
  /** When the published state was last known to hold everything durable. */
  #caughtUpAt = performance.now();
  /** The head that the published state is at. */
  head: Versioned<Head>;

  constructor(deps: LogFollowerDeps) {
    this.#store = deps.store;
    this.#published = deps.published;
    this.#turns = deps.turns;
    this.#isShared = deps.isShared;
    this.head = deps.head;
    this.#seenSequence = deps.head.value.sequence;
    this.#onFault = deps.onFault;
    this.#onBroken = deps.onBroken;
  }

  /** When the published state was last known to hold everything durable, on the monotonic clock. */
  get caughtUpAt(): number {
    return this.#caughtUpAt;
  }

  /** How far the published state may be behind a log that others write too. */
  get lag(): Lag {
    return {
      events: Math.max(0, this.#seenSequence - this.#published.sequence),
      ms: performance.now() - this.#caughtUpAt,
    };
  }

  /**
   * Reads the head with strong consistency and catches up with it. A call during a catch-up shares
   * the next one, since the current one may have read the head before the call.
   *
   * @param isPatient whether nobody waits for it
   */
  catchUp(isPatient = false): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#catchUp(isPatient).finally(() => this.#running = null);
      return this.#running;
    }
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = null;
      return this.catchUp();
    });
    return this.#next;
  }

  async #catchUp(isPatient = false): Promise<void> {
    const known = this.head.value;
    const askedAt = performance.now();
    const { head, beside } = await readHeadAnd(this.#store, TURN_KEYS, isPatient);
    this.#turns.trip.note(performance.now() - askedAt);
    this.#turns.note(beside);
    await this.#readUpTo(head, known);
    if (head.value.sequence <= this.#published.sequence) this.#caughtUpAt = askedAt;
  }

  /**
   * Resolves with the fate of a batch that is being sent, as the log shows it: the answer to its
   * commit may be held back for long.
   */
  fateOf(batchId: Uint8Array): Promise<EntryFate> {
    return new Promise((resolve) => this.#awaited = { batchId, resolve });
  }

  /** Notes that somebody needs to know what is durable. */
  touch(): void {
    this.#touchedAt = performance.now();
  }

  /** Whether the head is read seldom. */
  #isIdle(now: number): boolean {
    return now - this.#touchedAt > NEEDED_MS && !this.#hearing.isSilent(this.head.versionstamp);
  }

  /**
   * Waits until what the watch has reported is read, if it left anything to be read. Who is far away
   * reads all of that at once: until an earlier reading has ended, its turn would be over.
   */
  async heard(): Promise<void> {
    const reported = this.#reported;
    const isBehind = reported !== null && isLater(reported, this.head);
    const reading = isBehind && this.#turns.isFar
      ? this.#readUpTo(reported, this.head.value)
      : this.#reaching;
    await reading?.catch(() => {});
  }

  /** Acts on a report at once; returns whether nothing is left to be read. */
  #hear({ head, entry }: WatchReport): boolean {
    const known = this.head;
    if (head === null || known.versionstamp === null) return false;
    // An outdated report.
    if (head.versionstamp <= known.versionstamp) return true;
    const { batchId } = head.value;
    if (this.#turns.ring.isOwn(batchId)) {
      if (this.#isAwaited(batchId)) this.#tellFate(batchId, head.versionstamp);
      return true;
    }
    assertContinues(known.value, head.value);
    this.#reported = head;
    this.#turns.noteOthers();
    if (entry instanceof Uint8Array) this.#ahead.add(entry);
    this.#takeNext();
    return this.#arrive(head);
  }

  /** Takes the reported entries that come next, which their hashes prove: they are durable. */
  #takeNext(): void {
    for (;;) {
      const { hash, sequence } = this.#published;
      const bytes = this.#ahead.next(sequence);
      if (bytes === undefined) return;
      this.#take(decodeEntry(bytes, hash));
    }
  }

  /** Takes an entry, which tells the fate of this process's batch, sent for the same place. */
  #take(entry: Entry): void {
    if (entry.first <= this.#published.sequence) return;
    this.#published.take(entry);
    this.#turns.passed(entry.batchId);
    if (this.#awaited !== null) this.#tellFate(entry.batchId, null);
  }

  #isAwaited(batchId: Uint8Array): boolean {
    return this.#awaited !== null && isSameBytes(this.#awaited.batchId, batchId);
  }

  #tellFate(batchId: Uint8Array, versionstamp: string | null): void {
    const isOwn = this.#isAwaited(batchId);
    this.#awaited?.resolve(isOwn ? { kind: "committed", versionstamp } : { kind: "conflict" });
    this.#awaited = null;
  }

  /** Reads what reports leave to be read, once nobody else is reading. */
  async #follow(): Promise<void> {
    // A reading that is far from its end would keep what is needed now from being read.
    while (this.#running !== null && !this.#turns.isFar) await this.#running.catch(() => {});
    for (let report = this.#report; report !== null; report = this.#report) {
      this.#report = null;
      if (this.#stop.signal.aborted) return;
      const reaching = this.#reach(report).finally(() => this.#reaching = null);
      this.#reaching = reaching;
      if (this.#running === null) {
        this.#running = reaching.finally(() => this.#running = null);
        await this.#running;
      } else await reaching;
    }
  }

  async #reach(report: WatchReport): Promise<void> {
    if (this.#hear(report)) return;
    if (report.head === null || this.head.versionstamp === null) return await this.#catchUp();
    await this.#readUpTo(report.head, this.head.value);
  }

  /** Reads the entries up to a head that is not older than the known one. */
  async #readUpTo(head: Versioned<Head>, known: Head): Promise<void> {
    assertContinues(known, head.value);
    const { sequence } = this.#published;
    this.#seenSequence = Math.max(this.#seenSequence, head.value.sequence);
    if (head.value.sequence > sequence) {
      const entries = readEntries(
        this.#store,
        sequence,
        head.value.sequence,
        this.#published.hash,
        this.#turns.isFar,
      );
      let events = 0;
      for await (const entry of entries) {
        this.#take(entry);
        events += entry.events.length;
        if (events < EVENTS_PER_TURN) continue;
        await yieldToOthers();
        // After a long absence, memory would keep all entries up to the head until it is reached.
        this.#wake();
        events = 0;
      }
    }
    this.#arrive(head);
    this.#takeNext();
    const reported = this.#reported;
    if (reported !== null && isLater(reported, this.head)) this.#arrive(reported);
  }

  /** Notes a head if the published state is exactly there; returns whether it is. */
  #arrive(head: Versioned<Head>): boolean {
    if (head.value.sequence !== this.#published.sequence) return false;
    const hasMoved = head.versionstamp !== this.head.versionstamp;
    this.head = head;
    if (hasMoved) this.#turns.ring.note(head.value.batchId);
    return true;
  }

  /**
   * Follows until stopped. After each report of the watch, on each turn of the timer, and again and
   * again amid a long catch-up, it has the pushes made and calls `onWake`.
   */
  start(onWake: () => void): void {
    this.#onWake = onWake;
    const woken = (reading: Promise<void>) =>
      reading.then(() => this.#wake()).catch((error) => this.#fail(error));
    this.#watch((report) => {
      try {
        if (this.#hear(report)) return this.#wake(report.head?.value.sequence);
      } catch (error) {
        return this.#fail(error);
      }
      // A follow that is under way acts on the last report.
      this.#report = report;
      if (this.#following !== null) return;
      this.#following = this.#follow().finally(() => this.#following = null);
      woken(this.#following);
    });
    let isAsking = false;
    let askedAt = -Infinity;
    const timer = setInterval(() => {
      const now = performance.now();
      const isIdle = this.#isIdle(now);
      if (isAsking || isIdle && now - askedAt < FOLLOW_IDLE_MS) return;
      isAsking = true;
      askedAt = now;
      woken(this.#isShared ? this.catchUp(isIdle) : Promise.resolve()).finally(() => {
        isAsking = false;
        if (this.#hearing.isLost(this.head.versionstamp)) this.#watching.abort();
      });
    }, FOLLOW_TICK_MS);
    this.#stop.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** @param told the sequence that the log is at, if this process has not published that yet */
  #wake(told = this.#published.sequence): void {
    this.#published.pushes.hear(told);
    this.#onWake();
  }

  #fail(error: unknown): void {
    if (error instanceof InvariantError) this.#onBroken(error);
    else this.#onFault(error);
  }

  async #watch(onReport: (report: WatchReport) => void): Promise<void> {
    const keys = this.#isShared ? [headKey(), lastEntryKey(), ...TURN_KEYS] : [headKey()];
    while (!this.#stop.signal.aborted) {
      try {
        const signal = AbortSignal.any([this.#stop.signal, this.#watching.signal]);
        await this.#store.watch(keys, signal, ([head, entry, ...turns]) => {
          this.#turns.note(turns);
          const report = { head: headOf(head), entry: entry?.value };
          if (report.head !== null) this.#hearing.hear(report.head.versionstamp);
          onReport(report);
        });
        if (this.#watching.signal.aborted) await this.#store.reopenWatcher();
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#onFault(error);
      }
      if (this.#stop.signal.aborted) return;
      this.#watching = new AbortController();
      await sleep(WATCH_AGAIN_MS);
    }
  }

  /** Stops following, and waits for a catch-up in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => {});
  }
}

function isLater(one: Versioned<Head>, other: Versioned<Head>): boolean {
  return (one.versionstamp ?? "") > (other.versionstamp ?? "");
}

function headOf(hint: Hint | undefined): WatchReport["head"] {
  if (hint === undefined || hint.versionstamp === null) return null;
  const { value, versionstamp } = hint;
  return value instanceof Uint8Array ? { value: parseHead(value), versionstamp } : null;
}

/** Throws if the log is not the one in memory: it has become shorter, or is another one. */
function assertContinues(known: Head, head: Head): void {
  assert(head.epoch === known.epoch, "the log is the one that was opened");
  assert(head.sequence >= known.sequence, `the log has not lost its tail at ${known.sequence}`);
  assert(
    head.sequence > known.sequence || isSameBytes(head.hash, known.hash),
    `the log is the same at ${known.sequence}`,
  );
}

/** How long the watch may be silent about a head that has moved, in ms. */
const UNHEARD_MS_MAX = 5_000;

/** What one watch has heard of the head. */
export class WatchHearing {
  readonly #now: () => number;
  /** Version of the last head that the watch reported; versions grow. */
  #told = "";
  /** Since when a later head is known; null if none is. */
  #unheardSince: number | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that the watch has reported a head. */
  hear(versionstamp: string): void {
    this.#told = versionstamp;
    this.#unheardSince = null;
  }

  /** Returns whether the watch has not reported a head that was read. */
  isSilent(versionstamp: string | null): boolean {
    return versionstamp !== null && versionstamp > this.#told;
  }

  /** Returns whether the watch is overdue with a head that was read, and if so starts over. */
  isLost(versionstamp: string | null): boolean {
    if (!this.isSilent(versionstamp)) return false;
    this.#unheardSince ??= this.#now();
    if (this.#now() - this.#unheardSince < UNHEARD_MS_MAX) return false;
    this.#unheardSince = null;
    return true;
  }
}
