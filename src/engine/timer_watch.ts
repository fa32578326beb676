/**
 * Looks for timers of the log whose time has come while nobody asks for
 * anything. It only says that there is work: which timers fire is decided with
 * the batch, at the time stamped on it.
 */
import type { PublishedState } from "./published_state.ts";

/** How often it looks, in ms. */
export const TIMER_TICK_MS = 100;
/** Where processes share a store, so long may one of them leave a timer to the others, in ms. */
export const TIMER_PATIENCE_MS_MAX = 150;

/** What it looks at. */
export interface TimerWatchDeps {
  readonly published: PublishedState;
  /** Several processes share the store. */
  readonly isShared: boolean;
  readonly now: () => number;
}

/** Watches the clock for the sequencer. */
export class TimerWatch {
  readonly #deps: TimerWatchDeps;
  /** Random, so that processes do not all write at once; in ms. */
  readonly #patience: number;
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(deps: TimerWatchDeps) {
    this.#deps = deps;
    this.#patience = deps.isShared ? TIMER_PATIENCE_MS_MAX * Math.random() : 0;
  }

  /** Whether a timer is due that this process should let fire. */
  isDue(): boolean {
    const { now, published } = this.#deps;
    const { time, timers } = published.venue;
    return timers.soonest + this.#patience <= Math.max(now(), time);
  }

  /** Calls `onDue` when one is, again and again until none is. */
  start(onDue: () => void): void {
    this.#interval = setInterval(() => {
      if (this.isDue()) onDue();
    }, TIMER_TICK_MS);
  }

  /** Stops looking. */
  stop(): void {
    clearInterval(this.#interval);
  }
}
