/** Processes that are started with different settings; needs `denokv`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";
const PNL = "/backend/account/stats/pnl?pnl_currency=usdt";

describeUnless(isSkipped)(`a process that is started with other settings${WHY}`, () => {
  it("obeys those of the store, and empties nobody's profit and loss", async () => {
    await using venue = await SharedVenue.start({ PNL_CURRENCIES: "usdt", PRICE_BAND: "5" });
    const { a, b, settings } = venue;
    const [member] = await venue.createMembers(1) as [VenueMember];
    const pnl = async (server: ServerProcess) =>
      (await venue.call(server, member.signer, "GET", PNL)).body;
    const before = await pnl(a);
    assert(before.length > 0, JSON.stringify(before));
    const other = ServerProcess.spawn({
      ...settings,
      environment: { ...settings.environment, PNL_CURRENCIES: "off", PRICE_BAND: "off" },
    });
    try {
      await other.ready();
      for (const server of [other, a, b]) {
        assertEquals(await pnl(server), before);
        const { price_band: band, pnl_currencies: shown } = await venue.operator(server)
          .call("GET", "/settings");
        assertEquals([band, shown], ["5", ["usdt"]]);
      }
      const change = { price_band: "7.5", reason: "a volatile market" };
      await venue.operator(other).call("PATCH", "/settings", change);
      for (const server of [a, b, other]) {
        assertEquals((await venue.operator(server).call("GET", "/settings"))["price_band"], "7.5");
      }
    } finally {
      await other.stop();
    }
  });
});
