/** Exact arithmetic of the reference venue, in units of 10⁻¹⁶. */

export const ONE = 10n ** 16n;

/** Returns a price times an amount. */
export function times(price: bigint, amount: bigint): bigint {
  return exact(price * amount, ONE);
}

/** Divides without a remainder, or throws. */
export function exact(product: bigint, divisor: bigint): bigint {
  if (product % divisor !== 0n) throw new Error(`${product} / ${divisor} is not whole`);
  return product / divisor;
}

/** Returns the larger one. */
export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns the smaller one. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
