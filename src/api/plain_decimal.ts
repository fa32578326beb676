/** Decimals in all the ways in which the programs of clients write them. */

/** Places by which an exponent may move the point: further than any amount of a ledger reaches. */
const PLACES_MAX = 40;
/** As nearly all of them are. */
const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;
const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * The same decimal without an exponent and with digits on both sides of its point, digit by digit:
 * `"5e-05"` is `"0.00005"`, `".5"` is `"0.5"` and `"5."` is `"5"`. What is no decimal is answered as
 * it is.
 *
 * @returns null where the exponent is beyond any amount
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

/** Whether two decimals are the same number; never where an exponent is beyond any amount. */
export function isSameDecimal(one: string, other: string): boolean {
  const digits = shortest(one);
  return digits !== null && digits === shortest(other);
}

/** Without exponent, and without the zeros that say nothing. */
function shortest(text: string): string | null {
  const plain = plainDecimal(text)?.replace(/^(-?)0+(?=\d)/, "$1") ?? null;
  return plain?.includes(".") ? withoutZerosBehind(plain).replace(/\.$/, "") : plain;
}

/** In one pass: a pattern for them begins anew at each zero, of which a caller may send 60,000. */
function withoutZerosBehind(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "0") end -= 1;
  return text.slice(0, end);
}
