/** Compares the rows of a store with those made by a replay. */
import { InvariantError } from "../../domain/assert.ts";
import {
  BLOCK_HEADER_BYTES,
  readBlock,
  readBlockHeader,
  type RecordCodec,
} from "../../store/rows/block_codec.ts";
import { ByteReader } from "../../store/byte_reader.ts";
import { isSameBytes, joinBytes } from "../../store/byte_strings.ts";
import {
  BLOCK_TABLES,
  HISTORY_TABLES,
  type Key,
  rowKey,
  type Table,
  TABLES,
} from "../../store/keys.ts";
import { bytesOf, formatOf, isLaterPart, joinParts } from "../../store/rows/long_row.ts";
import { FUNDS_CODEC } from "../../store/rows/funds_codec.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import {
  MARKET_TRADE_CODEC,
  MEMBER_TRADE_CODEC,
  ORDER_CODEC,
} from "../../store/rows/order_codec.ts";
import { CURRENCY_RENEWALS, LIMIT_RENEWALS, type Renewal } from "../../store/older_records.ts";
import {
  readMembersRow,
  readRenewedRow,
  writeMembersRow,
  writeRecordRow,
} from "../../store/rows/row_codec.ts";
import type { Store } from "../../store/store.ts";
import { checkFormat, OtherVersionError, ROW_FORMAT } from "../../store/stored_formats.ts";
import { DamagedStoreError, unsealRow } from "../../store/rows/row_seal.ts";
import { addToGroup } from "../grouped_items.ts";
import type { MemoryRows } from "../fold/row_source.ts";
import { isOfState, sumWith } from "../fold/state_sum.ts";

/** The codecs of all tables whose rows are blocks. */
const BLOCK_CODECS: Partial<Record<Table, RecordCodec<unknown>>> = {
  member_orders: ORDER_CODEC as RecordCodec<unknown>,
  member_trades: MEMBER_TRADE_CODEC as RecordCodec<unknown>,
  market_trades: MARKET_TRADE_CODEC as RecordCodec<unknown>,
  member_deposits: DEPOSIT_CODEC as RecordCodec<unknown>,
  member_withdraws: WITHDRAW_CODEC as RecordCodec<unknown>,
  member_funds: FUNDS_CODEC as RecordCodec<unknown>,
  ended_deposits: DEPOSIT_CODEC as RecordCodec<unknown>,
  ended_withdraws: WITHDRAW_CODEC as RecordCodec<unknown>,
  open_orders: ORDER_CODEC as RecordCodec<unknown>,
  open_deposits: DEPOSIT_CODEC as RecordCodec<unknown>,
  open_withdraws: WITHDRAW_CODEC as RecordCodec<unknown>,
};

/**
 * Write rows anew whose records have changed with the format: what an older program wrote stays so
 * until something in the row changes. All others are written as they ever were.
 */
const RENEWALS: Partial<Record<Table, (row: Uint8Array) => Uint8Array>> = {
  members: (row) => {
    const { sequence, value } = readMembersRow(row);
    return writeMembersRow(sequence, value);
  },
  currencies: (row) => rewritten(row, CURRENCY_RENEWALS),
  withdraw_limits: (row) => rewritten(row, LIMIT_RENEWALS),
};

function rewritten<T>(row: Uint8Array, renewals: readonly Renewal<T>[]): Uint8Array {
  const { sequence, value } = readRenewedRow(row, renewals);
  return writeRecordRow(sequence, value);
}

/** A row or history that differs from the replay. */
export interface Difference {
  readonly name: string;
  /** `less` or `more` for a history that only lacks records or only has more, else `other`. */
  readonly kind: "less" | "more" | "other";
}

/** The result of a comparison. */
export interface Comparison {
  readonly compared: number;
  readonly differences: readonly Difference[];
  /** Sum of the state's undamaged rows. */
  readonly stateSum: number;
}

/** Whether a row, or a block of a history, may be true at a sequence. */
export type MayBeTrueAt = (sequence: number, isHistory: boolean) => boolean;

