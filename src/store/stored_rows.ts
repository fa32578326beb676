/** Reads rows of tables, each as it was written. */
import type { Key } from "./keys.ts";
import { unsealRow } from "./row_seal.ts";
import type { Store } from "./store.ts";

/** A row with its key. */
export interface StoredRow {
  readonly key: Key;
  readonly value: Uint8Array<ArrayBuffer>;
}

/**
 * Lists the rows from `start` up to before `end`, or from the end backwards.
 *
 * @throws {DamagedStoreError} one is not what was written
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
 * Reads one row; null where there is none.
 *
 * @throws {DamagedStoreError} it is not what was written
 */
export async function readRow(store: Store, key: Key): Promise<Uint8Array<ArrayBuffer> | null> {
  const { value } = await store.get(key);
  return value === null ? null : unsealRow(key, value);
}

/**
 * Reads rows in the order of their keys given; null where there is none.
 *
 * @throws {DamagedStoreError} one is not what was written
 */
export async function readRows(
  store: Store,
  keys: readonly Key[],
): Promise<(Uint8Array<ArrayBuffer> | null)[]> {
  const values = await store.getMany(keys);
  return keys.map((key, i) => {
    const value = values[i] ?? null;
    return value === null ? null : unsealRow(key, value);
  });
}
