/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** Value of a cell; null is empty. */
export type CsvCell = string | number | null;

const LINE_END = "\r\n";
const TO_BE_QUOTED = /[",\r\n]/;
/**
 * Matches where a spreadsheet would see the start of a formula: at the start of a cell, in any
 * character width, with any quotes around the text. Languages with decimal commas also separate
 * cells by semicolons.
 */
const FORMULA_START = /(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0])(?<=(?:^|[;\t\r\n])["\s\0]*)/g;

/** Returns one line with its line end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(",") + LINE_END;
}

/** Returns a text written by somebody else, with every start of a formula escaped. */
export function freeText(text: string | null): CsvCell {
  return text?.replace(FORMULA_START, "'") ?? null;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  const text = String(cell);
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
