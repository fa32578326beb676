/**
 * How long somebody is refused for what would otherwise be repeated at once: each pause that follows
 * soon is twice as long.
 */
export class DoublingPause {
  readonly #msMin: number;
  readonly #msMax: number;
  #ms = 0;
  #until = -Infinity;

  /**
   * @param msMin the first pause, in ms
   * @param msMax the longest, in ms; as long after one, the next is a first one again
   */
  constructor(msMin: number, msMax: number) {
    this.#msMin = msMin;
    this.#msMax = msMax;
  }

  /** Begins a pause; does nothing during one. Times are those of a monotonic clock in ms. */
  begin(now: number): void {
    if (now < this.#until) return;
    const isSoon = now - this.#until < this.#msMax;
    this.#ms = isSoon ? Math.min(2 * this.#ms, this.#msMax) : this.#msMin;
    this.#until = now + this.#ms;
  }

  /** Ends a pause that turns out to be another's fault: the next is as long again. */
  takeBack(now: number): void {
    if (now >= this.#until) return;
    this.#until = now;
    this.#ms /= 2;
  }

  /** Returns how long it lasts yet, in whole seconds; 0 without one. */
  secondsLeft(now: number): number {
    return Math.max(0, Math.ceil((this.#until - now) / 1000));
  }
}
