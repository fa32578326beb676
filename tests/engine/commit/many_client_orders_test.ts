import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { IDS_PER_TURN } from "../../../src/engine/commit/client_order_records.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const ORDER = { amount: "1", price: "1", timeInForce: "ioc" } as const;

it("a day's client order ids may outnumber the arguments a call can take", async () => {
  await using file = await VenueFile.create();
  const first = await EngineVenue.open({ path: file.path });
  await first.addUsual();
  for (let i = 0; i < 150; i++) {
    const orders = Array.from(
      { length: 1000 },
      (_, j) => ({ ...ORDER, clientOrderId: `${i}-${j}` }),
    );
    await first.place("alice", ...orders);
  }
  await first.folded();
  await first.close();
  await using second = await EngineVenue.open({ path: file.path });
  assertEquals(await second.engine.orderIdByClient(second.member("alice"), "0-0"), 1);
});

it("client order ids of a day are taken in while others get their turn", async () => {
  await using file = await VenueFile.create();
  const prepare = (store: EngineVenue["store"]) =>
    store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
  const first = await EngineVenue.open({ path: file.path, prepare });
  await first.addUsual();
  const count = 20_000;
  for (let at = 0; at < count; at += 1000) {
    const orders = Array.from(
      { length: 1000 },
      (_, i) => ({ ...ORDER, clientOrderId: `${at + i}` }),
    );
    await first.place("alice", ...orders);
  }
  await first.close();
  // Nothing is folded, so that there are no rows whose reading would give way by itself.
  await using second = await EngineVenue.open({ path: file.path, prepare });
  const alice = second.member("alice");
  second.venue.holder(alice).clientOrders = null;
  const turns = await turnsDuring(() => second.engine.orderIdByClient(alice, `${count - 1}`));
  assert(turns >= count / IDS_PER_TURN - 1, `${turns} turns`);
  assertEquals(second.venue.holder(alice).clientOrders?.size, count);
});

it("a client order id is published with its order's commit, also the first one after a start", async () => {
  await using file = await VenueFile.create();
  const first = await EngineVenue.open({ path: file.path });
  await first.addUsual();
  await first.placed("alice", { ...ORDER, clientOrderId: "before" });
  await first.folded();
  await first.close();
  await using second = await EngineVenue.open({ path: file.path });
  const alice = second.member("alice");
  second.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
  const placing = second.placed("alice", { ...ORDER, clientOrderId: "mine" });
  await second.store.holding();
  const early = await second.engine.orderIdByClient(alice, "mine");
  second.store.release();
  const id = await placing;
  assertEquals(early, null);
  assertEquals(await second.engine.orderIdByClient(alice, "mine"), id);
});

it("client order ids are kept once, though two states know them", async () => {
  await using test = await EngineVenue.open();
  await test.addUsual();
  const alice = test.member("alice");
  for (let i = 0; i < 20; i++) {
    await test.place("alice", { ...ORDER, clientOrderId: `a${i}` });
    await test.place("bob", { ...ORDER, clientOrderId: `b${i}` }, { ...ORDER, clientOrderId: "" });
  }
  assertEquals(test.venue.clientOrderPool.count, 40);
  assertEquals(test.venue.holder(alice).clientOrders?.size, 20);
  assertEquals(await test.placed("alice", { ...ORDER, clientOrderId: "a3" }), 10, "a repeat");
});

it("client order ids are bounded over all members, also by those read after a start", async () => {
  await using file = await VenueFile.create();
  const clock = { now: Date.UTC(2030, 0, 1) };
  const options = { path: file.path, clock, clientOrderIdsMax: 4 };
  const first = await EngineVenue.open(options);
  await first.addUsual();
  for (const clientOrderId of ["1", "2"]) await first.placed("alice", { ...ORDER, clientOrderId });
  await first.folded();
  await first.close();
  await using second = await EngineVenue.open(options);
  for (const clientOrderId of ["3", "4"]) await second.placed("bob", { ...ORDER, clientOrderId });
  assertEquals(second.venue.clientOrderPool.count, 2, "alice's have not been needed yet");
  const full = {
    rejected: "client_order_ids_full",
    field: "client_order_id",
    limit: "4",
    index: 0,
  } as const;
  for (const name of ["alice", "bob"]) {
    assertEquals(await second.place(name, { ...ORDER, clientOrderId: "5" }), full);
  }
  assertEquals(second.venue.clientOrderPool.count, 4);
  assertEquals(await second.placed("alice", { ...ORDER, clientOrderId: "1" }), 1, "a repeat");
  clock.now += 24 * 60 * 60_000;
  // Nobody places anything, and still they are forgotten once the log has come so far.
  await second.placed("bob", ORDER);
  await eventually("that ids are forgotten", () => second.venue.clientOrderPool.count === 0);
  assertEquals(await second.placed("bob", { ...ORDER, clientOrderId: "5" }), 6);
});
