/** The venue's one log: the entries, and a head that every commit replaces. */
import { assert, InvariantError, present } from "../../domain/assert.ts";
import {
  BATCH_ID_BYTES,
  decodeEntry,
  decodeEntryHash,
  decodeEntryHeader,
  type Entry,
  GENESIS_HASH,
} from "./entry_codec.ts";
import { isSameBytes, joinBytes } from "../byte_strings.ts";
import { epochRow } from "./epoch.ts";
import { LOG_FORMAT, OtherVersionError } from "../stored_formats.ts";
import { type Head, parseHead, writeHead } from "./head_codec.ts";
import {
  entryKey,
  firstLayoutHeadKey,
  headKey,
  type Key,
  lastEntryKey,
  logPrefix,
} from "../keys.ts";
import { LAST_ENTRY_BYTES_MAX, VALUE_BYTES_MAX } from "../kv/kv_limits.ts";
import type { Store, Versioned } from "../store.ts";
import type { Beside, Check, Commit, Mutation } from "../kv/commit.ts";

/** Events of a range of the log, of which several are read at once where the store is far. */
const RANGE_EVENTS = 128;
const RANGES_AT_ONCE = 32;

/** Returns the head of an empty log. */
export function emptyHead(epoch: string): Head {
  return {
    format: LOG_FORMAT,
    epoch,
    sequence: 0,
    at: 0,
    hash: GENESIS_HASH,
    batchId: new Uint8Array(BATCH_ID_BYTES),
  };
}

/** The store holds a venue that is too old for this program. */
export class FirstLayoutError extends OtherVersionError {
  override name = "FirstLayoutError";
}

/**
 * Checks that a log without a head is no venue under other keys, which would seem empty.
 *
 * @throws {FirstLayoutError} if it is
 */
export async function refuseFirstLayout(store: Store): Promise<void> {
  if ((await store.get(firstLayoutHeadKey())).value === null) return;
  throw new FirstLayoutError(
    "The store holds a venue of an early version, which this one does not read: start it " +
      "with that version, or use another store",
  );
}

/** Reads the head, strongly. */
export async function readHead(store: Store): Promise<Versioned<Head>> {
  return await headOf(store, await store.get<Uint8Array>(headKey()));
}

async function headOf(
  store: Store,
  { value, versionstamp }: Versioned<Uint8Array | null>,
): Promise<Versioned<Head>> {
  if (value === null) await refuseFirstLayout(store);
  return { value: parseHead(asBytes(present(value, "the log has a head"))), versionstamp };
}

/** Reads the head, strongly, and a few other keys with it in one request. */
export async function readHeadAnd(
  store: Store,
  keys: readonly Key[],
  isPatient: boolean,
): Promise<{ head: Versioned<Head>; beside: readonly Versioned<unknown>[] }> {
  const [head, ...beside] = await store.getTogether([headKey(), ...keys], isPatient);
  return { head: await headOf(store, head as Versioned<Uint8Array | null>), beside };
}

/** Returns the commit that creates the head of a log that has none, and begins its epoch. */
export function createHeadCommit(head: Head): Commit {
  return {
    check: { key: headKey(), versionstamp: null },
    mutations: [{ key: headKey(), value: writeHead(head) }, epochRow(head.epoch, 0)],
  };
}

/** Returns the commit that appends an entry and moves the head, with rows beside the log. */
export function appendCommit(
  current: Versioned<Head>,
  next: Head,
  entry: Uint8Array<ArrayBuffer>,
  { mutations: besides, held }: Beside,
): Commit {
  const first = current.value.sequence + 1;
  assert(next.sequence >= first, "an entry holds an event");
  const mutations: Mutation[] = [];
  for (let part = 0; part * VALUE_BYTES_MAX < entry.length; part++) {
    const from = part * VALUE_BYTES_MAX;
    const isWhole = entry.length <= VALUE_BYTES_MAX;
    const value = isWhole ? entry : entry.slice(from, from + VALUE_BYTES_MAX);
    mutations.push({ key: entryKey(first, part), value });
  }
  mutations.push({ key: headKey(), value: writeHead(next) }, ...besides);
  const check = { key: headKey(), versionstamp: current.versionstamp };
  return held.length === 0 ? { check, mutations } : { check, held, mutations };
}

