import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Order, UNPLACED } from "../../../src/domain/trading/order.ts";
import { SLICE, yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import { OrderCopies } from "../../../src/sockets/streams/private_messages.ts";
import { CutReads, readMissed } from "../../../src/sockets/streams/replay.ts";
import { changedEngine } from "../../support/changed_engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { Prng } from "../../support/prng.ts";
import { streamsOf } from "../../support/private_streams.ts";
import { turnsDuring } from "../../support/turns_during.ts";
import { PORTION_FRAMES } from "../../../src/sockets/limits.ts";

const BASES = ["btc", "eth", "xrp"];
const ORDERS_PER_MARKET = 800;
/** More than two slices. */
const ORDERS = BASES.length * ORDERS_PER_MARKET;

/** Opens a venue where alice has many orders, on one market after the other. */
async function openWithOrders(): Promise<EngineVenue> {
  const test = await EngineVenue.open();
  await test.addUsual();
  for (const base of BASES) {
    if (base !== "btc") await test.addMarket(base, "usdt");
    const order = { market: `${base}usdt`, price: "10", amount: "1" };
    await test.must(test.placing("alice", ...Array(ORDERS_PER_MARKET).fill(order)));
  }
  return test;
}

/** Returns alice's open orders, oldest first. */
function openOrders(test: EngineVenue): Order[] {
  return [...test.venue.holder(test.member("alice")).openOrders.values()];
}

function cancel(test: EngineVenue, id: number): Promise<unknown> {
  const member = test.member("alice");
  const names = [{ id }];
  return test.must({ kind: "cancel_orders", member, names, strict: true, isKnown: false });
}

function cancelMarket(test: EngineVenue, market: number): Promise<unknown> {
  const member = test.member("alice");
  return test.must({ kind: "cancel_all_orders", member, market, side: null });
}

function sell(test: EngineVenue, market: string): Promise<unknown> {
  return test.place("bob", { market, side: "sell", price: "10", amount: "0.25" });
}

/** Waits until a reader has been sent some frames, but not for a timer: there may be many more. */
async function told(reader: FramesReader, frames: number): Promise<void> {
  while (reader.frames.length < frames) await yieldToOthers();
}

interface Told {
  readonly sequence: number;
  readonly isSnapshot: boolean;
  readonly order: { readonly id: number; readonly state: string };
}

function toldTo(reader: FramesReader): Told[] {
  return reader.frames.map((frame) => {
    const { order, sequence, snapshot = false } = JSON.parse(frame);
    return { order, sequence, isSnapshot: snapshot };
  });
}

/** Checks that one snapshot came first, then each later event, and that they add up. */
function assertWhole(test: EngineVenue, reader: FramesReader, live: FramesReader): void {
  const told = toldTo(reader);
  const start = told[0]?.sequence ?? -1;
  const snapshot = told.filter(({ isSnapshot }) => isSnapshot);
  assertEquals(told.slice(0, snapshot.length), snapshot);
  assert(snapshot.every(({ sequence }) => sequence === start));
  const orders = new Map<number, Told["order"]>();
  for (const { order, sequence } of toldTo(live)) {
    if (sequence > start) break;
    orders.delete(order.id);
    if (order.state === "wait") orders.set(order.id, order);
  }
  const byId = (a: Told["order"], b: Told["order"]) => a.id - b.id;
  assertEquals(snapshot.map(({ order }) => order), [...orders.values()].sort(byId));
  assertEquals(reader.news("order"), live.news("order", start));
  const last = test.venue.holder(reader.member).messages.order;
  assertEquals(told.at(-1)?.sequence, last);
}

/** Notes at each turn how much a count has grown since the last one, while `work` runs. */
async function growthPerTurn(count: () => number, work: () => unknown): Promise<number[]> {
  const growth: number[] = [];
  let before = count();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      growth.push(count() - before);
      before = count();
      await yieldToOthers();
    }
  })();
  await work();
  isDone = true;
  await watching;
  return growth;
}

