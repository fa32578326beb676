/** Money as pages show and reckon with it: decimal strings and whole numbers of units, no floats. */
import { decimalOf, unitsOf } from "../../client/decimals.ts";

/** Digits after the point of all amounts while they are reckoned with. */
export const DIGITS = 16;
const ONE = 10n ** BigInt(DIGITS);

/** Matches what a person may type as an amount. */
const TYPED = /^\d{1,20}(\.\d{0,16})?$/;

/** Returns the units (of 10⁻¹⁶) of what has been typed; null if it is no amount above zero. */
export function typedUnits(text: string): bigint | null {
  const plain = text.trim();
  const given = plain.startsWith(".") ? `0${plain}` : plain;
  if (!TYPED.test(given)) return null;
  const units = unitsOf(given, DIGITS);
  return units > 0n ? units : null;
}

/** Returns the units of a decimal that the venue has told. */
export function toldUnits(decimal: string): bigint {
  return unitsOf(decimal, DIGITS);
}

/** Returns units as a decimal, without zeros at its end. */
export function unitsText(units: bigint): string {
  return decimalOf(units, DIGITS);
}

/** Multiplies an amount with a price or a rate; what is below a unit is left out. */
export function product(units: bigint, others: bigint): bigint {
  return units * others / ONE;
}

/** Divides an amount by a price, rounded down. */
export function quotient(units: bigint, others: bigint): bigint {
  return units * ONE / others;
}

/** Cuts units off after so many digits. */
export function floorTo(units: bigint, digits: number): bigint {
  const step = stepOf(digits);
  return units - units % step;
}

/** Returns the units of the smallest step of so many digits. */
export function stepOf(digits: number): bigint {
  return 10n ** BigInt(DIGITS - digits);
}

/**
 * Returns a decimal with so many digits after the point, cut off or filled with zeros, and its
 * thousands apart by narrow spaces.
 */
export function fixed(decimal: string, digits: number): string {
  const sign = decimal.startsWith("-") ? "−" : "";
  const [whole = "0", rest = ""] = decimal.replace(/^[-+]/, "").split(".");
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return sign + apart + (digits === 0 ? "" : `.${rest.slice(0, digits).padEnd(digits, "0")}`);
}

/** Returns a decimal as it is, without zeros at its end, and its thousands apart. */
export function plain(decimal: string): string {
  const rest = /\.(\d*?)0*$/.exec(decimal)?.[1] ?? "";
  return fixed(decimal, rest.length);
}

/** Returns a share of 100 in whole numbers: how long a bar is. */
export function percentOf(units: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(units * 100n / whole);
}
