/**
 * How long unsigned sockets are refused once they had to be cut for the memory that they held. The
 * platform does not tell which of them held it, so that whoever did could come back at once: each
 * pause that follows soon is twice as long.
 */

/** The first pause, and the longest, in ms. */
export const PAUSE_MS_MIN = 60_000;
export const PAUSE_MS_MAX = 3_600_000;
/** How long after a pause the next one is a first one again, in ms. */
export const CALM_MS = 3_600_000;

/** The pauses of a process. */
export class UnsignedPause {
  #ms = 0;
  #until = -Infinity;

  /** Begins a pause; does nothing during one. Times are those of a monotonic clock in ms. */
  begin(now: number): void {
    if (now < this.#until) return;
    const isSoon = now - this.#until < CALM_MS;
    this.#ms = isSoon ? Math.min(2 * this.#ms, PAUSE_MS_MAX) : PAUSE_MS_MIN;
    this.#until = now + this.#ms;
  }

  /** Returns how long it lasts yet, in whole seconds; 0 without one. */
  secondsLeft(now: number): number {
    return Math.max(0, Math.ceil((this.#until - now) / 1000));
  }
}
