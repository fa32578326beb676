/** Work done in rounds, one at a time. */
import { TooLateError, within } from "../engine/within.ts";

/** Time between two rounds, in ms, and its jitter, which keeps processes out of step. */
const ROUND_MS = 200;
const JITTER_MS = 50;

/** How long stopping waits for the current round, in ms. */
const END_MS_MAX = 3_000;

/** Does a piece of work in rounds until it is stopped. */
export class RepeatedWork {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round: Promise<void> = Promise.resolve();

  /** @param onFault called with what a round throws; the next round runs anyway */
  constructor(work: (signal: AbortSignal) => Promise<void>, onFault: (error: unknown) => void) {
    this.#work = work;
    this.#onFault = onFault;
  }

  /** Starts; the first round comes after a pause. */
  start(): void {
    this.#schedule();
  }

  /** Resolves when the current round has ended, or has taken too long. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    try {
      await within(END_MS_MAX, this.#round);
    } catch (error) {
      if (!(error instanceof TooLateError)) throw error;
      this.#onFault(error);
    }
  }

  #schedule(): void {
    const pause = ROUND_MS + JITTER_MS * (2 * Math.random() - 1);
    this.#timer = setTimeout(() => {
      this.#round = this.#run();
    }, pause);
  }

  async #run(): Promise<void> {
    try {
      await this.#work(this.#stopping.signal);
    } catch (error) {
      this.#onFault(error);
    }
    if (!this.#stopping.signal.aborted) this.#schedule();
  }
}