/** Returns the row by which a watch delivers an entry; none for a long one, which has to be read. */
export function lastEntryRows(entry: Uint8Array): Mutation[] {
  return entry.length > LAST_ENTRY_BYTES_MAX ? [] : [{ key: lastEntryKey(), value: entry }];
}

/** Returns the commit that only moves the head, so that nothing sent before can land any more. */
export function barrierCommit(current: Versioned<Head>, batchId: Uint8Array): Commit {
  return {
    check: { key: headKey(), versionstamp: current.versionstamp },
    mutations: [{ key: headKey(), value: writeHead({ ...current.value, batchId }) }],
  };
}

/** Returns the commit that only gives the head this program's format, which stops older ones. */
export function raisedHeadCommit({ value, versionstamp }: Versioned<Head>): Commit {
  const raised = writeHead({ ...value, format: LOG_FORMAT });
  return {
    check: { key: headKey(), versionstamp },
    mutations: [{ key: headKey(), value: raised }],
  };
}

/**
 * Yields the entries after `after` up to and including `upTo`, in order, chained to `previousHash`
 * (null: the first is not checked).
 *
 * @param isFar whether the store is so far away that others could write faster than this reads, were
 *   not several ranges read at once
 * @throws {InvariantError} on a gap, a damaged entry or a broken chain
 */
export async function* readEntries(
  store: Store,
  after: number,
  upTo: number,
  previousHash: Uint8Array | null,
  isFar = false,
): AsyncGenerator<Entry> {
  let expected = after + 1;
  let hash = previousHash;
  const read = isFar ? readPartsAtOnce : readParts;
  for await (const parts of read(store, after, upTo)) {
    const entry = decodeEntry(joinBytes(parts), hash);
    assert(entry.first === expected, `the log has no gap at ${expected}`);
    hash = entry.hash;
    expected += entry.events.length;
    yield entry;
    release(parts);
  }
  assert(expected === upTo + 1, `the log reaches its head at ${upTo}`);
}

/** Yields the parts of each entry. */
async function* readParts(
  store: Store,
  after: number,
  upTo: number,
): AsyncGenerator<Uint8Array[]> {
  let first = -1;
  let parts: Uint8Array[] = [];
  const rows = store.list<Uint8Array>(entryKey(after + 1, 0), entryKey(upTo + 1, 0));
  for await (const { key, value } of rows) {
    const start = sequenceOf(key);
    if (start !== first && parts.length > 0) {
      yield parts;
      parts = [];
    }
    first = start;
    parts.push(asBytes(value));
  }
  if (parts.length > 0) yield parts;
}

/** Yields the same, reading several ranges at once. */
async function* readPartsAtOnce(
  store: Store,
  after: number,
  upTo: number,
): AsyncGenerator<Uint8Array[]> {
  const readings: Promise<Uint8Array[][]>[] = [];
  let asked = after;
  const ask = () => {
    while (asked < upTo && readings.length < RANGES_AT_ONCE) {
      const from = asked;
      asked = Math.min(from + RANGE_EVENTS, upTo);
      const reading = Array.fromAsync(readParts(store, from, asked));
      // One that comes before it may fail first, and nobody waits for this one any more.
      reading.catch(() => {});
      readings.push(reading);
    }
  };
  for (ask(); readings.length > 0; ask()) yield* await readings.shift() as Uint8Array[][];
}

/** Checks that a value is bytes: the database returns another type where its mark is damaged. */
function asBytes(value: unknown): Uint8Array {
  assert(value instanceof Uint8Array, "the log and its head are bytes");
  return value;
}

