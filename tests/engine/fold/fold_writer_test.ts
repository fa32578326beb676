import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import {
  FoldWriter,
  WINDOW_EVENTS_MAX,
  WINDOW_ROWS_MAX,
} from "../../../src/engine/fold/fold_writer.ts";
import { compareRows } from "../../../src/engine/start/row_comparison.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import { foldWindow } from "../../../src/engine/fold/fold_window.ts";
import type { Entry } from "../../../src/store/log/entry_codec.ts";
import { type Key, rowKey, watermarkKey } from "../../../src/store/keys.ts";
import { FOLD_STEP, FOLD_STEP_LARGE } from "../../../src/store/kv/kv_limits.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { openStore, Store, UnreadableError } from "../../../src/store/store.ts";
import { EMPTY_WATERMARK, readWatermark } from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { entriesOf } from "../../support/folded_events.ts";
import type { RecordedEvent } from "../../support/test_sink.ts";
import { logEntries } from "../../support/logged_entries.ts";
import { Prng } from "../../support/prng.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

const noPause = () => Promise.resolve();

/** A store that runs `beforeRows` before the next read of rows. */
class InterruptedStore extends Store {
  beforeRows: () => Promise<unknown> = noPause;

  static async open(): Promise<InterruptedStore> {
    return new InterruptedStore(await KvHandles.open(":memory:", false), ":memory:", false);
  }

  override async getMany(keys: readonly Key[]): Promise<(unknown | null)[]> {
    const before = this.beforeRows;
    this.beforeRows = noPause;
    await before();
    return await super.getMany(keys);
  }
}

/** Returns two windows of one log: the first places an order, the second cancels it. */
function twoWindows() {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("alice", { usdt: "1000" });
  const { id } = test.buy("alice", "1", "10");
  const placed = test.sink.events.length;
  test.cancel("alice", id);
  const [first, second] = [test.sink.events.slice(0, placed), test.sink.events.slice(placed)];
  const last = entriesOf(second, new Prng(1)).map((entry) => ({
    ...entry,
    first: entry.first + placed,
  }));
  return { first: entriesOf(first, new Prng(1)), last };
}

/** Makes a fold take small steps. */
const NOBODY_WAITS = { isWaitedFor: () => false, onWaiting: () => {} };

describe("a window with a step that cannot be written", () => {
  it("is written again from the stored rows, whatever was known before", async () => {
    const store = await openStore(":memory:");
    const test = new DomainVenue().withMarket("btc", "usdt");
    const uids = ["alice", "bob", "carol"];
    for (const uid of uids) test.withMember(uid, { usdt: "1000" });
    const orders = uids.flatMap((uid) => {
      return Array.from({ length: 800 }, () => ({ uid, id: test.buy(uid, "0.01", "10").id }));
    });
    const placed = test.sink.events.length;
    for (const { uid, id } of orders) test.cancel(uid, id);
    const first = entriesOf(test.sink.events.slice(0, placed), new Prng(1));
    const last = entriesOf(test.sink.events.slice(placed), new Prng(1))
      .map((entry) => ({ ...entry, first: entry.first + placed }));
    await logEntries(store, [...first, ...last]);
    const writer = new FoldWriter(store, await readWatermark(store));
    assertEquals(await writer.write(first, noPause), true);
    const commit = store.commit.bind(store);
    for (let steps = 1; steps >= 0; steps--) {
      let left = steps;
      store.commit = async (...given) => {
        if (left-- === 0) throw new InvariantError("a step has no room");
        return await commit(...given);
      };
      const write = () => writer.write(last, noPause, NOBODY_WAITS);
      await assertRejects(write, InvariantError, "no room");
    }
    store.commit = commit;
    assertEquals(await writer.write(last, noPause), true);
    const rows = new MemoryRows();
    const folded = await foldWindow([...first, ...last], rows, EMPTY_WATERMARK, noPause);
    rows.note(folded.changes);
    const { differences, stateSum } = await compareRows(store, rows, () => true);
    assertEquals(differences, []);
    assertEquals((await readWatermark(store)).value.stateSum, stateSum);
    store.close();
  });
});

