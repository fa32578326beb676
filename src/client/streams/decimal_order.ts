/** Compares decimal strings as numbers, without losing a digit. */

/** Returns a number below, at or above 0, as the first is less than, equal to or above the second. */
export function compareDecimals(one: string, other: string): number {
  const [oneWhole = "", oneRest = ""] = one.split(".");
  const [otherWhole = "", otherRest = ""] = other.split(".");
  if (oneWhole.length !== otherWhole.length) return oneWhole.length - otherWhole.length;
  if (oneWhole !== otherWhole) return oneWhole < otherWhole ? -1 : 1;
  const digits = Math.max(oneRest.length, otherRest.length);
  const [first, second] = [oneRest.padEnd(digits, "0"), otherRest.padEnd(digits, "0")];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Whether a decimal is zero, however it is written. */
export function isZero(decimal: string): boolean {
  return /^[0.]*$/.test(decimal);
}