/**
 * Frees the bytes of rows that have been decoded. Those of a long log would wait for a garbage
 * collection a hundred MiB at a time, and the allocator would keep the room.
 */
function release(rows: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of rows) {
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    if (isWhole) buffer.transfer(0);
  }
}

/** Reads the entry that begins at this sequence; null if there is none. */
export async function readEntryAt(store: Store, first: number): Promise<Entry | null> {
  const bytes = await readEntryBytesAt(store, first);
  return bytes === null ? null : decodeEntry(bytes, null);
}

/** Reads the bytes of the entry that begins at this sequence; null if there is none. */
export async function readEntryBytesAt(store: Store, first: number): Promise<Uint8Array | null> {
  for await (const parts of readParts(store, first - 1, first)) return joinBytes(parts);
  return null;
}

/**
 * Returns what a commit checks to prove that the log holds an entry, and so all those before it.
 *
 * @throws {InvariantError} if it does not
 */
export async function proofOf(store: Store, { first, hash }: Entry): Promise<Check> {
  const key = entryKey(first, 0);
  const { value, versionstamp } = await store.get<Uint8Array>(key);
  const isThere = value !== null && isSameBytes(decodeEntryHash(value), hash);
  assert(isThere, `the log holds the entry at ${first} that is folded`);
  return { key, versionstamp };
}

/** Yields the entries up to and including `upTo`, last first; their chain is not checked. */
export async function* readEntriesBack(store: Store, upTo: number): AsyncGenerator<Entry> {
  let parts: Uint8Array[] = [];
  const rows = store.list<Uint8Array>(entryKey(0, 0), entryKey(upTo + 1, 0), {
    reverse: true,
    batch: 64,
  });
  for await (const { key, value } of rows) {
    parts.unshift(value);
    if (partOf(key) !== 0) continue;
    yield decodeEntry(joinBytes(parts), null);
    parts = [];
  }
}

/** Yields the entries up to `upTo` that are not older than `since` (ms), in order. */
export async function* readEntriesSince(
  store: Store,
  upTo: number,
  since: number,
): AsyncGenerator<Entry> {
  const first = await firstSince(store, upTo, since);
  if (first <= upTo) yield* readEntries(store, first - 1, upTo, null);
}

/** Bisects for the sequence of the first entry not older than `since`; beyond `upTo` if none is. */
async function firstSince(store: Store, upTo: number, since: number): Promise<number> {
  let low = 1;
  let high = upTo;
  let found = upTo + 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const header = await readHeaderOf(store, middle);
    if (header.at >= since) {
      found = header.first;
      high = header.first - 1;
    } else {
      low = middle + 1;
    }
  }
  return found;
}

/** Reads the chain hash of the entry that holds this sequence. */
export async function readHashAt(store: Store, sequence: number): Promise<Uint8Array> {
  return decodeEntryHash(await readFirstPartOf(store, sequence));
}

/** Reads the header of the entry that holds this sequence. */
async function readHeaderOf(
  store: Store,
  sequence: number,
): Promise<Pick<Entry, "first" | "at">> {
  return decodeEntryHeader(await readFirstPartOf(store, sequence));
}

async function readFirstPartOf(store: Store, sequence: number): Promise<Uint8Array> {
  const rows = store.list<Uint8Array>(entryKey(0, 0), entryKey(sequence + 1, 0), {
    reverse: true,
    batch: 1,
  });
  for await (const { key, value } of rows) {
    // Parts come last first; the header is in part 0.
    if (partOf(key) === 0) return value;
  }
  throw new InvariantError(`No entry holds sequence ${sequence}`);
}

function sequenceOf(key: Key): number {
  return key[logPrefix().length + 1] as number;
}

function partOf(key: Key): number {
  return key[logPrefix().length + 2] as number;
}