describe("the steps of a window", () => {
  /** Returns what the steps of a window do: each commit, its mutations, and each wait for it. */
  async function stepsOf(isWaitedFor: boolean): Promise<(number | "waiting")[]> {
    const store = await openStore(":memory:");
    const test = new DomainVenue();
    for (let i = 0; i < 2 * FOLD_STEP_LARGE.mutations; i++) test.withMarket(`c${i}`, "usdt");
    const entries = entriesOf(test.sink.events, new Prng(1));
    await logEntries(store, entries);
    const steps: (number | "waiting")[] = [];
    const commit = store.commit.bind(store);
    store.commit = (given, purpose) => {
      steps.push(given.mutations.length - 1);
      return commit(given, purpose);
    };
    const writer = new FoldWriter(store, await readWatermark(store));
    const orders = { isWaitedFor: () => isWaitedFor, onWaiting: () => steps.push("waiting") };
    assertEquals(await writer.write(entries, noPause, orders), true);
    store.close();
    return steps;
  }

  function mutationsOf(steps: readonly (number | "waiting")[]): number[] {
    return steps.filter((step) => step !== "waiting");
  }

  it("are small, unless the log waits for the fold", async () => {
    assertEquals(Math.max(...mutationsOf(await stepsOf(false))), FOLD_STEP.mutations);
    assertEquals(Math.max(...mutationsOf(await stepsOf(true))), FOLD_STEP_LARGE.mutations);
  });

  it("tell that the fold waits once the store has them", async () => {
    const steps = await stepsOf(true);
    const expected = mutationsOf(steps).flatMap((mutations) => [mutations, "waiting"]);
    assertEquals<unknown>(steps, expected);
  });
});

describe("the next window", () => {
  /** Returns how many events the next window may have after these. */
  async function eventsAfter(events: readonly RecordedEvent[]): Promise<number> {
    const store = await openStore(":memory:");
    const writer = new FoldWriter(store, await readWatermark(store));
    const entries = entriesOf(events, new Prng(1));
    await logEntries(store, entries);
    assertEquals(await writer.write(entries, noPause), true);
    store.close();
    return writer.windowEventsMax;
  }

  it("has fewer events the more rows the last one's made, and not too many", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("alice");
    const { events } = test.sink;
    const entries = entriesOf(events, new Prng(1));
    const { changes } = await foldWindow(entries, new MemoryRows(), EMPTY_WATERMARK, noPause);
    const few = WINDOW_ROWS_MAX * events.length / changes.length;
    assertEquals(await eventsAfter(events), Math.ceil(few));
    for (let i = 0; i < 100; i++) test.fund("alice", "btc", "1");
    assertEquals(await eventsAfter(events), WINDOW_EVENTS_MAX);
  });
});

describe("a fold that a start must finish", () => {
  /** Creates a log of which nothing is folded; returns its last sequence. */
  async function unfolded(path: string): Promise<number> {
    const test = await EngineVenue.open({
      path,
      prepare: (store) => store.plan = (purpose) => purpose === "fold" ? "fail" : "none",
    });
    await test.addUsual();
    await test.close();
    return test.venue.sequence;
  }

  /** Returns a writer whose first commit fails with the error. */
  async function failingOnce(path: string, isRemote: boolean, error: Error) {
    const store = await FaultyStore.open(path, isRemote);
    const writer = new FoldWriter(store, await readWatermark(store));
    const commit = store.commit.bind(store);
    store.commit = () => {
      store.commit = commit;
      return Promise.resolve({ kind: "failed", error });
    };
    return { store, writer };
  }

  it("is given up if the database accepts no writes", async () => {
    await using file = await VenueFile.create();
    const end = await unfolded(file.path);
    const full = new TypeError("database or disk is full");
    const { store, writer } = await failingOnce(file.path, false, full);
    const { cause } = await assertRejects(() => writer.finish(end), UnreadableError);
    assertEquals(cause, full);
    assertEquals((await readWatermark(store)).value, EMPTY_WATERMARK);
    store.close();
  });

  it("is retried if the file is locked or a server is away", async () => {
    for (const [isRemote, fault] of [[false, "database is locked"], [true, "no server"]] as const) {
      await using file = await VenueFile.create();
      const end = await unfolded(file.path);
      const { store, writer } = await failingOnce(file.path, isRemote, new TypeError(fault));
      await writer.finish(end);
      assertEquals((await readWatermark(store)).value.sequence, end);
      store.close();
    }
  });
});

