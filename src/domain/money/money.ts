/**
 * Money is a `bigint` in ledger units of 10⁻¹⁶, for every currency. There is no floating point and
 * no rounding: a division names its direction.
 */
import { assert } from "../assert.ts";
import { toBigint } from "../whole_number.ts";

/** Fractional digits of a ledger unit. */
export const LEDGER_DIGITS = 16;

/** Ledger units in one whole coin. */
export const LEDGER_ONE = 10n ** BigInt(LEDGER_DIGITS);

/** Fractional digits of a fee rate; rates are integers in parts per million. */
export const RATE_DIGITS = 6;

/** Digits before the decimal point that an amount may have. */
export const WHOLE_DIGITS_MAX = 20;

const POWERS: readonly bigint[] = Array.from({ length: 41 }, (_, n) => 10n ** BigInt(n));
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const SAFE_DIGITS = 15;

/** 10ⁿ for 0 ≤ n ≤ 40. */
export function powerOfTen(n: number): bigint {
  const power = POWERS[n];
  assert(power !== undefined, `no power of ten at ${n}`);
  return power;
}

/**
 * Parses a plain decimal such as `"-12.50"` at `scale` fractional digits.
 *
 * @returns units of 10^-scale, or `null` if the text is not a plain decimal (exponents, blanks and
 * `NaN` are not), is finer than `scale`, or has more than {@linkcode WHOLE_DIGITS_MAX} digits
 * before the point
 */
export function parseDecimal(text: string, scale: number = LEDGER_DIGITS): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const whole = match[2] ?? "";
  let fraction = match[3] ?? "";
  if (whole.length > WHOLE_DIGITS_MAX && whole.replace(/^0+/, "").length > WHOLE_DIGITS_MAX) {
    return null;
  }
  if (fraction.length > scale) {
    const excess = fraction.slice(scale);
    if (/[^0]/.test(excess)) return null;
    fraction = fraction.slice(0, scale);
  }
  const digits = whole + fraction;
  // A short number goes through the fast integer path; a long one through the exact parser.
  const mantissa = digits.length <= SAFE_DIGITS ? toBigint(Number(digits)) : BigInt(digits);
  const units = mantissa * powerOfTen(scale - fraction.length);
  return match[1] === "-" ? -units : units;
}

/**
 * Formats units of 10^-scale as a plain decimal in shortest form, with at least `fractionMin`
 * fractional digits: `formatDecimal(15n, 1, 1)` is `"1.5"`.
 */
export function formatDecimal(
  units: bigint,
  scale: number = LEDGER_DIGITS,
  fractionMin: number = 0,
): string {
  if (units < 0n) return "-" + formatDecimal(-units, scale, fractionMin);
  const digits = units.toString().padStart(scale + 1, "0");
  return placePoint(digits, scale, fractionMin);
}

/** {@linkcode formatDecimal} for units that are a safe integer (ticks and lots). */
export function formatInteger(units: number, scale: number, fractionMin: number = 0): string {
  return placePoint(String(units).padStart(scale + 1, "0"), scale, fractionMin);
}

function placePoint(digits: string, scale: number, fractionMin: number): string {
  const point = digits.length - scale;
  let end = digits.length;
  const endMin = point + Math.min(fractionMin, scale);
  while (end > endMin && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = digits.slice(0, point);
  if (end > point) return `${whole}.${digits.slice(point, end)}`;
  return fractionMin > 0 ? `${whole}.0` : whole;
}

/** Returns the fee on an amount at a rate in parts per million; asserts that it is exact. */
export function feeOf(amount: bigint, ratePpm: number): bigint {
  if (ratePpm === 0) return 0n;
  const product = amount * BigInt(ratePpm);
  const fee = product / 1_000_000n;
  assert(fee * 1_000_000n === product, "a fee is exact");
  return fee;
}

/** Returns `dividend` / `divisor` rounded up; neither may be negative. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  assert(divisor > 0n && dividend >= 0n, "a division upwards is of positive numbers");
  return (dividend + divisor - 1n) / divisor;
}
