/** Colours of figures; each figure's sign or word says the same. */

/** Returns the class of a change's colour. */
export function toneOf(change: string | undefined): string {
  if (change === undefined || !/[1-9]/.test(change)) return "";
  return change.startsWith("-") ? "down" : "up";
}

/** Returns the class of a side's colour. */
export function sideTone(side: "buy" | "sell"): string {
  return side === "buy" ? "up" : "down";
}
