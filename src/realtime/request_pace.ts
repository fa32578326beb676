/** How fast a client may ask. */

/** Requests of a client in one second. */
export const REQUESTS_PER_SECOND_MAX = 50;

/** Counts the requests of one connection. */
export class RequestPace {
  #second = 0;
  #requests = 0;

  /** Counts one more; whether it is one too many in this second. */
  isTooFast(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#requests = 0;
    }
    this.#requests += 1;
    return this.#requests > REQUESTS_PER_SECOND_MAX;
  }
}
