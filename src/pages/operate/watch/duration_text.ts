/** How long something took or waits, in few characters. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a time in its two largest units, rounded down; in seconds at least. @param ms how long */
export function durationText(ms: number): string {
  const of = (unit: number, name: string) => `${Math.floor(ms / unit)}\u202f${name}`;
  const and = (whole: number, unit: number, name: string) =>
    `${Math.floor((ms % whole) / unit)}\u202f${name}`;
  if (ms >= DAY) return `${of(DAY, "d")} ${and(DAY, HOUR, "h")}`;
  if (ms >= HOUR) return `${of(HOUR, "h")} ${and(HOUR, MINUTE, "min")}`;
  return ms >= MINUTE ? of(MINUTE, "min") : of(SECOND, "s");
}
