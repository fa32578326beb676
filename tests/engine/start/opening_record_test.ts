import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { nextOpening } from "../../../src/engine/start/opening_record.ts";
import { START } from "../../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

describe("the record of an opening", () => {
  const wide = { at: START, nonceWindowMs: 60_000, narrowedAt: null };
  const kept = 4 * 60_000;

  it("has the window of the first, and of each that is not narrower", () => {
    assertEquals(nextOpening(null, 60_000, START), wide);
    assertEquals(
      nextOpening({ ...wide, nonceWindowMs: 5_000, narrowedAt: 1 }, 60_000, START),
      wide,
    );
    assertEquals(nextOpening({ ...wide, narrowedAt: START - 1 }, 60_000, START), wide);
  });

  it("keeps a wider window until no nonce of it can be used again", () => {
    const first = nextOpening(wide, 5_000, START + 10);
    assertEquals(first, { at: START + 10, nonceWindowMs: 60_000, narrowedAt: START + 10 });
    const last = nextOpening(first, 5_000, START + 10 + kept);
    assertEquals(last, { ...first, at: START + 10 + kept });
    const narrow = { at: START + 11 + kept, nonceWindowMs: 5_000, narrowedAt: null };
    assertEquals(nextOpening(last, 5_000, START + 11 + kept), narrow);
    assertEquals(nextOpening(first, 5_000, START).nonceWindowMs, 60_000, "the clock was set back");
  });
});

describe("a venue opened with a narrower nonce window", () => {
  it("knows a nonce that was taken in the wider one, folded or not", async () => {
    for (const isFolded of [true, false]) {
      await using file = await VenueFile.create();
      const clock = { now: START };
      const { path } = file;
      const wide = await EngineVenue.open({ path, clock, settings: { nonceWindowMs: 60_000 } });
      await wide.addUsual();
      const key = { kind: "create_key", uid: "alice", kid: "k", role: "operator" } as const;
      await wide.must({ ...key, scopes: ["trade"], nonceMode: "single" });
      const ahead = START + 45_000;
      const answer = async (venue: EngineVenue, nonce: number) => {
        const signature = { key: 0, nonce, digest: 0 };
        const outcome = await venue.engine.submit({ kind: "note_act" }, signature);
        return isRejection(outcome) ? outcome.rejected : outcome.kind;
      };
      assertEquals(await answer(wide, ahead), "act_noted");
      // Until then, the narrower window alone would look back too little.
      clock.now += 22_000;
      await wide.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 2, trading: 3 } });
      if (isFolded) await wide.folded();
      await wide.close();
      await using narrow = await EngineVenue.open({ path, clock });
      for (; clock.now < ahead; clock.now += 22_000) {
        assertEquals(await answer(narrow, clock.now), "act_noted", "it does not hold up others");
      }
      assertEquals(await answer(narrow, ahead), "nonce_already_used");
    }
  });
});
