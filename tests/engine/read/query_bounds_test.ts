import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ROWS_AT_ONCE } from "../../../src/engine/reading_queue.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { CANDLES_PER_ROW } from "../../../src/store/rows/row_codec.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { turnsDuring } from "../../support/turns_during.ts";
import { START } from "../../support/domain_venue.ts";

const PAGE = { offset: 0, limit: 100, direction: "asc" } as const;
const PERIOD = 5;
/** Time span of the candles in one row, in seconds. */
const ROW_S = PERIOD * 60 * CANDLES_PER_ROW;

/** More trades than one block holds. */
const BLOCKS_OF_TRADES = 600;

/** Lets alice buy 1 from bob. */
async function trade(test: EngineVenue): Promise<void> {
  await test.placed("bob", { side: "sell", amount: "1", price: "10" });
  await test.placed("alice", { amount: "1", price: "10" });
}

describe("an order that is looked up", () => {
  it("is shown only to its member, both open and ended", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const [alice, bob] = [test.member("alice"), test.member("bob")];
    const id = await test.placed("alice", { amount: "1", price: "10" });
    const seen = async () => {
      const orders = [await test.engine.order(alice, id), await test.engine.order(bob, id)];
      return orders.map((order) => order?.state);
    };
    assertEquals(await seen(), ["wait", undefined]);
    await test.must({ kind: "cancel_all_orders", member: alice, market: -1, side: null });
    assertEquals(await seen(), ["cancel", undefined]);
    await test.folded();
    assertEquals(await seen(), ["cancel", undefined]);
    const [first, last] = [rowKey("open_orders", -Infinity), rowKey("open_orders", Infinity)];
    assertEquals(await Array.fromAsync(test.store.list(first, last)), [], "no row without orders");
  });
});

describe("ended orders looked up by id", () => {
  it("are all read, a few at a time", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const member = test.member("alice");
    const orders = Array.from({ length: 4 * ROWS_AT_ONCE }, () => ({ amount: "1", price: "10" }));
    const ids = orderIds(await test.must(test.placing("alice", ...orders)));
    await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    await test.folded();
    await test.placed("alice", { amount: "1", price: "10" });
    const { store } = test;
    const reads = { atOnce: 0, atOnceMax: 0 };
    const list = store.list.bind(store);
    store.list = async function* <T>(...range: Parameters<typeof list>) {
      reads.atOnce += 1;
      reads.atOnceMax = Math.max(reads.atOnceMax, reads.atOnce);
      try {
        yield* list<T>(...range);
      } finally {
        reads.atOnce -= 1;
      }
    };
    const found = await Promise.all(ids.map((id) => test.engine.order(member, id)));
    assertEquals(found.map((order) => order?.id), ids);
    assert(reads.atOnceMax <= ROWS_AT_ONCE, `${reads.atOnceMax} reads`);
    assert(reads.atOnceMax > 0);
  });
});

describe("a list of open orders", () => {
  it("starts with the oldest or the newest, as asked for", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const ids: number[] = [];
    for (let i = 0; i < 4; i++) ids.push(await test.placed("alice", { amount: "1", price: "10" }));
    const listed = async (direction: "asc" | "desc") => {
      const page = { offset: 1, limit: 2, direction };
      const filter = { states: new Set(["wait"] as const) };
      const { items, total } = await test.engine.orders(test.member("alice"), filter, page);
      return [items.map(({ id }) => id), total];
    };
    assertEquals(await listed("asc"), [ids.slice(1, 3), 4]);
    assertEquals(await listed("desc"), [ids.toReversed().slice(1, 3), 4]);
  });

  it("fills a page along with ended ones, even if an order ends meanwhile", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const alice = test.member("alice");
    const cancelling = { kind: "cancel_all_orders", member: alice, market: -1 } as const;
    await test.placed("alice", { amount: "1", price: "10" });
    await test.must({ ...cancelling, side: null });
    await test.folded();
    const ids = [await test.placed("alice", { side: "sell", amount: "1", price: "20" })];
    for (let i = 0; i < 3; i++) ids.push(await test.placed("alice", { amount: "1", price: "10" }));
    test.store.onListed = async () => {
      test.store.onListed = () => Promise.resolve();
      await test.must({ ...cancelling, side: "sell" });
    };
    const filter = { states: new Set(["wait", "done"] as const) };
    const { items } = await test.engine.orders(alice, filter, { ...PAGE, limit: 3 });
    assertEquals(
      items.map(({ id, state }) => [id, state]),
      ids.slice(0, 3).map((id) => [id, "wait"]),
    );
  });

  it("shows none of the orders that came while the rows were read", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const alice = test.member("alice");
    const cancelling = {
      kind: "cancel_all_orders",
      member: alice,
      market: -1,
      side: null,
    } as const;
    const bulk = Array.from({ length: 100 }, () => ({ amount: "0.01", price: "10" }));
    for (let i = 0; i < 10; i++) {
      await test.place("alice", ...bulk);
      await test.must(cancelling);
    }
    await test.folded();
    let listed = 0;
    test.store.onListed = async () => {
      listed += 1;
      if (listed % 4 !== 0) return;
      // The first stays in memory, the second becomes a row; so again while the page is read again.
      await test.placed("alice", { side: "sell", amount: "0.01", price: "20" });
      await test.placed("alice", { side: "sell", amount: "0.01", price: "20", timeInForce: "ioc" });
      await test.folded();
    };
    const page = { ...PAGE, limit: 100 } as const;
    const { items } = await test.engine.orders(alice, { side: "sell" }, page);
    test.store.onListed = () => Promise.resolve();
    const all = await test.engine.orders(alice, { side: "sell" }, page);
    assert(listed >= 8, `${listed} rows`);
    const ids = all.items.map(({ id }) => id);
    assertEquals(items.map(({ id }) => id), ids.slice(0, items.length));
  });

  it("is read with a turn for others, even for many concurrent requests", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const id = await test.placed("alice", { amount: "1", price: "10" });
    const filter = { states: new Set(["wait"] as const) };
    const read = () => test.engine.orders(test.member("alice"), filter, PAGE);
    const pages = Array.from({ length: 20 }, () => read);
    const turns = await turnsDuring(async () => {
      const found = await Promise.all(pages.map((page) => page()));
      assertEquals(found.map(({ items }) => items[0]?.id), pages.map(() => id));
    });
    assert(turns >= pages.length, `${turns} turns`);
  });

  it("is sorted by id after a restart, even if a stop joined the book late", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    await trade(first);
    const terms = { type: "stop_limit", amount: "1", trigger: "12", price: "5" } as const;
    const ids = [await first.placed("alice", terms)];
    ids.push(await first.placed("alice", { amount: "1", price: "5" }));
    await first.placed("bob", { side: "sell", amount: "1", price: "12" });
    await first.placed("bob", { amount: "1", price: "12", selfTrade: "none" });
    ids.push(await first.placed("alice", { amount: "1", price: "5" }));
    const listed = async (test: EngineVenue) => {
      const filters = [{}, { states: new Set(["wait"] as const) }];
      const pages = [PAGE, { ...PAGE, direction: "desc" }, { ...PAGE, limit: 2 }] as const;
      const all = filters.flatMap((filter) => pages.map((page) => ({ filter, page })));
      return await Promise.all(all.map(async ({ filter, page }) => {
        const { items } = await test.engine.orders(test.member("alice"), filter, page);
        return items.filter(({ state }) => state === "wait").map(({ id }) => id);
      }));
    };
    const before = await listed(first);
    assertEquals(before[0], ids);
    assertEquals(before[1], ids.toReversed());
    await first.folded();
    await first.close();
    await using second = await EngineVenue.open({ path: file.path });
    assertEquals(await listed(second), before);
    assertEquals([...second.book.bids.levels()].map(({ first }) => first?.id), [ids[1]]);
  });
});

