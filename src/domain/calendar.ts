/** Spans of time and date arithmetic: the domain has no clock. */

/** Spans in ms. */
export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the same time of day one calendar month earlier, in UTC, or on the last day of that month
 * if it is too short.
 *
 * @param at ms since the epoch
 */
export function monthBefore(at: number): number {
  const days = Math.floor(at / DAY_MS);
  const { year, month, day } = dateOf(days);
  const previous = month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 };
  const first = daysUntil(previous);
  const length = daysUntil({ year, month }) - first;
  return (first + Math.min(day, length) - 1) * DAY_MS + (at - days * DAY_MS);
}

/** Returns the days from the epoch to the first of a Gregorian month; years begin in March here. */
function daysUntil({ year, month }: { year: number; month: number }): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
