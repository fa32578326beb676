/**
 * The nonces that one key has used. A nonce is only accepted within a window
 * around the present, so whatever is older than two windows may be forgotten:
 * two generations that take turns are enough.
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
    if (at - this.#turnedAt >= 2 * windowMs) {
      this.#old = at - this.#turnedAt >= 4 * windowMs ? new Set() : this.#young;
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

function nonceId(nonce: number, digest: number): number | string {
  return digest === 0 ? nonce : `${nonce}:${digest}`;
}
