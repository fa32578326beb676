import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { SLICE } from "../../src/engine/yield_to_others.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { turnsDuring } from "../support/turns_during.ts";

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
  assert(turns >= 2 * count / SLICE - 2, `${turns} turns`);
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
