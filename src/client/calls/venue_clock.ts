/** The venue's time and nonces, whatever the clock of this machine shows. */

/** How far nonces may run ahead of the venue's time, in ms; the venue takes 5 s either way. */
const AHEAD_MS_MAX = 3_000;

/** Nonces so far ahead, in ms, were never taken by the venue: the clock has been corrected since. */
const NEVER_TAKEN_MS = 6_000;

/** What was last used of a key in this process; several clients may share the key. */
const lastNonces = new Map<string, number>();

/** Estimates the venue's time by this machine's clock and what the venue has told. */
export class VenueClock {
  /** What to add to this machine's clock, in ms. */
  #offset = 0;
  readonly #now: () => number;

  /** @param now this machine's clock, in ms since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The venue's time, in ms since 1970. */
  now(): number {
    return this.#now() + this.#offset;
  }

  /**
   * Corrects itself by what the venue has told of its time.
   *
   * @param serverTime the venue's time, in ms since 1970, at some moment …
   * @param sentAt … after this one on this machine's clock …
   * @param receivedAt … and before this one
   */
  correct(serverTime: number, sentAt: number, receivedAt: number = this.#now()): void {
    this.#offset = serverTime - (sentAt + receivedAt) / 2;
  }

  /** This machine's clock, in ms. */
  machineTime(): number {
    return this.#now();
  }

  /**
   * Returns a nonce that this process has not used with the key: the venue's time in ms, or the
   * next free number. It waits where these have run too far ahead.
   */
  async nonce(kid: string): Promise<number> {
    for (;;) {
      const now = Math.round(this.now());
      const nonce = Math.max(now, (lastNonces.get(kid) ?? 0) + 1);
      const ahead = nonce - now;
      if (ahead <= AHEAD_MS_MAX) {
        lastNonces.set(kid, nonce);
        return nonce;
      }
      if (ahead > NEVER_TAKEN_MS) lastNonces.delete(kid);
      else await new Promise((resolve) => setTimeout(resolve, ahead - AHEAD_MS_MAX));
    }
  }
}
