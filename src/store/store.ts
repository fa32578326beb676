/** The store: one KV, and all that the layers to the right see of it. */
import { assert } from "../domain/assert.ts";
import type { Check, Commit, CommitOutcome } from "./kv/commit.ts";
import { inTime, sleep } from "./kv/in_time.ts";
import { isStorable, type Key, sidecarKey } from "./keys.ts";
import { KvHandles } from "./kv/kv_handles.ts";
import { KvListing } from "./kv/kv_listing.ts";
import { NotSentError } from "./kv/lost_calls.ts";
import { assertFits, isSentInPieces } from "./kv/commit_limits.ts";
import { GatheredChanges, type WrittenRow } from "./kv/gathered_changes.ts";
import { WritingRight } from "./log/writing_right.ts";
import { isBlank, isFilePath, isRemotePath, makeVenueFile } from "./file/venue_file.ts";
import { pulledCommit, pulledRead } from "./kv/pulled_call.ts";
import {
  CHANGES_AT_ONCE_REMOTE,
  COMMIT_CHECKS_LOCAL_MAX,
  COMMIT_CHECKS_MAX,
  COMMIT_LOCAL_MS_MAX,
  DELETIONS_PER_COMMIT,
  GET_MANY_AT_ONCE,
  GET_MANY_KEYS_MAX,
  LIST_BATCH_LOCAL,
  LIST_BATCH_REMOTE,
} from "./kv/kv_limits.ts";

/** Tries of a call while another handle holds the file, and of a change that others come before. */
const LOCKED_TRIES_MAX = 20;
const CHANGE_TRIES_MAX = 100;
/** Pause before the second try, in ms; it grows with each further one. */
const TRY_PAUSE_MS = 10;

const BROKEN = "Nothing is written any more by this process, which is broken";
const RESTORED = "The store was restored under this process, which no longer writes to it";

/** A value and the version that a check compares. */
export interface Versioned<T> {
  readonly value: T;
  /** Null if the key is absent. */
  readonly versionstamp: string | null;
}

/** Which rows of the sidecar to list. */
export interface SidecarListing {
  readonly limit: number;
  /** Highest key first. */
  readonly isReverse?: boolean;
  /** Only rows after this one, in the direction of the listing. */
  readonly after?: Key;
}

/** A row of the sidecar. */
export interface PlacedRow {
  readonly place: Key;
  readonly value: unknown;
}

/** A row of the sidecar to write, with the version that it had when it was read. */
export type NextRow = PlacedRow & Pick<Versioned<unknown>, "versionstamp">;

/** A read failed, or nobody knows whether a write happened; a later one may succeed. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}

/** Nothing was written, nor will be; a later try may succeed. */
export class UnwrittenError extends UnreadableError {
  override name = "UnwrittenError";
}

/** Nothing was written: this process is broken, or the store was restored under it. */
export class WritingOverError extends UnwrittenError {
  override name = "WritingOverError";
}

/** There is no store where one is expected. */
export class NoStoreError extends Error {
  override name = "NoStoreError";
}

/**
 * Opens a store that must exist already: otherwise opening would begin an empty one.
 *
 * @throws {NoStoreError} if the file is missing or empty
 */
export async function openExistingStore(path: string | undefined): Promise<Store> {
  const isNew = isFilePath(path) ? await isBlank(path) : path === ":memory:";
  if (isNew) throw new NoStoreError(`There is no venue at "${path}"`);
  return await openStore(path);
}

/**
 * Opens the store of a file, `:memory:`, the URL of a KV server or, if undefined, the attached
 * database; creates a file that is missing, and its directory.
 */
export async function openStore(path: string | undefined): Promise<Store> {
  const isRemote = isRemotePath(path);
  if (isFilePath(path)) await makeVenueFile(path);
  return new Store(await KvHandles.open(path, isRemote), path, isRemote);
}