/**
 * Compares all tables. How a history is split into blocks depends on when it was folded, so
 * histories are compared as sequences of records, in blocks of which each is found by its ids.
 */
export async function compareRows(
  store: Store,
  replayed: MemoryRows,
  mayBeTrueAt: MayBeTrueAt,
): Promise<Comparison> {
  const expected = new Map<string, Uint8Array[]>();
  const changes = [...replayed.rows.values()].sort((a, b) =>
    TABLES.indexOf(a.table) - TABLES.indexOf(b.table) || comparePlaces(a.place, b.place)
  );
  for (const { table, place, bytes } of changes) {
    if (bytes !== null) addToGroup(expected, nameOf(table, place, bytes), bytes);
  }
  const stored = await readStored(store, mayBeTrueAt);
  const { actual, damaged } = stored;
  const names = new Set([...expected.keys(), ...actual.keys(), ...damaged]);
  const differences: Difference[] = [];
  for (const name of names) {
    const table = name.slice(0, name.indexOf(" ")) as Table;
    const replayed = contentOf(table, expected.get(name) ?? []);
    const stored = damaged.has(name) ? null : contentOf(table, actual.get(name) ?? []);
    if (replayed !== null && stored !== null && isSameBytes(replayed, stored)) continue;
    const codec = HISTORY_TABLES.has(table) ? BLOCK_CODECS[table] : undefined;
    differences.push({ name, kind: kindOf(codec, replayed, stored) });
  }
  return { compared: stored.compared, differences, stateSum: stored.stateSum };
}

/** The rows of a store by name, and the names of those that no program writes so. */
interface StoredRows extends Omit<Comparison, "differences"> {
  readonly actual: Map<string, Uint8Array[]>;
  readonly damaged: Set<string>;
}

async function readStored(store: Store, mayBeTrueAt: MayBeTrueAt): Promise<StoredRows> {
  let compared = 0;
  let stateSum = 0;
  const actual = new Map<string, Uint8Array[]>();
  const damaged = new Set<string>();
  for (const table of TABLES) {
    const start = rowKey(table);
    let before: NamedBlock | null = null;
    for await (const { key, value } of store.list(start, rowKey(table, Infinity))) {
      compared += 1;
      const row = soundRow(key, value);
      if (row !== null && isOfState(table)) stateSum = sumWith(stateSum, key, row);
      const place = placeOf(key);
      const name = nameOf(table, place, row);
      const block: NamedBlock | null = row && blockOf(table, name, place, row, before);
      before = block;
      const isSound = row !== null && (block !== null || !BLOCK_TABLES.has(table)) &&
        (isLaterPart(row) || isTrueRow(table, row, mayBeTrueAt));
      if (!isSound) {
        damaged.add(name);
        continue;
      }
      addToGroup(actual, name, row);
    }
  }
  return { compared, stateSum, actual, damaged };
}

