import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

describe("cancel_all_after", () => {
  it("sets the timer of the connection's key, as over HTTP", () =>
    withServedVenue(async (served) => {
      const { engine, clock } = served.venue;
      const alice = await RpcClient.open(served, "alice");
      assertEquals(await alice.call("cancel_all_after", [2.5]), [
        new Date(clock.now).toISOString(),
        new Date(clock.now + 2500).toISOString(),
      ]);
      assertEquals(engine.venue.timers.soonest, clock.now + 2500);
      const [, cleared] = await alice.call("cancel_all_after", ["0"]);
      assertEquals(cleared, null);
      assertEquals(engine.venue.timers.soonest, Infinity);
      assertEquals(await alice.refusal("cancel_all_after", ["0.5"]), [
        "market.order.invalid_timeout",
      ]);
      assertEquals(await alice.refusal("cancel_all_after"), ["market.order.missing_timeout"]);
    }));

  it("needs a signature", () =>
    withServedVenue(async (served) => {
      const nobody = await RpcClient.open(served, null);
      const errors = await nobody.refusal("cancel_all_after", [60]);
      assertEquals(errors, ["authz.invalid_session"]);
    }));
});
