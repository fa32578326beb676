import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const ORDER = { amount: "1", price: "1" } as const;
const DAY_MS = 24 * 60 * 60_000;

/** Cancels all orders of a member and waits until they are rows and no longer in memory. */
async function cancelAndFold(test: EngineVenue, member: number): Promise<void> {
  await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
  await letGo(test);
}

/** Waits until ended orders are rows and no longer in memory. */
async function letGo(test: EngineVenue): Promise<void> {
  await test.engine.folded();
  // The folder releases them in the same turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Runs `happen` once a row of the next list has been read. */
function amidList(test: EngineVenue, happen: () => Promise<void>): void {
  const { store } = test;
  store.onListed = async () => {
    store.onListed = () => Promise.resolve();
    await happen();
  };
}

/** Two processes, the second of which has not read what the first folded. */
class VenueOfTwo {
  private constructor(
    readonly file: VenueFile,
    readonly one: EngineVenue,
    readonly two: EngineVenue,
    readonly alice: number,
  ) {}

  static async open(): Promise<VenueOfTwo> {
    const file = await VenueFile.create();
    const one = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    const alice = one.member("alice");
    await one.placed("alice", ORDER);
    await cancelAndFold(one, alice);
    const two = await EngineVenue.open({ path: file.path, isShared: true });
    return new VenueOfTwo(file, one, two, alice);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.two[Symbol.asyncDispose]();
    await this.one[Symbol.asyncDispose]();
    await this.file[Symbol.asyncDispose]();
  }
}

describe("client order ids read from rows", () => {
  it("include that of an order which ends and is folded meanwhile", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    const alice = first.member("alice");
    await first.placed("alice", ORDER);
    await cancelAndFold(first, alice);
    const id = await first.placed("alice", { ...ORDER, clientOrderId: "mine" });
    await first.close();
    await using second = await EngineVenue.open({ path: file.path });
    let isOver = false;
    amidList(second, async () => {
      // A command of alice's would wait for the lookup.
      await second.placed("bob", { ...ORDER, side: "sell" });
      await letGo(second);
      isOver = true;
    });
    assertEquals(await second.engine.orderIdByClient(alice, "mine"), id);
    assert(isOver);
    const { clientOrders } = second.venue.holder(alice);
    assertEquals(clientOrders?.size, 1);
    assertEquals(await second.placed("alice", { ...ORDER, clientOrderId: "mine" }), id, "a repeat");
  });

  it("include a whole day, even if the clock was ahead during the read", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const first = await EngineVenue.open({ path: file.path, clock });
    await first.addUsual();
    const alice = first.member("alice");
    const id = await first.placed("alice", { ...ORDER, clientOrderId: "mine" });
    await cancelAndFold(first, alice);
    // Fills more than one row.
    for (let i = 0; i < 3; i++) {
      clock.now += 60_000;
      await first.place("alice", ...Array.from({ length: 400 }, () => ORDER));
      await cancelAndFold(first, alice);
    }
    await first.close();
    clock.now += DAY_MS;
    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await second.engine.orderIdByClient(alice, "mine"), null);
    clock.now -= DAY_MS;
    assertEquals(await second.engine.orderIdByClient(alice, "mine"), id);
    assertEquals(await second.placed("alice", { ...ORDER, clientOrderId: "mine" }), id, "a repeat");
  });

  it("include that of another process's order which is folded meanwhile", async () => {
    await using venue = await VenueOfTwo.open();
    const { one, two, alice } = venue;
    let id = 0;
    amidList(two, async () => {
      id = await one.placed("alice", { ...ORDER, clientOrderId: "mine" });
      await cancelAndFold(one, alice);
      await two.engine.fresh();
      await letGo(two);
    });
    assertEquals(await two.engine.orderIdByClient(alice, "mine"), id);
    assert(id > 0);
  });

  it("include that of another process's order which comes meanwhile and stays open", async () => {
    await using venue = await VenueOfTwo.open();
    const { one, two, alice } = venue;
    let id = 0;
    amidList(two, async () => {
      id = await one.placed("alice", { ...ORDER, clientOrderId: "mine" });
      await two.engine.fresh();
    });
    assertEquals(await two.engine.orderIdByClient(alice, "mine"), id);
    assert(id > 0);
    assertEquals(await two.placed("alice", { ...ORDER, clientOrderId: "mine" }), id, "a repeat");
  });

  it("let nothing overtake the order that needs them", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    const alice = first.member("alice");
    await first.placed("alice", { ...ORDER, clientOrderId: "mine" });
    await cancelAndFold(first, alice);
    await first.close();
    await using second = await EngineVenue.open({ path: file.path });
    const named = second.placed("alice", { ...ORDER, clientOrderId: "next" });
    const other = second.placed("alice", ORDER);
    const cancelled = second.must({
      kind: "cancel_all_orders",
      member: alice,
      market: -1,
      side: null,
    });
    assertEquals(await Promise.all([named, other]), [2, 3]);
    assertEquals(await cancelled, { kind: "orders_cancelled", ids: [2, 3] });
  });

  it("let nothing overtake it at the moment the read ends", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const holder = test.engine.venue.holder(test.member("alice"));
    for (let hops = 0; hops < 8; hops++) {
      let known = holder.clientOrders = null;
      const { promise: other, resolve } = Promise.withResolvers<number>();
      Object.defineProperty(holder, "clientOrders", {
        configurable: true,
        get: () => known,
        set: async (read) => {
          known = read;
          for (let hop = 0; hop < hops; hop++) await null;
          resolve(test.placed("alice", ORDER));
        },
      });
      const named = test.placed("alice", { ...ORDER, clientOrderId: `mine ${hops}` });
      assertEquals(await Promise.all([named, other]), [2 * hops + 1, 2 * hops + 2]);
      Object.defineProperty(holder, "clientOrders", { writable: true, value: null });
    }
  });

  it("are read once for all concurrent calls, and again after a failure", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    const alice = first.member("alice");
    const id = await first.placed("alice", { ...ORDER, clientOrderId: "mine" });
    await cancelAndFold(first, alice);
    await first.close();
    await using second = await EngineVenue.open({ path: file.path });
    const ask = () => second.engine.orderIdByClient(alice, "mine");
    second.store.areReadsFailing = true;
    await assertRejects(ask, UnavailableError);
    const placing = second.placed("alice", { ...ORDER, clientOrderId: "next" });
    const other = second.placed("alice", ORDER);
    await assertRejects(() => placing, UnavailableError);
    assertEquals(await other, id + 1, "nothing has happened");
    second.store.areReadsFailing = false;
    const before = second.store.rowsRead;
    const ids = await Promise.all(Array.from({ length: 20 }, ask));
    assertEquals(ids, Array.from({ length: 20 }, () => id));
    assertEquals(second.store.rowsRead - before, 1);
  });
});

describe("client order ids whose day is over by a clock that is ahead", () => {
  it("stay taken while the log has not come so far, though a batch was to be written", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ path: file.path, clock });
    await test.addUsual();
    const id = await test.placed("alice", { ...ORDER, clientOrderId: "x" });
    clock.now += DAY_MS - 1000;
    await test.placed("alice", ORDER);
    clock.now += 2000;
    test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
    await assertRejects(() => test.placed("alice", { ...ORDER, clientOrderId: "y" }));
    // Longer than ids are looked for that have expired.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    test.store.plan = () => "none";
    clock.now -= 2000;
    assertEquals(await test.placed("alice", { ...ORDER, clientOrderId: "x" }), id, "a repeat");
  });
});
