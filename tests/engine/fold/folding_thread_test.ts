import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { foldWindow } from "../../../src/engine/fold/fold_window.ts";
import { FoldWriter } from "../../../src/engine/fold/fold_writer.ts";
import { FoldingThread, LostThreadError } from "../../../src/engine/fold/folding_thread.ts";
import { compareRows } from "../../../src/engine/start/row_comparison.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import type { Entry } from "../../../src/store/log/entry_codec.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { FOLD_STEP } from "../../../src/store/kv/kv_limits.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { readEntries } from "../../../src/store/log/venue_log.ts";
import { EMPTY_WATERMARK, readWatermark } from "../../../src/store/rows/watermark.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { noPause } from "../../support/folded_events.ts";

const ORDERS = 900;
const NOBODY_WAITS = { isWaitedFor: () => false, onWaiting: () => {} };

/** A venue on a file of which nothing is folded: orders are placed, and then cancelled. */
class UnfoldedVenue implements AsyncDisposable {
  private constructor(
    readonly file: VenueFile,
    readonly store: Store,
    readonly writer: FoldWriter,
    /** All entries of the log but those of the cancels. */
    readonly first: readonly Entry[],
    readonly last: readonly Entry[],
  ) {}

  static async create(): Promise<UnfoldedVenue> {
    const file = await VenueFile.create();
    const test = await EngineVenue.open({
      path: file.path,
      prepare: (store) => store.plan = (purpose) => purpose === "fold" ? "fail" : "none",
    });
    await test.addUsual();
    const orders = Array.from({ length: ORDERS }, () => ({ amount: "1", price: "10" }));
    const ids = orderIds(await test.place("alice", ...orders));
    await test.placed("bob", { side: "sell", amount: "3", price: "10" });
    const { sequence } = test.venue;
    const names = ids.map((id) => ({ id }));
    const member = test.member("alice");
    await test.must({ kind: "cancel_orders", member, names, strict: false, isKnown: false });
    const end = test.venue.sequence;
    await test.close();
    const store = await openStore(file.path);
    const entries = await Array.fromAsync(readEntries(store, 0, end, null));
    return new UnfoldedVenue(
      file,
      store,
      new FoldWriter(store, await readWatermark(store)),
      entries.filter(({ first }) => first <= sequence),
      entries.filter(({ first }) => first > sequence),
    );
  }

  /** Checks that the store holds the rows of the whole log. */
  async assertFolded(): Promise<void> {
    const rows = new MemoryRows();
    const entries = [...this.first, ...this.last];
    rows.note((await foldWindow(entries, rows, EMPTY_WATERMARK, noPause)).changes);
    const { differences, stateSum } = await compareRows(this.store, rows, () => true);
    assertEquals(differences, []);
    assertEquals((await readWatermark(this.store)).value.stateSum, stateSum);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writer.close();
    this.store.close();
    await this.file[Symbol.asyncDispose]();
  }
}

/** A thread whose windows take several steps. */
class SteppingThread extends FoldingThread {
  override readonly stepMax = FOLD_STEP;
}

/** A program for a thread; `text` runs for each call. */
function program(text: string): URL {
  return new URL(`data:text/javascript,onmessage=({data})=>{${encodeURIComponent(text)}}`);
}

describe("a fold in a thread of its own", () => {
  it("makes the rows that this one would make, window by window", async () => {
    await using test = await UnfoldedVenue.create();
    const { file, writer, first, last } = test;
    writer.foldIn(new SteppingThread(file.path));
    for (const window of [first, last]) {
      assertEquals(await writer.write(window, noPause, NOBODY_WAITS), true);
    }
    await test.assertFolded();
  });

  it("reads the rows again after a step that could not be written", async () => {
    await using test = await UnfoldedVenue.create();
    const { file, store, writer, first, last } = test;
    writer.foldIn(new SteppingThread(file.path));
    assertEquals(await writer.write(first, noPause), true);
    const commit = store.commit.bind(store);
    let steps = 0;
    store.commit = (...given) => {
      steps += 1;
      return steps === 2 ? Promise.resolve({ kind: "refused" }) : commit(...given);
    };
    assertEquals(await writer.write(last, noPause, NOBODY_WAITS), false);
    assertEquals(await writer.write(last, noPause, NOBODY_WAITS), true);
    assert(steps > 3);
    await test.assertFolded();
  });

  it("tells what is wrong with the rows", async () => {
    await using test = await UnfoldedVenue.create();
    const { file, store, writer, first, last } = test;
    assertEquals(await writer.write(first, noPause), true);
    await store.deleteAll(rowKey("open_orders"));
    writer.foldIn(new FoldingThread(file.path));
    const { message } = await assertRejects(() => writer.write(last, noPause), InvariantError);
    assert(message.includes("a changed item is in its row"));
  });

  it("folds what is in the store, not what is in memory", async () => {
    await using test = await UnfoldedVenue.create();
    const { file, writer, first, last } = test;
    writer.foldIn(new FoldingThread(file.path));
    const wrong = first.map((entry) => ({ ...entry, events: entry.events.slice() }));
    wrong.at(-1)?.events.pop();
    // Its last entry now ends before the one in the log does.
    await assertRejects(() => writer.write(wrong, noPause), InvariantError, "reaches its head");
    assertEquals(await writer.write(first, noPause), true);
    assertEquals(await writer.write(last, noPause), true);
    await test.assertFolded();
  });
});

