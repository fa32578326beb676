/**
 * Whether the watch still hears. A connection that is dead without a word tells nothing for ever,
 * and the timer alone would be late by its whole pause with everything that others write.
 */

/** How long nothing may be heard of a head that has moved, in ms. */
const UNHEARD_MS_MAX = 5_000;

/** What one watch has heard of the head. */
export class WatchHearing {
  readonly #now: () => number;
  /** Version of the head that was told last; versions grow. */
  #told = "";
  /** Since when the head is known to be past it. */
  #unheardSince: number | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The watch has told of the head. */
  hear(versionstamp: string): void {
    this.#told = versionstamp;
    this.#unheardSince = null;
  }

  /** Whether the watch should have told long ago of a head that was read; the next one begins anew. */
  isLost(versionstamp: string | null): boolean {
    if (versionstamp === null || versionstamp <= this.#told) return false;
    this.#unheardSince ??= this.#now();
    if (this.#now() - this.#unheardSince < UNHEARD_MS_MAX) return false;
    this.#unheardSince = null;
    return true;
  }
}
