import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";

const DEPOSITS = 300;
/** As many characters as a transaction's id may have, each of three bytes. */
const LONG_ID = "\uffee".repeat(250);

describe("a fold that is far behind", () => {
  it("writes the names of deposits, however long they are", async () => {
    await using file = await VenueFile.create();
    {
      await using test = await EngineVenue.open({ path: file.path, unfoldedEventsMax: DEPOSITS });
      await test.addUsual();
      await test.folded();
      test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
      const deposit = {
        kind: "observe_deposit",
        uid: "alice",
        currency: "btc",
        amount: 10n ** 16n,
        output: 0,
        confirmations: 0,
        knownId: 0,
      } as const;
      for (let i = 0; i < DEPOSITS - 50; i++) {
        const txid = `${LONG_ID}${1000 + i}`;
        await test.must({ ...deposit, txid, checkedAt: test.venue.sequence });
      }
      test.store.release();
      await eventually("the fold", () => test.engine.metrics().unfolded_events === 0);
      assertEquals(test.faults, []);
    }
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