describe("a thread that is lost", () => {
  /** Checks that the window fails, and is folded here the next time. */
  async function assertReplaced(threadOf: (file: VenueFile) => FoldingThread): Promise<void> {
    await using test = await UnfoldedVenue.create();
    const { file, writer, first, last } = test;
    writer.foldIn(threadOf(file));
    await assertRejects(() => writer.write(first, noPause), LostThreadError);
    for (const window of [first, last]) assertEquals(await writer.write(window, noPause), true);
    await test.assertFolded();
  }

  it("is replaced by this one, whether it can't begin, breaks down or stops", async () => {
    const programs = [
      new URL("data:text/javascript,nothing()"),
      new URL("./no_such_module.ts", import.meta.url),
      program("data.kind === 'open' ? postMessage({ kind: 'done' }) : nothing()"),
      program("data.kind === 'open' ? postMessage({ kind: 'done' }) : close(), nothing()"),
    ];
    for (const one of programs) {
      await assertReplaced(({ path }) => new FoldingThread(path, one));
    }
  });

  it("is replaced by this one if it can't open the file", () =>
    assertReplaced(({ directory }) => new FoldingThread(`${directory}/none.kv`)));

  it("creates no file where there is none", async () => {
    await using file = await VenueFile.create();
    const thread = new FoldingThread(file.path);
    await assertRejects(() => thread.fold([], EMPTY_WATERMARK), LostThreadError, "no venue");
    assertEquals([...Deno.readDirSync(file.directory)], []);
    await assertRejects(
      () => thread.next({ mutations: 1, bytes: 1, keyBytes: 1 }),
      LostThreadError,
    );
    await thread.close();
  });
});

describe("the end of a thread", () => {
  it("does not wait for one that gives no answer", async () => {
    const thread = new FoldingThread("none", program(""));
    const folding = thread.fold([], EMPTY_WATERMARK);
    await Promise.all([thread.close(), assertRejects(() => folding, LostThreadError, "closed")]);
  });

  it("comes for one that goes on by itself, too", async () => {
    await using file = await VenueFile.create();
    const sign = `${file.directory}/alive`;
    const living = `setInterval(() => Deno.writeTextFileSync("${sign}", ""), 1)`;
    const thread = new FoldingThread("none", program(`${living}; postMessage({ kind: "done" })`));
    const isAlive = () => [...Deno.readDirSync(file.directory)].length > 0;
    await eventually("a sign of life", isAlive);
    await thread.close();
    // What it was about to do may still happen.
    await sleep(50);
    await Deno.remove(sign);
    await sleep(50);
    assertEquals(isAlive(), false);
  });
});

describe("a venue that can't keep up with its fold", () => {
  const UNFOLDED_MAX = 4000;
  const EVENTS = 2000;

  it("leaves it to a thread, which reads for itself", async () => {
    await using file = await VenueFile.create();
    const test = await EngineVenue.open({ path: file.path, unfoldedEventsMax: UNFOLDED_MAX });
    await test.addUsual();
    await test.folded();
    test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
    const adjusted = () =>
      test.must({ kind: "adjust_balance", uid: "alice", currency: "btc", amount: 1n });
    await adjusted();
    await test.foldedSteps(test.store.commits.fold + 1);
    for (let done = 0; done < EVENTS; done += 500) {
      await Promise.all(Array.from({ length: 500 }, adjusted));
    }
    test.store.plan = () => "none";
    test.store.release();
    await test.folded();
    const { rowsRead } = test.store;
    await test.placed("alice", { amount: "1", price: "10" });
    await test.folded();
    // This one reads the entry, which proves that the log holds it.
    assertEquals(test.store.rowsRead, rowsRead + 1);
    assertEquals(test.faults, []);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
