/** Whose turn it is: looking after one of many at a time costs nothing that is noticed. */

/** Places in turn, the first one behind the last. */
export class RoundRobin {
  #last = -1;

  /** The place whose turn it is, of so many; 0 where there is none. */
  next(count: number): number {
    this.#last = this.#last + 1 < count ? this.#last + 1 : 0;
    return this.#last;
  }
}
