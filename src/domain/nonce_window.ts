import { NonceSet } from "./nonce_set.ts";

/** A nonce may be this many windows ahead of or behind the time of its batch. */
export const NONCE_ACCEPTED_WINDOWS = 2;
/** So a nonce that came early could be repeated until this many windows after its use. */
export const NONCE_KEPT_WINDOWS = 2 * NONCE_ACCEPTED_WINDOWS;

/** The nonces that one key has used, kept in two generations while they could be used again. */
export class NonceWindow {
  /** Null until the first: most keys are idle at any time, and an empty set takes memory. */
  #young: NonceSet | null = null;
  #old: NonceSet | null = null;
  #turnedAt = 0;
  /** The highest nonce of each generation, even if it was deleted again. */
  #youngHighest = 0;
  #oldHighest = 0;
  #forgotten = 0;

  /** Whether the nonce has been used. */
  has(nonce: number, digest: number): boolean {
    return this.#young?.has(nonce, digest) === true || this.#old?.has(nonce, digest) === true;
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
    this.#young ??= new NonceSet();
    this.#young.add(nonce, digest);
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
    this.#young?.delete(nonce, digest);
    this.#old?.delete(nonce, digest);
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
