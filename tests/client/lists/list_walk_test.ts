import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { SharedClientVenue } from "../../support/client_venue.ts";

const ORDER = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.001",
  price: "20000",
} as const;
const TRADES = 230;

describe("a client's walk through a list", () => {
  const shared = new SharedClientVenue({ RATE_LIMIT: "off" });

  shared.it(
    "meets each trade once, also those made meanwhile, and begins where it is told",
    async ({
      as,
    }) => {
      const [alice, bob] = [as("alice"), as("bob")];
      const trade = async (count: number) => {
        await bob.placeOrder({ ...ORDER, side: "sell", amount: "10" });
        await alice.placeOrders(Array.from({ length: count }, () => ORDER));
      };
      for (const count of [100, 100, TRADES - 200]) await trade(count);
      const ids: number[] = [];
      for await (const { id } of alice.walk("/api/v2/backend/market/trades")) {
        ids.push(id);
        if (ids.length === 150) await trade(50);
      }
      assertEquals([ids.length, new Set(ids).size], [TRADES + 50, TRADES + 50]);
      assertEquals(ids, ids.toSorted((a, b) => a - b));
      const query = { from_id: ids[200] ?? 0 };
      const rest: number[] = [];
      for await (const { id } of alice.walk("/api/v2/backend/market/trades", { query })) {
        rest.push(
          id,
        );
      }
      assertEquals(rest, ids.slice(200));
      const path = { market: "btcusdt" };
      const seen: number[] = [];
      const walk = bob.walk("/api/v2/backend/public/markets/{market}/trades", { path });
      for await (const { id } of walk) seen.push(id);
      assertEquals(seen, ids);
      await bob.cancelOrders();
    },
  );

  shared.it("has the open orders of a market, and cancels those of a side", async ({ as }) => {
    const alice = as("alice");
    const far = { ...ORDER, price: "100" };
    await alice.placeOrders(Array.from({ length: 100 }, () => far));
    await alice.placeOrders([far, { ...far, side: "sell", price: "90000" }, {
      ...far,
      market: "ethusdt",
      price: "10",
    }]);
    assertEquals((await alice.openOrders("btcusdt")).length, 102);
    assertEquals((await alice.openOrders()).length, 103);
    assertEquals((await alice.cancelOrders({ market: "btcusdt", side: "buy" })).length, 101);
    const left = await alice.openOrders();
    assertEquals(left.map(({ market, side }) => `${market} ${side}`), [
      "btcusdt sell",
      "ethusdt buy",
    ]);
    await alice.cancelOrders();
    const held = await alice.balances();
    assertEquals(held.every(({ balance, locked }) => balance !== "0.0" && locked === "0.0"), true);
  });
});
