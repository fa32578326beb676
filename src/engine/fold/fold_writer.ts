/** Writes folded windows: rows in small steps, each of which checks the watermark and moves it. */
import { assert, InvariantError, present } from "../../domain/assert.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { FOLD_STEP_LARGE } from "../../store/kv/kv_limits.ts";
import { isLockedFault, type Store, throwUnwritable, type Versioned } from "../../store/store.ts";
import type { Check, CommitOutcome, Mutation } from "../../store/kv/commit.ts";
import { proofOf, readEntries } from "../../store/log/venue_log.ts";
import { foldCommit, readWatermark, type Watermark } from "../../store/rows/watermark.ts";
import { type Folded, type Folding, LocalFolding } from "./folding.ts";
import { LostThreadError } from "./folding_thread.ts";
import { noPause } from "../yield_to_others.ts";

/** Events at which a window is full. */
export const WINDOW_EVENTS_MAX = 144_000;
/** Rows beyond which the next window has fewer events: all rows of a window are in memory. */
export const WINDOW_ROWS_MAX = 36_000;

/** How long another process's window has to stand still before it is taken over, in ms. */
const OTHERS_MS = 50;
/** How often others are told to leave the rows alone, and for how long at most, in ms. */
const UNDISTURBED_MS = 400;
const UNDISTURBED_MS_MAX = 20_000;

/** The orders that go on while a window is written. */
export interface OrdersBeside {
  /** Whether new orders wait for the fold. */
  readonly isWaitedFor: () => boolean;
  /** Called when the fold waits for the store, which leaves the thread to others. */
  readonly onWaiting: () => void;
}

/** At a start, and in a rebuild, nothing goes on beside the fold, and all wait for it. */
const ALL_WAIT: OrdersBeside = { isWaitedFor: () => true, onWaiting: () => {} };

/** The outcome of the first step of a window that was not committed. */
type Unwritten = Exclude<CommitOutcome, { kind: "committed" }>;

/** The watermark, and the rows it stands for. */
export class FoldWriter {
  readonly #store: Store;
  #folding: Folding;
  #watermark: Versioned<Watermark>;
  #windowEventsMax = WINDOW_EVENTS_MAX / 2;

  constructor(store: Store, watermark: Versioned<Watermark>) {
    this.#store = store;
    this.#watermark = watermark;
    this.#folding = new LocalFolding(store);
  }

  /** How far the rows are folded. */
  get watermark(): Watermark {
    return this.#watermark.value;
  }

  /** How many events the next window may have, judged by the rows of the last one. */
  get windowEventsMax(): number {
    return this.#windowEventsMax;
  }

  /** Leaves the computing to a thread, from the next window on and for as long as it lasts. */
  foldIn(thread: Folding): void {
    this.#folding = thread;
  }

  /** Ends what folds. */
  close(): Promise<void> {
    return this.#folding.close();
  }

