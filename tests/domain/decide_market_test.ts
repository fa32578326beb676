import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DomainVenue, marketDefinition, type MarketText } from "../support/domain_venue.ts";

describe("a market refused for its bounds", () => {
  it("is told the allowed number of digits or the largest value", () => {
    const cases: readonly (readonly [MarketText, string, string, string])[] = [
      [{ minPrice: "0.001" }, "min_price", "2", "precision"],
      [{ maxPrice: "0.001" }, "max_price", "2", "precision"],
      [{ minAmount: "0.0000001" }, "min_amount", "6", "precision"],
      [{ minPrice: "100000000000.01" }, "min_price", "100000000000", "maximum"],
      [{ maxPrice: "100000000000.01" }, "max_price", "100000000000", "maximum"],
      [{ minPrice: "-1" }, "min_price", "0", "minimum"],
      [{ minAmount: "10000000.000001" }, "min_amount", "10000000", "maximum"],
    ];
    const test = new DomainVenue().withCurrencies("eth", "usdt");
    for (const [text, field, limit, rule] of cases) {
      const market = marketDefinition("eth", "usdt", text);
      assertEquals(test.do({ kind: "create_market", market }), {
        rejected: "amount_off_precision",
        field,
        limit,
        rule,
      });
    }
  });
});
