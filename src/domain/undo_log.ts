/** Steps up to which the list is kept; only what a process has missed takes more. */
const KEPT_STEPS_MAX = 64 * 1024;

/** The inverse of every change of a batch, so that undoing costs no more than doing. */
export class UndoLog {
  /** Kept, and emptied, for the next batch: lists that each batch grows anew outlive it for long. */
  #steps: ((() => void) | null)[] = [];
  #size = 0;
  #durableAt = 0;

  /**
   * Time of the last event that can't be undone, in ms. What is forgotten by time is forgotten by
   * this one: a clock that runs ahead may be set right after its batch is undone.
   */
  get durableAt(): number {
    return this.#durableAt;
  }

  /** Records the inverse of a change just made. */
  push(step: () => void): void {
    this.#steps[this.#size] = step;
    this.#size += 1;
  }

  /** Returns a mark to roll back to. */
  mark(): number {
    return this.#size;
  }

  /** Undoes everything since `mark`, last change first. */
  rollback(mark: number): void {
    while (this.#size > mark) {
      this.#size -= 1;
      this.#steps[this.#size]?.();
      this.#steps[this.#size] = null;
    }
  }

  /** Forgets the inverse steps: the changes are durable, up to an event's time `at` (ms). */
  clear(at: number): void {
    this.#durableAt = at;
    if (this.#steps.length > KEPT_STEPS_MAX) this.#steps = [];
    else this.#steps.fill(null, 0, this.#size);
    this.#size = 0;
  }
}
