import { NonceSet } from "./nonce_set.ts";

/** A nonce may be this many windows ahead of or behind the time of its batch. */
export const NONCE_ACCEPTED_WINDOWS = 2;
/** So a nonce that came early could be repeated until this many windows after its use. */
export const NONCE_KEPT_WINDOWS = 2 * NONCE_ACCEPTED_WINDOWS;

/** The nonces that one key has used, kept in two generations while they could be used again. */
export class NonceWindow {
  /** Null until the first: most keys are idle at any time, and an empty set takes memory. */
  #young: Generation | null = null;
  #old: Generation | null = null;
  #forgotten = 0;

  /** Whether the nonce has been used. */
  has(nonce: number, digest: number): boolean {
    return this.#young?.has(nonce, digest) === true || this.#old?.has(nonce, digest) === true;
  }

  /**
   * Spends a nonce at time `at` (ms). What can't be used again at `durableAt` (ms) or later is
   * forgotten: the time of an event that can't be undone, since `at` may be of a clock that is ahead.
   */
  add(nonce: number, digest: number, at: number, windowMs: number, durableAt: number = at): void {
    const lifeMs = NONCE_KEPT_WINDOWS * windowMs;
    if (this.#young !== null && at - this.#young.firstAt > lifeMs) {
      this.forget(durableAt, windowMs);
      if (this.#old === null) {
        this.#old = this.#young;
        this.#young = null;
      }
    }
    this.#young ??= new Generation(at);
    this.#young.spend(nonce, digest, at);
  }

  /** Forgets what can't be used again at `at` (ms) or later, even if the key never comes back. */
  forget(at: number, windowMs: number): void {
    // Beyond its life, not at its end: a nonce used last is needed until its last window ends.
    const usedSince = at - NONCE_KEPT_WINDOWS * windowMs;
    if (this.#old !== null && this.#old.lastAt < usedSince) {
      this.#forgotten = Math.max(this.#forgotten, this.#old.highest);
      this.#old = null;
    }
    if (this.#young !== null && this.#young.lastAt < usedSince) {
      this.#forgotten = Math.max(this.#forgotten, this.#young.highest);
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
}

/** Nonces that are forgotten together. Of one that was undone, times and height remain. */
class Generation extends NonceSet {
  /** When the last was used, in ms. */
  lastAt: number;
  highest = 0;

  /** @param firstAt when the first is used, in ms */
  constructor(readonly firstAt: number) {
    super();
    this.lastAt = firstAt;
  }

  /** Adds a nonce that is used at time `at` (ms). */
  spend(nonce: number, digest: number, at: number): void {
    this.add(nonce, digest);
    if (at > this.lastAt) this.lastAt = at;
    if (nonce > this.highest) this.highest = nonce;
  }
}
