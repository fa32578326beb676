/**
 * Looks for timers of the log that are due while there are no commands. It only says that there is
 * work: which timers fire is decided with the batch, at the time stamped on it.
 */
import type { PublishedState } from "../published_state.ts";

/** How often timers are checked, in ms. */
export const TIMER_TICK_MS = 100;
/** How long a process may leave a timer to the others that share its store, in ms. */
export const TIMER_PATIENCE_MS_MAX = 150;

/** What the watch works with. */
export interface TimerWatchDeps {
  readonly published: PublishedState;
  /** Whether several processes share the store. */
  readonly isShared: boolean;
  readonly now: () => number;
}

/** Watches the clock for the sequencer. */
export class TimerWatch {
  readonly #deps: TimerWatchDeps;
  /** How long it leaves a timer to others, in ms; random, so that not all write at once. */
  readonly #patience: number;
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(deps: TimerWatchDeps) {
    this.#deps = deps;
    this.#patience = deps.isShared ? TIMER_PATIENCE_MS_MAX * Math.random() : 0;
  }

  /** Returns whether a timer is due that this process should fire. */
  isDue(): boolean {
    const { now, published } = this.#deps;
    const { time, timers } = published.venue;
    return timers.soonest + this.#patience <= Math.max(now(), time);
  }

  /** Calls `onDue` again and again while a timer is due. */
  start(onDue: () => void): void {
    this.#interval = setInterval(() => {
      if (this.isDue()) onDue();
    }, TIMER_TICK_MS);
  }

  /** Stops the checks. */
  stop(): void {
    clearInterval(this.#interval);
  }
}
