import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError, present } from "../../../src/domain/assert.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import { NOTHING_BESIDE } from "../../../src/store/kv/commit.ts";
import { encodeEntry, type Entry } from "../../../src/store/log/entry_codec.ts";
import { LOG_FORMAT, NewerFormatError } from "../../../src/store/stored_formats.ts";
import { writeEvent } from "../../../src/store/log/event_codec.ts";
import { type Head, writeHead } from "../../../src/store/log/head_codec.ts";
import { entryKey, headKey, logPrefix } from "../../../src/store/keys.ts";
import { openStore, type Store, type Versioned } from "../../../src/store/store.ts";
import {
  appendCommit,
  barrierCommit,
  createHeadCommit,
  emptyHead,
  proofOf,
  readEntries,
  readEntriesBack,
  readEntriesSince,
  readEntryAt,
  readHead,
} from "../../../src/store/log/venue_log.ts";

/** A log in memory, appended to entry by entry. */
class TestLog {
  private constructor(readonly store: Store, public head: Versioned<Head>) {}

  static async open(): Promise<TestLog> {
    const store = await openStore(":memory:");
    await store.commit(createHeadCommit(emptyHead("epoch")), "log");
    return new TestLog(store, await readHead(store));
  }

  [Symbol.dispose](): void {
    this.store.close();
  }

  /** Appends an entry of `events` events after `current`; returns the commit's outcome. */
  async append(events: number, at: number, current: Versioned<Head> = this.head): Promise<string> {
    const writer = new ByteWriter();
    const first = current.value.sequence + 1;
    for (let i = 0; i < events; i++) {
      writeEvent(writer, { kind: "order_rested", id: first + i }, at);
    }
    const batchId = crypto.getRandomValues(new Uint8Array(16));
    const head = { first, at, batchId, count: events };
    const { bytes, hash } = encodeEntry(head, writer.take(), current.value.hash);
    const sequence = first + events - 1;
    const next = { ...current.value, sequence, at, hash, batchId };
    const { kind } = await this.store.commit(
      appendCommit(current, next, bytes, NOTHING_BESIDE),
      "log",
    );
    this.head = await readHead(this.store);
    return kind;
  }

  /** Returns all entries after a sequence. */
  async read(after: number = 0, hash: Uint8Array | null = null): Promise<Entry[]> {
    const { sequence } = this.head.value;
    return await Array.fromAsync(readEntries(this.store, after, sequence, hash));
  }

  /** Returns the log's values. */
  async rows(): Promise<Uint8Array[]> {
    const rows = this.store.list<Uint8Array>(entryKey(0, 0), entryKey(Infinity, 0));
    return await Array.fromAsync(rows, ({ value }) => value);
  }

  /** Returns the last key parts of the log's values, which start with the first sequence. */
  async values(): Promise<readonly (string | number)[][]> {
    const rows = this.store.list(entryKey(0, 0), entryKey(Infinity, 0));
    return await Array.fromAsync(rows, ({ key }) => key.slice(logPrefix().length + 1));
  }
}

/** Makes a store list other bytes in place of a row's; returns those that it has given. */
function giveRows(store: Store, replace: (row: Uint8Array) => Uint8Array): Uint8Array[] {
  const given: Uint8Array[] = [];
  const list = store.list.bind(store);
  const replaced = async function* (...range: Parameters<Store["list"]>) {
    for await (const { key, value } of list<Uint8Array>(...range)) {
      const row = replace(value);
      given.push(row);
      yield { key, value: row };
    }
  };
  Object.assign(store, { list: replaced });
  return given;
}

