/** A nonce may be this many windows ahead of or behind the time of its batch. */
export const NONCE_ACCEPTED_WINDOWS = 2;
/** So one that came early may come again until this many windows after it was used. */
export const NONCE_KEPT_WINDOWS = 2 * NONCE_ACCEPTED_WINDOWS;

/**
 * The nonces that one key has used, kept for as long as they could be accepted
 * again: two generations that take turns are enough.
 */
export class NonceWindow {
  /** Null where there are none: most keys are silent at any time, and an empty set takes its room. */
  #young: Set<number | string> | null = null;
  #old: Set<number | string> | null = null;
  #turnedAt = 0;
  /** The highest nonce of each generation; also of what was taken out of it. */
  #youngHighest = 0;
  #oldHighest = 0;
  #forgotten = 0;

  /** Whether the nonce has been used. */
  has(nonce: number, digest: number): boolean {
    const id = nonceId(nonce, digest);
    return this.#young?.has(id) === true || this.#old?.has(id) === true;
  }

  /** Uses a nonce up at time `at` (ms). */
  add(nonce: number, digest: number, at: number, windowMs: number): void {
    // Above, not at: a nonce used at the very turn is needed to the end of the last window.
    if (this.#generationsAt(at, windowMs) > 1) {
      this.forget(at, windowMs);
      this.#old = this.#young;
      this.#oldHighest = this.#youngHighest;
      this.#young = null;
      this.#turnedAt = at;
    }
    this.#young ??= new Set();
    this.#young.add(nonceId(nonce, digest));
    this.#youngHighest = Math.max(this.#youngHighest, nonce);
  }

  /** Lets go of what nobody can use again at time `at` (ms): a key may never come back. */
  forget(at: number, windowMs: number): void {
    const generations = this.#generationsAt(at, windowMs);
    if (generations > 1) {
      this.#forgotten = Math.max(this.#forgotten, this.#oldHighest);
      this.#old = null;
    }
    if (generations > 2) {
      this.#forgotten = Math.max(this.#forgotten, this.#youngHighest);
      this.#young = null;
    }
  }

  /** Undoes {@linkcode NonceWindow.add}. */
  delete(nonce: number, digest: number): void {
    const id = nonceId(nonce, digest);
    this.#young?.delete(id);
    this.#old?.delete(id);
  }

  /**
   * The highest nonce that may have been used and forgotten. It is far behind the present, unless
   * the clock was set back.
   */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Number of nonces remembered. */
  get size(): number {
    return (this.#young?.size ?? 0) + (this.#old?.size ?? 0);
  }

  /** How long ago the generations have turned, in lives of one. */
  #generationsAt(at: number, windowMs: number): number {
    return (at - this.#turnedAt) / (NONCE_KEPT_WINDOWS * windowMs);
  }
}

/**
 * A small integer costs a set a third of what a number of this size does. Those
 * that differ by a multiple of 49 days share one, which no window is wide enough for.
 */
function nonceId(nonce: number, digest: number): number | string {
  return digest === 0 ? nonce | 0 : `${nonce}:${digest}`;
}
