/** Compares the rows of a store with those that a replay has made. */
import { BLOCK_HEADER_BYTES } from "../store/block_codec.ts";
import { ByteReader } from "../store/byte_reader.ts";
import { isSameBytes } from "../store/entry_codec.ts";
import {
  BLOCK_TABLES,
  HISTORY_TABLES,
  type Key,
  rowKey,
  type Table,
  TABLES,
} from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { MemoryRows } from "./row_source.ts";

const BLOCKS: ReadonlySet<Table> = new Set([...HISTORY_TABLES, ...BLOCK_TABLES]);

/** What a comparison found. */
export interface Comparison {
  readonly compared: number;
  /** Names of rows or histories that differ. */
  readonly differences: readonly string[];
}

/**
 * Compares all tables. How a history is cut into blocks depends on when it was
 * folded, so histories are compared as the sequence of their records.
 */
export async function compareRows(store: Store, replayed: MemoryRows): Promise<Comparison> {
  const expected = new Map<string, Uint8Array[]>();
  const changes = [...replayed.rows.values()].sort((a, b) =>
    TABLES.indexOf(a.table) - TABLES.indexOf(b.table) || comparePlaces(a.place, b.place)
  );
  for (const { table, place, bytes } of changes) {
    if (bytes !== null) append(expected, nameOf(table, place), bodyOf(table, bytes));
  }
  let compared = 0;
  const actual = new Map<string, Uint8Array[]>();
  for (const table of TABLES) {
    const start = rowKey(table, -Infinity);
    for await (const { key, value } of store.list<Uint8Array>(start, rowKey(table, Infinity))) {
      compared += 1;
      append(actual, nameOf(table, placeOf(key)), bodyOf(table, value));
    }
  }
  const names = new Set([...expected.keys(), ...actual.keys()]);
  const differences = [...names].filter((name) =>
    !isSameSequence(expected.get(name) ?? [], actual.get(name) ?? [])
  );
  return {
    compared,
    differences: differences.map((name) => `row ${name} differs from the replay`),
  };
}

/** A row by its table and place; all blocks of a history share a name. */
function nameOf(table: Table, place: Key): string {
  return `${table} ${(HISTORY_TABLES.has(table) ? place.slice(0, -1) : place).join("/")}`;
}

function placeOf(key: Key): Key {
  return key.slice(rowKey("members").length);
}

/** The row without its format and sequence. */
function bodyOf(table: Table, bytes: Uint8Array): Uint8Array {
  if (BLOCKS.has(table)) return bytes.subarray(BLOCK_HEADER_BYTES);
  const reader = new ByteReader(bytes);
  reader.byte();
  reader.uint();
  return bytes.subarray(reader.position);
}

function append(map: Map<string, Uint8Array[]>, name: string, body: Uint8Array): void {
  const bodies = map.get(name);
  if (bodies === undefined) map.set(name, [body]);
  else bodies.push(body);
}

function comparePlaces(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (typeof x === "number" && typeof y === "number" && x !== y) return x - y;
  }
  return 0;
}

function isSameSequence(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return isSameBytes(join(a), join(b));
}

function join(bodies: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(bodies.reduce((sum, body) => sum + body.length, 0));
  let at = 0;
  for (const body of bodies) {
    joined.set(body, at);
    at += body.length;
  }
  return joined;
}
