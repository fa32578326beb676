/** Where the fold and reads get rows from, and what the fold changes in them. */
import { HISTORY_TABLES, type Key, rowKey, type Table } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { listRows, readRows } from "../../store/rows/stored_rows.ts";
import { TwoGenerations } from "../two_generations.ts";

/** The place of a row within its table. */
export type Place = readonly (string | number)[];

/** A block of a history, and the id that its key ends in. */
export interface Block {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** A new value of a row; null bytes delete it. */
export interface RowChange {
  readonly table: Table;
  readonly place: Place;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  /** Whether it is written in one step with the change before it. */
  readonly isJoined?: boolean;
}

/** A source of rows. */
export interface RowSource {
  /** Fetches the rows at these places, so that `get` returns them. */
  prefetch(table: Table, places: readonly Place[]): Promise<void>;
  /** Returns a row that was fetched before; null if there is none. */
  get(table: Table, place: Place): Uint8Array | null;
  /** Returns a history's block that an id belongs to: the last one that begins at or before it. */
  covering(table: Table, history: Place, id: number): Promise<Block | null>;
}

/** The highest id: its block is the last of a history. */
export const LAST_ID = Number.MAX_SAFE_INTEGER;

/** The most bytes that a generation of the cache of rows may hold. */
const CACHE_BYTES_MAX = 12 * 1024 * 1024;
/** What a row takes besides its key and bytes; many rows are shorter than that. */
const CACHED_ROW_BYTES = 256;

/**
 * Rows of the store behind a cache. The cache is only valid while no other process folds: call
 * {@linkcode StoreRows.forget} when one has.
 */
export class StoreRows implements RowSource {
  readonly #store: Store;
  readonly #bytesMax: number;
  readonly #cache = new TwoGenerations<Uint8Array | null>();
  /** First id of the last block of each history; null if it has none. Kept at least as long. */
  readonly #tails = new TwoGenerations<number | null>();
  /** Bytes of the young generation; the old one has no more. */
  #bytes = 0;

  /** @param bytesMax the most bytes in a generation of the cache */
  constructor(store: Store, bytesMax: number = CACHE_BYTES_MAX) {
    this.#store = store;
    this.#bytesMax = bytesMax;
  }

  /** Number of histories whose end is known. */
  get knownEnds(): number {
    return this.#tails.size;
  }

  async prefetch(table: Table, places: readonly Place[]): Promise<void> {
    const missing = places.filter((place) => this.#cache.get(cacheKey(table, place)) === undefined);
    const values = await readRows(this.#store, missing.map((place) => rowKey(table, ...place)));
    missing.forEach((place, i) => {
      this.#put(cacheKey(table, place), values[i] ?? null);
    });
  }

  get(table: Table, place: Place): Uint8Array | null {
    return this.#cache.get(cacheKey(table, place)) ?? null;
  }

  async covering(table: Table, history: Place, id: number): Promise<Block | null> {
    const tail = this.#tail(table, history);
    if (tail === null || (tail !== undefined && id >= tail.id)) return tail;
    const block = await readCovering(this.#store, table, history, id);
    if (id === LAST_ID) this.#tails.set(cacheKey(table, history), block?.id ?? null);
    if (block !== null) this.#put(cacheKey(table, [...history, block.id]), block.bytes);
    return block;
  }

  /** Returns the last block of a history; null if it has none, undefined if that is not known. */
  #tail(table: Table, history: Place): Block | null | undefined {
    const id = this.#tails.get(cacheKey(table, history));
    if (id === undefined || id === null) return id;
    const bytes = this.#cache.get(cacheKey(table, [...history, id]));
    return bytes === undefined || bytes === null ? undefined : { id, bytes };
  }

  /** Adds what a fold has written to the cache. */
  note(changes: readonly RowChange[]): void {
    for (const { table, place, bytes } of changes) {
      this.#put(cacheKey(table, place), bytes);
      this.#noteTail(table, place);
    }
  }

  /**
   * Drops the rows that were put into the cache longest ago, and the ends of histories known as
   * long, if there are too many. Call it between windows: one needs the rows that it has read until
   * its last one is written.
   */
  trim(): void {
    if (this.#bytes <= this.#bytesMax) return;
    this.#cache.turn();
    this.#tails.turn();
    this.#bytes = 0;
  }

  /** Moves the known end of a history if a newer block was written. */
  #noteTail(table: Table, place: Place): void {
    const history = cacheKey(table, place.slice(0, -1));
    const tail = this.#tails.get(history);
    const id = place[place.length - 1];
    if (tail === undefined || typeof id !== "number") return;
    this.#tails.set(history, Math.max(tail ?? id, id));
  }

  /** Drops everything, because another process has folded. */
  forget(): void {
    this.#cache.clear();
    this.#tails.clear();
    this.#bytes = 0;
  }

  #put(key: string, bytes: Uint8Array | null): void {
    const replaced = this.#cache.set(key, bytes);
    this.#bytes += cachedBytes(key, bytes);
    if (replaced !== undefined) this.#bytes -= cachedBytes(key, replaced);
  }
}

function cachedBytes(key: string, bytes: Uint8Array | null): number {
  return CACHED_ROW_BYTES + key.length + (bytes?.length ?? 0);
}

/** Reads the covering block from the store; null if there is none. */
export async function readCovering(
  store: Store,
  table: Table,
  history: Place,
  id: number,
): Promise<Block | null> {
  const start = rowKey(table, ...history, 0);
  const end = rowKey(table, ...history, id === LAST_ID ? Infinity : id + 1);
  const rows = listRows(store, start, end, { reverse: true, limit: 1 });
  for await (const { key, value } of rows) return { id: lastPart(key), bytes: value };
  return null;
}

function lastPart(key: Key): number {
  return key[key.length - 1] as number;
}

function cacheKey(table: Table, place: Place): string {
  return `${table}/${place.join("/")}`;
}

/** Rows in memory only, which an audit folds the log into. */
export class MemoryRows implements RowSource {
  readonly rows = new Map<string, RowChange>();
  readonly #histories = new Map<string, number[]>();

  prefetch(): Promise<void> {
    return Promise.resolve();
  }

  get(table: Table, place: Place): Uint8Array | null {
    return this.rows.get(cacheKey(table, place))?.bytes ?? null;
  }

  covering(table: Table, history: Place, id: number): Promise<Block | null> {
    const ids = this.#histories.get(cacheKey(table, history)) ?? [];
    const first = ids.findLast((one) => one <= id);
    if (first === undefined) return Promise.resolve(null);
    const bytes = this.get(table, [...history, first]);
    return Promise.resolve(bytes === null ? null : { id: first, bytes });
  }

  /** Adds what a fold has made. */
  note(changes: readonly RowChange[]): void {
    for (const change of changes) {
      const key = cacheKey(change.table, change.place);
      if (change.bytes === null) this.rows.delete(key);
      else {
        const isNew = !this.rows.has(key);
        if (isNew && HISTORY_TABLES.has(change.table)) this.#noteBlock(change);
        this.rows.set(key, change);
      }
    }
  }

  #noteBlock(change: RowChange): void {
    const history = cacheKey(change.table, change.place.slice(0, -1));
    const first = change.place[change.place.length - 1];
    if (typeof first !== "number") return;
    const ids = this.#histories.get(history) ?? [];
    this.#histories.set(history, ids);
    // Nearly always the last one: sorting again for each would take longer and longer.
    ids.splice(ids.findLastIndex((id) => id < first) + 1, 0, first);
  }
}
