/**
 * The nonces that only the memory of the process which owns the store remembers: those of reads.
 * The highest of them is marked outside the store, so that none works again after a restart with a
 * clock that is behind.
 */
export class ReadNonces {
  #highest: number;

  /** @param before nonces up to this one may have been used before this process opened the store */
  constructor(readonly before: number) {
    this.#highest = before;
  }

  /** The highest nonce that a read may have used. */
  get highest(): number {
    return this.#highest;
  }

  /** Notes a use of a nonce. */
  note(nonce: number): void {
    if (nonce > this.#highest) this.#highest = nonce;
  }
}
