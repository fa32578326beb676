/**
 * Rows carry a checksum of their key and bytes: a database doesn't report that a bit has flipped on
 * the disk, and rows have no chain of hashes as entries do.
 */
import { crc32 } from "node:zlib";
import { InvariantError } from "../../domain/assert.ts";
import type { Key } from "../keys.ts";

/** Set in a row's first byte if a checksum ends it; rows of older programs have none. */
const SEALED = 0x80;
/** Bytes that the checksum adds to a row. */
export const SEAL_BYTES = 4;

/** What the store holds is not what was written. */
export class DamagedStoreError extends InvariantError {
  override name = "DamagedStoreError";
}

/** Adds the checksum to a row. */
export function sealRow(key: Key, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  sealed[0] = (sealed[0] ?? 0) | SEALED;
  const checksum = rowChecksum(key, sealed.subarray(0, bytes.length));
  new DataView(sealed.buffer).setUint32(bytes.length, checksum);
  return sealed;
}

/**
 * Verifies and removes a row's checksum; changes the bytes given.
 *
 * @throws {DamagedStoreError} if the row is not the one that was written
 */
export function unsealRow(key: Key, stored: unknown): Uint8Array<ArrayBuffer> {
  if (!(stored instanceof Uint8Array)) throw damagedRow(key);
  const bytes = stored as Uint8Array<ArrayBuffer>;
  const first = bytes[0] ?? 0;
  if ((first & SEALED) === 0) return bytes;
  const end = bytes.length - SEAL_BYTES;
  if (end < 1) throw damagedRow(key);
  const row = bytes.subarray(0, end);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(end) !== rowChecksum(key, row)) throw damagedRow(key);
  row[0] = first & ~SEALED;
  return row;
}

/** Returns a checksum of a row that is not sealed, and of its key. */
export function rowChecksum(key: Key, bytes: Uint8Array): number {
  return crc32(bytes, crc32(key.join("/")));
}

/** A record as stored; one of an older program has no checksum. */
export type SealedRecord<T> = T & { readonly checksum?: number };

/** Adds the checksum to a record. */
export function sealRecord<T extends object>(record: T): SealedRecord<T> {
  return { ...record, checksum: recordChecksum(record) };
}

/**
 * Verifies and removes a record's checksum.
 *
 * @throws {DamagedStoreError} if the record is not the one that was written, or is bytes, as which
 * the database returns a value whose type is damaged
 */
export function unsealRecord<T extends object>(
  name: string,
  stored: SealedRecord<T>,
): Omit<SealedRecord<T>, "checksum"> {
  const isRecord = typeof stored === "object" && !(stored instanceof Uint8Array);
  const { checksum, ...record } = isRecord ? stored : {} as SealedRecord<T>;
  const isSame = checksum === undefined || checksum === recordChecksum(record);
  if (!isRecord || !isSame) throw new DamagedStoreError(`The ${name} of the store is damaged`);
  return record;
}

/** Returns a checksum of a record's fields, in the order in which they were written. */
function recordChecksum(record: unknown): number {
  return crc32(JSON.stringify(record));
}

function damagedRow(key: Key): DamagedStoreError {
  return new DamagedStoreError(`The row ${key.slice(1).join("/")} of the store is damaged`);
}
