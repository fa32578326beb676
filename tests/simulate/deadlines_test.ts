/** Worlds in which batches by a clock that is ahead are undone, right before something expires. */
import { assert } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { makeVenueWorkload } from "./venue_workload.ts";
import { runWorld } from "./world.ts";
import { PROFILES } from "./world_profile.ts";

/** So many that some of them catch a venue that forgets by a time which never was. */
const WORLDS = 24;
const COMMANDS = 3_000;
const DEADLINES_MIN = 60;

/** Its `setImmediate` waits for 1 ms. */
const skip = IS_OLDEST_RUNTIME;

describeUnless(skip)("batches that are undone by a clock that was ahead", () => {
  it("leave client order ids as they were, which would have expired by its time", async () => {
    const profile = PROFILES.deadlines;
    let deadlines = 0;
    for (let seed = 1; seed <= WORLDS; seed++) {
      const options = { seed, commands: COMMANDS, profile, makeWorkload: makeVenueWorkload };
      deadlines += (await runWorld(options)).faults.get("deadline") ?? 0;
    }
    assert(deadlines >= DEADLINES_MIN, `only ${deadlines} deadlines`);
  });
});
