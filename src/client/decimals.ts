/** Decimal strings as whole numbers of their smallest units, so that money is computed exactly. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;

/**
 * Returns how many units a decimal is, where one has so many digits after the point.
 *
 * @throws {RangeError} if it is no decimal, or has more digits than that, other than zeros
 */
export function unitsOf(decimal: string, digits: number): bigint {
  const [, sign, whole = "", rest = ""] = DECIMAL.exec(decimal) ?? [];
  if (sign === undefined || /[1-9]/.test(rest.slice(digits))) {
    throw new RangeError(`"${decimal}" is no decimal of ${digits} digits after the point`);
  }
  const units = BigInt(whole + rest.slice(0, digits).padEnd(digits, "0"));
  return sign === "" ? units : -units;
}

/** Returns so many units as a decimal, without zeros at its end. */
export function decimalOf(units: bigint, digits: number): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const rest = text.slice(text.length - digits).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${rest === "" ? "" : `.${rest}`}`;
}
