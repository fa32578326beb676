/**
 * Tells whether the watch still hears. A dead connection may stay silent for ever, and with the
 * timer alone everything that others write would be late by up to its interval.
 */

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
