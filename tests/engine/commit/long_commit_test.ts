import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { stateText } from "../../support/state_text.ts";

describe("a commit that takes long", () => {
  it("is decided again on what others have written and folded meanwhile", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    await using two = await EngineVenue.open({ path: file.path, isShared: true });
    await one.folded();
    one.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const placing = one.placed("alice", { amount: "1", price: "10" });
    await one.store.holding();
    await two.placed("bob", { amount: "1", price: "10" });
    await two.folded();
    // The first engine also releases what is now in rows, if it no longer needs it.
    await one.engine.fresh();
    await one.folded();
    await new Promise((resolve) => setTimeout(resolve, 200));
    one.store.release();
    assertEquals(await placing, 2);
    assertEquals(one.engine.health(), { isReady: true, reason: "" });
    await two.engine.fresh();
    assertEquals(stateText(one.venue), stateText(two.venue));
  });
});
