import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { subscribed } from "../../support/private_client.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

describe("a market order within a price band", () => {
  it("is shown without its bound by streams of both dialects", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      await venue.order("bob", { side: "sell" });
      await venue.order("alice");
      const alice = await subscribed(served, "alice", "?stream=order");
      const rpc = await RpcClient.open(served, "alice");
      const [uuid] = await rpc.call("create_order", ["btcusdt", "m", "sell", "1", "0"]);
      const [[, , , , , , price]] = await rpc.call("get_orders", [uuid]);
      assertEquals(price, "0");
      const states: unknown[] = [];
      while (states.length < 2) {
        const { order } = await alice.message("order");
        states.push([order.state, order.price, order.reject_reason]);
      }
      assertEquals(states, [
        ["pending", null, null],
        ["reject", null, "insufficient_market_liquidity"],
      ]);
      assertEquals(await rpc.refusal("create_order", ["btcusdt", "l", "buy", "1", "106"]), [
        "market.order.price_out_of_band",
      ]);
    }, { priceBandBps: 500 });
  });
});
