/** Keeps calls within the rate limit that the venue tells of, so that none is refused for it. */

/** The longest pause that is kept, in ms: who on the way asks for a day is not the venue. */
const PAUSE_MS_MAX = 60_000;

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

  /** Gives back what a call has taken that is not sent. */
  giveBack(cost = 1): void {
    this.#left += cost;
  }

  /** Notes what an answer tells, if that can be. */
  note(headers: Headers): void {
    const limit = Number(headers.get("RateLimit-Limit"));
    const remaining = Number(headers.get("RateLimit-Remaining") ?? NaN);
    if (!(limit >= 1) || !(remaining >= 0)) return;
    const now = this.#now();
    this.#refill(now);
    this.#limit = limit;
    // Answers come late: others may have been sent since.
    this.#left = Math.min(this.#left, remaining);
    this.#toldAt = now;
  }

  /** Sends nothing for so many ms, or a minute. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + Math.min(ms, PAUSE_MS_MAX));
  }

  #refill(now: number): void {
    const refilled = this.#limit === Infinity ? 0 : (now - this.#toldAt) / 1000 * this.#limit;
    this.#left = Math.min(this.#limit, this.#left + refilled);
    this.#toldAt = now;
  }
}
