/** Colours and words of figures; a sign or a word says the same as a colour. */

import { fixed } from "../shared/amounts.ts";

/** Returns the class of a change's colour. */
export function toneOf(change: string | undefined): string {
  if (change === undefined || !/[1-9]/.test(change)) return "";
  return change.startsWith("-") ? "down" : "up";
}

/** Returns a price as it is shown; that of a market without trades is none. */
export function lastText(price: string | undefined, digits: number): string {
  return price === undefined || !/[1-9]/.test(price) ? "–" : fixed(price, digits);
}

/** Returns the class of a side's colour. */
export function sideTone(side: "buy" | "sell"): string {
  return side === "buy" ? "up" : "down";
}
