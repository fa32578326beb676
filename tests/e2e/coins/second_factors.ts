/**
 * Turns on the second factor of members in the store of the settings, as the demo has it: `second_factors.ts
 * <uid>…`. Members of a test need no passwords, which take long.
 */
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { readConfig } from "../../../src/server/config.ts";
import { DEMO_OTP_SECRET } from "../../../src/server/demo/demo_venue.ts";
import { Logger } from "../../../src/server/logger.ts";
import { prepareVenue } from "../../../src/server/venue_setup.ts";

if (import.meta.main) {
  const config = readConfig(Deno.env.toObject(), ["--demo"]);
  const { clientOrderIdsMax, kvPath, settings } = config;
  const engine = await openEngine({ clientOrderIdsMax, kvPath, settings });
  const { identity } = await prepareVenue(config, engine, new Logger("error"));
  for (const uid of Deno.args) await identity.seedTwoFactor(uid, DEMO_OTP_SECRET);
  await identity.close();
  await engine.close();
}