/**
 * Opens a file that another store of this process writes, to read it in another thread.
 *
 * @throws {NoStoreError} if the file is missing or empty
 */
export async function openReader(path: string): Promise<Store> {
  if (await isBlank(path)) throw new NoStoreError(`There is no venue at "${path}"`);
  const openKv = () => Deno.openKv(path);
  const kv = await whenUnlocked(openKv);
  return new Store(new KvHandles(openKv, false, kv, kv, [kv]), path, false);
}

/** What a watch reports of a key. */
export type Hint = Versioned<unknown>;

/** The KV of a venue. */
export class Store {
  /** Commits sent so far, and their mutations. */
  readonly sent = { commits: 0, mutations: { log: 0, fold: 0 } };
  readonly #handles: KvHandles;
  readonly #right = new WritingRight();
  readonly #changes: GatheredChanges;

  constructor(
    handles: KvHandles,
    readonly path: string | undefined,
    readonly isRemote: boolean,
  ) {
    this.#handles = handles;
    const checksMax = isRemote ? COMMIT_CHECKS_MAX : COMMIT_CHECKS_LOCAL_MAX;
    this.#changes = new GatheredChanges({
      // The epoch is checked as well.
      rowsMax: checksMax - 1,
      roundsMax: isRemote ? CHANGES_AT_ONCE_REMOTE : 1,
      read: (keys) => this.getVersions(keys),
      write: (rows) => this.#writeRows(rows),
      isUnwritten: (error) => !isRemote || error instanceof TypeError,
    });
  }

  /** Makes all further writes depend on the row of an epoch, see {@linkcode WritingRight}. */
  writeIn(epoch: Check): void {
    this.#right.enter(epoch);
  }

  /** Sends no more writes: what this process knows can no longer be trusted. */
  stopWriting(): void {
    this.#right.end();
  }

  /** Reads one key, strongly. A key that is too long to be written holds nothing. */
  async get<T>(key: Key): Promise<Versioned<T | null>> {
    if (!isStorable(key)) return { value: null, versionstamp: null };
    const entry = await this.#handles.read((kv) =>
      this.#pulled(kv, kv.get<T>(key, { consistency: "strong" }))
    ).catch(throwUnreadable);
    return { value: entry.value, versionstamp: entry.versionstamp };
  }

  /** Reads a few keys of one moment, strongly, in order; a patient call may be 40 ms late. */
  async getTogether(keys: readonly Key[], isPatient = false): Promise<Versioned<unknown>[]> {
    const entries = await this.#handles.read((kv) => {
      const reading = kv.getMany(keys as unknown as Deno.KvKey[], { consistency: "strong" });
      return isPatient ? reading : this.#pulled(kv, reading);
    }).catch(throwUnreadable);
    return entries.map(({ value, versionstamp }) => ({ value, versionstamp }));
  }

  /** Reads several keys in the order given. */
  async getMany(keys: readonly Key[]): Promise<unknown[]> {
    return (await this.getVersions(keys)).map(({ value }) => value);
  }

  /** Reads several keys in the order given, with their versions. */
  async getVersions(keys: readonly Key[]): Promise<Versioned<unknown>[]> {
    const found: Versioned<unknown>[] = [];
    const step = GET_MANY_KEYS_MAX * GET_MANY_AT_ONCE;
    for (let i = 0; i < keys.length; i += step) {
      found.push(...await this.#getSome(keys.slice(i, i + step)));
    }
    return found;
  }

  async #getSome(keys: readonly Key[]): Promise<Versioned<unknown>[]> {
    const reads: Promise<Versioned<unknown>[]>[] = [];
    for (let i = 0; i < keys.length; i += GET_MANY_KEYS_MAX) {
      reads.push(this.getTogether(keys.slice(i, i + GET_MANY_KEYS_MAX)));
    }
    return (await Promise.all(reads)).flat();
  }

  /** Lists the keys from `start` to `end` (exclusive), or backwards. */
  async *list<T>(
    start: Key,
    end: Key,
    options: { reverse?: boolean; limit?: number; batch?: number } = {},
  ): AsyncGenerator<{ key: Key; value: T }> {
    const batchSize = options.batch ?? (this.isRemote ? LIST_BATCH_REMOTE : LIST_BATCH_LOCAL);
    const listing = new KvListing<T>({ start, end }, {
      reverse: options.reverse ?? false,
      batchSize: Math.min(batchSize, options.limit ?? batchSize),
      ...(options.limit === undefined ? {} : { limit: options.limit }),
    });
    const handle = this.#handles.take();
    try {
      for (;;) {
        const reading = this.#handles.call(handle, (kv) => this.#pulled(kv, listing.next(kv)));
        const entry = await reading.catch(throwUnreadable);
        if (entry === null) return;
        yield { key: entry.key as Key, value: entry.value };
      }
    } finally {
      handle.calls -= 1;
    }
  }

  /** Waits for a read whose answer may come in pieces. */
  #pulled<T>(kv: Deno.Kv, reading: Promise<T>): Promise<T> {
    const isPulled = this.#isPlainHttp && !this.#handles.lost.isServerAway;
    return isPulled ? pulledRead(kv, reading) : reading;
  }

  /** Sends a commit and waits for it as long as a commit may take. */
  async commit(unbound: Commit, purpose: "log" | "fold"): Promise<CommitOutcome> {
    if (this.#right.isOver) return { kind: "failed", error: new WritingOverError(BROKEN) };
    const commit = this.#right.bind(unbound);
    assertFits(commit);
    this.sent.commits += 1;
    this.sent.mutations[purpose] += commit.mutations.length;
    const send = (kv: Deno.Kv) => this.#send(kv, commit);
    const sending = purpose === "log" ? this.#handles.callWriter(send) : this.#handles.write(send);
    const sent = sending.catch((thrown) => this.#outcomeOf(thrown));
    if (this.isRemote) return await sent;
    return await inTime(COMMIT_LOCAL_MS_MAX, sent, () => ({ kind: "unknown" }));
  }

  async #send(kv: Deno.Kv, commit: Commit): Promise<CommitOutcome> {
    const atomic = kv.atomic();
    atomic.check(commit.check, ...commit.held ?? []);
    for (const mutation of commit.mutations) {
      if (mutation.value === null) atomic.delete(mutation.key);
      else atomic.set(mutation.key, mutation.value);
    }
    const send = () => atomic.commit();
    const isInPieces = this.#isPlainHttp && isSentInPieces(commit);
    const result = await (isInPieces ? pulledCommit(kv, send) : send());
    return result.ok
      ? { kind: "committed", versionstamp: result.versionstamp }
      : { kind: "refused" };
  }

  #outcomeOf(thrown: unknown): CommitOutcome {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (error instanceof NotSentError) return { kind: "failed", error };
    // A local database that throws has rolled back; over a network nobody knows.
    return { kind: this.isRemote ? "unknown" : "failed", error };
  }

  /**
   * Writes a row of the sidecar, outside any entry.
   *
   * @throws {UnwrittenError} if it has not happened, as with every write to the sidecar
   * @throws {UnreadableError} if it may have happened or may still, likewise
   */
  async writeSidecar(place: Key, value: unknown): Promise<void> {
    await this.#writeRows([{ key: sidecarKey(place), value }]);
  }

  /** Writes a row of the sidecar if there is none; returns whether it did. */
  async createSidecar(place: Key, value: unknown): Promise<boolean> {
    return await this.#replace([{ place, value, versionstamp: null }]);
  }

  /**
   * Writes groups of rows of the sidecar, each whole or not at all; returns for each whether it did.
   * As many groups as a commit has room for are written together, or none of them if any of their
   * rows has another version now.
   */
  async replaceSidecars(groups: readonly (readonly NextRow[])[]): Promise<readonly boolean[]> {
    const checksMax = this.isRemote ? COMMIT_CHECKS_MAX : COMMIT_CHECKS_LOCAL_MAX;
    const commits = packed(groups, checksMax - this.#right.checks.length);
    const isDone = await Promise.all(commits.map((some) => this.#replace(some.flat())));
    return commits.flatMap((some, i) => some.map(() => isDone[i] === true));
  }

  async #replace(rows: readonly NextRow[]): Promise<boolean> {
    return await this.#writeRows(
      rows.map(({ place, ...row }) => ({ ...row, key: sidecarKey(place) })),
    );
  }

  /**
   * Replaces a row of the sidecar with what `change` returns for it; tries again if somebody else
   * has changed it meanwhile. A `change` that throws leaves the row as it is. Of many at once,
   * several are written together.
   */
  changeSidecar<T>(place: Key, change: (old: unknown) => T): Promise<T> {
    const key = sidecarKey(place);
    const alone = () => this.#changeAlone(key, change);
    return this.#changes.make({ key, next: change, alone });
  }

  async #changeAlone<T>(key: Key, change: (old: unknown) => T): Promise<T> {
    for (let tries = 1; tries <= CHANGE_TRIES_MAX; tries++) {
      const { value: old, versionstamp } = await this.get(key);
      const value = change(old);
      if (await this.#writeRows([{ key, value, versionstamp }])) return value;
      await sleep(Math.random() * TRY_PAUSE_MS * tries);
    }
    throw new UnreadableError("Too many changes to one row at once");
  }

  /** Writes rows, those with a version only all together, if they still have it. */
  async #writeRows(rows: readonly WrittenRow[]): Promise<boolean> {
    return await this.#write((atomic) => {
      for (const { key, value, versionstamp } of rows) {
        if (versionstamp !== undefined) atomic.check({ key, versionstamp });
        if (value === null) atomic.delete(key);
        else atomic.set(key, value);
      }
      return atomic;
    }, rows.length > 1);
  }

  /** Lists the rows of the sidecar whose places begin with `prefix`, by key. */
  async listSidecar(
    prefix: Key,
    options: SidecarListing,
  ): Promise<PlacedRow[]> {
    const { after, limit, isReverse: reverse = false } = options;
    const from = reverse || after === undefined ? prefix : after;
    const end = reverse && after !== undefined
      ? sidecarKey(after)
      : [...sidecarKey(prefix), Infinity];
    const rows: PlacedRow[] = [];
    for await (
      const { key, value } of this.list([...sidecarKey(from), ""], end, { reverse, limit })
    ) {
      rows.push({ place: key.slice(sidecarKey([]).length), value });
    }
    return rows;
  }

  /** Writes to the sidecar; returns whether its own checks held. */
  async #write(
    fill: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation,
    isLarge: boolean,
  ): Promise<boolean> {
    if (this.#right.isOver) throw new WritingOverError(BROKEN);
    const { checks } = this.#right;
    const send = (kv: Deno.Kv) => {
      const commit = () => fill(kv.atomic().check(...checks)).commit();
      return isLarge && this.#isPlainHttp ? pulledCommit(kv, commit) : commit();
    };
    const { ok } = await whenUnlocked(() => this.#handles.write(send))
      .catch((thrown) => throwOutcome(thrown, this.isRemote));
    for (const { key, versionstamp } of ok ? [] : checks) {
      const now = await this.get(key);
      if (now.versionstamp !== versionstamp) throw new WritingOverError(RESTORED);
    }
    return ok;
  }

  /**
   * Reports what a few keys hold whenever it may have changed, until the signal aborts. A report is
   * a hint, never the truth: it may be empty or out of date.
   */
  async watch(
    keys: readonly Key[],
    signal: AbortSignal,
    wake: (hints: readonly Hint[]) => void,
  ): Promise<void> {
    const stream = this.#handles.watcher.watch<unknown[]>(keys as unknown as Deno.KvKey[]);
    const reader = stream.getReader();
    signal.addEventListener("abort", () => reader.cancel().catch(() => {}), { once: true });
    try {
      while (!signal.aborted) {
        const { done, value: entries } = await reader.read();
        if (done) return;
        wake(entries.map(({ value, versionstamp }) => ({ value, versionstamp })));
      }
    } finally {
      // Also if `wake` throws, or the server would go on reporting to nobody.
      reader.cancel().catch(() => {});
    }
  }

  /**
   * Deletes a key and all keys that begin with it, some at a time.
   *
   * @throws {UnreadableError} if not all of them are deleted
   */
  async deleteAll(prefix: Key): Promise<void> {
    const { writer } = this.#handles;
    let atomic = writer.atomic();
    let count = 0;
    for await (const { key } of this.list(prefix, [...prefix, Infinity])) {
      atomic.delete(key);
      count += 1;
      if (count % DELETIONS_PER_COMMIT === 0) {
        await atomic.commit().catch(throwUnwritable);
        atomic = writer.atomic();
      }
    }
    await atomic.commit().catch(throwUnwritable);
  }

  /** Replaces the handle that writes the log, leaving behind a call that hangs on the old one. */
  async reopenWriter(): Promise<void> {
    await this.#handles.reopenWriter();
  }

  /** Replaces the handle that watches, which hears nothing on a dead connection. */
  async reopenWatcher(): Promise<void> {
    await this.#handles.reopenWatcher();
  }

  /** Closes all handles. */
  close(): void {
    this.#handles.close();
  }

  /** Whether bytes go over the network unencrypted. */
  get #isPlainHttp(): boolean {
    return this.path?.startsWith("http:") ?? false;
  }
}

