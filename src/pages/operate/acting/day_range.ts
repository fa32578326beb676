/** Days as they are chosen, in the visitor's zone. */

/** Returns when a day begins, in Unix seconds; null if it is none. @param later days behind it */
export function dayStart(day: string, later = 0): number | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (date === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime() / 1000;
  return at >= 0 ? at : null;
}

/** Returns the fields of a query for all from one day to another, both included. */
export function dayRange(
  from: string,
  to: string,
): { readonly time_from?: number; readonly time_to?: number } {
  const [begin, end] = [dayStart(from), dayStart(to, 1)];
  return {
    ...(begin === null ? {} : { time_from: begin }),
    ...(end === null ? {} : { time_to: end }),
  };
}
