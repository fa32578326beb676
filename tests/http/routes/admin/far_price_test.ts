import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { withVenue } from "../../../support/with_venue.ts";

const CURRENCIES = "/api/v2/admin/currencies";

describe("a currency whose price is far from its market's", () => {
  it("says so in the operators' list and in answers to changes, until its price is near", () =>
    withVenue(async (venue) => {
      const listed = async () => {
        const { body } = await venue.get("operator", CURRENCIES);
        return body.flatMap((one: { id: string; warnings: unknown[] }) =>
          one.warnings.length > 0 ? [[one.id, one.warnings]] : []
        );
      };
      assertEquals(await listed(), []);
      await venue.order("alice", { side: "sell", amount: "0.1", price: "25000.5" });
      await venue.order("bob", { amount: "0.1", price: "25000.5" });
      const change = async (id: string, price: string) => {
        const answer = await venue.call("operator", "PATCH", `${CURRENCIES}/${id}`, {
          json: { price },
        });
        assertEquals(answer.status, 200);
        return answer.body.warnings;
      };
      const far = (market_price: string) => [
        { warning: "admin.currency.far_price", market: "btcusdt", market_price },
      ];
      assertEquals(await change("btc", "20001"), []);
      assertEquals(await change("btc", "20000"), far("25000.5"));
      assertEquals(await listed(), [["btc", far("25000.5")]]);
      assertEquals(await change("usdt", "0.9"), []);
      assertEquals(await listed(), [], "by the price of the other currency");
      const { body } = await venue.post("operator", CURRENCIES, { id: "new", price: "3" });
      assertEquals(body.warnings, []);
    }));
});
