/** A sorted set of key codes, in chunks so that an insertion moves few of them. */

const CHUNK_MAX = 256;

/** A sorted set of strings. */
export class SortedCodes {
  readonly #chunks: string[][] = [[]];

  /** Adds a code that is not in the set. */
  add(code: string): void {
    const at = this.#chunkOf(code);
    const chunk = this.#chunks[at] as string[];
    chunk.splice(placeIn(chunk, code), 0, code);
    if (chunk.length > CHUNK_MAX) {
      // Keys usually come in ascending order, so the full chunk is left as it is.
      const cut = at === this.#chunks.length - 1 ? CHUNK_MAX : CHUNK_MAX >> 1;
      this.#chunks.splice(at + 1, 0, chunk.splice(cut));
    }
  }

  /** Removes a code. */
  delete(code: string): void {
    const at = this.#chunkOf(code);
    const chunk = this.#chunks[at] as string[];
    const place = placeIn(chunk, code);
    if (chunk[place] !== code) return;
    chunk.splice(place, 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
  }

  /** Returns up to `limit` codes from `start` to before `end`, descending if `isReverse`. */
  range(start: string, end: string, limit: number, isReverse: boolean): string[] {
    return isReverse ? this.#down(start, end, limit) : this.#up(start, end, limit);
  }

  #up(start: string, end: string, limit: number): string[] {
    const found: string[] = [];
    let at = this.#chunkOf(start);
    let place = placeIn(this.#chunks[at] as string[], start);
    for (; at < this.#chunks.length; at++, place = 0) {
      const chunk = this.#chunks[at] as string[];
      for (; place < chunk.length; place++) {
        const code = chunk[place] as string;
        if (code >= end || found.length >= limit) return found;
        found.push(code);
      }
    }
    return found;
  }

  #down(start: string, end: string, limit: number): string[] {
    const found: string[] = [];
    let at = this.#chunkOf(end);
    let place = placeIn(this.#chunks[at] as string[], end) - 1;
    for (;;) {
      const chunk = this.#chunks[at] as string[];
      for (; place >= 0; place--) {
        const code = chunk[place] as string;
        if (code < start || found.length >= limit) return found;
        found.push(code);
      }
      at -= 1;
      if (at < 0) return found;
      place = (this.#chunks[at] as string[]).length - 1;
    }
  }

  /** Returns the index of the last chunk that starts at or before a code. */
  #chunkOf(code: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (((this.#chunks[middle] as string[])[0] as string) <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the index of a code in a chunk, or where it would be inserted. */
function placeIn(chunk: readonly string[], code: string): number {
  let low = 0;
  let high = chunk.length;
  // Most codes are appended.
  if (high > 0 && (chunk[high - 1] as string) < code) return high;
  while (low < high) {
    const middle = low + high >> 1;
    if ((chunk[middle] as string) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
