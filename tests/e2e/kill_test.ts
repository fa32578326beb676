/** Kills a venue at work a few times; `deno task kill` does so for as long as wanted. */
import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { KILL_MOMENTS, KilledVenue } from "./killed_venue.ts";

const ROUNDS = KILL_MOMENTS.length;
const ROUNDS_PER_AUDIT = 3;

describe("a venue killed under load", () => {
  it("keeps every answered command exactly once", async () => {
    const venue = await KilledVenue.create(1);
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const moment = KILL_MOMENTS[round - 1] ?? KILL_MOMENTS[0];
        await venue.round(moment, round % ROUNDS_PER_AUDIT === 0);
      }
    } catch (error) {
      await venue.abandon();
      throw error;
    }
    await venue.finish();
    const { kills, orders, landed } = venue.figures;
    assert(orders > 0);
    diagnostic(`${kills} kills, ${orders} orders, ${landed} of them landed unanswered`);
  });
});