describe("the log", () => {
  it("returns its entries in order, starting from any entry", async () => {
    using log = await TestLog.open();
    for (const events of [1, 3, 2]) assertEquals(await log.append(events, 50), "committed");
    assertEquals((await log.read()).map(({ first }) => first), [1, 2, 5]);
    const [first] = await log.read();
    assertEquals((await log.read(1, first?.hash ?? null)).map(({ first }) => first), [2, 5]);
    assertEquals((await readEntryAt(log.store, 2))?.events.length, 3);
    assertEquals(await readEntryAt(log.store, 3), null);
  });

  it("is read in several ranges at once where the store is far, and yields the same", async () => {
    using log = await TestLog.open();
    for (let at = 0; at < 90; at++) await log.append(1 + at % 7, 50);
    await log.append(9_000, 50);
    await log.append(1, 50);
    const list = log.store.list.bind(log.store);
    let [reading, most] = [0, 0];
    const counted = async function* (...range: Parameters<Store["list"]>) {
      reading += 1;
      most = Math.max(most, reading);
      // Others begin before this one has its first row.
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield* list(...range);
      reading -= 1;
    };
    Object.assign(log.store, { list: counted });
    const { hash, sequence } = log.head.value;
    const [second] = (await log.read()).slice(1);
    assertEquals(most, 1);
    const isFar = true;
    const read = (to: number) =>
      Array.fromAsync(readEntries(log.store, 3, to, second?.hash ?? null, isFar));
    assertEquals(await read(sequence), (await log.read()).slice(2));
    assertEquals((await read(sequence)).at(-1)?.hash, hash);
    assertEquals(most, 32);
    const [third] = (await log.read()).slice(2);
    assertEquals(await read(6), [third], "and nothing beyond");
    await assertRejects(() => read(sequence + 500), InvariantError, "reaches its head");
    Object.assign(log.store, { list });
  });

  it("is proven to hold an entry by the version of that, and not by another in its place", async () => {
    using log = await TestLog.open();
    await log.append(2, 50);
    const [entry] = await log.read();
    const one = present(entry, "an entry was appended");
    const { key, versionstamp } = await proofOf(log.store, one);
    assertEquals([key, versionstamp], [entryKey(1, 0), (await log.store.get(key)).versionstamp]);
    for (const other of [{ ...one, hash: new Uint8Array(32) }, { ...one, first: 2 }]) {
      await assertRejects(() => proofOf(log.store, other), InvariantError, "holds the entry");
    }
  });

  it("splits a large entry over several values", async () => {
    using log = await TestLog.open();
    await log.append(2, 50);
    await log.append(60_000, 50);
    await log.append(1, 51);
    const values = await log.values();
    assert(values.length >= 5, `${values.length} values`);
    assertEquals(values.slice(0, 3), [[1, 0], [3, 0], [3, 1]]);
    const [, large] = await log.read();
    assertEquals(large?.events.length, 60_000);
    assertEquals(large?.events[59_999], { kind: "order_rested", id: 60_002 });
    assertEquals((await readEntryAt(log.store, 3))?.events, large?.events);
    assertEquals((await Array.fromAsync(readEntriesSince(log.store, 60_003, 0))).length, 3);
  });

  it("reads back to a given time, oldest first", async () => {
    using log = await TestLog.open();
    for (const at of [10, 20, 20, 30]) await log.append(2, at);
    const since = async (time: number, upTo = 8) =>
      (await Array.fromAsync(readEntriesSince(log.store, upTo, time))).map(({ first }) => first);
    assertEquals(await since(20), [3, 5, 7]);
    assertEquals(await since(21), [7]);
    assertEquals(await since(31), []);
    assertEquals(await since(0), [1, 3, 5, 7]);
    assertEquals(await since(20, 6), [3, 5]);
  });

  it("reads back to any time, however short its entries are", async () => {
    using log = await TestLog.open();
    const count = 24;
    for (let at = 1; at <= count; at++) await log.append(1, at);
    for (let since = 0; since <= count + 1; since++) {
      const entries = await Array.fromAsync(readEntriesSince(log.store, count, since));
      const wanted = count - Math.max(since, 1) + 1;
      assertEquals([entries.length, entries[0]?.first], [
        wanted,
        wanted ? entries[0]?.at : undefined,
      ]);
    }
  });

  it("reads entries from last to first, joining those that are split", async () => {
    using log = await TestLog.open();
    for (const events of [2, 60_000, 1]) await log.append(events, 50);
    const entries = await Array.fromAsync(readEntriesBack(log.store, 60_003));
    assertEquals(entries, (await log.read()).reverse());
    const [older] = await Array.fromAsync(readEntriesBack(log.store, 2));
    assertEquals(older?.first, 1);
  });

  it("frees the rows that it has decoded", async () => {
    using log = await TestLog.open();
    for (const events of [2, 60_000, 1]) await log.append(events, 50);
    const given = giveRows(log.store, (row) => row);
    assertEquals((await log.read()).length, 3);
    assertEquals(given.filter(({ byteLength }) => byteLength > 0), []);
  });

  it("does not free a buffer that rows share", async () => {
    using log = await TestLog.open();
    for (const events of [2, 3, 1]) await log.append(events, 50);
    const rows = await log.rows();
    const shared = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0));
    let end = 0;
    giveRows(log.store, (row) => {
      shared.set(row, end);
      end += row.length;
      return shared.subarray(end - row.length, end);
    });
    assertEquals((await log.read()).map(({ events }) => events.length), [2, 3, 1]);
    assertEquals([end, shared.length], [shared.length, shared.length]);
  });

  it("accepts only one of two entries after the same head", async () => {
    using log = await TestLog.open();
    const { head } = log;
    assertEquals(await log.append(1, 50, head), "committed");
    assertEquals(await log.append(2, 50, head), "refused");
    assertEquals(log.head.value.sequence, 1);
    assertEquals((await log.read()).length, 1);
  });

  it("refuses anything sent before a barrier", async () => {
    using log = await TestLog.open();
    await log.append(1, 50);
    const before = log.head;
    const barrier = barrierCommit(before, new Uint8Array(16).fill(1));
    assertEquals((await log.store.commit(barrier, "log")).kind, "committed");
    assertEquals(await log.append(1, 50, before), "refused");
    assertEquals(log.head.value, { ...before.value, batchId: new Uint8Array(16).fill(1) });
    assertEquals(await log.append(1, 50), "committed");
  });

  it("is refused with a gap, a damaged entry or an end before its head", async () => {
    using log = await TestLog.open();
    for (let i = 0; i < 3; i++) await log.append(2, 50);
    const { store } = log;
    const entry = await store.get<Uint8Array>(entryKey(3, 0));
    const damage = async (key: readonly (string | number)[], value: unknown) => {
      const check = { key: headKey(), versionstamp: log.head.versionstamp };
      const mutations = [{ key, value }, { key: headKey(), value: writeHead(log.head.value) }];
      await store.commit({ check, mutations }, "log");
      log.head = await readHead(store);
    };
    await damage(entryKey(3, 0), null);
    await assertRejects(() => log.read(), InvariantError);
    const flipped = entry.value?.slice() ?? new Uint8Array();
    flipped[40] = (flipped[40] ?? 0) ^ 1;
    await damage(entryKey(3, 0), flipped);
    await assertRejects(() => log.read(), InvariantError, "hash follows");
    await damage(entryKey(3, 0), entry.value);
    assertEquals((await log.read()).length, 3);
    await damage(entryKey(5, 0), null);
    await assertRejects(() => log.read(), InvariantError, "reaches its head at 6");
    await damage(entryKey(1, 0), null);
    await assertRejects(() => log.read(), InvariantError, "no gap at 1");
  });

  it("is not read if its format is newer", async () => {
    using log = await TestLog.open();
    const newer = { ...log.head.value, format: LOG_FORMAT + 1 };
    const check = { key: headKey(), versionstamp: log.head.versionstamp };
    await log.store.commit(
      { check, mutations: [{ key: headKey(), value: writeHead(newer) }] },
      "log",
    );
    await assertRejects(() => readHead(log.store), NewerFormatError);
  });
});
