/** How busy the venue is: its recent events per second. */

/** Length of a counting window, in ms. */
const WINDOW_MS = 100;

/** Counts events. */
export class EventPace {
  readonly #now: () => number;
  #count = 0;
  #since: number;
  #perSecond = 0;

  /** @param now a clock in ms */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts durable events. */
  add(events: number): void {
    this.#turn();
    this.#count += events;
  }

  /** Events per second in the last full window. */
  get perSecond(): number {
    this.#turn();
    return this.#perSecond;
  }

  #turn(): void {
    const now = this.#now();
    const elapsed = now - this.#since;
    if (elapsed < WINDOW_MS) return;
    this.#perSecond = this.#count * 1000 / elapsed;
    this.#count = 0;
    this.#since = now;
  }
}
