import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { AuthVenue } from "../support/auth_venue.ts";

const USED = "401 authz.nonce_already_used";
const EXPIRED = "401 authz.nonce_expired";
const WRITE = { method: "POST", path: "/write" };

describe("a nonce is used once per key", () => {
  it("by reads at each process while the log's time is far ahead, and by no write", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    venue.clock.now += 600_000;
    assertEquals(await venue.outcome(WRITE), "201");
    venue.clock.now -= 500_000;
    const { sequence } = venue.engine.venue;
    const other = venue.createApp();
    const nonce = venue.clock.now;
    for (const app of [venue.createApp(), other]) {
      assertEquals(await venue.outcome({ nonce }, app), "200");
      assertEquals(await venue.outcome({ nonce }, app), USED);
      assertEquals(await venue.outcome({ nonce: nonce - 60_000 }, app), EXPIRED);
      const unwritten = await venue.outcome({ ...WRITE, nonce: nonce + 1 }, app);
      assertEquals(unwritten.startsWith("503"), true, unwritten);
    }
    assertEquals(venue.engine.venue.sequence, sequence, "nothing is written");
    // A write might take it yet at a process with a wider window.
    venue.clock.now = venue.engine.venue.time - 19_000;
    const soon = await venue.outcome({ nonce: venue.clock.now }, other);
    assertEquals(soon.startsWith("503"), true, soon);
    // Once the log's time has come, what reads have used is too old for everything.
    venue.clock.now = venue.engine.venue.time;
    assertEquals(await venue.outcome({ ...WRITE, nonce }), EXPIRED);
  });
});
