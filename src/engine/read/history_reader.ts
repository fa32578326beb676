/** Reads a history: the records in memory over those in rows, by id, in either direction. */
import { readBlock, readBlockHeader, type RecordCodec } from "../../store/rows/block_codec.ts";
import { rowKey, type Table } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { listRows } from "../../store/rows/stored_rows.ts";
import type { IdRange } from "../engine.ts";
import { LAST_ID, type Place, readCovering } from "../fold/row_source.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** The most records that a read scans before it reports that there may be more. */
export const SCAN_RECORDS_MAX = 200_000;
/** Rows, of some two hundred records each, that are scanned before others get a turn. */
const BLOCKS_PER_SLICE = 4;

/** A history to read. */
export interface ReadableHistory<T> {
  readonly table: Table;
  readonly place: Place;
  readonly codec: RecordCodec<T>;
  /** The records in memory; they take precedence over those in rows. */
  readonly memory: readonly T[];
  /**
   * The records in memory, newest first, if the rows hold none that is newer than the last of them:
   * what is asked for most is found without a look at the others, of which there may be many.
   */
  readonly newest?: Iterable<T>;
  /**
   * The records in memory from the first asked for on, oldest first, if the rows hold none of them,
   * nor any newer one.
   */
  readonly oldest?: Iterable<T>;
  /**
   * The highest id as of now. The rows get newer records while they are read, and a page with some
   * of them could lack others that are still in memory.
   */
  readonly lastId: number;
  /**
   * Ids of what had not ended as of now, if rows may tell that it has: a page with some of it could
   * lack what ended before, in a row that was passed already.
   */
  readonly stillOpen?: ReadonlySet<number>;
  /** How many match as of now, if a counter tells it: later there may be more than on the page. */
  readonly total?: number | null;
  /** Returns when a record was made, in ms; grows with its id. */
  at(record: T): number;
  /** If a record may hold several items: returns these, oldest first. */
  itemsOf?(record: T): readonly T[];
  /** Returns an item's place among all: at most its record's id, and above the one before. */
  placeOf?(item: T): number;
}

/** What to read; `from` (inclusive) and `to` (exclusive) are in ms. */
export interface HistoryRequest<T> extends IdRange {
  readonly direction: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
  readonly from?: number;
  readonly to?: number;
  /** Only records after this id, or items after this place, in the direction of the read. */
  readonly after?: number;
  /** Whether all items of a record are on the page if one is, beyond its limit. */
  readonly isWhole?: boolean;
  readonly isMatch: (record: T) => boolean;
  /** Records to scan before the read reports that there may be more. */
  readonly scanMax: number;
}

/** The result of a read. */
export interface HistoryPage<T> {
  readonly items: readonly T[];
  /** Whether the scan stopped at its limit. */
  readonly isScanLimited: boolean;
  /** Number of records looked at. */
  readonly scanned: number;
  /** How many match as of when the history was given; null if no counter tells it. */
  readonly total: number | null;
  /** The highest sequence that a row on the way was true at. */
  readonly sequence: number;
  /** If the scan stopped at its limit: the id of the last record that it has looked at whole. */
  readonly scannedId?: number;
}

/** Reads a page of a history. */
export async function readHistory<T>(
  store: Store,
  history: ReadableHistory<T>,
  request: HistoryRequest<T>,
): Promise<HistoryPage<T>> {
  const page = new PageCollector(history, request);
  if (page.isDone) return page.result();
  const inMemory = pageInMemory(history, request);
  if (inMemory !== null) return inMemory;
  await collect(store, page);
  return page.result();
}

/** Returns a page that memory alone has; null if it takes rows. */
function pageInMemory<T>(
  history: ReadableHistory<T>,
  request: HistoryRequest<T>,
): HistoryPage<T> | null {
  const isForward = request.direction === "asc";
  const records = isForward ? history.oldest : history.newest;
  if (records === undefined) return null;
  const page = new PageCollector(history, request);
  for (const record of records) {
    page.add(record);
    if (page.isDone) return page.result();
  }
  return isForward ? page.result() : null;
}

async function collect<T>(store: Store, page: PageCollector<T>): Promise<void> {
  const { codec, lastId, memory, stillOpen } = page.history;
  const sign = page.request.direction === "asc" ? 1 : -1;
  const recent = memory.filter((record) => isInRange(codec.id(record), page.request))
    .sort((a, b) => sign * (codec.id(a) - codec.id(b)));
  let next = 0;
  const nextId = () => next < recent.length ? codec.id(recent[next] as T) : sign * Infinity;
  let last = -sign * Infinity;
  let blocks = 0;
  for await (const records of rowBlocks(store, page)) {
    for (const record of records) {
      const id = codec.id(record);
      // A block that has been split since it was read returns its end a second time.
      if (sign * (id - last) <= 0) continue;
      last = id;
      if (id > lastId || stillOpen?.has(id)) continue;
      while (sign * (nextId() - id) < 0) {
        if (page.isDone) return;
        page.add(recent[next++] as T);
      }
      if (page.isDone) return;
      // What memory has takes precedence, and comes next.
      if (nextId() !== id) page.add(record);
    }
    blocks += 1;
    // Rows that the database has at hand arrive without giving anybody else a turn.
    if (blocks % BLOCKS_PER_SLICE === 0) await yieldToOthers();
  }
  while (next < recent.length && !page.isDone) page.add(recent[next++] as T);
}

/** Picks the records of a page from a stream of records. */
class PageCollector<T> {
  readonly items: T[] = [];
  isScanLimited = false;
  scanned = 0;
  sequence = 0;
  isDone: boolean;
  #skipped = 0;
  /** Id of the last record that was looked at whole. */
  #lastWhole: number | undefined;

