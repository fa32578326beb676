/** Whose turn it is: tending one of many at a time has no noticeable cost. */

/** Takes places in turn, the first one after the last. */
export class RoundRobin {
  #last = -1;

  /** Returns the next of `count` places; 0 if there is none. */
  next(count: number): number {
    this.#last = this.#last + 1 < count ? this.#last + 1 : 0;
    return this.#last;
  }
}
