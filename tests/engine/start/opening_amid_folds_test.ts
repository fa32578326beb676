import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { type Key, watermarkKey } from "../../../src/store/keys.ts";
import type { Commit } from "../../../src/store/kv/commit.ts";
import { readWatermark, type Watermark } from "../../../src/store/rows/watermark.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import type { FaultyStore, Purpose } from "../../support/faulty_store.ts";
import { Prng } from "../../support/prng.ts";
import { stateText } from "../../support/state_text.ts";

/** Maximum number of reads of the rows while folds are held off. */
const TRIES_MAX = 3;
/** Time to read each table, in ms; longer than a fold waits for an idle moment. */
const READING_MS = 450;

/** Runs `happen` before the rows of a table are read for the first time. */
function before(store: FaultyStore, table: string, happen: () => Promise<void>): void {
  const list = store.list.bind(store);
  let isFirst = true;
  store.list = async function* <T>(start: Key, end: Key, options = {}) {
    if (isFirst && start.includes(table)) {
      isFirst = false;
      await happen();
    }
    yield* list<T>(start, end, options);
  };
}

describe("opening a venue while another process folds", () => {
  it("reads the rows again if they stem from two different times", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    await using one = await EngineVenue.open({ path, isShared: true });
    await one.addUsual();
    await one.folded();
    let times = 0;
    const prepare = (store: FaultyStore) =>
      before(store, "open_orders", async () => {
        // The markets have been read already; the order will rest on one that is missing there.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await one.addMarket("eth", "usdt");
        await one.placed("alice", { market: "ethusdt", amount: "1", price: "10" });
        await one.folded();
        times += 1;
      });

    await using two = await EngineVenue.open({ path, isShared: true, prepare });

    assertEquals(times, 1);
    assertEquals(stateText(two.venue), stateText(one.venue));
  });

  it("also waits for the next window if that began while it waited", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    await using one = await EngineVenue.open({ path, isShared: true });
    const prng = new Prng(7);
    await addStream(one);
    // Writes one step of the first window and no more.
    one.store.plan = onFold(({ target }) => target === 0 ? "none" : "fail", 1);
    await runStream(one, prng, 500);
    const first = await reached(one, ({ sequence, target }) => target > sequence);
    await runStream(one, prng, 500);
    let times = 0;
    const prepare = (store: FaultyStore) => {
      const commit = store.commit.bind(store);
      store.commit = async (what, purpose) => {
        if (purpose !== "fold" || times > 0) return await commit(what, purpose);
        times += 1;
        // Writes the rest of the first window, and one step of the next.
        one.store.plan = onFold(({ sequence }) => sequence < first.target ? "none" : "fail", 2);
        await reached(one, ({ sequence, target }) => sequence >= first.target && target > sequence);
        return { kind: "refused" };
      };
    };

    await using two = await EngineVenue.open({ path, isShared: true, prepare });

    assertEquals(times, 1);
    assertEquals(stateText(two.venue), stateText(one.venue));
  });

  it("holds off folds until all rows are read, each time", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    await using one = await EngineVenue.open({ path, isShared: true });
    await one.addUsual();
    await one.folded();
    const trading = new AbortController();
    const traded = tradeSteadily(one, trading.signal);
    const readings: number[] = [];
    const open = (i: number) =>
      EngineVenue.open({
        path,
        isShared: true,
        prepare: (store) =>
          slowed(store, async () => {
            readings[i] = (readings[i] ?? 0) + 1;
            if (readings[i] > 2 * TRIES_MAX) throw new Error("It is read again and again");
            // However slow the machine, somebody folds while the first one reads.
            if (i === 0 && readings[i] === 1) await foldedMeanwhile(one);
          }),
      });

    const starting = [open(0)];
    // The others start in the middle of its reads.
    await sleep(READING_MS / 2);
    starting.push(open(1), open(2));
    const opened = await Promise.allSettled(starting);
    trading.abort();
    await traded;

    for (const start of opened) {
      if (start.status === "rejected") throw start.reason;
      await using other = start.value;
      await other.engine.fresh();
      assertEquals(stateText(other.venue), stateText(one.venue));
    }
    assert(present(readings[0], "it was read") > 1, "Somebody has folded meanwhile");
    assert(readings.every((times) => times <= TRIES_MAX), `They were read ${readings} times`);
  });
});

/** Places orders, each of which is folded before the next, without anybody who waits for that. */
async function tradeSteadily(venue: EngineVenue, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await venue.placed("alice", { amount: "1", price: "10" });
    const { sequence } = venue.venue;
    await reached(venue, (watermark) => signal.aborted || watermark.sequence >= sequence);
  }
}

/** Waits until the rows are later ones than now. */
async function foldedMeanwhile(venue: EngineVenue): Promise<void> {
  const { value } = await readWatermark(venue.store);
  await reached(venue, ({ sequence }) => sequence > value.sequence);
}

/** Slows down reads of tables; waits before that of the orders starts. */
function slowed(store: FaultyStore, beforeOrders: () => Promise<void>): void {
  const list = store.list.bind(store);
  store.list = async function* <T>(start: Key, end: Key, options = {}) {
    if (start.includes("open_orders")) await beforeOrders();
    await sleep(READING_MS);
    yield* list<T>(start, end, options);
  };
}

/** Plans a fold's steps by the watermark they write; `more` further steps succeed afterwards. */
function onFold(
  plan: (watermark: Watermark) => "none" | "fail",
  more: number,
): FaultyStore["plan"] {
  let passed = 0;
  return (purpose: Purpose, _count: number, { mutations }: Commit) => {
    if (purpose !== "fold") return "none";
    const written = mutations.find(({ key }) => key.join() === watermarkKey().join());
    const fault = plan(written?.value as Watermark);
    return fault === "none" || ++passed <= more ? "none" : fault;
  };
}

/** Waits until the watermark is as wanted, and returns it. */
function reached(
  test: EngineVenue,
  isReached: (watermark: Watermark) => boolean,
): Promise<Watermark> {
  return eventually("the watermark", async () => {
    const { value } = await readWatermark(test.store);
    return isReached(value) && value;
  });
}