  constructor(readonly history: ReadableHistory<T>, readonly request: HistoryRequest<T>) {
    this.isDone = request.limit === 0;
  }

  result(): HistoryPage<T> {
    const { items, isScanLimited, scanned, sequence } = this;
    const page = { items, isScanLimited, scanned, sequence, total: this.history.total ?? null };
    const scannedId = this.#lastWhole;
    return isScanLimited && scannedId !== undefined ? { ...page, scannedId } : page;
  }

  add(record: T): void {
    const { itemsOf, codec } = this.history;
    const { direction, fromId = 0, toId = Infinity, isWhole = false } = this.request;
    const id = codec.id(record);
    if (!isInRange(id, this.request)) {
      // Beyond the far end of the ids nothing else is asked for.
      this.isDone = direction === "asc" ? id > toId : id < fromId;
      return;
    }
    const items = itemsOf?.(record) ?? [record];
    for (const item of direction === "desc" ? items.toReversed() : items) {
      if (this.isDone && !isWhole) return;
      this.#addItem(item);
    }
    this.#lastWhole = id;
  }

  #addItem(record: T): void {
    const { direction, from, to, offset, limit, isMatch, scanMax } = this.request;
    const place = this.history.placeOf?.(record) ?? this.history.codec.id(record);
    if (!isPastCursor(place, this.request)) return;
    const at = this.history.at(record);
    this.scanned += 1;
    const isBefore = from !== undefined && at < from;
    const isAfter = to !== undefined && at >= to;
    // Time grows with the id: beyond the far end of the range nothing else can match.
    if (direction === "asc" ? isAfter : isBefore) this.isDone = true;
    else if (!isBefore && !isAfter && isMatch(record)) {
      if (this.#skipped < offset) this.#skipped += 1;
      else this.items.push(record);
      if (this.items.length >= limit) this.isDone = true;
    }
    if (!this.isDone && this.scanned >= scanMax) this.isDone = this.isScanLimited = true;
  }
}

/** Where a read continues, and the ids that it keeps to. */
interface Cursor extends IdRange {
  readonly after?: number;
  readonly direction: "asc" | "desc";
}

/** Returns whether a record comes after the one that a read continues from. */
function isPastCursor(id: number, { after, direction }: Cursor): boolean {
  return after === undefined || (direction === "asc" ? id > after : id < after);
}

/** Returns whether a read asks for a record with this id. */
export function isAskedFor(id: number, cursor: Cursor): boolean {
  return isInRange(id, cursor) && isPastCursor(id, cursor);
}

function isInRange(id: number, { fromId = 0, toId = Infinity }: IdRange): boolean {
  return id >= fromId && id <= toId;
}

/** Yields records by the row: awaiting each one takes three times as long as looking at it. */
async function* rowBlocks<T>(
  store: Store,
  page: PageCollector<T>,
): AsyncGenerator<readonly T[]> {
  const { history, request } = page;
  const { table, place, codec } = history;
  const isReverse = request.direction === "desc";
  const bound = await nearBound(store, history, request);
  const behind = endOf(request);
  // The store can't list a range that ends before it begins.
  if (!isReverse && bound > behind) return;
  const start = rowKey(table, ...place, isReverse ? 0 : bound);
  const end = rowKey(table, ...place, isReverse ? bound : behind);
  const batch = Math.min(64, Math.max(2, Math.ceil((request.offset + request.limit) / 30)));
  for await (const { value } of listRows(store, start, end, { reverse: isReverse, batch })) {
    page.sequence = Math.max(page.sequence, readBlockHeader(value).sequence);
    const records = readBlock(value, codec);
    yield isReverse ? records.reverse() : records;
  }
}

/** Returns an id behind the last one asked for. */
function endOf({ toId = LAST_ID }: IdRange): number {
  return toId >= LAST_ID ? Infinity : toId + 1;
}

/** Returns the id to begin at: whichever of the bounds is farther on. */
async function nearBound<T>(
  store: Store,
  history: ReadableHistory<T>,
  request: HistoryRequest<T>,
): Promise<number> {
  const bound = await timeBound(store, history, request);
  const { after, direction, fromId } = request;
  if (direction === "desc") {
    // The record with the item that was read last may hold another one.
    const behind = history.itemsOf === undefined ? after : Math.floor(after ?? Infinity) + 1;
    return Math.min(bound, endOf(request), behind ?? Infinity);
  }
  const first = Math.max(after ?? 0, fromId ?? 0);
  if (first === 0) return bound;
  const block = await readCovering(store, history.table, history.place, first);
  return Math.max(bound, block?.id ?? 0);
}

/**
 * Returns the id to begin at in a long history: that of the block with the near end of the time
 * range, found by bisection, as blocks are ordered by time. Backwards it is the id of the next
 * block: if the block is split now, its end still lies before that.
 */
async function timeBound<T>(
  store: Store,
  history: ReadableHistory<T>,
  request: HistoryRequest<T>,
): Promise<number> {
  const isReverse = request.direction === "desc";
  const time = isReverse ? request.to : request.from;
  const { table, place, codec } = history;
  if (time === undefined) return isReverse ? LAST_ID : 0;
  const tail = await readCovering(store, table, place, LAST_ID);
  if (tail === null) return isReverse ? LAST_ID : 0;
  let low = 0;
  let high = tail.id;
  let found = 0;
  let behind = LAST_ID;
  while (low <= high) {
    const middle = Math.floor((low + high + 1) / 2);
    const block = await readCovering(store, table, place, middle);
    const first = block === null ? undefined : readBlock(block.bytes, codec)[0];
    if (block === null || first === undefined) break;
    if (history.at(first) < time) {
      found = block.id;
      low = middle + 1;
    } else {
      behind = block.id;
      high = block.id - 1;
    }
  }
  return isReverse ? behind : found;
}
