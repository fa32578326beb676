import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { headKey } from "../../src/store/keys.ts";
import type { Hint } from "../../src/store/store.ts";
import { Hub } from "../../src/sockets/sending/hub.ts";
import { PrivateStreams } from "../../src/sockets/streams/private_streams.ts";
import { registerPublicStreams } from "../../src/sockets/realtime.ts";
import { BOOK_FORMS } from "../../src/sockets/streams/book_feed.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { FakeIntervals } from "../support/fake_intervals.ts";
import { allTold, FramesReader } from "../support/frames_reader.ts";
import { RebuiltBook } from "../support/rebuilt_book.ts";
import { timeoutsAlone } from "../support/timeouts_alone.ts";

const BUY = { side: "buy", amount: "1", price: "10" } as const;
const SELL = { side: "sell", amount: "1", price: "10" } as const;
const PRIVATE = ["trade", "order", "balance"];
const PUBLIC = ["btcusdt.trades", "btcusdt.ob-inc"];

/** How often the follower looks by itself, in ms. */
const TIMER_MS = 100;

/** A venue on a file that it owns, and its streams; no timer goes off but by the test. */
interface FileVenue {
  readonly test: EngineVenue;
  readonly hub: Hub;
  readonly intervals: FakeIntervals;
}

async function withFile(
  run: (venue: FileVenue) => Promise<void>,
  prepare: (store: EngineVenue["store"]) => void = () => {},
): Promise<void> {
  using _ = await timeoutsAlone();
  await using file = await VenueFile.create();
  using intervals = new FakeIntervals();
  await using test = await EngineVenue.open({ path: file.path, prepare });
  await test.addUsual();
  const hub = new Hub();
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  hub.register(new PrivateStreams(test.engine, hub, onFault));
  registerPublicStreams(hub, test.engine, onFault);
  await run({ test, hub, intervals });
  assertEquals([faults, test.faults], [[], []]);
}

/** One whose watch tells only what the test has it tell: what the store holds then. */
interface HeldWatch extends FileVenue {
  tell(): Promise<void>;
}

async function withHeldWatch(run: (held: HeldWatch) => Promise<void>): Promise<void> {
  let wake = (_: readonly Hint[]) => {};
  const watched: unknown[] = [];
  const prepare = (store: EngineVenue["store"]) => {
    store.watch = (keys, signal, told) => {
      watched.push(keys);
      wake = told;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    };
  };
  await withFile(async (venue) => {
    const tell = async () => wake([await venue.test.store.get(headKey())]);
    await run({ ...venue, tell });
    assertEquals(watched, [[headKey()]]);
  }, prepare);
}

/** Returns a reader of all streams that has got what they begin with. */
async function readerOf({ test, hub }: FileVenue, uid = "alice"): Promise<FramesReader> {
  const reader = new FramesReader(test.member(uid));
  await hub.subscribe(reader, [...PRIVATE, ...PUBLIC]);
  reader.frames.length = 0;
  return reader;
}

/** Returns what kinds of frames came, in their order. */
function kindsOf({ frames }: FramesReader): string[] {
  return frames.map((frame) => Object.keys(JSON.parse(frame))[0] ?? "");
}

/** Readers after whose round there is a pause of 40 ms; how long the test waits for its end. */
const CROWD = 1_000;
const PAUSES_MS = 200;

const BOUGHT = ["order", "balance", "btcusdt.ob-inc"];
/** Turns of the event loop, far more than a push takes, and far less than the timer. */
const TURNS = 50;

async function someTurns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await yieldToOthers();
}

describe("while the watch of a file is held back", () => {
  it("answers and reads go on, and nothing is pushed until the timer", () =>
    withHeldWatch(async (held) => {
      const { test, intervals } = held;
      const reader = await readerOf(held);
      const id = await test.placed("alice", BUY);
      assert(test.venue.orders.get(id) !== undefined, "a member reads its own writes");
      assertEquals((await test.engine.order(reader.member, id))?.id, id);
      await test.placed("bob", SELL);
      await someTurns();
      assertEquals(reader.frames, []);
      intervals.fire(TIMER_MS);
      await someTurns();
      const kinds = new Set(kindsOf(reader));
      const told = ["order", "balance", "trade", "btcusdt.trades", "btcusdt.ob-inc"];
      assertEquals(kinds, new Set(told));
    }));
});

