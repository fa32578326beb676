/**
 * The right to write: a process has it in the epoch in which it opened the store, and until it is
 * broken. A restore puts another epoch's row in place of the one that all writes check, under
 * another key: versionstamps of an older copy come again, a key with a random name does not.
 */
import type { Check, Commit } from "../kv/commit.ts";

/** What a store may write. */
export class WritingRight {
  #checks: readonly Check[] = [];
  #isOver = false;

  /** Whether nothing may be written any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What every write checks: its epoch's row, or nothing before that is entered. */
  get checks(): readonly Check[] {
    return this.#checks;
  }

  /** Makes all further writes depend on an epoch's row. */
  enter(epoch: Check): void {
    this.#checks = [epoch];
  }

  /** Ends it for good. */
  end(): void {
    this.#isOver = true;
  }

  /** Returns the commit as it may be sent: only while the epoch lasts. */
  bind(commit: Commit): Commit {
    if (this.#checks.length === 0) return commit;
    return { ...commit, held: [...commit.held ?? [], ...this.#checks] };
  }
}
