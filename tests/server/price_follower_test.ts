import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FOLLOW_MS } from "../../src/domain/money/followed_price.ts";
import { PriceFollower } from "../../src/server/price_follower.ts";
import { withVenue } from "../support/with_venue.ts";

const CURRENCIES = "/api/v2/admin/currencies";
const BTC = `${CURRENCIES}/btc`;

describe("a currency that follows a market", () => {
  it("has its price moved, and says so in the log and in the operators' list", () =>
    withVenue(async (venue) => {
      const lines: unknown[] = [];
      const logger = {
        info: (event: string, fields: unknown) => lines.push([event, fields]),
        error: (event: string, fields: unknown) => lines.push([event, fields]),
      };
      const follower = new PriceFollower({ engine: venue.engine, logger });
      const change = (json: unknown) => venue.call("operator", "PATCH", BTC, { json });
      const refused = await change({ price: "20000", price_market: "ethusdt" });
      assertEquals([refused.status, refused.body], [422, {
        errors: ["admin.currency.invalid_price_market"],
        details: { field: "price_market" },
      }]);
      const { body } = await change({ price: "20000", price_market: "btcusdt" });
      assertEquals([body.price, body.price_market], ["20000.0", "btcusdt"]);
      await venue.order("alice", { side: "sell", amount: "0.1", price: "21000" });
      await venue.order("bob", { amount: "0.1", price: "21000" });
      await follower.look();
      assertEquals(lines, [], "it was just set");
      venue.clock.now += FOLLOW_MS;
      await Promise.all([follower.look(), follower.look()]);
      const moved = { currency: "btc", market: "btcusdt", from: "20000", to: "21000" };
      assertEquals(lines, [["price_followed", moved]]);
      const listed = (await venue.get("operator", CURRENCIES)).body
        .map(({ id, price, price_market }: Record<string, unknown>) => [id, price, price_market]);
      assertEquals(listed.find(([id]: [string]) => id === "btc"), ["btc", "21000.0", "btcusdt"]);
      const acts = (await venue.get("operator", "/api/v2/admin/acts?action=changeCurrency")).body;
      assertEquals(acts.map(({ after }: Record<string, unknown>) => after), [
        { price_market: "btcusdt" },
      ]);
      assertEquals((await change({ price_market: null })).body.price_market, null);
    }));
});
