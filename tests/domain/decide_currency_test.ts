import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { moneyVenue, refusalOf } from "../support/money_venue.ts";

describe("a currency", () => {
  it("keeps its precision while a deposit of it is under way", () => {
    const test = moneyVenue();
    const eth = { ...test.venue.currency(1), id: "eth" };
    test.must({ kind: "create_currency", currency: eth });
    const lower = (precision: number) =>
      refusalOf(test.do({ kind: "change_currency", id: "eth", changes: { precision } }));
    const first = test.deposit("ben", "eth", "0.123456789");
    assertEquals(lower(2), "precision_frozen");
    assertEquals(lower(eth.precision), null);
    test.moveDeposit(first.id, "reject");
    assertEquals(lower(10), null);
    const second = test.deposit("ben", "eth", "0.123456789");
    test.moveDeposit(second.id, "accept");
    assertEquals(lower(2), "precision_frozen");
  });

  it("keeps its precision while a withdrawal of it is open", () => {
    const test = moneyVenue();
    test.withdraw("ann", "btc", "10", test.activeBeneficiary("ann", "btc"));
    assertEquals(test.balance("ann", "btc"), "0/10");
    const changes = { precision: 8 };
    const refusal = refusalOf(test.do({ kind: "change_currency", id: "btc", changes }));
    assertEquals(refusal, "precision_frozen");
  });
});
