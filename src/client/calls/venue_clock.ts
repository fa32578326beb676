/** The venue's time and nonces, whatever the clock of this machine shows. */

/** How far a nonce may be from the venue's time, in ms, unless the venue is set otherwise. */
const NONCE_WINDOW_MS = 5_000;

/**
 * How far this machine's clock may be off, in ms: a venue that tells more than that is not believed,
 * since nonces of a time to come could be kept until then.
 */
const OFF_MS_MAX = 24 * 60 * 60 * 1000;

/** How far nonces may run ahead of the venue's time, as a share of that. */
const AHEAD_MAX = 0.6;

/** Nonces further ahead, as a share of that, were never taken: the clock has been corrected since. */
const NEVER_TAKEN = 1.2;

/** What was last used of a key in this process; several clients may share the key. */
const lastNonces = new Map<string, number>();

/** Estimates the venue's time by this machine's clock and what the venue has told. */
export class VenueClock {
  /** What to add to this machine's clock, in ms. */
  #offset = 0;
  readonly #now: () => number;
  readonly #windowMs: number;

  /**
   * @param now this machine's clock, in ms since 1970
   * @param windowMs how far a nonce may be from the venue's time, in ms
   */
  constructor(now: () => number = Date.now, windowMs: number = NONCE_WINDOW_MS) {
    this.#now = now;
    this.#windowMs = windowMs;
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
   * @returns whether it can be the time
   */
  correct(serverTime: unknown, sentAt: number, receivedAt: number = this.#now()): boolean {
    const offset = Number.isSafeInteger(serverTime)
      ? Number(serverTime) - (sentAt + receivedAt) / 2
      : NaN;
    if (!(Math.abs(offset) <= OFF_MS_MAX)) return false;
    this.#offset = offset;
    return true;
  }

  /**
   * Returns until when the venue may take a call with this nonce, by {@linkcode now} at any later
   * time at which the venue takes calls: it is at most one window off then, and the nonce another.
   */
  takenUntil(nonce: number): number {
    return nonce + 2 * this.#windowMs;
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
      if (ahead <= AHEAD_MAX * this.#windowMs) {
        lastNonces.set(kid, nonce);
        return nonce;
      }
      if (ahead > NEVER_TAKEN * this.#windowMs) lastNonces.delete(kid);
      else {
        const waitMs = ahead - AHEAD_MAX * this.#windowMs;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }
}
