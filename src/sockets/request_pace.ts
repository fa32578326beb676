/** Limits how fast a client may ask. */

/** Requests that a client may make at once: it may ask for each of its streams separately … */
export const REQUESTS_AT_ONCE_MAX = 300;
/** … and how many more it may make per second. */
const REQUESTS_PER_SECOND = 50;
/** A longer request, for many streams, costs as much as several: one for each so many characters. */
const REQUEST_LENGTH = 256;

/** Counts the requests of one connection. */
export class RequestPace {
  #room = REQUESTS_AT_ONCE_MAX;
  #at = performance.now();

  /** Counts a request of so many characters; returns whether it is one too many. */
  isTooFast(length = 0): boolean {
    const cost = Math.max(1, Math.ceil(length / REQUEST_LENGTH));
    const now = performance.now();
    const room = this.#room + (now - this.#at) * REQUESTS_PER_SECOND / 1000;
    this.#room = Math.min(room, REQUESTS_AT_ONCE_MAX);
    this.#at = now;
    if (this.#room < cost) return true;
    this.#room -= cost;
    return false;
  }
}
