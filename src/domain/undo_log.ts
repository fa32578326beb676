/** The inverse of every change of a batch, so that undoing costs no more than doing. */
export class UndoLog {
  readonly #steps: (() => void)[] = [];

  /** Records the inverse of a change just made. */
  push(step: () => void): void {
    this.#steps.push(step);
  }

  /** Returns a mark to roll back to. */
  mark(): number {
    return this.#steps.length;
  }

  /** Undoes everything since `mark`, last change first. */
  rollback(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }

  /** Forgets the inverse steps: the changes are durable. */
  clear(): void {
    this.#steps.length = 0;
  }
}
