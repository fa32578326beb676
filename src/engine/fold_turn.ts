/**
 * Which of several processes folds: the one that did last goes on, since it has the rows in memory,
 * and what the others would fold beside it would be lost. They take over where the rows stand still.
 */

/** How long rows stand still before another process takes over, in ms; random, so that not all do. */
const STILL_MS = 1000;
const STILL_MS_MAX = 2 * STILL_MS;

/** Whether it is this process's turn. */
export class FoldTurn {
  readonly #now: () => number;
  /** When this process takes over from another one; null where it has folded last, or nobody has. */
  #takesOverAt: number | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this process may fold what there is. */
  get isOwn(): boolean {
    return this.#takesOverAt === null || this.#now() >= this.#takesOverAt;
  }

  /** This process has folded. */
  take(): void {
    this.#takesOverAt = null;
  }

  /** Another process has folded. */
  pass(): void {
    this.#takesOverAt = this.#now() + STILL_MS + Math.random() * (STILL_MS_MAX - STILL_MS);
  }

  /** There is nothing to fold: the rows do not stand still. */
  rest(): void {
    if (this.#takesOverAt !== null) this.pass();
  }
}
