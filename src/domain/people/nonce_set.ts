/** A set of nonces. It takes little memory, since a busy venue remembers a great many. */
export class NonceSet {
  /**
   * In ascending order, in which most of them come: 8 bytes each, of which a set of numbers would
   * take several times as many.
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
    return this.#numbers[this.#placeOf(nonce)] === nonce;
  }

  /** Adds a nonce; does nothing if it is there. */
  add(nonce: number, digest: number): void {
    if (digest !== 0) {
      this.#texts ??= new Set();
      this.#texts.add(textOf(nonce, digest));
      return;
    }
    const place = this.#placeOf(nonce);
    if (place === this.#numbers.length) this.#numbers.push(nonce);
    else if (this.#numbers[place] !== nonce) this.#numbers.splice(place, 0, nonce);
  }

  /** Removes a nonce; does nothing if it is not there. */
  delete(nonce: number, digest: number): void {
    if (digest !== 0) {
      this.#texts?.delete(textOf(nonce, digest));
      return;
    }
    const place = this.#placeOf(nonce);
    if (this.#numbers[place] === nonce) this.#numbers.splice(place, 1);
  }

  /** Returns where a nonce is, or would be: behind all that are smaller. */
  #placeOf(nonce: number): number {
    const numbers = this.#numbers;
    let end = numbers.length;
    if (end === 0 || (numbers[end - 1] as number) < nonce) return end;
    let start = 0;
    while (start < end) {
      const middle = (start + end) >>> 1;
      if ((numbers[middle] as number) < nonce) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}

function textOf(nonce: number, digest: number): string {
  return `${nonce}:${digest}`;
}
