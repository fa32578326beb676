import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../../src/engine/engine.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { currencyDefinition, marketDefinition } from "../../support/domain_venue.ts";
import type { TestVenue } from "../../support/with_venue.ts";

/** Runs `act` as another process would, before the venue has caught up. */
function others({ engine }: TestVenue, act: () => Promise<unknown>): void {
  const fresh: Engine["fresh"] = engine.fresh.bind(engine);
  const caughtUp: Engine["fresh"] = async () => {
    Object.assign(engine, { fresh });
    await act();
    await fresh();
  };
  Object.assign(engine, { fresh: caughtUp });
}

describe("a request after another process has acted", () => {
  it("may use a new market", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      const { engine } = venue;
      const currency = currencyDefinition("xrp");
      const market = marketDefinition("xrp", "usdt");
      others(venue, async () => {
        await engine.submit({ kind: "create_currency", currency }, null);
        await engine.submit({ kind: "create_market", market }, null);
      });
      const [uuid] = await alice.call("create_order", ["xrpusdt", "l", "buy", "1", "1"]);
      assertNotEquals(engine.idOf(uuid), null);
    }));

  it("finds a new order in any read", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      const reads = ["list_orders", "get_orders", "get_order_trades"];
      for (const [at, method] of reads.entries()) {
        const client_order_id = `late-${at}`;
        others(venue, () => venue.order("alice", { client_order_id }));
        const args = method === "list_orders" ? [] : [`client:${client_order_id}`];
        const read = await alice.call(method, args);
        // An unknown order has no trades to read.
        assertEquals(read.length, method === "get_order_trades" ? 0 : 1, method);
      }
    }));
});
