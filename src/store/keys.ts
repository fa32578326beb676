/**
 * Every key of the store. All begin with the log's prefix, so that one KV can
 * hold several venue logs.
 *
 * | key                                     | value                                     |
 * | --------------------------------------- | ----------------------------------------- |
 * | head                                    | `Head`                                    |
 * | epoch, its id                           | `EpochRecord`; there is only the present  |
 * | log, first sequence, part               | bytes of an entry                         |
 * | last                                    | bytes of the last entry, for the watch    |
 * | watermark                               | `Watermark`                               |
 * | table, …                                | bytes of a row, see `row_codec.ts`        |
 * | table, …, part                          | the rest of one, see `long_row.ts`        |
 * | side, …                                 | rows of the sidecar: secrets, contacts    |
 */

/** A key of Deno KV. */
export type Key = readonly (string | number)[];

/** One part, since each part of a key costs a commit about half a microsecond. */
const PREFIX = ["kvenue1"] as const;

/** Tables that a start reads completely, to build the state. */
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
  "member_funds",
  "ended_deposits",
  "ended_withdraws",
  "deposit_names",
  "act_names",
  "pnl",
  "pnl_prices",
  "pnl_currencies",
  "candles",
  ...STATE_TABLES,
] as const;
export type Table = typeof TABLES[number];

/** Tables whose rows are blocks of a history; a key ends in the id of its block's first record. */
export const HISTORY_TABLES: ReadonlySet<Table> = new Set<Table>([
  "member_orders",
  "member_trades",
  "market_trades",
  "member_deposits",
  "member_withdraws",
  "member_funds",
]);

/** Tables whose rows are blocks of records: of a history, or each at a place given by its id. */
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

/** The key of an epoch's row, which every write checks. */
export function epochKey(epoch: string): Key {
  return [...PREFIX, "epoch", epoch];
}

/** The key of the head in the layout of the first versions, which no program reads any more. */
export function firstLayoutHeadKey(): Key {
  return ["kvenue", 1, "head"];
}

/** What the keys of all entries begin with. */
export function logKey(): Key {
  return [...PREFIX, "log"];
}

/** The key of a part of an entry; parts count from 0. */
export function entryKey(first: number, part: number): Key {
  return [...logKey(), first, part];
}

/** The key of a copy of the last entry, which watches on a shared store deliver. */
export function lastEntryKey(): Key {
  return [...PREFIX, "last"];
}

/** The key of the watermark: how far the rows are. */
export function watermarkKey(): Key {
  return [...PREFIX, "watermark"];
}

/** The key of a row of a table; without a place, what the keys of all its rows begin with. */
export function rowKey(table: Table, ...place: readonly (string | number)[]): Key {
  return [...PREFIX, table, ...place];
}

/** The key of a row of the sidecar. */
export function sidecarKey(place: Key): Key {
  return [...PREFIX, "side", ...place];
}

/** Bytes of a key (platform: the same). */
const KEY_BYTES_MAX = 2_048;
const encoder = new TextEncoder();

/** Whether the store can hold a row under a key; a name in a call may have any length. */
export function isStorable(key: Key): boolean {
  return keyBytes(key) <= KEY_BYTES_MAX;
}

/** Counts the bytes of a key as the platform does. */
export function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) {
    // One byte before the text, and one after it.
    bytes += typeof part === "number" ? 9 : textBytes(part) + 2;
  }
  return bytes;
}

/** Counts the bytes of a text in a key: a zero takes two. Encoding short words would be slower. */
function textBytes(text: string): number {
  let zeros = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encoder.encode(text).length + text.split("\0").length - 1;
    if (code === 0) zeros += 1;
  }
  return text.length + zeros;
}

/** The prefix of everything that belongs to this log. */
export function logPrefix(): Key {
  return [...PREFIX];
}
