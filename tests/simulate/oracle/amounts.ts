/** Decimals as whole numbers of 10⁻¹⁶, and nothing rounded unless it says so. */

/** Fractional digits of the ledger. */
export const DIGITS = 16;
/** One whole coin. */
export const ONE: bigint = 10n ** 16n;

/** The smallest amount with so many fractional digits. */
export function unitOf(digits: number): bigint {
  return 10n ** BigInt(DIGITS - digits);
}

/** price × amount. */
export function times(price: bigint, amount: bigint): bigint {
  return exact(price * amount, ONE);
}

/** A share in parts per million. */
export function share(amount: bigint, rate: number): bigint {
  return rate === 0 ? 0n : exact(amount * BigInt(rate), 1_000_000n);
}

/** The smaller of the two. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** An amount in its shortest form. */
export function decimal(amount: bigint): string {
  const text = amount.toString().padStart(DIGITS + 1, "0");
  const fraction = text.slice(-DIGITS).replace(/0+$/, "");
  const whole = text.slice(0, -DIGITS);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function exact(product: bigint, divisor: bigint): bigint {
  if (product % divisor !== 0n) throw new Error(`${product} / ${divisor} is not whole`);
  return product / divisor;
}
