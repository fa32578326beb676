/**
 * A sum over the rows that a start reads whole. A row's own checksum shows that it is what was
 * written; the sum shows that none of them is missing, and none is there that should not be.
 */
import { type Key, rowKey, STATE_TABLES, type Table } from "../../store/keys.ts";
import { cutRow, partKeys } from "../../store/rows/long_row.ts";
import { rowChecksum } from "../../store/rows/row_seal.ts";
import type { RowChange, RowSource } from "./row_source.ts";

const IN_STATE: ReadonlySet<Table> = new Set(STATE_TABLES);
const SUMS = 2 ** 32;

/** Returns whether a start reads the rows of a table whole. */
export function isOfState(table: Table): boolean {
  return IN_STATE.has(table);
}

/** Returns the sum with one more row. */
export function sumWith(sum: number, key: Key, row: Uint8Array): number {
  return (sum + rowChecksum(key, row)) % SUMS;
}

/** Returns the sum after these changes; `rows` holds the rows as they were before. */
export function sumAfter(sum: number, changes: readonly RowChange[], rows: RowSource): number {
  let after = sum;
  for (const { table, place, bytes } of changes) {
    if (!isOfState(table)) continue;
    const key = rowKey(table, ...place);
    const old = rows.get(table, place);
    if (old !== null) after = (after + SUMS - sumOfRow(key, old)) % SUMS;
    if (bytes !== null) after = (after + sumOfRow(key, bytes)) % SUMS;
  }
  return after;
}

/** Returns the sum of one row, which may be a long one. */
function sumOfRow(key: Key, row: Uint8Array): number {
  const parts = cutRow(row);
  const keys = partKeys(key, parts.length);
  return parts.reduce((sum, part, i) => sumWith(sum, keys[i] as Key, part), 0);
}
