import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command, Receipt } from "../../../src/domain/command.ts";
import type { ApiKey } from "../../../src/domain/people/member.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";
import { refusalOf } from "../../support/money_venue.ts";

describe("an adjustment", () => {
  const bounded = () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { btc: "100" });
    const { index: key } = keyOf(test.must({
      kind: "create_key",
      uid: "ann",
      kid: "operator",
      role: "operator",
      scopes: ["trade"],
      nonceMode: "single",
    }));
    const command = (amount: string): Command => (
      { kind: "adjust_balance", uid: "ann", currency: "btc", amount: units(amount) }
    );
    const adjust = (amount: string, adjustmentMax?: number) => {
      if (adjustmentMax !== undefined) test.set({ adjustmentMax });
      return test.do(command(amount), { key, nonce: null });
    };
    const price = (text: string) =>
      test.must({ kind: "change_currency", id: "btc", changes: { price: units(text) } });
    return { test, command, adjust, price };
  };

  it("is worth at most what the setting allows, whichever way, and unpriced coins count as one", () => {
    const { adjust, price } = bounded();
    price("20000");
    assertEquals(adjust("0.5000000000000001", 10_000), {
      rejected: "adjustment_too_large",
      field: "amount",
      limit: "10000",
      rule: "maximum",
    });
    for (const amount of ["0.5", "-0.5"]) assertEquals(refusalOf(adjust(amount)), null);
    assertEquals(refusalOf(adjust("-0.6")), "adjustment_too_large");
    assertEquals(refusalOf(adjust("-90", 0)), null);
    price("0");
    assertEquals(refusalOf(adjust("10", 10)), null);
    assertEquals(refusalOf(adjust("10.1")), "adjustment_too_large");
  });

  it("is worth a million at most unless the setting differs", () => {
    const { adjust, price } = bounded();
    price("1");
    assertEquals(refusalOf(adjust("1000000")), null);
    assertEquals(refusalOf(adjust("1000000.1")), "adjustment_too_large");
  });

  it("of the venue itself has no bound", () => {
    const { test, adjust, command } = bounded();
    assertEquals(refusalOf(adjust("2", 1)), "adjustment_too_large");
    assertEquals(refusalOf(test.do(command("2"))), null);
  });
});

function keyOf(receipt: Receipt): ApiKey {
  if (receipt.kind !== "key_set") throw new Error(`create_key answered ${receipt.kind}`);
  return receipt.key;
}
