/**
 * Rows carry a checksum of their key and bytes: a database tells nobody that a
 * bit has changed on the disk, and rows have no chain of hashes as entries have.
 */
import { crc32 } from "node:zlib";
import { InvariantError } from "../domain/assert.ts";
import type { Key } from "./keys.ts";

/** Set in a row's first byte where a checksum stands at its end; rows of older programs have none. */
const SEALED = 0x80;
/** Bytes that it adds to a row. */
export const SEAL_BYTES = 4;

/** What the store holds is not what was written. */
export class DamagedStoreError extends InvariantError {
  override name = "DamagedStoreError";
}

/** A row as it is stored. */
export function sealRow(key: Key, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  sealed[0] = (sealed[0] ?? 0) | SEALED;
  const checksum = rowChecksum(key, sealed.subarray(0, bytes.length));
  new DataView(sealed.buffer).setUint32(bytes.length, checksum);
  return sealed;
}

/**
 * A row as it was before it was sealed; changes the bytes given.
 *
 * @throws {DamagedStoreError} it is another one
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

/** A checksum of a row that is not sealed, and of its place. */
export function rowChecksum(key: Key, bytes: Uint8Array): number {
  return crc32(bytes, crc32(key.join("/")));
}

/** A record as it is stored; one of an older program has no checksum. */
export type SealedRecord<T> = T & { readonly checksum?: number };

/** A record as it is stored. */
export function sealRecord<T extends object>(record: T): SealedRecord<T> {
  return { ...record, checksum: recordChecksum(record) };
}

/**
 * A record as it was before it was sealed.
 *
 * @throws {DamagedStoreError} it is another one, or bytes, which the database takes it for where it
 * has lost what it is
 */
export function unsealRecord<T extends object>(
  name: string,
  stored: SealedRecord<T>,
): Omit<SealedRecord<T>, "checksum"> {
  const { checksum, ...record } = stored;
  const isSame = checksum === undefined || checksum === recordChecksum(record);
  if (stored instanceof Uint8Array || !isSame) {
    throw new DamagedStoreError(`The ${name} of the store is damaged`);
  }
  return record;
}

/** A checksum of a record: of its fields in the order in which they were written. */
function recordChecksum(record: unknown): number {
  return crc32(JSON.stringify(record));
}

function damagedRow(key: Key): DamagedStoreError {
  return new DamagedStoreError(`The row ${key.slice(1).join("/")} of the store is damaged`);
}
