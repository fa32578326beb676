/** How fast a client may ask. */

/** Requests of a client at once: it may ask for each of its streams by itself … */
export const REQUESTS_AT_ONCE_MAX = 300;
/** … and those that it may add to them in a second. */
const REQUESTS_PER_SECOND = 50;

/** Counts the requests of one connection. */
export class RequestPace {
  #room = REQUESTS_AT_ONCE_MAX;
  #at = performance.now();

  /** Counts one more; whether it is one too many. */
  isTooFast(): boolean {
    const now = performance.now();
    const room = this.#room + (now - this.#at) * REQUESTS_PER_SECOND / 1000;
    this.#room = Math.min(room, REQUESTS_AT_ONCE_MAX);
    this.#at = now;
    if (this.#room < 1) return true;
    this.#room -= 1;
    return false;
  }
}
