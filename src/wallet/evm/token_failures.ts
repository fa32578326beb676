/**
 * Since when tokens fail where it may be the node's fault: what a busy node says of a call that took it
 * too long is what any says of a contract that never answers.
 */

/** How long a token has to fail, in ms, before it is blamed: no node is busy with it for so long. */
const BLAMED_MS = 60_000;
/** How much of that a try may add, in ms: while there is none, nobody knows what it would answer. */
const TRY_MS_MAX = 10_000;

/** How long a token has failed. */
interface Failing {
  readonly lastAt: number;
  readonly ms: number;
}

/** Failures of tokens, by their contracts. */
export class TokenFailures {
  readonly #failing = new Map<string | null, Failing>();

  /** Notes that a token has failed once more; returns whether it is to blame by now. */
  note(contract: string | null): boolean {
    const lastAt = performance.now();
    const before = this.#failing.get(contract) ?? { lastAt, ms: 0 };
    const ms = before.ms + Math.min(lastAt - before.lastAt, TRY_MS_MAX);
    this.#failing.set(contract, { lastAt, ms });
    return ms >= BLAMED_MS;
  }

  /** Notes that a token has answered, which ends all blame. */
  end(contract: string | null): void {
    this.#failing.delete(contract);
  }
}
