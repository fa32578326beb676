/** A nonce may be this many windows ahead of or behind the time of its batch. */
export const NONCE_ACCEPTED_WINDOWS = 2;
/** So one that came early may come again until this many windows after it was used. */
export const NONCE_KEPT_WINDOWS = 2 * NONCE_ACCEPTED_WINDOWS;

/**
 * The nonces that one key has used, kept for as long as they could be accepted
 * again: two generations that take turns are enough.
 */
export class NonceWindow {
  #young = new Set<number | string>();
  #old = new Set<number | string>();
  #turnedAt = 0;

  /** Whether the nonce has been used. */
  has(nonce: number, digest: number): boolean {
    const id = nonceId(nonce, digest);
    return this.#young.has(id) || this.#old.has(id);
  }

  /** Uses a nonce up at time `at` (ms). */
  add(nonce: number, digest: number, at: number, windowMs: number): void {
    const age = at - this.#turnedAt;
    // Above, not at: a nonce used at the very turn is needed to the end of the last window.
    if (age > NONCE_KEPT_WINDOWS * windowMs) {
      this.#old = age > 2 * NONCE_KEPT_WINDOWS * windowMs ? new Set() : this.#young;
      this.#young = new Set();
      this.#turnedAt = at;
    }
    this.#young.add(nonceId(nonce, digest));
  }

  /** Undoes {@linkcode NonceWindow.add}. */
  delete(nonce: number, digest: number): void {
    const id = nonceId(nonce, digest);
    this.#young.delete(id);
    this.#old.delete(id);
  }

  /** Number of nonces remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

/**
 * A small integer costs a set a third of what a number of this size does. Those
 * that differ by a multiple of 49 days share one, which no window is wide enough for.
 */
function nonceId(nonce: number, digest: number): number | string {
  return digest === 0 ? nonce | 0 : `${nonce}:${digest}`;
}
