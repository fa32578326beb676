/** Reads histories as they are now: memory over rows, none of which is newer than memory. */
import { readBlock, readBlockHeader, type RecordCodec } from "../../store/rows/block_codec.ts";
import type { Table } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { Page } from "../engine.ts";
import {
  type HistoryPage,
  type HistoryRequest,
  isAskedFor,
  type ReadableHistory,
  readHistory,
} from "./history_reader.ts";
import type { LogFollower } from "../shared/log_follower.ts";
import type { PublishedState } from "../published_state.ts";
import { ReadingQueue } from "../reading_queue.ts";
import { type Place, readCovering } from "../fold/row_source.ts";

/** What is read from. */
export interface QuerySources {
  readonly store: Store;
  readonly published: PublishedState;
  readonly follower: LogFollower;
  /** Records that a read scans before it reports that there may be more. */
  readonly scanRecordsMax: number;
}

/** Selects records, open or ended; how far rows are scanned is the same for all. */
export type RecordsRequest<T> = Omit<HistoryRequest<T>, "scanMax">;

/** A list as of one moment: what a page of it is read from, or a page that memory has whole. */
export type PinnedList<T> =
  | { readonly history: ReadableHistory<T>; readonly request: RecordsRequest<T> }
  | { readonly page: Page<T> };

/** Reads of what has ended. */
export class HistoryQueries {
  readonly #sources: QuerySources;
  readonly #turns = new ReadingQueue();

  constructor(sources: QuerySources) {
    this.#sources = sources;
  }

  /**
   * Reads a page of a history. If a row is newer than the published state, catches up with the log
   * and reads the page again, this time without what ends meanwhile.
   *
   * @param member whose history it is; undefined for everybody's
   * @param history returns the history as of the call; for another try, also what is open
   * @throws {UnavailableError} if too many of the member's pages are asked for
   */
  page<T>(
    member: number | undefined,
    history: (isAnother: boolean) => ReadableHistory<T>,
    request: RecordsRequest<T>,
  ): Promise<Page<T>> {
    return this.#turns.run(member, async () => {
      const read = (isAnother: boolean) =>
        Promise.all([this.#read({ history: history(isAnother), request })]);
      const [page] = await this.#atOnce(read);
      return withoutSequence(page);
    });
  }

  /**
   * Reads a page of each of two lists as of one moment, as {@linkcode HistoryQueries.page} reads one.
   *
   * @param pin returns both lists as of the call
   */
  pages<A, B>(
    member: number | undefined,
    pin: () => readonly [PinnedList<A>, PinnedList<B>],
  ): Promise<[HistoryPage<A>, HistoryPage<B>]> {
    return this.#turns.run(member, () =>
      this.#atOnce(() => {
        const [one, other] = pin();
        return Promise.all([this.#read(one), this.#read(other)]);
      }));
  }

  /** Reads what `read` pins at its call; again, after catching up, if a row is newer than that. */
  async #atOnce<P extends readonly HistoryPage<unknown>[]>(
    read: (isAnother: boolean) => Promise<P>,
  ): Promise<P> {
    const { follower, published } = this.#sources;
    // As of now: where memory is pinned, however far it moves on while the rows are read.
    const { sequence } = published;
    const pages = await read(false);
    if (pages.every((page) => page.sequence <= sequence)) return pages;
    await follower.catchUp();
    return await read(true);
  }

  #read<T>(list: PinnedList<T>): Promise<HistoryPage<T>> {
    if ("page" in list) return Promise.resolve({ ...list.page, sequence: 0 });
    const { scanRecordsMax, store } = this.#sources;
    return readHistory(store, list.history, { ...list.request, scanMax: scanRecordsMax });
  }

  /** Returns the record with this id in the rows; null if they have none. */
  async record<T extends DatedRecord>(
    table: Table,
    place: Place,
    codec: RecordCodec<T>,
    id: number,
  ): Promise<T | null> {
    const { follower, published, store } = this.#sources;
    const block = await readCovering(store, table, place, id);
    if (block === null) return null;
    if (readBlockHeader(block.bytes).sequence > published.sequence) await follower.catchUp();
    return readBlock(block.bytes, codec).find((record) => record.id === id) ?? null;
  }
}

/** Returns a page as it is told: how new its rows were depends on when they were folded. */
function withoutSequence<T>({ sequence: _, ...page }: HistoryPage<T>): Page<T> {
  return page;
}

/** What orders, deposits and withdrawals have in common. */
export interface DatedRecord {
  readonly id: number;
  /** In ms; grows with the id. */
  readonly createdAt: number;
}

/** Returns a page of records that are all in memory, given in its direction. */
export function pageOfOpen<T extends DatedRecord>(
  records: Iterable<T>,
  request: RecordsRequest<T>,
): Page<T> {
  const { limit, offset } = request;
  const items: T[] = [];
  let total = 0;
  let skipped = 0;
  let scanned = 0;
  for (const record of records) {
    scanned += 1;
    if (!isMeant(record, request)) continue;
    total += 1;
    if (items.length >= limit || !isAskedFor(record.id, request)) continue;
    if (skipped < offset) skipped += 1;
    else items.push(record);
  }
  return { items, total, isScanLimited: false, scanned };
}

/**
 * Returns those of the open records, given in the page's direction, that can be on the page or
 * before it: a member may have a hundred thousand, and reads its first page again and again.
 */
export function firstOpen<T extends DatedRecord>(
  records: Iterable<T>,
  request: RecordsRequest<T>,
): T[] {
  const first: T[] = [];
  const wanted = request.offset + request.limit;
  for (const record of records) {
    if (first.length >= wanted) break;
    if (isAskedFor(record.id, request) && isMeant(record, request)) first.push(record);
  }
  return first;
}

function isMeant<T extends DatedRecord>(
  record: T,
  { from = 0, to = Infinity, isMatch }: RecordsRequest<T>,
): boolean {
  const { createdAt } = record;
  return createdAt >= from && createdAt < to && isMatch(record);
}

/** Returns the bounds of a filter that are set. */
export function rangeOf(
  { from, to }: { readonly from?: number; readonly to?: number },
): { from?: number; to?: number } {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Returns whether a filter selects everything, so that counters tell the total. */
export function isUnfiltered(filter: object): boolean {
  return Object.values(filter).every((value) => value === undefined);
}
