/** Codes of keys in their order, in chunks, so that one is put in without moving all. */

const CHUNK_MAX = 256;

/** A sorted set of texts. */
export class SortedCodes {
  readonly #chunks: string[][] = [[]];

  /** Puts one in that is not there. */
  add(code: string): void {
    const at = this.#chunkOf(code);
    const chunk = this.#chunks[at] as string[];
    chunk.splice(placeIn(chunk, code), 0, code);
    if (chunk.length > CHUNK_MAX) {
      // Keys mostly come in rising order: the old chunk stays full.
      const cut = at === this.#chunks.length - 1 ? CHUNK_MAX : CHUNK_MAX >> 1;
      this.#chunks.splice(at + 1, 0, chunk.splice(cut));
    }
  }

  /** Takes one out. */
  delete(code: string): void {
    const at = this.#chunkOf(code);
    const chunk = this.#chunks[at] as string[];
    const place = placeIn(chunk, code);
    if (chunk[place] !== code) return;
    chunk.splice(place, 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
  }

  /** At most `limit` of those from `start` to before `end`, the last first where `isReverse`. */
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

  /** The last chunk that begins at or before a code. */
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

/** Where a code is in a chunk, or would be. */
function placeIn(chunk: readonly string[], code: string): number {
  let low = 0;
  let high = chunk.length;
  // Most are put in behind the last.
  if (high > 0 && (chunk[high - 1] as string) < code) return high;
  while (low < high) {
    const middle = low + high >> 1;
    if ((chunk[middle] as string) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
