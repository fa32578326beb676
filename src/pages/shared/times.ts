/** Times as pages show them, in the visitor's own zone. */
import { locale } from "./language.ts";

const CLOCK = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const DAY = new Intl.DateTimeFormat(locale, {
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

const MINUTE = new Intl.DateTimeFormat(locale, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Returns day and minute. @param at in ms since 1970 */
export function minuteText(at: number): string {
  return MINUTE.format(at);
}

/** Returns the time of day. @param at in ms since 1970 */
export function clockText(at: number): string {
  return CLOCK.format(at);
}

/** Returns day and time. @param at in ms since 1970 */
export function dayText(at: number): string {
  return DAY.format(at);
}