describe("what is pushed", () => {
  it("goes out as soon as the watch tells of it", () =>
    withHeldWatch(async (held) => {
      const { test, tell } = held;
      const reader = await readerOf(held);
      await test.placed("alice", BUY);
      await tell();
      assertEquals(kindsOf(reader), BOUGHT);
      await tell();
      await someTurns();
      assertEquals(kindsOf(reader), BOUGHT, "once");
    }));

  it("is told of by the watch of a file, without any timer", () =>
    withFile(async (venue) => {
      const reader = await readerOf(venue);
      for (let i = 1; i <= 20; i++) {
        const sent = reader.sent(i * BOUGHT.length);
        await venue.test.placed("alice", { ...BUY, price: String(10 + i) });
        await sent;
      }
      assertEquals(kindsOf(reader), Array(20).fill(BOUGHT).flat());
    }));

  it("is what happened, in its order, however late and however seldom the watch tells", () =>
    withHeldWatch(async (held) => {
      const { test, tell } = held;
      const reader = await readerOf(held);
      await test.placed("alice", BUY);
      await test.placed("bob", SELL);
      await test.placed("alice", BUY);
      await tell();
      await allTold([reader]);
      const own = kindsOf(reader).filter((kind) => PRIVATE.includes(kind));
      const filled = ["trade", "order", "balance", "balance"];
      assertEquals(own, ["order", "balance", ...filled, "order", "balance"]);
      const orders = reader.news("order").map((frame) => JSON.parse(frame).order);
      // As they were then: the first has been filled by the time it is told.
      assertEquals(orders.map((order) => [order.state, order.remaining_volume]), [
        ["wait", "1.0"],
        ["done", "0.0"],
        ["wait", "1.0"],
      ]);
    }));

  it("waits for no watch that has told before the commit's answer came", () =>
    withHeldWatch(async (held) => {
      const { test, tell } = held;
      const reader = await readerOf(held);
      const commit = test.store.commit.bind(test.store);
      test.store.commit = async (...args) => {
        const outcome = await commit(...args);
        await tell();
        return outcome;
      };
      await test.placed("alice", BUY);
      assertEquals(kindsOf(reader), BOUGHT);
    }));
});

describe("a book whose changes wait for the watch", () => {
  for (const form of BOOK_FORMS) {
    it(`is never crossed by ${form} messages, whatever came and went meanwhile`, () =>
      withHeldWatch(async (held) => {
        const { test, hub, tell } = held;
        const reader = new FramesReader(test.member("alice"));
        await hub.subscribe(reader, [`btcusdt.${form}`]);
        await test.placed("bob", { ...SELL, price: "11" });
        await tell();
        // It ends at a price beyond the other side, where it never was in the book.
        await test.placed("alice", { ...BUY, price: "12", type: "post_only" });
        const member = test.member("bob");
        await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
        await test.placed("alice", { ...BUY, price: "12" });
        await tell();
        await allTold([reader]);
        const book = new RebuiltBook("btcusdt");
        for (const frame of reader.frames) {
          book.take(JSON.parse(frame));
          const { asks, bids } = book.depth();
          assertEquals(asks.length > 0 && bids.length > 0, false, frame);
        }
        assertEquals(book.depth(), { asks: [], bids: [["12.0", "1.0"]] });
      }));
  }

  it("waits also where the next round was about to begin", () =>
    withHeldWatch(async (held) => {
      const { test, hub, tell } = held;
      const readers = Array.from({ length: CROWD }, () => new FramesReader(0));
      for (const reader of readers) await hub.subscribe(reader, ["btcusdt.ob-inc"]);
      const [reader] = readers as [FramesReader];
      await test.placed("alice", BUY);
      await tell();
      const { length } = reader.frames;
      // The more readers, the longer is the pause after a round.
      await test.placed("alice", { ...BUY, price: "11" });
      await sleep(PAUSES_MS);
      assertEquals(reader.frames.length, length);
      await tell();
      await allTold(readers);
      assertEquals(reader.frames.length, length + 1);
      for (const one of readers) hub.leave(one);
    }));
});

describe("a beginning while the watch is silent", () => {
  it("leaves no gap for a reader that subscribes again", () =>
    withHeldWatch(async (held) => {
      const { test, hub } = held;
      const reader = await readerOf(held);
      await test.placed("alice", BUY);
      await test.placed("bob", SELL);
      // Trades have no snapshot: what was made before is never told otherwise.
      await hub.subscribe(reader, ["trade"]);
      assertEquals(reader.news("trade").length, 1);
    }));

  it("tells nothing twice that its snapshot holds", () =>
    withHeldWatch(async (held) => {
      const { test, hub, tell } = held;
      await readerOf(held);
      await test.placed("alice", BUY);
      const late = new FramesReader(test.member("alice"));
      await hub.subscribe(late, ["order", "balance", "btcusdt.ob-inc"]);
      const begun = late.frames.length;
      await tell();
      await someTurns();
      assertEquals(late.frames.slice(begun).filter((frame) => !frame.includes("ob-inc")), []);
    }));
});
