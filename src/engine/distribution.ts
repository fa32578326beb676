/** The distribution of values over fixed ranges. */

/** The figures of a distribution. */
export interface DistributionFigures {
  readonly count: number;
  readonly sum: number;
  /** Upper bounds of the ranges, inclusive, ascending. */
  readonly bounds: readonly number[];
  /** Number of values in each range; the last range has no bound. */
  readonly counts: readonly number[];
}

/** Counts values by range. */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  /** @param bounds upper bounds, inclusive, ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  /** Adds a value. */
  add(value: number): void {
    let range = 0;
    while (value > (this.#bounds[range] ?? Infinity)) range += 1;
    this.#counts[range] = (this.#counts[range] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
  }

  /** Returns the figures so far. */
  figures(): DistributionFigures {
    return {
      count: this.#count,
      sum: this.#sum,
      bounds: this.#bounds,
      counts: [...this.#counts],
    };
  }
}