/** Whether another handle held the file: the call has not happened, and may succeed later. */
export function isLockedFault(error: unknown): boolean {
  return faultText(error).includes("database is locked");
}

/** Whether the database has reported that there is no room for a write. */
export function isFullFault(error: unknown): boolean {
  return faultText(error).includes("disk is full");
}

function faultText(error: unknown): string {
  return String(error instanceof UnreadableError ? error.cause : error);
}

/** Repeats a call while another handle holds the file: such a call has changed nothing. */
async function whenUnlocked<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries >= LOCKED_TRIES_MAX || !isLockedFault(error)) throw error;
      await sleep(TRY_PAUSE_MS * tries);
    }
  }
}

/** Returns groups in their order, as many together as have so many rows. */
function packed<T>(groups: readonly (readonly T[])[], rowsMax: number): (readonly T[])[][] {
  const packs: (readonly T[])[][] = [];
  let room = 0;
  for (const group of groups) {
    assert(group.length <= rowsMax, "a commit has room for the checks of a group");
    if (group.length > room) {
      packs.push([]);
      room = rowsMax;
    }
    packs.at(-1)?.push(group);
    room -= group.length;
  }
  return packs;
}

function throwUnreadable(cause: unknown): never {
  throw new UnreadableError("The store cannot be read", { cause });
}

/** Throws one kind of error for all those that the database throws on a write. */
export function throwUnwritable(cause: unknown): never {
  throw new UnreadableError("The store cannot be written", { cause });
}

/** What SQLite's messages about its file name. The platform throws them like breaches of its rules. */
const FILE_FAULT = /\b(?:database|disk|locking protocol)\b/;

/**
 * Rethrows a breach of the platform's rules, which was not sent. A local database that throws
 * anything else has written nothing; over a network nobody knows, unless nothing was sent.
 */
function throwOutcome(cause: unknown, isRemote: boolean): never {
  const isFileFault = !isRemote && FILE_FAULT.test(String(cause));
  if (cause instanceof TypeError && !isFileFault) throw cause;
  if (isRemote && !(cause instanceof NotSentError)) {
    throw new UnreadableError("It is unknown whether the store was written", { cause });
  }
  throw new UnwrittenError("The store cannot be written", { cause });
}
