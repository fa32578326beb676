/** A set of nonces. It takes little memory, since a busy venue remembers a great many. */
export class NonceSet {
  /**
   * In ascending order, in which most of them come: a set of integers would take two to three times
   * the memory.
   */
  readonly #numbers: number[] = [];
  /** Null until the first of a key in `request` mode. */
  #texts: Set<string> | null = null;

  /** Number of nonces. */
  get size(): number {
    return this.#numbers.length + (this.#texts?.size ?? 0);
  }

  /** Whether it holds the nonce of a request with this digest, 0 in other modes. */
  has(nonce: number, digest: number): boolean {
    if (digest !== 0) return this.#texts?.has(textOf(nonce, digest)) === true;
    const number = numberOf(nonce);
    return this.#numbers[this.#placeOf(number)] === number;
  }

  /** Adds a nonce; does nothing if it is there. */
  add(nonce: number, digest: number): void {
    if (digest !== 0) {
      this.#texts ??= new Set();
      this.#texts.add(textOf(nonce, digest));
      return;
    }
    const number = numberOf(nonce);
    const place = this.#placeOf(number);
    if (place === this.#numbers.length) this.#numbers.push(number);
    else if (this.#numbers[place] !== number) this.#numbers.splice(place, 0, number);
  }

  /** Removes a nonce; does nothing if it is not there. */
  delete(nonce: number, digest: number): void {
    if (digest !== 0) {
      this.#texts?.delete(textOf(nonce, digest));
      return;
    }
    const number = numberOf(nonce);
    const place = this.#placeOf(number);
    if (this.#numbers[place] === number) this.#numbers.splice(place, 1);
  }

  /** Returns where a number is, or would be: behind all that are smaller. */
  #placeOf(number: number): number {
    const numbers = this.#numbers;
    let end = numbers.length;
    if (end === 0 || (numbers[end - 1] as number) < number) return end;
    let start = 0;
    while (start < end) {
      const middle = (start + end) >>> 1;
      if ((numbers[middle] as number) < number) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}

/**
 * Returns a small integer for a nonce, which takes a third of the memory of one of its size. Nonces
 * that differ by a multiple of 49 days share it, but no window is that wide.
 */
function numberOf(nonce: number): number {
  return nonce | 0;
}

function textOf(nonce: number, digest: number): string {
  return `${nonce}:${digest}`;
}
