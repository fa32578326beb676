/** Worlds in which all processes but one are far from the store. */
import { assert } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { makeVenueWorkload } from "./venue_workload.ts";
import { runWorld } from "./world.ts";
import { PROFILES } from "./world_profile.ts";

/** A different world for each run of the tests. */
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));
const COMMANDS = 100;

/** Its `setImmediate` waits for 1 ms. */
const skip = IS_OLDEST_RUNTIME;

describeUnless(skip)(`processes far from the store, KVENUE_TEST_SEED=${SEED}`, () => {
  for (const distancesMs of PROFILES.far.distancesMs) {
    it(`get their calls in beside a near one, ${distancesMs.join(" and ")} ms away`, async () => {
      const profile = { ...PROFILES.far, distancesMs: [distancesMs] };
      const options = { seed: SEED, commands: COMMANDS, profile, makeWorkload: makeVenueWorkload };
      const { answers, commands } = await runWorld(options);
      assert(answers > commands / 2);
    });
  }
});
