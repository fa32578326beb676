/**
 * Calls to a KV server that were given up on. The platform retries each of them forever, even on a
 * closed handle, and prints a line each time. So a server that answers nothing is asked rarely:
 * otherwise there would be more retries with every second that it is away.
 */
import { sleep } from "./in_time.ts";

/** Calls in a row without an answer after which the server counts as away. */
export const LOST_CALLS_MAX = 8;
/** How long a server that is away is not asked, in ms; doubled after each failed try. */
const SILENCE_MS = 500;
const SILENCE_MS_MAX = 30_000;
/** How long a call waits for a server that is away, and how often it checks, in ms. */
const WAIT_MS_MAX = 1_000;
const LOOK_MS = 50;

/** A call was not sent: the server is away. */
export class NotSentError extends Error {
  override name = "NotSentError";
}

/** The lost calls of one process. */
export class LostCalls {
  /** Calls lost since the last answer. */
  #count = 0;
  #silenceMs = SILENCE_MS;
  /** When a server that is away may be asked next, on the monotonic clock. */
  #nextAt = 0;
  #tries = 0;

  /**
   * How often a server that was away has been tried. A handle opened before the last try may never
   * have worked, since opening it asks the server something, too.
   */
  get tries(): number {
    return this.#tries;
  }

  /** Whether the server does not answer at all. */
  get isServerAway(): boolean {
    return this.#count >= LOST_CALLS_MAX;
  }

  /**
   * Waits a moment until a call may be sent to a server that is away.
   *
   * @throws {NotSentError} if it may not
   */
  async admit(): Promise<void> {
    const until = performance.now() + WAIT_MS_MAX;
    while (this.isServerAway && !this.#isTimeToTry()) {
      if (performance.now() >= until) throw new NotSentError("The KV server does not respond");
      await sleep(LOOK_MS);
    }
  }

  /** Records that a call was given up on. */
  lose(): void {
    this.#count += 1;
  }

  /** Records that the server has answered a call, however late. */
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
