/**
 * How long somebody is refused for what would otherwise be repeated at once: each pause that follows
 * soon is longer.
 */
export class GrowingPause {
  readonly #msMin: number;
  readonly #msMax: number;
  readonly #factor: number;
  #ms = 0;
  #until = -Infinity;

  /**
   * @param msMin the first pause, in ms
   * @param msMax the longest, in ms; as long after one, the next is a first one again
   * @param factor how many times as long as the one before is one that follows soon
   */
  constructor(msMin: number, msMax: number, factor = 2) {
    this.#msMin = msMin;
    this.#msMax = msMax;
    this.#factor = factor;
  }

  /** Begins a pause; does nothing during one. Times are those of a monotonic clock in ms. */
  begin(now: number): void {
    if (now < this.#until) return;
    const isSoon = now - this.#until < this.#msMax;
    this.#ms = isSoon ? Math.min(this.#factor * this.#ms, this.#msMax) : this.#msMin;
    this.#until = now + this.#ms;
  }

  /** Ends a pause that turns out to be another's fault: the next is as long again. */
  takeBack(now: number): void {
    if (now >= this.#until) return;
    this.#until = now;
    this.#ms /= this.#factor;
  }

  /** Returns how long it lasts yet, in whole seconds; 0 without one. */
  secondsLeft(now: number): number {
    return Math.max(0, Math.ceil((this.#until - now) / 1000));
  }
}
