import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../src/domain/command.ts";
import { currencyDefinition, DomainVenue, marketDefinition } from "../support/domain_venue.ts";

describe("a refused precision", () => {
  it("names the field that has to change, and its bound", () => {
    const test = new DomainVenue().withCurrencies("btc", "usdt");
    const refused = (pricePrecision: number, amountPrecision: number) => {
      const market = marketDefinition("btc", "usdt", { pricePrecision, amountPrecision });
      const outcome = test.do({ kind: "create_market", market });
      return isRejection(outcome) ? [outcome.field, outcome.rule, outcome.limit] : [];
    };
    assertEquals(refused(-1, 2), ["price_precision", "minimum", "0"]);
    assertEquals(refused(11, 0), ["price_precision", "maximum", "10"]);
    assertEquals(refused(4, -1), ["amount_precision", "minimum", "0"]);
    assertEquals(refused(4, 7), ["amount_precision", "maximum", "6"]);
    assertEquals(refused(4, 6), []);
  });

  it("of a currency has a bound on both sides", () => {
    const test = new DomainVenue();
    for (const [precision, rule, limit] of [[-1, "minimum", "0"], [17, "maximum", "16"]] as const) {
      const currency = currencyDefinition("xmr", precision);
      const rejected = "precision_inexact";
      assertEquals(test.do({ kind: "create_currency", currency }), {
        rejected,
        field: "precision",
        limit,
        rule,
      });
    }
  });
});
