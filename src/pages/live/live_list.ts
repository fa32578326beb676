/**
 * Lists that are read over HTTP while streams tell what changes. Answers may take any time and come
 * in any order: the newest reading alone counts, and what was told since it began is newer than it.
 */
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../client/client.ts";
import { Shown } from "../shared/shown.ts";

type Key = string | number;
/** What a row becomes: null if it leaves the list, undefined if that has to be read. */
type Change<Row> = (before: Row | undefined) => Row | null | undefined;

/** How far a list is known; one that could not be read is read again. */
export type ListState = "unasked" | "reading" | "known" | "failed";

/** What a list is of. */
export interface LiveListOptions<Row, Told> {
  readonly keyOf: (row: Row | Told) => Key;
  /** Reads all rows. */
  readonly read: () => Promise<readonly Row[]>;
  /** Returns what a stream's message makes of a row; by default it is the row. */
  readonly rowOf?: (told: Told, before: Row | undefined) => Row | null | undefined;
  /** Puts rows into their order, and leaves out those that are too many. */
  readonly arrange?: (rows: readonly Row[]) => readonly Row[];
  /** Called with what was read, when it is taken over. */
  readonly onRead?: (rows: readonly Row[]) => void;
  /** Called with all rows at each change, before it is shown. */
  readonly onRows?: (rows: readonly Row[]) => void;
  /** As {@linkcode Shown} has it. */
  readonly paceMs?: number;
}

/** The first pause before a reading that has failed is repeated, in ms, and the longest. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
const EXPECTED = [VenueError, OutcomeUnknownError, UnreachableError];

/** Lists whose last reading has failed. */
const failed = new Set<{ load(): Promise<void> }>();

/** Reads at once what could not be read, as when the connection is back. */
export function retryLists(): void {
  for (const list of [...failed]) void list.load();
}

/** A list as it is now, as far as it is known. */
export class LiveList<Row, Told = Row> {
  /** Null before it has been read. */
  readonly rows: Shown<readonly Row[] | null>;
  readonly state: Shown<ListState> = new Shown<ListState>("unasked");
  readonly #options: LiveListOptions<Row, Told>;
  /** Counts readings: the answers of all but the last one are void. */
  #turn = 0;
  /** What was told since the reading began that goes on; null while none does. */
  #told: Map<Key, Change<Row>> | null = null;
  /** For each call that goes on, the rows that were told of meanwhile. */
  readonly #heard = new Set<Set<Key>>();
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveListOptions<Row, Told>) {
    this.#options = options;
    this.rows = new Shown<readonly Row[] | null>(null, options.paceMs);
  }

  /** Whether it is what the venue has. */
  get isKnown(): boolean {
    return this.state.value === "known";
  }

  /** Reads it, whatever other reading goes on; it never throws, but tries again later. */
  async load(): Promise<void> {
    const turn = this.#begin("reading");
    this.#told = new Map();
    let rows: readonly Row[];
    try {
      rows = await this.#options.read();
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
      return;
    }
    if (turn === this.#turn) this.#take(rows);
  }

  /** Reads it anew if anybody has asked for it. */
  async reload(): Promise<void> {
    if (this.state.value !== "unasked") await this.load();
  }

  /** Reads it unless it is known, or is being read. */
  async ensure(): Promise<void> {
    if (this.state.value === "unasked" || this.state.value === "failed") await this.load();
  }

  /** Forgets it, as when it is to be of something else. */
  clear(): void {
    this.#begin("unasked");
    this.rows.set(null);
  }

  /** Takes what a stream tells. */
  tell(...messages: readonly Told[]): void {
    const { keyOf, rowOf } = this.#options;
    this.#change(messages.map((told) => [
      keyOf(told),
      (before) => rowOf === undefined ? told as unknown as Row : rowOf(told, before),
    ]));
  }

  /** Takes a row out, as the venue has. */
  remove(key: Key): void {
    this.#change([[key, () => null]]);
  }

  /** Makes a call that answers a row as it was then, and takes it unless something newer was told. */
  async noted(call: () => Promise<Row>): Promise<Row> {
    const heard = this.#listen();
    try {
      const row = await call();
      const key = this.#options.keyOf(row);
      if (!heard.has(key)) this.#change([[key, () => row]]);
      return row;
    } finally {
      this.#heard.delete(heard);
    }
  }

  /**
   * Reads more rows, and adds them unless something newer was told of them.
   *
   * @returns whether they count: they don't if the list has been read anew meanwhile
   */
  async extend(more: () => Promise<readonly Row[]>): Promise<boolean> {
    const heard = this.#listen();
    const turn = this.#turn;
    try {
      const rows = await more();
      if (turn !== this.#turn || this.#told !== null) return false;
      const { keyOf } = this.#options;
      const unheard = rows.filter((row) => !heard.has(keyOf(row)));
      this.#change(unheard.map((row) => [keyOf(row), () => row]));
      return true;
    } finally {
      this.#heard.delete(heard);
    }
  }

  #begin(state: ListState): number {
    clearTimeout(this.#timer);
    failed.delete(this);
    this.#told = null;
    this.state.set(state);
    return ++this.#turn;
  }

  #fail(error: unknown): void {
    if (!EXPECTED.some((kind) => error instanceof kind)) reportError(error);
    this.#told = null;
    this.#failures += 1;
    this.state.set("failed");
    failed.add(this);
    // Whose session has ended reads nothing by trying again.
    if (error instanceof VenueError && error.status === 401) return;
    const pause = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (this.#failures - 1));
    this.#timer = setTimeout(() => void this.load(), pause);
  }

  #take(rows: readonly Row[]): void {
    const { keyOf, onRead } = this.#options;
    const told = this.#told ?? [];
    this.#told = null;
    this.#failures = 0;
    onRead?.(rows);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    const isWhole = changeRows(byKey, told);
    this.#show(byKey);
    this.state.set("known");
    if (!isWhole) void this.load();
  }

  #change(changes: readonly (readonly [Key, Change<Row>])[]): void {
    for (const [key, change] of changes) {
      this.#told?.set(key, change);
      for (const heard of this.#heard) heard.add(key);
    }
    const rows = this.rows.value;
    if (rows === null) return;
    const byKey = new Map(rows.map((row) => [this.#options.keyOf(row), row]));
    const isWhole = changeRows(byKey, changes);
    this.#show(byKey);
    if (!isWhole && this.#told === null) void this.load();
  }

  #show(byKey: ReadonlyMap<Key, Row>): void {
    const { arrange, onRows } = this.#options;
    const all = [...byKey.values()];
    const rows = arrange === undefined ? all : arrange(all);
    onRows?.(rows);
    this.rows.set(rows);
  }

  #listen(): Set<Key> {
    const heard = new Set<Key>();
    this.#heard.add(heard);
    return heard;
  }
}

/** Changes rows; returns whether what all of them become is known. */
function changeRows<Row>(
  byKey: Map<Key, Row>,
  changes: Iterable<readonly [Key, Change<Row>]>,
): boolean {
  let isWhole = true;
  for (const [key, change] of changes) {
    const row = change(byKey.get(key));
    if (row === undefined) isWhole = false;
    else if (row === null) byKey.delete(key);
    else byKey.set(key, row);
  }
  return isWhole;
}

/** Returns records, newest first. */
export function newestFirst<Row extends { readonly id: number }>(
  rows: readonly Row[],
): readonly Row[] {
  return [...rows].sort((one, other) => other.id - one.id);
}