describe("copies of open orders", () => {
  /** Copies the orders while `act` runs between the slices; returns how many slices there were. */
  async function copied(test: EngineVenue, act: (slice: number) => Promise<unknown>) {
    const copies = new OrderCopies(test.venue, test.member("alice"));
    test.engine.onEvent((event) => copies.follow(event));
    let slices = 1;
    for (; !copies.copySlice(); slices++) await act(slices);
    const orders = copies.finish();
    const open = openOrders(test).map((order): [number, Order] => [
      order.id,
      { ...order, ...UNPLACED },
    ]);
    assertEquals([...orders], open);
    return { slices, orders };
  }

  it("are made in slices", async () => {
    await using test = await openWithOrders();
    const { slices } = await copied(test, () => Promise.resolve());
    assertEquals(slices, Math.ceil(ORDERS / SLICE));
  });

  it("go on after orders that have ended, and before those that are next", async () => {
    await using test = await openWithOrders();
    const orders = openOrders(test);
    await copied(test, async (slice) => {
      for (const at of [0, SLICE - 2, SLICE - 1, SLICE, SLICE + 1]) {
        if (slice === 1) await cancel(test, orders[at]?.id ?? 0);
      }
    });
  });

  it("begin anew if all that were copied have ended", async () => {
    await using test = await openWithOrders();
    const ids = openOrders(test).slice(0, SLICE).map(({ id }) => id);
    const { orders } = await copied(test, async (slice) => {
      if (slice > 1) return;
      await cancelMarket(test, 0);
      for (const id of ids.slice(ORDERS_PER_MARKET)) await cancel(test, id);
    });
    assertEquals(orders.size, ORDERS - SLICE);
  });

  it("follow fills of what was copied, and include what is new", async () => {
    await using test = await openWithOrders();
    let last = 0;
    const { orders } = await copied(test, async () => {
      for (const base of BASES) await sell(test, `${base}usdt`);
      last = await test.placed("alice", { price: "9", amount: "1" });
    });
    assertEquals([...orders.keys()].at(-1), last);
    const [first] = orders.values();
    assertEquals(first?.remaining, 500_000);
  });

  it("stay as they are once they are finished", async () => {
    await using test = await openWithOrders();
    const copies = new OrderCopies(test.venue, test.member("alice"));
    test.engine.onEvent((event) => copies.follow(event));
    const orders = copies.finish();
    await cancelMarket(test, -1);
    assertEquals(orders.size, ORDERS);
    assert([...orders.values()].every(({ state }) => state === "wait"));
  });
});

