/** Decimals with an exponent, as the programs of clients write them. */

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
