/** The way back: inverse steps of everything a batch has changed, so that undoing costs what doing did. */
export class UndoLog {
  readonly #steps: (() => void)[] = [];

  /** Notes the inverse of a change that has just been made. */
  push(step: () => void): void {
    this.#steps.push(step);
  }

  /** A place to come back to. */
  mark(): number {
    return this.#steps.length;
  }

  /** Undoes everything since `mark`, last change first. */
  rollback(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }

  /** Forgets the way back: what was done is durable. */
  clear(): void {
    this.#steps.length = 0;
  }
}
