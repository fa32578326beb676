/** Keeps calls within the rate limit that the venue tells of, so that none is refused for it. */

/** One of the venue's buckets, as its headers describe it. */
export class CallPace {
  /** What was left when the venue last told, less what was sent since. */
  #left = Infinity;
  /** What is refilled each second; also what the full bucket holds. */
  #limit = Infinity;
  #toldAt = 0;
  /** Until when nothing is sent, since the venue has asked for it. */
  #pausedUntil = 0;
  readonly #now: () => number;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes what a call costs, and returns how long it has to wait before it is sent, in ms. */
  take(cost = 1): number {
    const now = this.#now();
    const paused = Math.max(0, this.#pausedUntil - now);
    if (this.#limit === Infinity) return paused;
    this.#refill(now);
    // A call is taken while anything is left, whatever it costs.
    const missing = Math.max(0, 1 - this.#left);
    this.#left -= cost;
    return Math.max(paused, missing / this.#limit * 1000);
  }

  /** Notes what an answer tells. */
  note(headers: Headers): void {
    const limit = Number(headers.get("RateLimit-Limit"));
    const remaining = headers.get("RateLimit-Remaining");
    if (!(limit > 0) || remaining === null) return;
    const now = this.#now();
    this.#refill(now);
    this.#limit = limit;
    // Answers come late: others may have been sent since.
    this.#left = Math.min(this.#left, Number(remaining));
    this.#toldAt = now;
  }

  /** Sends nothing for so many ms. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + ms);
  }

  #refill(now: number): void {
    const refilled = this.#limit === Infinity ? 0 : (now - this.#toldAt) / 1000 * this.#limit;
    this.#left = Math.min(this.#limit, this.#left + refilled);
    this.#toldAt = now;
  }
}
