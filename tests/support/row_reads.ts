/** Reads that take a turn of the event loop each. */
export class RowReads {
  /** The most that were under way at a time. */
  atOnceMax = 0;
  #atOnce = 0;

  /** Reads a row, which is what is given. */
  async read<T>(row: T): Promise<T> {
    this.#atOnce += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.#atOnce);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#atOnce -= 1;
    return row;
  }
}
