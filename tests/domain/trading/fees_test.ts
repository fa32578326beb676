import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_MARKET, FeeTable, UnitFee } from "../../../src/domain/trading/fees.ts";
import { ANY_GROUP } from "../../../src/domain/group_table.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

describe("the fee table", () => {
  it("chooses group and market, then group, then market, then any, else nothing", () => {
    const table = new FeeTable();
    const rows = [
      { market: ANY_MARKET, group: ANY_GROUP, maker: 1, taker: 1 },
      { market: 0, group: ANY_GROUP, maker: 2, taker: 2 },
      { market: ANY_MARKET, group: "vip", maker: 3, taker: 3 },
      { market: 0, group: "vip", maker: 4, taker: 4 },
    ];
    assertEquals(table.choose(0, "vip"), { maker: 0, taker: 0 });
    for (const row of rows) {
      table.set(row);
      assertEquals(table.choose(0, "vip").maker, row.maker);
    }
    assertEquals(table.choose(0, "else").maker, 2);
    assertEquals(table.choose(1, "vip").maker, 3);
    assertEquals(table.choose(1, "else").maker, 1);
    table.set({ market: 0, group: "beta", maker: 5, taker: 5 });
    assertEquals(table.rows().map((row) => row.maker), [1, 3, 2, 5, 4]);
  });

  it("replaces a row and returns the old one, and deletes rows", () => {
    const table = new FeeTable();
    const row = { market: 0, group: "vip", maker: 1, taker: 2 };
    assertEquals(table.set(row), undefined);
    assertEquals(table.set({ ...row, maker: 9 }), row);
    table.delete(row);
    assertEquals(table.rows(), []);
  });
});

describe("the fee of a unit", () => {
  it("is exact at each rate, in any order", () => {
    const fee = new UnitFee(3_000_000n);
    const rates = [0, 2000, 1, 2000, 2000, 0, 1_000_000];
    assertEquals(rates.map((rate) => fee.at(rate)), [0n, 6000n, 3n, 6000n, 6000n, 0n, 3_000_000n]);
  });

  it("is refused for a unit not divisible by a million", () => {
    assertThrows(() => new UnitFee(3_000_001n), Error, "whole");
  });
});

describe("trading fees", () => {
  function market(): DomainVenue {
    return new DomainVenue().withMarket("btc", "usdt")
      .withFee("any", "any", 1000, 2000)
      .withMember("ann", { btc: "10" })
      .withMember("ben", { usdt: "10000" });
  }

  it("are taken from what each side receives and credited to the fee account", () => {
    const test = market();
    test.sell("ann", "1", "100");
    test.buy("ben", "1", "100");
    assertEquals(test.balance("ann", "usdt"), "99.9/0");
    assertEquals(test.balance("ben", "btc"), "0.998/0");
    const [base, quote] = test.venue.holder(0).accounts;
    assertEquals([base?.available, quote?.available], [
      20_000_000_000_000n,
      1_000_000_000_000_000n,
    ]);
  });

  it("depend on which side takes", () => {
    const test = market();
    test.buy("ben", "1", "100");
    test.sell("ann", "1", "100");
    assertEquals(test.balance("ann", "usdt"), "99.8/0");
    assertEquals(test.balance("ben", "btc"), "0.999/0");
  });

  it("are fixed when the order is accepted", () => {
    const test = market();
    test.sell("ann", "1", "100");
    test.withFee("any", "any", 500_000, 0);
    test.change("ann", { group: "vip" });
    test.buy("ben", "1", "100");
    assertEquals(test.balance("ann", "usdt"), "99.9/0");
    assertEquals(test.balance("ben", "btc"), "1/0");
  });

  it("depend on the member's group", () => {
    const test = market().withFee("btcusdt", "vip", 0, 0).withMember("cay", { btc: "1" }, "vip");
    test.sell("cay", "1", "100");
    test.buy("ben", "1", "100");
    assertEquals(test.balance("cay", "usdt"), "100/0");
  });
});
