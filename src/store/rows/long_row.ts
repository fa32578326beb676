/**
 * Rows that are longer than a value may be. Such a row is stored under several keys: its first part
 * under the row's own, each other part under that and its number. One commit writes all parts.
 *
 * Layout of a part: the row's format with a mark (1), the number of parts in the first part and its
 * own number in each other (1), the row's bytes after its format.
 */
import { assert } from "../../domain/assert.ts";
import { joinBytes } from "../byte_strings.ts";
import type { Key } from "../keys.ts";
import { VALUE_BYTES_MAX } from "../kv/kv_limits.ts";
import { SEAL_BYTES } from "./row_seal.ts";

/** Marks in a part's first byte, which to a program that does not know them are a newer format. */
const FIRST = 0x40;
const LATER = 0x20;
const HEADER_BYTES = 2;
/** Bytes of a row that fits under one key. */
const WHOLE_BYTES_MAX = VALUE_BYTES_MAX - SEAL_BYTES;
const PART_BYTES = WHOLE_BYTES_MAX - HEADER_BYTES;

/** Returns the row as stored: itself, or its parts in order. How a row is cut never changes. */
export function cutRow<T extends Uint8Array>(row: T): (T | Uint8Array<ArrayBuffer>)[] {
  const count = partsOf(row);
  if (count === 1) return [row];
  return Array.from({ length: count }, (_, number) => {
    const from = 1 + number * PART_BYTES;
    const bytes = row.subarray(from, from + PART_BYTES);
    const part = new Uint8Array(HEADER_BYTES + bytes.length);
    part[0] = (row[0] ?? 0) | (number === 0 ? FIRST : LATER);
    part[1] = number === 0 ? count : number;
    part.set(bytes, HEADER_BYTES);
    return part;
  });
}

/** Returns how many parts a row is cut into. */
export function partsOf(row: Uint8Array): number {
  return row.length <= WHOLE_BYTES_MAX ? 1 : Math.ceil((row.length - 1) / PART_BYTES);
}

/** Returns the keys of a row's parts. */
export function partKeys(key: Key, count: number): Key[] {
  return Array.from({ length: count }, (_, number) => number === 0 ? key : [...key, number]);
}

/** Returns how many parts a row has, given its first; 1 if it is whole. */
export function countParts(first: Uint8Array): number {
  return ((first[0] ?? 0) & FIRST) === 0 ? 1 : first[1] ?? 0;
}

/** Whether this is a part after the first, whose key ends in its number. */
export function isLaterPart(value: Uint8Array): boolean {
  return ((value[0] ?? 0) & LATER) !== 0;
}

/** Returns the bytes of a row, or of a part of one, without format and header. */
export function bytesOf(value: Uint8Array): Uint8Array {
  return value.subarray(((value[0] ?? 0) & (FIRST | LATER)) === 0 ? 1 : HEADER_BYTES);
}

/** Returns the format of a row, or of a part of one. */
export function formatOf(value: Uint8Array): number {
  return (value[0] ?? 0) & ~(FIRST | LATER);
}

/** Joins the parts of a row, which are complete and in order. */
export function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const [first, ...later] = parts;
  assert(first !== undefined && !isLaterPart(first), "a row has its first part");
  assert(countParts(first) === parts.length, "a row has all its parts");
  if (later.length === 0) return first;
  const isInOrder = later.every((part, i) => isLaterPart(part) && part[1] === i + 1);
  assert(isInOrder, "a row's parts are in their order");
  return joinBytes([Uint8Array.of((first[0] ?? 0) & ~FIRST), ...parts.map(bytesOf)]);
}

/** Joins a table's values, in the order of their keys, into whole rows. */
export function joinRows(values: readonly Uint8Array[]): Uint8Array[] {
  const rows: Uint8Array[] = [];
  for (let at = 0; at < values.length;) {
    // A part without its first one fails the assertions of `joinParts`.
    const to = at + Math.max(countParts(values[at] as Uint8Array), 1);
    rows.push(joinParts(values.slice(at, to)));
    at = to;
  }
  return rows;
}
