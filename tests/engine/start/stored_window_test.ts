import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const NARROW_MS = 5000;
const WIDE_MS = 60_000;

describe("the store's nonce window", () => {
  for (const isFolded of [true, false]) {
    it(`is remembered by from the next start on, ${isFolded ? "" : "not "}folded`, async () => {
      await using file = await VenueFile.create();
      const open = () =>
        EngineVenue.open({ path: file.path, settings: { nonceWindowMs: NARROW_MS } });
      const first = await open();
      if (!isFolded) first.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
      await first.must({ kind: "set_settings", changes: { nonceWindowMs: WIDE_MS } });
      assertEquals(first.venue.nonceWindowMs, NARROW_MS, "what is forgotten stays so");
      if (isFolded) await first.engine.folded();
      await first.close();
      await using second = await open();
      assertEquals(second.venue.nonceWindowMs, WIDE_MS);
      assertEquals(second.venue.settings.nonceWindowMs, WIDE_MS);
    });
  }
});
