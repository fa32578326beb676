/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** What a cell holds; null is empty. */
export type CsvCell = string | number | null;

const LINE_END = "\r\n";
const TO_BE_QUOTED = /[",\r\n]/;
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(",") + LINE_END;
}

/** A text that somebody else has written: never the beginning of a formula. */
export function freeText(text: string | null): CsvCell {
  return text !== null && FORMULA_START.test(text) ? `'${text}` : text;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