describe("a snapshot of many orders", () => {
  it("is sent in portions, one of them per turn however many readers there are", async () => {
    await using test = await openWithOrders();
    const { hub } = streamsOf(test);
    const readers = Array.from({ length: 3 }, () => new FramesReader(test.member("alice")));
    const frames = () => readers.reduce((sum, reader) => sum + reader.frames.length, 0);
    const growth = await growthPerTurn(
      frames,
      () => Promise.all(readers.map((reader) => hub.subscribe(reader, ["order"]))),
    );
    assertEquals(frames(), readers.length * ORDERS);
    assert(Math.max(...growth) <= PORTION_FRAMES, `${growth}`);
  });

  it("is written only as it is read", async () => {
    await using test = await openWithOrders();
    let written = 0;
    const uuidOf = (id: number) => {
      written += 1;
      return test.engine.uuidOf(id);
    };
    const { hub } = streamsOf({ engine: changedEngine(test.engine, { uuidOf }) });
    const reader = new FramesReader(test.member("alice"), 100 * 1024);
    const subscribed = hub.subscribe(reader, ["order"]);
    await told(reader, 3);
    for (let i = 0; i < 20; i++) await yieldToOthers();
    assertEquals(written, 3);
    reader.read();
    await subscribed;
    assertEquals([written, reader.frames.length], [ORDERS, ORDERS]);
  });

  it("is complete at once if one portion is enough", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const orders = Array(PORTION_FRAMES - 1).fill({ price: "10", amount: "1" });
    await test.must(test.placing("alice", ...orders));
    const reader = new FramesReader(test.member("alice"));
    assertEquals(streamsOf(test).hub.subscribe(reader, ["order"]), "subscribed");
    assertEquals(reader.frames.length, orders.length);
  });

  for (const seed of [1, 2, 3]) {
    it(`is of one moment, and all later events follow it (${seed})`, async () => {
      await using test = await openWithOrders();
      const { hub, faults } = streamsOf(test);
      const prng = new Prng(seed);
      const live = new FramesReader(test.member("alice"));
      await hub.subscribe(live, ["order"]);
      const slow = new FramesReader(live.member, 1024);
      const readers = [new FramesReader(live.member), slow];
      const begun = Promise.all(readers.map((reader) => hub.subscribe(reader, ["order"])));
      for (let i = 0; i < 12; i++) {
        const id = prng.pick(openOrders(test))?.id ?? 0;
        await (prng.chance(0.5) ? cancel(test, id) : sell(test, `${prng.pick(BASES)}usdt`));
        if (i % 4 === 0) await test.place("alice", { price: "9", amount: "1" });
        if (i === 6) await cancelMarket(test, prng.between(0, 2));
      }
      slow.read();
      await begun;
      for (const reader of readers) assertWhole(test, reader, live);
      assertEquals(faults, []);
    });
  }

  it("ends when its reader unsubscribes or is closed, whatever was still to come", async () => {
    await using test = await openWithOrders();
    const { hub, faults } = streamsOf(test);
    for (const frames of [0, PORTION_FRAMES]) {
      for (const end of ["unsubscribe", "close"]) {
        const reader = new FramesReader(test.member("alice"));
        const subscribed = hub.subscribe(reader, ["order"]);
        await told(reader, frames);
        if (end === "close") reader.close(1000, "");
        else hub.unsubscribe(reader, ["order"]);
        const { length } = reader.frames;
        assert(length < ORDERS);
        assertEquals(await subscribed, "subscribed");
        hub.leave(reader);
        assertEquals([reader.frames.length, faults], [length, []]);
      }
    }
  });

  it("begins anew for a reader that unsubscribes and comes back", async () => {
    await using test = await openWithOrders();
    const { hub, faults } = streamsOf(test);
    const live = new FramesReader(test.member("alice"));
    await hub.subscribe(live, ["order"]);
    for (const frames of [0, PORTION_FRAMES]) {
      const reader = new FramesReader(live.member);
      const first = hub.subscribe(reader, ["order"]);
      await told(reader, frames);
      hub.unsubscribe(reader, ["order"]);
      reader.frames.length = 0;
      const second = hub.subscribe(reader, ["order"]);
      await sell(test, "btcusdt");
      await Promise.all([first, second]);
      await cancel(test, openOrders(test)[0]?.id ?? 0);
      assertWhole(test, reader, live);
    }
    assertEquals(faults, []);
  });

  it("leaves no gap when a reader subscribes again", async () => {
    await using test = await openWithOrders();
    const { hub } = streamsOf(test);
    const reader = new FramesReader(test.member("alice"));
    await hub.subscribe(reader, ["order"]);
    const start = toldTo(reader)[0]?.sequence ?? 0;
    for (let round = 0; round < 3; round++) {
      const again = [hub.subscribe(reader, ["order"]), hub.subscribe(reader, ["order"])];
      for (let i = 0; i < 3; i++) await sell(test, "btcusdt");
      await Promise.all(again);
      await sell(test, "btcusdt");
    }
    const sequences = reader.news("order").map((frame) => JSON.parse(frame).sequence);
    assertEquals(sequences, sequences.map((_, i) => start + 1 + i));
    const last = test.venue.holder(reader.member).messages.order;
    assertEquals(toldTo(reader).at(-1)?.sequence, last);
    const snapshots = toldTo(reader).filter(({ isSnapshot }) => isSnapshot);
    assert(snapshots.length > 4 * (ORDERS - 24) && snapshots.length <= 4 * ORDERS);
  });
});

describe("a replay for a member with many orders", () => {
  it("gives others their turn while these are copied", async () => {
    await using test = await openWithOrders();
    const member = test.member("alice");
    const copies = new OrderCopies(test.venue, member);
    const seen = new Map([["order", ORDERS - 1]] as const);
    const turns = await turnsDuring(() => {
      return readMissed(test.engine, member, seen, copies, new CutReads());
    });
    assert(turns >= Math.ceil(ORDERS / SLICE) - 1, `${turns} turns`);
  });

  it("shows orders as they were, whatever happens meanwhile", async () => {
    await using test = await openWithOrders();
    const { hub, faults } = streamsOf(test);
    const live = new FramesReader(test.member("alice"));
    await hub.subscribe(live, ["order"]);
    const start = test.venue.holder(live.member).messages.order;
    const prng = new Prng(5);
    for (let round = 0; round < 5; round++) {
      const reader = new FramesReader(live.member);
      const subscribed = hub.subscribe(reader, ["order"], new Map([["order", start]]));
      for (let i = 0; i < 4; i++) {
        await sell(test, `${prng.pick(BASES)}usdt`);
        await cancel(test, prng.pick(openOrders(test))?.id ?? 0);
      }
      await subscribed;
      assertEquals(reader.news("order"), live.news("order", start));
      assertEquals(reader.frames, reader.news("order"));
      hub.leave(reader);
    }
    assertEquals(faults, []);
  });
});
