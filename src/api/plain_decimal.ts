/** Decimals as the programs of clients write them, with an exponent or without. */

/** Places by which an exponent may move the point: further than any amount of a ledger reaches. */
const PLACES_MAX = 40;
const WITH_EXPONENT = /^([+-]?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;

/**
 * The same decimal without its exponent, digit by digit: `"5e-05"` is `"0.00005"`. What has none
 * is answered as it is.
 *
 * @returns null where the exponent is beyond any amount
 */
export function withoutExponent(text: string): string | null {
  const match = WITH_EXPONENT.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent] = match;
  const places = Number(exponent);
  if (Math.abs(places) > PLACES_MAX) return null;
  const before = whole.padStart(1 - places, "0");
  const digits = before + fraction.padEnd(places, "0");
  const point = before.length + places;
  const rest = digits.slice(point);
  return sign + digits.slice(0, point) + (rest === "" ? "" : `.${rest}`);
}

/** Whether two decimals are the same number; never where an exponent is beyond any amount. */
export function isSameDecimal(one: string, other: string): boolean {
  const digits = shortest(one);
  return digits !== null && digits === shortest(other);
}

/** Without exponent, and without the zeros that say nothing. */
function shortest(text: string): string | null {
  const plain = withoutExponent(text)?.replace(/^(-?)0+(?=\d)/, "$1") ?? null;
  return plain?.includes(".") ? plain.replace(/0+$/, "").replace(/\.$/, "") : plain;
}
