import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { AmountRule } from "../../../src/domain/rejection.ts";
import { DomainVenue, marketDefinition, type MarketText } from "../../support/domain_venue.ts";
import { refusalOf } from "../../support/money_venue.ts";

describe("a market refused for its bounds", () => {
  it("is told the allowed number of digits or the largest value", () => {
    const cases: readonly (readonly [MarketText, string, string, AmountRule])[] = [
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

describe("fees", () => {
  it("are deleted row by row, after which the next less specific row applies", () => {
    const test = new DomainVenue().withMarket("btc", "usdt");
    const { fees } = test.venue;
    test.withFee("any", "any", 1000, 2000).withFee("btcusdt", "vip", 1, 2);
    const free = (market: string, group: string) => test.do({ kind: "delete_fee", market, group });
    assertEquals(refusalOf(free("ethusdt", "vip")), "table_row_not_found");
    assertEquals(refusalOf(free("btcusdt", "any")), "table_row_not_found");
    assertEquals(refusalOf(free("any", "vip")), "table_row_not_found");
    const fee = { market: 0, group: "vip", maker: 1, taker: 2 };
    assertEquals(free("btcusdt", "vip"), { kind: "fee_deleted", row: fee });
    assertEquals(fees.choose(0, "vip").maker, 1000);
    assertEquals(refusalOf(free("any", "any")), null);
    assertEquals([fees.rows(), fees.choose(0, "vip").taker], [[], 0]);
  });
});
