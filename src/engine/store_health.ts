/**
 * Looks after a store: that its file is in place, its disk has room and the clock is right; and marks
 * outside it how far the log is. (Its log is watched by `shared/log_follower.ts`.)
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { InvariantError } from "../domain/assert.ts";
import type { DiskReserve } from "../store/file/disk_reserve.ts";
import { type HeadMark, writeHeadMark } from "../store/file/head_mark.ts";
import type { OwnerLock } from "../store/file/owner_lock.ts";
import type { ClockWatch } from "./commit/clock_watch.ts";
import type { LogFollower } from "./shared/log_follower.ts";
import type { ReadNonces } from "./read_nonces.ts";
import type { Sequencer } from "./commit/sequencer.ts";

/** How often the mark outside the store is written or reported if it has moved, in ms. */
const MARK_MS = 1000;
/** How often the file is checked to be in place, in ms: what is written to another one is lost. */
const PLACE_MS = 200;
/** How often the free space on the disk is checked, in ms. */
const RESERVE_MS = 500;

/** How often the clock is looked at, in ms. */
const CLOCK_MS = 250;

/** What is looked after. */
export interface WatchedStore {
  readonly clock: ClockWatch;
  readonly follower: LogFollower;
  readonly sequencer: Sequencer;
  /** Held if this process owns its file. */
  readonly lock: OwnerLock | null;
  /** Disk space reserved for cancels, if this process owns its file. */
  readonly reserve: DiskReserve | null;
  readonly readNonces: ReadNonces;
  readonly onFault: (error: unknown) => void;
  readonly onMark: (mark: HeadMark) => void;
}

/** Looks after the store of one engine, by timers. */
export class StoreHealth {
  readonly #store: WatchedStore;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #markedSequence = -1;
  #markedNonce: number;
  #marking: Promise<void> = Promise.resolve();
  #isMarkFailing = false;

  constructor(store: WatchedStore) {
    this.#store = store;
    this.#markedNonce = store.readNonces.before;
  }

  /** Whether the disk is full, so that only cancels may use the space left. */
  get isFull(): boolean {
    return this.#store.reserve?.isSpent ?? false;
  }

  /** Why the venue is not ready although the store takes writes; empty if it is. */
  get fault(): "clock_stepped" | "store_full" | "" {
    if (this.#store.clock.isStepped) return "clock_stepped";
    return this.isFull ? "store_full" : "";
  }

  /** Starts the timers. */
  start(): void {
    const { clock, lock, onFault, reserve, sequencer } = this.#store;
    const every = (ms: number, look: () => Promise<unknown>) =>
      this.#timers.push(setInterval(() => look().catch(onFault), ms));
    // The mark tells from the first moment whose file it is.
    this.#mark();
    every(MARK_MS, () => this.#mark());
    every(CLOCK_MS, () => Promise.resolve(clock.look()));
    if (lock !== null) every(PLACE_MS, () => this.#checkPlace());
    if (reserve !== null) {
      every(RESERVE_MS, () => reserve.look(sequencer.fault === "store_failing"));
    }
  }

  /** Stops them, and reports the last mark. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#store.reserve?.stop();
    await this.#mark();
  }

  /** Returns whether the file is in place; if not, writing stops. */
  async #checkPlace(): Promise<boolean> {
    const { lock, sequencer } = this.#store;
    if (lock === null || await lock.isInPlace()) return true;
    sequencer.stopWriting(
      new InvariantError("The store's file or its lock was removed or replaced"),
    );
    return false;
  }

  /** Writes marks one after the other: a late one must not replace a newer one. */
  #mark(): Promise<void> {
    this.#marking = this.#marking.then(() => this.#markNow()).then(
      () => void (this.#isMarkFailing = false),
      (error) => this.#failMark(error),
    );
    return this.#marking;
  }

  /** Reports a failure once for as long as it lasts: on a full disk every try fails. */
  #failMark(error: unknown): void {
    if (!this.#isMarkFailing) this.#store.onFault(error);
    this.#isMarkFailing = true;
  }

  async #markNow(): Promise<void> {
    const { follower, lock, onMark, readNonces, sequencer } = this.#store;
    // Beside another file the mark would be wrong.
    if (!await this.#checkPlace() || sequencer.fault === "invariant_broken") return;
    const { epoch, sequence, hash } = follower.head.value;
    const nonce = readNonces.highest;
    const hasMoved = sequence !== this.#markedSequence;
    if (!hasMoved && nonce === this.#markedNonce) return;
    const mark = { epoch, sequence, hash: bytesToHex(hash) };
    if (lock !== null) await writeHeadMark(lock.path, { ...mark, nonce });
    if (hasMoved) onMark(mark);
    this.#markedSequence = sequence;
    this.#markedNonce = nonce;
  }
}