describe("the trades of an order", () => {
  it("are all in rows, even if the last one starts a block", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    const many = (side: "buy" | "sell") =>
      Array.from({ length: BLOCKS_OF_TRADES }, () => ({ side, amount: "1", price: "10" }));
    for (const uid of ["alice", "bob"]) {
      const changes = { openOrdersMax: BLOCKS_OF_TRADES };
      await first.must({ kind: "change_member", uid, changes });
    }
    await first.must(first.placing("bob", ...many("sell")));
    const ids = orderIds(await first.place("alice", ...many("buy")));
    await first.folded();
    await first.close();
    await using second = await EngineVenue.open({ path: file.path });
    const alice = second.member("alice");
    for (const [i, id] of ids.entries()) {
      const order = await second.engine.order(alice, id);
      if (order === null) throw new Error(`alice has no order ${id}`);
      const trades = await second.engine.orderTrades(alice, order, (one) => one);
      assertEquals(trades.map((one) => one.id), [i + 1]);
    }
  });
});

describe("a time range", () => {
  it("includes orders at its start but not at its end, open or ended", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const member = test.member("alice");
    const ids: number[] = [];
    for (let i = 0; i < 4; i++) {
      clock.now = START + i * 1000;
      ids.push(await test.placed("alice", { amount: "1", price: "10" }));
    }
    const between = async (states: "wait" | "cancel") => {
      const range = { from: START + 1000, to: START + 3000, states: new Set([states] as const) };
      return (await test.engine.orders(member, range, PAGE)).items.map(({ id }) => id);
    };
    assertEquals(await between("wait"), ids.slice(1, 3));
    await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    assertEquals(await between("cancel"), ids.slice(1, 3));
    await test.folded();
    assertEquals(await between("cancel"), ids.slice(1, 3));
  });

  it("includes candles at its start and at its end, in memory or in rows", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({ path: file.path, clock });
    await first.addUsual();
    // The last candle of one row and the first of the next, then some far later ones in memory.
    const row = Math.ceil(START / 1000 / ROW_S);
    const starts = [row * ROW_S - PERIOD * 60, row * ROW_S, row * ROW_S + PERIOD * 60];
    for (const start of [...starts, ...[3, 4, 5].map((rows) => (row + rows) * ROW_S)]) {
      clock.now = start * 1000;
      await trade(first);
    }
    await first.folded();
    const [from = 0, middle = 0, to = 0] = starts;
    const ranges = async ({ engine }: EngineVenue) => {
      const found = [{ from, to }, { from, to: middle }, { from: middle, to }, { to: middle }];
      return await Promise.all(found.map(async (range) => {
        const candles = await engine.candles(0, PERIOD, { ...range, limit: 10 });
        return candles.map(({ start }) => start);
      }));
    };
    const expected = [starts, [from, middle], [middle, to], [from, middle]];
    assertEquals(await ranges(first), expected);
    await first.close();
    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await ranges(second), expected);
  });
});