/** Whether a row, or the first part of one, has a format and may be true at its sequence. */
function isTrueRow(table: Table, row: Uint8Array, mayBeTrueAt: MayBeTrueAt): boolean {
  try {
    const sequence = BLOCK_TABLES.has(table)
      ? readBlockHeader(row).sequence
      : new ByteReader(bytesOf(row)).uint();
    checkFormat("A row", formatOf(row), ROW_FORMAT);
    const isOne = Number.isSafeInteger(sequence) && sequence > 0 && formatOf(row) > 0;
    return isOne && mayBeTrueAt(sequence, HISTORY_TABLES.has(table));
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

/** A block and the id of its last record. */
interface NamedBlock {
  readonly name: string;
  readonly lastId: number;
}

/** Returns a block if its header and key tell what it holds, else null. */
function blockOf(
  table: Table,
  name: string,
  place: Key,
  row: Uint8Array,
  before: NamedBlock | null,
): NamedBlock | null {
  const codec = BLOCK_CODECS[table];
  if (codec === undefined) return null;
  try {
    const ids = readBlock(row, codec).map((record) => codec.id(record));
    const { lastId } = readBlockHeader(row);
    if (ids.at(-1) !== lastId) return null;
    // A history's first block takes all records before the second one.
    const first = before?.name === name ? ids[0] : 0;
    const isFound = !HISTORY_TABLES.has(table) || place.at(-1) === first;
    return isFound ? { name, lastId } : null;
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Returns a row as it was written; null if it is damaged. */
function soundRow(key: Key, value: unknown): Uint8Array | null {
  try {
    return unsealRow(key, value);
  } catch (error) {
    if (error instanceof DamagedStoreError) return null;
    throw error;
  }
}

/** Returns how two histories differ: whether one has all records of the other, and more. */
function kindOf(
  codec: RecordCodec<unknown> | undefined,
  replayed: Uint8Array | null,
  stored: Uint8Array | null,
): Difference["kind"] {
  if (codec === undefined || replayed === null || stored === null) return "other";
  const [all, some] = [recordsOf(codec, replayed), recordsOf(codec, stored)];
  if (all === null || some === null) return "other";
  if (isPartOf(some, all)) return "less";
  return isPartOf(all, some) ? "more" : "other";
}

/** Returns the records by id; null if the bytes are no history. */
function recordsOf(codec: RecordCodec<unknown>, bytes: Uint8Array): Map<number, Uint8Array> | null {
  const records = new Map<number, Uint8Array>();
  const reader = new ByteReader(bytes);
  let last = -1;
  while (!reader.isAtEnd) {
    const start = reader.position;
    try {
      const id = codec.id(codec.read(reader));
      if (id <= last) return null;
      last = id;
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
    records.set(last, bytes.subarray(start, reader.position));
  }
  return records;
}

/** What codecs throw at bytes that they have not written. */
const UNREADABLE = [InvariantError, TypeError, RangeError, SyntaxError];

/** Whether an error says that bytes are not what their codec writes. */
function isUnreadable(error: unknown): boolean {
  return UNREADABLE.some((kind) => error instanceof kind) && !(error instanceof OtherVersionError);
}

function isPartOf(
  some: ReadonlyMap<number, Uint8Array>,
  all: ReadonlyMap<number, Uint8Array>,
): boolean {
  return [...some].every(([id, bytes]) => {
    const other = all.get(id);
    return other !== undefined && isSameBytes(bytes, other);
  });
}

/** Names a row by table and place; blocks of a history share a name, as do parts of a row. */
function nameOf(table: Table, place: Key, row: Uint8Array | null): string {
  const isOneOfMany = HISTORY_TABLES.has(table) || (row !== null && isLaterPart(row));
  return `${table} ${(isOneOfMany ? place.slice(0, -1) : place).map(partText).join("/")}`;
}

/** Formats a part of a place so that texts are told from numbers, and from several parts. */
function partText(part: string | number): string {
  const isPlain = typeof part === "number" || (Number.isNaN(Number(part)) && !part.includes("/"));
  return isPlain ? String(part) : JSON.stringify(part);
}

function placeOf(key: Key): Key {
  return key.slice(rowKey("members").length);
}

/**
 * Returns what the rows of one name hold, without formats and sequences: the records of all blocks,
 * or one row as this program writes it; null if it is none.
 */
function contentOf(table: Table, rows: readonly Uint8Array[]): Uint8Array | null {
  if (BLOCK_TABLES.has(table)) {
    return joinBytes(rows.map((row) => row.subarray(BLOCK_HEADER_BYTES)));
  }
  if (rows.length === 0) return new Uint8Array();
  try {
    const row = renewed(table, joinParts(rows));
    const reader = new ByteReader(row, 1);
    reader.uint();
    return row.subarray(reader.position);
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Returns a row as this program writes it. */
function renewed(table: Table, row: Uint8Array): Uint8Array {
  return (row[0] ?? 0) < ROW_FORMAT ? RENEWALS[table]?.(row) ?? row : row;
}

function comparePlaces(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (typeof x === "number" && typeof y === "number" && x !== y) return x - y;
  }
  // A row's parts come after it.
  return a.length - b.length;
}
