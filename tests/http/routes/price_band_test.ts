import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const READ = "/api/v2/backend/market/orders";
const BULK = "/api/v2/trading/market/bulk/orders";
const MARKET = { type: "market", price: undefined };

/** Runs a test on a venue with a band of 5 %, where the last price is 100. */
function withBand(test: (venue: TestVenue) => Promise<void>): Promise<void> {
  return withVenue(async (venue) => {
    await venue.order("bob", { side: "sell" });
    await venue.order("alice");
    await test(venue);
  }, { priceBandBps: 500 });
}

describe("an order outside the price band", () => {
  it("is refused with its own error, which names the bound", () =>
    withBand(async (venue) => {
      const refused = { errors: ["market.order.price_out_of_band"] };
      const cases: [Record<string, unknown>, string][] = [
        [{ price: "105.01" }, "105"],
        [{ price: "105.01", post_only: true }, "105"],
        [{ price: "105.01", type: "fill_or_kill" }, "105"],
        [{ side: "sell", price: "94.99" }, "95"],
        [{ type: "stop_limit", price: "210.01", trigger_price: "200" }, "210"],
      ];
      for (const [terms, limit] of cases) {
        const { status, body } = await venue.order("alice", terms);
        assertEquals(status, 422);
        const type = terms["type"] ?? "limit";
        assertEquals(body, { ...refused, details: { field: "price", limit, rule: "band", type } });
        const accepted = await venue.order("alice", { ...terms, price: limit });
        assertEquals(accepted.status, 201);
      }
      const order = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "90" };
      const bulk = await venue.post("alice", BULK, [order, { ...order, price: "106" }]);
      const details = { field: "price", limit: "105", rule: "band", type: "limit" };
      assertEquals([bulk.status, bulk.body], [422, { ...refused, index: 1, details }]);
    }));
});

describe("a market or stop order within a price band", () => {
  it("fills up to the bound, which no answer shows", () =>
    withBand(async (venue) => {
      for (const price of ["105", "105.01"]) await venue.order("bob", { side: "sell", price });
      const terms = { ...MARKET, amount: "2", client_order_id: "a" };
      const market = await venue.order("alice", terms);
      const again = await venue.order("alice", terms);
      assertEquals([again.status, again.text], [201, market.text]);
      const stop = { ...MARKET, type: "stop", trigger_price: "200" };
      for (const { body } of [market, await venue.order("alice", stop)]) {
        const read = await venue.get("alice", `${READ}/${body.id}`);
        assertEquals([body.price, read.body.price], [null, null]);
      }
      const { body } = await venue.get("alice", `${READ}/client:a`);
      const { state, reject_reason, executed_volume, avg_price } = body;
      assertEquals([state, reject_reason], ["cancel", "insufficient_market_liquidity"]);
      assertEquals([executed_volume, avg_price], ["1.0", "105.0"]);
      assertEquals((await venue.get("alice", READ)).text.includes('"price":"105.0"'), false);
    }));
});
