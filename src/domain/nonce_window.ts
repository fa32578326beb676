/** A nonce may be this many windows ahead of or behind the time of its batch. */
export const NONCE_ACCEPTED_WINDOWS = 2;
/** So a nonce that came early could be repeated until this many windows after its use. */
export const NONCE_KEPT_WINDOWS = 2 * NONCE_ACCEPTED_WINDOWS;

/** The nonces that one key has used, kept in two generations while they could be used again. */
export class NonceWindow {
  /** Null if empty: most keys are idle at any time, and an empty set takes memory. */
  #young: Set<number | string> | null = null;
  #old: Set<number | string> | null = null;
  #turnedAt = 0;
  /** The highest nonce of each generation, even if it was deleted again. */
  #youngHighest = 0;
  #oldHighest = 0;
  #forgotten = 0;

  /** Whether the nonce has been used. */
  has(nonce: number, digest: number): boolean {
    const id = nonceId(nonce, digest);
    return this.#young?.has(id) === true || this.#old?.has(id) === true;
  }

  /** Spends a nonce at time `at` (ms). */
  add(nonce: number, digest: number, at: number, windowMs: number): void {
    // Above 1, not at 1: a nonce used right at the turn is needed until its last window ends.
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

  /** Forgets what can't be used again at time `at` (ms), even if the key never comes back. */
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
    this.#young = without(this.#young, id);
    this.#old = without(this.#old, id);
  }

  /** The highest nonce that may be used and forgotten: long past unless the clock was set back. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Number of nonces remembered. */
  get size(): number {
    return (this.#young?.size ?? 0) + (this.#old?.size ?? 0);
  }

  /** How long ago the generations turned, in lifetimes of one. */
  #generationsAt(at: number, windowMs: number): number {
    return (at - this.#turnedAt) / (NONCE_KEPT_WINDOWS * windowMs);
  }
}

/**
 * Removes an id; null for an empty set. A set that is emptied and filled again and again makes a
 * table each time, which outlives it for long.
 */
function without<T>(set: Set<T> | null, id: T): Set<T> | null {
  if (set === null || !set.has(id)) return set;
  if (set.size === 1) return null;
  set.delete(id);
  return set;
}

/**
 * Returns the id of a nonce in a set, where a small integer costs a third of one of this size.
 * Nonces that differ by a multiple of 49 days share an id, but no window is that wide.
 */
function nonceId(nonce: number, digest: number): number | string {
  return digest === 0 ? nonce | 0 : `${nonce}:${digest}`;
}