  /**
   * Reads the watermark. If another process has moved it, cached rows are dropped.
   *
   * @throws {InvariantError} if it went back: the rows are being rebuilt, or the store was restored
   * @returns whether another process has moved it
   */
  async refresh(): Promise<boolean> {
    const watermark = await readWatermark(this.#store);
    assert(
      watermark.value.sequence >= this.watermark.sequence,
      `rows that are true at ${this.watermark.sequence} do not go back to ${watermark.value.sequence}`,
    );
    const hasMoved = watermark.versionstamp !== this.#watermark.versionstamp;
    if (hasMoved) this.#folding.forget();
    this.#watermark = watermark;
    return hasMoved;
  }

  /**
   * Returns whether nobody has folded since the watermark was last read or written here. A process
   * that moved it to the same point has not folded, so its versionstamp is adopted.
   */
  async isCurrent(): Promise<boolean> {
    const watermark = await readWatermark(this.#store);
    if (!isSamePoint(watermark.value, this.watermark)) return false;
    this.#watermark = watermark;
    return true;
  }

  /**
   * Runs work that other processes' folds would undo. A process that sees the watermark moved by
   * another leaves the rows alone for a while (`FoldShift`), so the watermark is rewritten as it is
   * again and again, but not for ever. Several processes may do so at once.
   */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    let moving = this.#moveToSame();
    const until = performance.now() + UNDISTURBED_MS_MAX;
    const timer = setInterval(() => {
      if (performance.now() < until) moving = moving.then(() => this.#moveToSame());
    }, UNDISTURBED_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await moving;
    }
  }

  /**
   * Notes what is known of the rows, once it is proved or made, and writes rows with it; returns
   * whether they are the same as before.
   */
  async adopt(
    known: Partial<Pick<Watermark, "stateSum" | "hasFunds">>,
    rows: readonly Mutation[] = [],
  ): Promise<boolean> {
    do {
      const next = { ...this.watermark, ...known };
      const outcome = await this.#store.commit(foldCommit(this.#watermark, next, rows), "fold");
      if (outcome.kind === "failed") throw outcome.error;
      if (outcome.kind === "committed") {
        this.#watermark = { value: next, versionstamp: outcome.versionstamp };
        return true;
      }
    } while (await this.isCurrent());
    return false;
  }

  async #moveToSame(): Promise<void> {
    try {
      if (!await this.isCurrent()) return;
      await this.#store.commit(foldCommit(this.#watermark, this.watermark, []), "fold");
    } catch {
      // The work that this protects meets the same fault.
    }
  }

  /**
   * Folds a window that begins right after the watermark, and writes its rows.
   *
   * @returns whether it is done; if not, another process folds or the store gives no answer, and
   *   what has been written can be written again
   * @throws what the store threw at a commit
   */
  async write(
    window: readonly Entry[],
    pause: () => Promise<void>,
    orders: OrdersBeside = ALL_WAIT,
  ): Promise<boolean> {
    const unwritten = await this.#write(window, pause, orders).catch((error) => {
      // What the thread no longer does this one does.
      if (error instanceof LostThreadError) this.#folding = new LocalFolding(this.#store);
      throw error;
    });
    if (unwritten?.kind === "failed") throw unwritten.error;
    return unwritten === null;
  }

  /** Returns null if everything is written. */
  async #write(
    window: readonly Entry[],
    pause: () => Promise<void>,
    orders: OrdersBeside,
  ): Promise<Unwritten | null> {
    const { sequence } = this.watermark;
    const folded = await this.#fold(window, pause);
    if (folded === null) return { kind: "refused" };
    let unwritten: Unwritten | null = { kind: "unknown" };
    try {
      // Nothing may be written of what this process alone holds for the log.
      const last = present(window[window.length - 1], "a window holds an entry");
      const proofs = [await proofOf(this.#store, last)];
      unwritten = await this.#writeSteps(folded, proofs, pause, orders);
    } finally {
      // Some steps may have been written, so the cache no longer matches the store.
      if (unwritten !== null) this.#folding.forget();
    }
    if (unwritten !== null) return unwritten;
    this.#windowEventsMax = eventsForRows(folded.end.sequence - sequence, folded.rows);
    return null;
  }

  async #writeSteps(
    { end }: Folded,
    proofs: readonly Check[],
    pause: () => Promise<void>,
    { isWaitedFor, onWaiting }: OrdersBeside,
  ): Promise<Unwritten | null> {
    const start = this.#watermark.value;
    for (;;) {
      const max = isWaitedFor() ? FOLD_STEP_LARGE : this.#folding.stepMax;
      const { isLast, mutations, stateSum } = await this.#folding.next(max);
      const { hasFunds } = start;
      const next = { ...(isLast ? end : { ...start, target: end.target }), stateSum, hasFunds };
      const commit = foldCommit(this.#watermark, next, mutations, proofs);
      const committing = this.#store.commit(commit, "fold");
      onWaiting();
      const outcome = await committing;
      if (outcome.kind !== "committed") return outcome;
      this.#watermark = { value: next, versionstamp: outcome.versionstamp };
      if (isLast) return null;
      await pause();
    }
  }

  /** Returns null if another process has folded meanwhile: the rows read are of two times then. */
  async #fold(window: readonly Entry[], pause: () => Promise<void>): Promise<Folded | null> {
    try {
      return await this.#folding.fold(window, this.#watermark.value, pause);
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      // What contradicts the log may be in the cache, and what follows may adopt the watermark.
      this.#folding.forget();
      if (await this.isCurrent()) throw error;
      return null;
    }
  }

  /**
   * Folds the store's log up to a sequence: to finish a window cut short by a crash, or to rebuild.
   *
   * @throws {UnreadableError} if the database takes no writes, as on a full disk, which each try
   *   would fill further
   */
  async finish(sequence: number): Promise<void> {
    while (this.watermark.sequence < sequence) {
      const unwritten = await this.#write(await this.#nextWindow(sequence), noPause, ALL_WAIT);
      if (unwritten === null) continue;
      this.#endOn(unwritten);
      // Whoever was first goes on: two processes that take it from each other would never finish.
      do await sleep(OTHERS_MS); while (await this.refresh() && this.watermark.sequence < sequence);
    }
  }

  /** Throws unless the fault may pass: a server comes back, and a lock of the file is released. */
  #endOn(unwritten: Unwritten): void {
    if (this.#store.isRemote || unwritten.kind !== "failed") return;
    if (!isLockedFault(unwritten.error)) throwUnwritable(unwritten.error);
  }

  async #nextWindow(sequence: number): Promise<Entry[]> {
    const { sequence: from, target, hash } = this.watermark;
    const isCutShort = target > from;
    const window: Entry[] = [];
    let events = 0;
    for await (
      const entry of readEntries(this.#store, from, isCutShort ? target : sequence, hash)
    ) {
      window.push(entry);
      events += entry.events.length;
      if (!isCutShort && events >= this.#windowEventsMax) break;
    }
    return window;
  }
}

/** Returns how many events a window may have if so many have made so many rows. */
function eventsForRows(events: number, rows: number): number {
  return Math.min(WINDOW_EVENTS_MAX, Math.ceil(WINDOW_ROWS_MAX * events / rows));
}

/** Returns whether the rows are the same at both points: each fold moves sequence or target. */
function isSamePoint(one: Watermark, other: Watermark): boolean {
  return one.sequence === other.sequence && one.target === other.target;
}
