/** Amounts as integers in units of 10⁻¹⁶; rounding is always explicit. */

/** Fractional digits of the ledger. */
export const DIGITS = 16;
/** One coin. */
export const ONE: bigint = 10n ** 16n;

/** Returns the smallest amount with so many fractional digits. */
export function unitOf(digits: number): bigint {
  return 10n ** BigInt(DIGITS - digits);
}

/** Multiplies a price by an amount. */
export function times(price: bigint, amount: bigint): bigint {
  return exact(price * amount, ONE);
}

/** Returns a share in parts per million. */
export function share(amount: bigint, rate: number): bigint {
  return rate === 0 ? 0n : exact(amount * BigInt(rate), 1_000_000n);
}

/** Returns the smaller amount. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Formats an amount in its shortest form. */
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
