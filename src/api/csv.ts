/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** What a cell holds; null is empty. */
export type CsvCell = string | number | null;

const LINE_END = "\r\n";
const TO_BE_QUOTED = /[",\r\n]/;
/**
 * Before what a spreadsheet takes for the beginning of a formula, in whatever width it is written,
 * where a cell begins: in the languages that write decimals with a comma, behind a semicolon, too,
 * whatever quotes stand around the text.
 */
const FORMULA_START = /(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0])(?<=(?:^|[;\t\r\n])["\s\0]*)/g;

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(",") + LINE_END;
}

/** A text that somebody else has written: nothing in it is the beginning of a formula. */
export function freeText(text: string | null): CsvCell {
  return text?.replace(FORMULA_START, "'") ?? null;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
