/** A seeded random number generator, with the same output on every machine. */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 4294967296) | 0;
    this.#c = 0x9e3779b9 | 0;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** Returns 32 random bits (sfc32). */
  uint32(): number {
    const sum = (this.#a + this.#b | 0) + this.#d | 0;
    this.#d = this.#d + 1 | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = this.#c + (this.#c << 3) | 0;
    this.#c = (this.#c << 21 | this.#c >>> 11) + sum | 0;
    return sum >>> 0;
  }

  /** Returns an integer from 0 up to, but not including, `below`. */
  below(below: number): number {
    return Math.floor(this.uint32() / 4294967296 * below);
  }

  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.uint32() / 4294967296 < probability;
  }

  /** Returns one of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
