import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Standstill } from "../../../src/engine/commit/standstill.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

describe("a standstill", () => {
  it("is one once commands have waited for 2 s, or for 8 round trips, and none got in", () => {
    for (const [tripMs, boundMs] of [[1, 2000], [250, 2000], [600, 4800]] as const) {
      let now = 0;
      const standstill = new Standstill(() => tripMs, () => now);
      standstill.begin();
      now = 1000;
      standstill.end();
      now = 10_000;
      assertEquals(standstill.isLong, false, "none waits");
      standstill.begin();
      now += boundMs;
      standstill.begin();
      assertEquals(standstill.isLong, false);
      now += 1;
      assertEquals(standstill.isLong, true);
      standstill.end();
      assertEquals(standstill.isLong, false);
    }
  });

  it("makes a process not ready while others always come first, until it gets something in", async () => {
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path, isShared: true });
    test.store.plan = (purpose) => purpose === "log" ? "refuse" : "none";
    const waiting = test.must({ kind: "set_levels", levels: LEVELS });
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
    await test.health("standstill");
    test.store.plan = () => "none";
    await waiting;
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
  });
});
