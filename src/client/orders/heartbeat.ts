/** Keeps a key's cancel timer wound up: if the program ends, the venue cancels the member's orders. */
import type { Caller } from "../calls/caller.ts";
import { pauseAfter, sleep } from "../calls/caller.ts";

const PATH = "/api/v2/trading/market/orders/cancel_all_after";
/** How many beats fit into the timeout. */
const BEATS = 3;

/** How a heartbeat is kept. */
export interface HeartbeatOptions {
  /** Called with what keeps a beat from the venue; the next one is tried soon. */
  readonly onError?: (error: unknown) => void;
}

/** A cancel timer that is wound up again and again until it is stopped. */
export class Heartbeat {
  readonly #caller: Caller;
  readonly #seconds: number;
  readonly #onError: (error: unknown) => void;
  readonly #ended = new AbortController();
  #beating: Promise<void> = Promise.resolve();

  private constructor(caller: Caller, seconds: number, { onError }: HeartbeatOptions) {
    this.#caller = caller;
    this.#seconds = seconds;
    this.#onError = onError ?? (() => {});
  }

  /**
   * Sets the timer, and begins to wind it up.
   *
   * @param seconds after the last beat until all open orders are cancelled
   * @throws {VenueError} if the venue does not take the timer
   */
  static async start(
    caller: Caller,
    seconds: number,
    options: HeartbeatOptions = {},
  ): Promise<Heartbeat> {
    const heart = new Heartbeat(caller, seconds, options);
    await heart.#beat(seconds);
    heart.#beating = heart.#beatOn();
    return heart;
  }

  /** Ends it and takes the timer back: the orders stay. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#beating;
    await this.#beat(0);
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#ended;
    for (let failures = 0; !signal.aborted;) {
      const pause = failures === 0 ? this.#pauseMs : pauseAfter(failures);
      await sleep(pause, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#beat(this.#seconds, signal, this.#pauseMs);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!signal.aborted) this.#onError(error);
      }
    }
  }

  get #pauseMs(): number {
    return this.#seconds * 1000 / BEATS;
  }

  /** @param patienceMs no longer than there is yet something to be done about what it tells */
  async #beat(timeout: number, signal?: AbortSignal, patienceMs?: number): Promise<void> {
    const parts = { body: { timeout }, signal };
    // Winding it up twice is the same as once.
    const isAnswer = (data: unknown) => isTimer(data, timeout > 0);
    const call = { method: "post", path: PATH, parts, isRepeatable: true, isAnswer } as const;
    await this.#caller.call({ ...call, patienceMs });
  }
}

/** Whether an answer tells of a timer, set or cleared. */
function isTimer(data: unknown, isSet: boolean): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { trigger_time } = data as { readonly trigger_time?: unknown };
  return isSet ? typeof trigger_time === "string" : trigger_time === null;
}
