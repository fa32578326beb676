/**
 * Every key of the store. All begin with the log's prefix, so that one KV can
 * hold several venue logs.
 *
 * | key                                     | value                                     |
 * | --------------------------------------- | ----------------------------------------- |
 * | head                                    | `Head`                                    |
 * | log, first sequence, part               | bytes of an entry                         |
 * | last                                    | bytes of the last entry, for the watch    |
 * | watermark                               | `Watermark`                               |
 * | table, …                                | bytes of a row, see `row_codec.ts`        |
 * | table, …, part                          | the rest of one, see `long_row.ts`        |
 * | side, …                                 | rows beside the log: secrets, contacts    |
 */

/** A key of Deno KV. */
export type Key = readonly (string | number)[];

/** One part: each part of a key costs a commit about half a microsecond. */
const PREFIX = ["kvenue1"] as const;

/** Tables that a start reads whole: they make its venue. */
export const STATE_TABLES = [
  "fees",
  "currencies",
  "withdraw_limits",
  "keys",
  "beneficiaries",
  "members",
  "markets",
  "open_orders",
  "open_deposits",
  "open_withdraws",
] as const;
export type StateTable = typeof STATE_TABLES[number];

/** Tables that the log is folded into, in the order in which a fold writes them. */
export const TABLES = [
  "member_orders",
  "member_trades",
  "market_trades",
  "member_deposits",
  "member_withdraws",
  "ended_deposits",
  "ended_withdraws",
  "deposit_names",
  "pnl",
  "pnl_prices",
  "pnl_currencies",
  "candles",
  ...STATE_TABLES,
] as const;
export type Table = typeof TABLES[number];

/** Tables whose rows are blocks of a history; their keys end in the id of the block's first record. */
export const HISTORY_TABLES: ReadonlySet<Table> = new Set<Table>([
  "member_orders",
  "member_trades",
  "market_trades",
  "member_deposits",
  "member_withdraws",
]);

/** Tables whose rows are blocks of records: of a history, or each at a place that its id tells. */
export const BLOCK_TABLES: ReadonlySet<Table> = new Set<Table>([
  ...HISTORY_TABLES,
  "ended_deposits",
  "ended_withdraws",
  "open_orders",
  "open_deposits",
  "open_withdraws",
]);

/** The one key that every commit of the log checks. */
export function headKey(): Key {
  return [...PREFIX, "head"];
}

/** The same in the layout of the first versions, which no program reads any more. */
export function firstLayoutHeadKey(): Key {
  return ["kvenue", 1, "head"];
}

/** An entry's part; parts count from 0. */
export function entryKey(first: number, part: number): Key {
  return [...PREFIX, "log", first, part];
}

/** The last entry once more, where several processes share the store: the watch tells it with the head. */
export function lastEntryKey(): Key {
  return [...PREFIX, "last"];
}

/** How far the rows are. */
export function watermarkKey(): Key {
  return [...PREFIX, "watermark"];
}

/** A row of a table; without a place, what the keys of all its rows begin with. */
export function rowKey(table: Table, ...place: readonly (string | number)[]): Key {
  return [...PREFIX, table, ...place];
}

/** A row beside the log. */
export function sideKey(place: Key): Key {
  return [...PREFIX, "side", ...place];
}

/** Bytes of a key (platform: as many). */
const KEY_BYTES_MAX = 2_048;
const encoder = new TextEncoder();

/** Whether the store can hold a row under a key; a name that a call gives may be of any length. */
export function isStorable(key: Key): boolean {
  return keyBytes(key) <= KEY_BYTES_MAX;
}

/** Bytes of a key, as the platform counts them. */
export function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) {
    // A byte before the text, and one behind it.
    bytes += typeof part === "number" ? 9 : textBytes(part) + 2;
  }
  return bytes;
}

/** Bytes of a text in a key: a zero takes one more. Encoding every short word would take far longer. */
function textBytes(text: string): number {
  let zeros = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encoder.encode(text).length + text.split("\0").length - 1;
    if (code === 0) zeros += 1;
  }
  return text.length + zeros;
}

/** Start of everything that belongs to this log. */
export function logPrefix(): Key {
  return [...PREFIX];
}
