import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DomainVenue, units } from "../support/domain_venue.ts";
import { refusalOf } from "../support/money_venue.ts";

describe("an adjustment", () => {
  it("is worth at most what the command allows, whichever way, and unpriced coins count as one", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { btc: "100" });
    const adjust = (amount: string, valueMax?: number) =>
      test.do({
        kind: "adjust_balance",
        uid: "ann",
        currency: "btc",
        amount: units(amount),
        ...(valueMax === undefined ? {} : { valueMax }),
      });
    const price = (text: string) =>
      test.must({ kind: "change_currency", id: "btc", changes: { price: units(text) } });
    price("20000");
    assertEquals(adjust("0.5000000000000001", 10_000), {
      rejected: "adjustment_too_large",
      field: "amount",
      limit: "10000",
      rule: "maximum",
    });
    for (const amount of ["0.5", "-0.5"]) assertEquals(refusalOf(adjust(amount, 10_000)), null);
    assertEquals(refusalOf(adjust("-0.6", 10_000)), "adjustment_too_large");
    assertEquals(refusalOf(adjust("-90", 0)), null);
    assertEquals(refusalOf(adjust("1000")), null);
    price("0");
    assertEquals(refusalOf(adjust("10", 10)), null);
    assertEquals(refusalOf(adjust("10.1", 10)), "adjustment_too_large");
  });
});
