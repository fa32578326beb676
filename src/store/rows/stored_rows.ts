/** Reads rows of tables as they were written. */
import type { Key } from "../keys.ts";
import { countParts, joinParts, partKeys } from "./long_row.ts";
import { unsealRow } from "./row_seal.ts";
import type { Store } from "../store.ts";

/** A row with its key, or a part of one, see `long_row.ts`. */
export interface StoredRow {
  readonly key: Key;
  readonly value: Uint8Array<ArrayBuffer>;
}

/**
 * Lists the rows from `start` to `end` (exclusive), or backwards; a long row as its parts.
 *
 * @throws {DamagedStoreError} if one is not what was written
 */
export async function* listRows(
  store: Store,
  start: Key,
  end: Key,
  options: { reverse?: boolean; limit?: number; batch?: number } = {},
): AsyncGenerator<StoredRow> {
  for await (const { key, value } of store.list(start, end, options)) {
    yield { key, value: unsealRow(key, value) };
  }
}

/**
 * Reads rows in the order of the keys given, long ones joined; null if there is none.
 *
 * @throws {DamagedStoreError} if one is not what was written
 */
export async function readRows(
  store: Store,
  keys: readonly Key[],
): Promise<(Uint8Array | null)[]> {
  const rows: (Uint8Array | null)[] = await readValues(store, keys);
  for (const [i, key] of keys.entries()) {
    const first = rows[i] ?? null;
    if (first !== null && countParts(first) > 1) rows[i] = await readLong(store, key, first);
  }
  return rows;
}

async function readValues(
  store: Store,
  keys: readonly Key[],
): Promise<(Uint8Array<ArrayBuffer> | null)[]> {
  const values = await store.getMany(keys);
  return keys.map((key, i) => {
    const value = values[i] ?? null;
    return value === null ? null : unsealRow(key, value);
  });
}

/** Reads all parts of a row at once: parts of different times make no row. */
async function readLong(store: Store, key: Key, found: Uint8Array): Promise<Uint8Array | null> {
  let count = countParts(found);
  for (;;) {
    const parts = await readValues(store, partKeys(key, count));
    const [first = null] = parts;
    if (first === null) return null;
    if (countParts(first) === count) return joinParts(parts.filter((part) => part !== null));
    count = countParts(first);
  }
}
