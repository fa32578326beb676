/** Lists of what has happened, newest first, of which a page at a time is read: without a hole. */
import { LiveList, newestFirst } from "./live_list.ts";

/** What a list is of. */
export interface PastListOptions<Row> {
  /** By default the id. */
  readonly keyOf?: (row: Row) => string | number;
  /** Reads the newest rows, at most as many as a page has; of ids up to this one if it is given. */
  readonly readPage: (toId: number | undefined) => Promise<readonly Row[]>;
  readonly pageSize: number;
  /** Rows that are read anew at most, and kept unless more are asked for. */
  readonly most: number;
}

/** The newest rows of a list, down to where somebody has read. */
export class PastList<Row extends { readonly id: number }> {
  readonly list: LiveList<Row>;
  readonly #options: PastListOptions<Row>;
  readonly #keyOf: (row: Row) => string | number;
  /** All rows down to this id are known; others below it may be. */
  #bottom = Infinity;
  #most: number;
  #hasMore = false;

  constructor(options: PastListOptions<Row>) {
    this.#options = options;
    this.#most = options.most;
    this.#keyOf = options.keyOf ?? (({ id }) => id);
    this.list = new LiveList<Row>({
      keyOf: this.#keyOf,
      read: () => this.#readDown(this.#bottom),
      onRead: (rows) => {
        this.#bottom = bottomOf(rows);
        this.#hasMore = this.#full.has(rows);
      },
      arrange: (rows) => this.#arrange(rows),
    });
  }

  /** Whether there may be older rows than those that are known. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Reads the rows before those that are known. */
  async loadMore(): Promise<void> {
    const { readPage, pageSize } = this.#options;
    let more: readonly Row[] = [];
    this.#most += pageSize;
    // What shares the last row's id may be on the other side of the page's end.
    const counts = await this.list.extend(async () => more = await readPage(this.#lowest));
    if (!counts) return;
    this.#hasMore = more.length >= pageSize;
    this.#bottom = Math.min(this.#bottom, bottomOf(more));
  }

  get #lowest(): number | undefined {
    return Number.isFinite(this.#bottom) ? this.#bottom : undefined;
  }

  /** Readings whose last page was full. */
  readonly #full = new WeakSet<readonly Row[]>();

  /** Reads from the newest row down to one that was known: what came in between may be many pages. */
  async #readDown(bottom: number): Promise<readonly Row[]> {
    const { readPage, pageSize, most } = this.#options;
    const rows = new Map<string | number, Row>();
    let page: readonly Row[];
    do {
      page = await readPage(rows.size === 0 ? undefined : bottomOf([...rows.values()]));
      const before = rows.size;
      for (const row of page) rows.set(this.#keyOf(row), row);
      if (rows.size === before) break;
    } while (
      page.length >= pageSize && rows.size < most && Number.isFinite(bottom) &&
      bottomOf(page) > bottom
    );
    const read = [...rows.values()];
    if (page.length >= pageSize) this.#full.add(read);
    return read;
  }

  #arrange(rows: readonly Row[]): readonly Row[] {
    const sorted = newestFirst(rows);
    if (sorted.length <= this.#most) return sorted;
    const kept = sorted.slice(0, this.#most);
    this.#bottom = Math.max(this.#bottom, bottomOf(kept));
    this.#hasMore = true;
    return kept;
  }
}

function bottomOf(rows: readonly { readonly id: number }[]): number {
  return rows.reduce((lowest, { id }) => Math.min(lowest, id), Infinity);
}
