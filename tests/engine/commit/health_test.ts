import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

describe("an engine that shares its store", () => {
  it("is not ready while it cannot read what others write, but is afterwards", async () => {
    await using file = await VenueFile.create();
    const prepare = (store: EngineVenue["store"]) => store.isWatchDropped = true;
    await using one = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await using other = await EngineVenue.open({ path: file.path, isShared: true });
    one.store.areReadsFailing = true;
    await other.must({ kind: "set_levels", levels: LEVELS });
    await one.health("behind");
    assertEquals(one.venue.levels.trading, 0);
    assertEquals(one.engine.metrics().lag_ms > 1000, true);
    assertEquals(other.engine.health(), { isReady: true, reason: "" });
    one.store.areReadsFailing = false;
    await one.health();
    assertEquals(one.venue.levels.trading, LEVELS.trading);
    assertEquals(one.engine.metrics().lag_events, 0);
  });
});

describe("an engine", () => {
  it("is not ready while its store accepts nothing, but is afterwards", async () => {
    await using test = await EngineVenue.open();
    test.store.crash();
    await test.must({ kind: "set_levels", levels: LEVELS }).catch(() => {});
    assertEquals(test.engine.health(), { isReady: false, reason: "store_failing" });
    test.store.plan = () => "none";
    await test.health();
  });

  it("is ready as soon as its store has accepted a command", async () => {
    await using test = await EngineVenue.open();
    test.store.crash();
    await test.must({ kind: "set_levels", levels: LEVELS }).catch(() => {});
    assertEquals(test.engine.health().isReady, false);
    test.store.plan = () => "none";
    await test.must({ kind: "set_levels", levels: LEVELS });
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
  });

  it("is not ready from its second failed fold in a row until one succeeds", async () => {
    const reasons: string[] = [];
    const onFault = () => void reasons.push(test.engine.health().reason);
    await using test = await EngineVenue.open({ onFault });
    await test.addUsual();
    await test.engine.folded();
    test.store.areReadsFailing = true;
    await test.placed("alice", { amount: "1", price: "10" });
    await test.health("fold_failing");
    // The first try reports two faults: the failed fold and the failed read of the watermark.
    assertEquals(reasons.slice(0, 3), ["", "", "fold_failing"]);
    assertEquals(test.engine.health().isReady, false);
    test.store.areReadsFailing = false;
    await test.folded();
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
  });

  for (const fault of ["fail", "refuse"] as const) {
    it(`is not ready, and says so, while each commit of its fold meets the fault "${fault}"`, async () => {
      let faults = 0;
      await using test = await EngineVenue.open({ onFault: () => void (faults += 1) });
      await test.addUsual();
      await test.engine.folded();
      test.store.plan = (purpose) => purpose === "fold" ? fault : "none";
      await test.placed("alice", { amount: "1", price: "10" });
      await test.health("fold_failing");
      assert(faults >= 2, `${faults} faults`);
      test.store.plan = () => "none";
      await test.folded();
      assertEquals(test.engine.health(), { isReady: true, reason: "" });
    });
  }

  it("is not ready while its clock is far behind the log's", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.must({ kind: "set_levels", levels: LEVELS });
    clock.now -= 3000;
    assertEquals(test.engine.health(), { isReady: false, reason: "clock_behind" });
    clock.now += 3000;
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
  });

  it("is not ready once it is closed", async () => {
    const test = await EngineVenue.open();
    await test.close();
    assertEquals(test.engine.health(), { isReady: false, reason: "closing" });
  });
});
