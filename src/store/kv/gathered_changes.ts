/**
 * Changes of rows beside the log. A database makes one commit at a time, the log's as well, and each
 * waits for the disk. So a few rounds of changes are made at once, in a file only one; what is asked
 * for meanwhile is gathered and made together in the next. However many a crowd asks for, the log
 * waits for the commits of those rounds at most.
 */
import { isStorable, type Key, keyBytes } from "../keys.ts";
import { valueBytes } from "./commit_limits.ts";
import { inTime, sleep } from "./in_time.ts";
import { CHANGED_BYTES_MAX, COMMIT_LOCAL_MS_MAX } from "./kv_limits.ts";

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
  readonly versionstamp?: string | null;
}

/** A change of a row. */
export interface RowChange<T> {
  readonly key: Key;
  /** Returns the row's next value; null for none. One that throws leaves the row as it is. */
  readonly next: (old: unknown) => T;
  /** Makes the change without others; returns the next value. */
  readonly alone: () => Promise<T>;
}

/** The store whose rows are changed. */
export interface ChangedStore {
  /** Rows that one commit may check. */
  readonly rowsMax: number;
  /** Rounds that may be under way. */
  readonly roundsMax: number;
  /** Reads rows in the order of their keys. */
  readonly read: (keys: readonly Key[]) => Promise<readonly ReadRow[]>;
  /** Writes rows together, or none if one has another version; returns whether it did. */
  readonly write: (rows: readonly WrittenRow[]) => Promise<boolean>;
  /** Whether an error leaves no doubt that nothing was written, nor will be. */
  readonly isUnwritten: (error: unknown) => boolean;
}

/** A change, and its caller. */
interface Waiting {
  /** Of the row. */
  readonly name: string;
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

/** Makes changes in rounds. */
export class GatheredChanges {
  readonly #store: ChangedStore;
  #waiting: Waiting[] = [];
  /** Names of rows that are being changed. */
  readonly #busy = new Set<string>();
  #rounds = 0;
  /** When the next round may begin, on the monotonic clock. */
  #restsUntil = 0;

  constructor(store: ChangedStore) {
    this.#store = store;
  }

  /** Makes a change; returns the row's next value. */
  make<T>(change: RowChange<T>): Promise<T> {
    if (!isStorable(change.key)) return change.alone();
    return new Promise((resolve, reject) => {
      const name = JSON.stringify(change.key);
      this.#waiting.push({ name, change, resolve: resolve as Waiting["resolve"], reject });
      this.#start();
    });
  }

  /** Sees that somebody makes what waits. */
  #start(): void {
    if (this.#rounds < this.#store.roundsMax) this.#run();
  }

  /** Makes one round after another, until nothing waits. */
  async #run(): Promise<void> {
    this.#rounds += 1;
    for (;;) {
      const restMs = this.#restsUntil - performance.now();
      if (restMs > 0) await sleep(restMs);
      const startedAt = performance.now();
      const rows = this.#take();
      if (rows.size === 0) break;
      // One that hangs keeps no others waiting: a handle that hangs is replaced.
      await inTime(COMMIT_LOCAL_MS_MAX, this.#round([...rows.values()]), () => {});
      for (const name of rows.keys()) this.#busy.delete(name);
      // A crowd leaves the store to others for as long as it had it; one caller is not held up.
      const endedAt = performance.now();
      const ownMs = rows.size > 1 ? Math.min(endedAt - startedAt, REST_MS_MAX) : 0;
      this.#restsUntil = Math.max(this.#restsUntil, endedAt + ownMs);
    }
    this.#rounds -= 1;
  }

  /** Takes the changes of as many rows as a commit may check, by the rows' names. */
  #take(): ReadonlyMap<string, RowChanges> {
    const rows = new Map<string, [Waiting, ...Waiting[]]>();
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const { name } = waiting;
      const row = rows.get(name);
      if (row !== undefined) row.push(waiting);
      else if (this.#busy.has(name) || rows.size >= this.#store.rowsMax) later.push(waiting);
      else rows.set(name, [waiting]);
    }
    this.#waiting = later;
    for (const name of rows.keys()) this.#busy.add(name);
    return rows;
  }

  /**
   * Makes changes together. If that fails, each is made alone: whichever it is due to, the others get
   * what they would have got by themselves.
   */
  async #round(taken: readonly RowChanges[]): Promise<void> {
    let changes: readonly Waiting[] = taken.flat();
    const [only, ...others] = changes;
    if (only !== undefined && others.length === 0) return await makeAlone(only);
    try {
      const rows = this.#fitting(await this.#changed(taken));
      for (const { written, settle } of rows) if (written === null) settle();
      const changed = rows.filter(({ written }) => written !== null);
      changes = changed.flatMap((row) => row.changes);
      if (await this.#write(changed)) return changed.forEach(({ settle }) => settle());
    } catch (error) {
      if (!this.#store.isUnwritten(error)) return changes.forEach(({ reject }) => reject(error));
    }
    for (const change of changes) makeAlone(change);
  }

  async #changed(taken: readonly RowChanges[]): Promise<readonly ChangedRow[]> {
    const rows = await this.#store.read(taken.map(([{ change }]) => change.key));
    return taken.flatMap((changes, i) => {
      const row = rows[i];
      return row === undefined ? [] : changedRow(changes, row);
    });
  }

  async #write(changed: readonly ChangedRow[]): Promise<boolean> {
    const rows = changed.flatMap(({ written }) => written ?? []);
    return rows.length === 0 || await this.#store.write(rows);
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
    // Nobody makes rounds any more where this one was given up.
    this.#start();
    return rows.slice(0, end);
  }
}

/** Makes a row's changes. */
function changedRow(changes: RowChanges, { value: old, versionstamp }: ReadRow): ChangedRow {
  const [{ change: { key } }] = changes;
  let value = old;
  let written: WrittenRow | null = null;
  const told: (() => void)[] = [];
  for (const { change, resolve, reject } of changes) {
    try {
      const made = change.next(value);
      written = { key, value: made, versionstamp };
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
