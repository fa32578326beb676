/** Reads that each take a turn of the event loop. */
export class RowReads {
  /** Maximum number of concurrent reads so far. */
  atOnceMax = 0;
  #atOnce = 0;

  /** Returns the given row as if it had been read. */
  async read<T>(row: T): Promise<T> {
    this.#atOnce += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.#atOnce);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#atOnce -= 1;
    return row;
  }
}
