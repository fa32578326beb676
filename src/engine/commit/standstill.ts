/** Notices that commands wait while none gets into the log: others' entries always come first. */

/** How long commands may wait in vain, in ms, … */
const STANDSTILL_MS = 2_000;
/** … or so many round trips to the store: one that is far away waits for turns. */
const STANDSTILL_TRIPS = 8;

/** The time since anything got in. */
export class Standstill {
  readonly #tripMs: () => number;
  readonly #now: () => number;
  /** When the first of the commands that wait came up; null if none waits. */
  #since: number | null = null;

  /**
   * @param tripMs the way to the store and back, in ms
   * @param now a clock in ms
   */
  constructor(tripMs: () => number, now: () => number = () => performance.now()) {
    this.#tripMs = tripMs;
    this.#now = now;
  }

  /** Notes that there are commands. */
  begin(): void {
    this.#since ??= this.#now();
  }

  /** Notes that some got in, or that none waits. */
  end(): void {
    this.#since = null;
  }

  /** Whether it lasts for too long. */
  get isLong(): boolean {
    if (this.#since === null) return false;
    const bound = Math.max(STANDSTILL_MS, STANDSTILL_TRIPS * this.#tripMs());
    return this.#now() - this.#since > bound;
  }
}