describe("rows rebuilt by another process", () => {
  it("are not folded onto by one that knew the old ones", async () => {
    const store = await openStore(":memory:");
    const { first, last } = twoWindows();
    await logEntries(store, [...first, ...last]);
    const writer = new FoldWriter(store, await readWatermark(store));
    assertEquals(await writer.write(first, noPause), true);
    await store.deleteAll(watermarkKey());
    assertEquals(await writer.write(last, noPause), false);
    await assertRejects(() => writer.refresh(), InvariantError, "do not go back");
    await new FoldWriter(store, await readWatermark(store)).write([...first, ...last], noPause);
    assertEquals(await writer.refresh(), true);
    store.close();
  });
});

describe("rows folded by another process", () => {
  it("are read again by one that folded before it", async () => {
    const store = await openStore(":memory:");
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("alice", { usdt: "1000" });
    const ids = [test.buy("alice", "1", "10").id, test.buy("alice", "1", "10").id];
    const ends = [test.sink.events.length];
    for (const id of ids) {
      test.cancel("alice", id);
      ends.push(test.sink.events.length);
    }
    const entries = entriesOf(test.sink.events.slice(0, ends[0]), new Prng(1));
    const windows = [
      entries,
      ...ends.slice(0, -1).map((from, i) => [{
        ...entriesOf(test.sink.events.slice(from, ends[i + 1]), new Prng(1))[0] as Entry,
        first: from + 1,
      }]),
    ];
    await logEntries(store, windows.flat());
    const one = new FoldWriter(store, await readWatermark(store));
    const other = new FoldWriter(store, await readWatermark(store));
    for (const [i, writer] of [one, other, one].entries()) {
      await writer.refresh();
      assertEquals(await writer.write(windows[i] ?? [], noPause), true);
    }
    const rows = new MemoryRows();
    rows.note((await foldWindow(windows.flat(), rows, EMPTY_WATERMARK, noPause)).changes);
    assertEquals((await compareRows(store, rows, () => true)).differences, []);
    store.close();
  });
});

describe("a window that another process folds meanwhile", () => {
  it("is left alone, whatever the rows read say", async () => {
    const store = await InterruptedStore.open();
    const { first, last } = twoWindows();
    await logEntries(store, [...first, ...last]);
    const one = new FoldWriter(store, await readWatermark(store));
    assertEquals(await one.write(first, noPause), true);
    const other = new FoldWriter(store, await readWatermark(store));
    store.beforeRows = () => one.write(last, noPause);
    assertEquals(await other.write(last, noPause), false);
    const rows = new MemoryRows();
    const folded = await foldWindow([...first, ...last], rows, EMPTY_WATERMARK, noPause);
    rows.note(folded.changes);
    assertEquals((await compareRows(store, rows, () => true)).differences, []);
    store.close();
  });

  it("is not assumed when rows contradict their log", async () => {
    const store = await InterruptedStore.open();
    const { first, last } = twoWindows();
    await logEntries(store, [...first, ...last]);
    const one = new FoldWriter(store, await readWatermark(store));
    assertEquals(await one.write(first, noPause), true);
    await store.deleteAll(rowKey("open_orders"));
    const other = new FoldWriter(store, await readWatermark(store));
    await assertRejects(() => other.write(last, noPause), InvariantError);
    store.close();
  });
});
