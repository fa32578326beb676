/**
 * A map that forgets what has not been set for a while, all at once. Dropping the oldest entries one
 * by one would leave holes at the front of a map, which every walk to the next oldest has to pass.
 */
export class TwoGenerations<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** Number of entries kept; one that was set again may count twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    return young === undefined ? this.#old.get(key) : young;
  }

  /** Sets an entry; returns what it replaces in the young generation. */
  set(key: string, value: V): V | undefined {
    const replaced = this.#young.get(key);
    this.#young.set(key, value);
    return replaced;
  }

  /** Forgets what was last set before the turn before this one. */
  turn(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#old.clear();
    this.#young.clear();
  }
}
