/** Measures how far the store is: what the quickest of its last answers took, there and back. */

/** Answers that are remembered. */
const ANSWERS = 8;

/** How long the store takes to answer, without what only now and then delays an answer. */
export class RoundTrip {
  readonly #last: number[] = [];
  #ms = 0;

  /** Notes that an answer took so many ms. */
  note(ms: number): void {
    this.#last.push(ms);
    if (this.#last.length > ANSWERS) this.#last.shift();
    this.#ms = Math.min(...this.#last);
  }

  /** The way to the store and back, in ms; 0 until it has answered. */
  get ms(): number {
    return this.#ms;
  }
}
