/**
 * Changes of rows beside the log, in a file. A file takes one commit at a time, the log's as well,
 * and each waits for the disk. So the changes that come while others are being made are gathered and
 * made together next: however many a crowd asks for, the log waits for one commit of theirs at most.
 */
import { isStorable, type Key, keyBytes } from "../keys.ts";
import { valueBytes } from "./commit_limits.ts";
import { inTime, sleep } from "./in_time.ts";
import { CHANGED_BYTES_MAX, CHANGED_ROWS_MAX, COMMIT_LOCAL_MS_MAX } from "./kv_limits.ts";

/** How often the platform counts the bytes of a key that is checked and written. */
const KEY_COUNTS = 3;
/** The longest rest after a round, in ms. */
const REST_MS_MAX = 50;

/** A row as it was read. */
export interface ReadRow {
  readonly value: unknown;
  /** Null if there is none. */
  readonly versionstamp: string | null;
}

/** A row to write; null deletes it. */
export interface WrittenRow {
  readonly key: Key;
  readonly value: unknown;
  /** The version that it must have; undefined if it does not matter what it holds. */
  readonly versionstamp?: string | null | undefined;
}

/** A change of a row. */
export interface RowChange<T> {
  readonly key: Key;
  /** Whether it depends on what the row holds. */
  readonly isRead: boolean;
  /** Returns the row's next value; null for none. One that throws leaves the row as it is. */
  readonly next: (old: unknown) => T;
  /** Makes the change without others; returns the next value. */
  readonly alone: () => Promise<T>;
}

/** The store whose rows are changed. */
export interface ChangedStore {
  /** Reads rows in the order of their keys. */
  readonly read: (keys: readonly Key[]) => Promise<readonly ReadRow[]>;
  /** Writes rows together, or none if one has another version; returns whether it did. */
  readonly write: (rows: readonly WrittenRow[]) => Promise<boolean>;
}

/** A change, and its caller. */
interface Waiting {
  readonly change: RowChange<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The changes of one row, in their order. */
type RowChanges = readonly [Waiting, ...Waiting[]];

/** What becomes of a row by its changes, one after another. */
interface ChangedRow {
  readonly changes: RowChanges;
  /** Null if they all threw. */
  readonly written: WrittenRow | null;
  /** Tells each caller what its change has made, or thrown. */
  readonly settle: () => void;
}

/** Makes changes in rounds, one round at a time. */
export class GatheredChanges {
  readonly #store: ChangedStore;
  #waiting: Waiting[] = [];
  #isRunning = false;
  /** When the next round may begin, on the monotonic clock. */
  #restsUntil = 0;

  constructor(store: ChangedStore) {
    this.#store = store;
  }

  /** Makes a change; returns the row's next value. */
  make<T>(change: RowChange<T>): Promise<T> {
    if (!isStorable(change.key)) return change.alone();
    return new Promise((resolve, reject) => {
      const waiting = { change, resolve: resolve as Waiting["resolve"], reject };
      this.#waiting.push(waiting);
      if (!this.#isRunning) this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const restMs = this.#restsUntil - performance.now();
      if (restMs > 0) await sleep(restMs);
      const startedAt = performance.now();
      const taken = this.#take();
      // One that hangs keeps no others waiting: the log replaces a handle that hangs.
      await inTime(COMMIT_LOCAL_MS_MAX, this.#round(taken), () => {});
      // A crowd leaves the file to others for as long as it had it; one caller alone is not held up.
      const endedAt = performance.now();
      const isCrowd = taken.length > 1;
      this.#restsUntil = isCrowd ? endedAt + Math.min(endedAt - startedAt, REST_MS_MAX) : 0;
    }
    this.#isRunning = false;
  }

  /** Takes the changes of as many rows as a commit checks. */
  #take(): readonly RowChanges[] {
    const rows = new Map<string, [Waiting, ...Waiting[]]>();
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const name = JSON.stringify(waiting.change.key);
      const row = rows.get(name);
      if (row !== undefined) row.push(waiting);
      else if (rows.size < CHANGED_ROWS_MAX) rows.set(name, [waiting]);
      else later.push(waiting);
    }
    this.#waiting = later;
    return [...rows.values()];
  }

  /**
   * Makes changes together. If that fails, each is made alone: whichever it is due to, the others get
   * what they would have got by themselves.
   */
  async #round(taken: readonly RowChanges[]): Promise<void> {
    const all = taken.flat();
    const [only, ...others] = all;
    if (only !== undefined && others.length === 0) return await makeAlone(only);
    const rows = await this.#changed(taken).catch(() => null);
    if (rows === null) return all.forEach((one) => void makeAlone(one));
    const fitting = this.#fitting(rows);
    for (const { written, settle } of fitting) if (written === null) settle();
    const changed = fitting.filter(({ written }) => written !== null);
    const isDone = await this.#isWritten(changed);
    for (const { changes, settle } of changed) {
      if (isDone) settle();
      else changes.forEach((one) => void makeAlone(one));
    }
  }

  async #isWritten(changed: readonly ChangedRow[]): Promise<boolean> {
    const rows = changed.flatMap(({ written }) => written ?? []);
    return rows.length > 0 && await this.#store.write(rows).catch(() => false);
  }

  async #changed(taken: readonly RowChanges[]): Promise<readonly ChangedRow[]> {
    const read = taken.filter(([{ change }]) => change.isRead);
    const found = await this.#store.read(read.map(([{ change }]) => change.key));
    const rowOf = new Map(read.map((changes, i) => [changes, found[i]]));
    return taken.map((changes) => changedRow(changes, rowOf.get(changes)));
  }

  /** Returns the first rows, as many as have room together; the changes of the others wait again. */
  #fitting(rows: readonly ChangedRow[]): readonly ChangedRow[] {
    let bytes = 0;
    const end = rows.findIndex(({ written }, i) => {
      if (written === null) return false;
      bytes += valueBytes(written.value) + KEY_COUNTS * keyBytes(written.key);
      return i > 0 && bytes > CHANGED_BYTES_MAX;
    });
    if (end === -1) return rows;
    this.#waiting = [...rows.slice(end).flatMap(({ changes }) => changes), ...this.#waiting];
    return rows.slice(0, end);
  }
}

/** Makes a row's changes; `row` is undefined if the first one depends on nothing. */
function changedRow(changes: RowChanges, row: ReadRow | undefined): ChangedRow {
  const [{ change: { key } }] = changes;
  let value: unknown = row?.value ?? null;
  let written: WrittenRow | null = null;
  const told: (() => void)[] = [];
  for (const { change, resolve, reject } of changes) {
    try {
      const made = change.next(value);
      written = { key, value: made, versionstamp: row?.versionstamp };
      value = made;
      told.push(() => resolve(made));
    } catch (error) {
      told.push(() => reject(error));
    }
  }
  return { changes, written, settle: () => told.forEach((tell) => tell()) };
}

async function makeAlone({ change, resolve, reject }: Waiting): Promise<void> {
  await change.alone().then(resolve, reject);
}
