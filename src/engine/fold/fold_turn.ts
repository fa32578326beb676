/**
 * Decides which of several processes folds: the one that folded last goes on, since it has the rows
 * in memory and what others fold meanwhile is lost. Others take over when the rows stand still.
 */

/**
 * How long rows stand still before another process takes over, in ms: longer than it takes to fold a
 * window up to the first step that is written. Random, so that not all take over at once.
 */
const STILL_MS = 2000;
const STILL_MS_MAX = 2 * STILL_MS;

/** Tells whether it is this process's turn to fold. */
export class FoldTurn {
  readonly #now: () => number;
  /** When this process takes over from another; null if it folded last, or nobody has. */
  #takesOverAt: number | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this process may fold now. */
  get isOwn(): boolean {
    return this.#takesOverAt === null || this.#now() >= this.#takesOverAt;
  }

  /** Notes that this process has folded. */
  take(): void {
    this.#takesOverAt = null;
  }

  /** Notes that another process has folded. */
  pass(): void {
    this.#takesOverAt = this.#now() + STILL_MS + Math.random() * (STILL_MS_MAX - STILL_MS);
  }

  /** Notes that there is nothing to fold, so that the rows do not stand still. */
  rest(): void {
    if (this.#takesOverAt !== null) this.pass();
  }
}
