/** Fee rates as people read them. */
import { floorTo, plain, typedUnits, unitsText } from "../../shared/amounts.ts";

/** Shares of 100. */
const HUNDRED = 100n;

/** Returns a rate in percent, such as `0.15 %` for `0.0015`; null if it is no rate. */
export function rateText(rate: string): string | null {
  if (/^0*\.?0*$/.test(rate.trim()) && /\d/.test(rate)) return "0\u202f%";
  const units = typedUnits(rate);
  return units === null ? null : `${plain(unitsText(floorTo(units * HUNDRED, 16)))}\u202f%`;
}
