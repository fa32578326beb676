/** Looks after the file of a store, and tells outside it how far the log is. */
import { bytesToHex } from "@noble/hashes/utils.js";
import { InvariantError } from "../domain/assert.ts";
import type { DiskReserve } from "../store/disk_reserve.ts";
import { type HeadMark, writeHeadMark } from "../store/head_mark.ts";
import type { OwnerLock } from "../store/owner_lock.ts";
import type { LogFollower } from "./log_follower.ts";
import type { Sequencer } from "./sequencer.ts";

/** How often the mark outside the store is written or told, in ms. */
const MARK_MS = 1000;
/** How often the file is looked for where it was, in ms: what is written to another one is lost. */
const PLACE_MS = 200;
/** How often the room on the disk is looked at, in ms. */
const RESERVE_MS = 500;

/** What it looks after. */
export interface WatchedStore {
  readonly follower: LogFollower;
  readonly sequencer: Sequencer;
  /** Held where this process owns its file alone. */
  readonly lock: OwnerLock | null;
  /** What of the disk is kept for cancels, where this process owns its file alone. */
  readonly reserve: DiskReserve | null;
  readonly onFault: (error: unknown) => void;
  readonly onMark: (mark: HeadMark) => void;
}

/** The timers of one engine. */
export class StoreWatch {
  readonly #store: WatchedStore;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #markedSequence = -1;
  #marking: Promise<void> = Promise.resolve();

  constructor(store: WatchedStore) {
    this.#store = store;
  }

  /** Whether the disk is full: what room there is is left to cancels. */
  get isFull(): boolean {
    return this.#store.reserve?.isSpent ?? false;
  }

  /** Starts looking. */
  start(): void {
    const { onFault, reserve, sequencer } = this.#store;
    const every = (ms: number, look: () => Promise<void>) =>
      this.#timers.push(setInterval(() => look().catch(onFault), ms));
    // Whose file it is is told from the first moment on.
    this.#mark().catch(onFault);
    every(MARK_MS, () => this.#mark());
    every(PLACE_MS, async () => void await this.#isInPlace());
    if (reserve !== null) {
      every(RESERVE_MS, () => reserve.look(sequencer.fault === "store_failing"));
    }
  }

  /** Stops looking; the last mark is told. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#store.reserve?.stop();
    await this.#mark().catch(this.#store.onFault);
  }

  async #isInPlace(): Promise<boolean> {
    const { lock, sequencer } = this.#store;
    if (lock === null || await lock.isFileInPlace()) return true;
    sequencer.stopWriting(new InvariantError("The store's file was removed or replaced"));
    return false;
  }

  /** One behind the other: a mark that is late must not replace a newer one. */
  #mark(): Promise<void> {
    this.#marking = this.#marking.catch(() => {}).then(() => this.#markNow());
    return this.#marking;
  }

  async #markNow(): Promise<void> {
    const { follower, lock, onMark } = this.#store;
    // Beside another file the mark would say what does not hold for it.
    if (!await this.#isInPlace()) return;
    const { epoch, sequence, hash } = follower.head.value;
    if (sequence === this.#markedSequence) return;
    const mark = { epoch, sequence, hash: bytesToHex(hash) };
    if (lock !== null) await writeHeadMark(lock.path, mark);
    onMark(mark);
    this.#markedSequence = sequence;
  }
}
