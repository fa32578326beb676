/**
 * Calls to a KV server that were given up on. The platform goes on with each of them for ever, even
 * on a handle that was closed, and prints a line each time. So a server that answers nothing at all
 * is hardly asked any more: else it would be asked more often with every second that it is away.
 */
import { sleep } from "./in_time.ts";

/** Calls in a row that went unanswered, from which on the server counts as away. */
export const LOST_CALLS_MAX = 8;
/** How long a server that is away is asked nothing, in ms: twice as long after each try in vain. */
const SILENCE_MS = 500;
const SILENCE_MS_MAX = 30_000;
/** How long a call waits for a server that is away, in ms, and how often it looks whether it may go. */
const WAIT_MS_MAX = 1_000;
const LOOK_MS = 50;

/** A call was not sent: the server is away. */
export class NotSentError extends Error {
  override name = "NotSentError";
}

/** The calls of one process. */
export class LostCalls {
  /** Since the last answer. */
  #count = 0;
  #silenceMs = SILENCE_MS;
  /** When the server may be asked next while it is away, on the monotonic clock. */
  #nextAt = 0;
  #tries = 0;

  /**
   * How often a server that was away has been tried. A handle that was opened before the last try
   * may have been dead from its first moment on, since opening it asks the server something, too.
   */
  get tries(): number {
    return this.#tries;
  }

  /** Whether the server answers nothing at all. */
  get isServerAway(): boolean {
    return this.#count >= LOST_CALLS_MAX;
  }

  /**
   * Waits a moment until a call may be sent to a server that is away.
   *
   * @throws {NotSentError} it may not
   */
  async admit(): Promise<void> {
    const until = performance.now() + WAIT_MS_MAX;
    while (this.isServerAway && !this.#isTimeToTry()) {
      if (performance.now() >= until) throw new NotSentError("The KV server does not respond");
      await sleep(LOOK_MS);
    }
  }

  /** Nobody waits for a call any more. */
  lose(): void {
    this.#count += 1;
  }

  /** The server has answered a call, however late. */
  answer(): void {
    this.#count = 0;
    this.#silenceMs = SILENCE_MS;
  }

  #isTimeToTry(): boolean {
    const now = performance.now();
    if (now < this.#nextAt) return false;
    this.#tries += 1;
    this.#nextAt = now + this.#silenceMs;
    this.#silenceMs = Math.min(2 * this.#silenceMs, SILENCE_MS_MAX);
    return true;
  }
}
