/**
 * The pace of batches while the fold is behind: each waits longer the further it is, so that the
 * pace settles at what the fold can keep up with. While members flood the venue, only they wait.
 */
import type { CommandQueue } from "./command_queue.ts";
import { InterruptibleSleep } from "../interruptible_sleep.ts";

/** Unfolded events from which on new batches are slowed. */
const UNFOLDED_EVENTS_SLOW = 150_000;
/** Unfolded events from which on only cancels are taken. */
export const UNFOLDED_EVENTS_MAX = 4 * UNFOLDED_EVENTS_SLOW;
/** Unfolded events from which on a batch is slowed for its whole time, whatever the fold does. */
const UNFOLDED_EVENTS_STRICT = 3 * UNFOLDED_EVENTS_SLOW;
/** Pause per event of the last batch when the fold is as far behind as it may be, in ms. */
const SLOW_MS_PER_EVENT = 0.2;

/** Slows batches. */
export class BatchPace {
  readonly #unfoldedEvents: () => number;
  readonly #queue: CommandQueue;
  readonly #slowing = new InterruptibleSleep();
  /** Until when the queue's lanes rest. */
  #restsUntil = 0;
  /** Whether the pause is one of the lanes alone. */
  #isLanesPause = false;

  constructor(unfoldedEvents: () => number, queue: CommandQueue) {
    this.#unfoldedEvents = unfoldedEvents;
    this.#queue = queue;
  }

  /** Whether batches are slowed because the fold is behind. */
  get isSlowed(): boolean {
    return this.#unfoldedEvents() > UNFOLDED_EVENTS_SLOW;
  }

  /** Whether the lanes of the queue have to be left alone. */
  get areLanesResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /**
   * Waits after a batch of so many events. Unless the fold is far behind, the wait ends when the
   * fold itself waits for the store.
   */
  async slowDown(lastEvents: number): Promise<void> {
    const ms = this.#pauseMs(lastEvents);
    if (ms > 0 && !this.#queue.hasLanes) return await this.#slowing.sleep(ms);
    const now = performance.now();
    if (ms > 0) this.#restsUntil = Math.max(this.#restsUntil, now + ms);
    if (!this.#queue.isInLanes || now >= this.#restsUntil) return;
    this.#isLanesPause = true;
    await this.#slowing.sleep(this.#restsUntil - now);
    this.#isLanesPause = false;
  }

  /** Ends a pause of the lanes: a command has come that need not wait for them. */
  wake(): void {
    if (this.#isLanesPause) this.#slowing.wake();
  }

  /** Lets a slowed batch go at once: the fold waits for the store, and the thread is free. */
  advance(): void {
    if (this.#unfoldedEvents() >= UNFOLDED_EVENTS_STRICT) return;
    this.#restsUntil = 0;
    this.#slowing.wake();
  }

  #pauseMs(lastEvents: number): number {
    const behind = this.#unfoldedEvents() - UNFOLDED_EVENTS_SLOW;
    if (behind <= 0) return 0;
    const share = behind / (UNFOLDED_EVENTS_MAX - UNFOLDED_EVENTS_SLOW);
    // Squared, so that a fold that is a little behind is left to catch up by itself.
    return Math.floor(lastEvents * SLOW_MS_PER_EVENT * share ** 2);
  }
}
