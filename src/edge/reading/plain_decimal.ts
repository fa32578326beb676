/** Normalizes decimals as clients' programs write them. */

/** Maximum exponent: it exceeds the range of all amounts. */
const PLACES_MAX = 40;
/** Matches nearly all of them. */
const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;
const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Returns the same decimal without an exponent and with digits on both sides of its point:
 * `"5e-05"` becomes `"0.00005"`, `".5"` becomes `"0.5"` and `"5."` becomes `"5"`. Text that is not
 * a decimal is returned unchanged.
 *
 * @returns null if the exponent exceeds all amounts
 */
export function plainDecimal(text: string): string | null {
  const match = PLAIN.test(text) ? null : DECIMAL.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const places = Number(exponent);
  if (Math.abs(places) > PLACES_MAX) return null;
  const before = whole.padStart(1 - places, "0");
  const digits = before + fraction.padEnd(places, "0");
  const point = before.length + places;
  const rest = digits.slice(point);
  return sign + digits.slice(0, point) + (rest === "" ? "" : `.${rest}`);
}

/** Returns whether two decimals are the same number; false if an exponent exceeds all amounts. */
export function isSameDecimal(one: string, other: string): boolean {
  const digits = shortest(one);
  return digits !== null && digits === shortest(other);
}

/** Returns a decimal without exponent and insignificant zeros. */
function shortest(text: string): string | null {
  const plain = plainDecimal(text)?.replace(/^(-?)0+(?=\d)/, "$1") ?? null;
  return plain?.includes(".") ? withoutZerosBehind(plain).replace(/\.$/, "") : plain;
}

/** Takes one pass; a pattern would start over at each zero, and a caller may send 60,000. */
function withoutZerosBehind(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "0") end -= 1;
  return text.slice(0, end);
}
