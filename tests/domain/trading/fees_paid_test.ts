import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { feesPaidBy } from "../../../src/domain/trading/fees_paid.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Ann sells 3 to ben, one of which he takes before he rests. */
function traded(): { test: DomainVenue; buy: Order; sell: Order } {
  const funds = { btc: "10", usdt: "1000" };
  const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
    .withMember("ann", funds).withMember("ben", funds);
  const sell = test.sell("ann", "1", "100");
  const buy = test.buy("ben", "3", "101");
  test.sell("ann", "1.5", "101");
  return { test, buy, sell };
}

describe("the fees that an order has paid", () => {
  it("are those of each fill, as taker and as maker", () => {
    const { test, buy, sell } = traded();
    const { market } = test.book();
    // 1 as taker at 0.002, 1.5 as maker at 0.001.
    assertEquals(formatDecimal(feesPaidBy(market, buy) ?? -1n), "0.0035");
    assertEquals(formatDecimal(feesPaidBy(market, sell) ?? -1n), "0.1");
    const taker = test.order(3);
    assertEquals(formatDecimal(feesPaidBy(market, taker) ?? -1n), "0.303");
  });

  it("follow from the rates of an older order where there is one for all its fills", () => {
    const { test, buy, sell } = traded();
    const { market } = test.book();
    const paid = (order: Order, changes: Partial<Order>) => {
      const old = feesPaidBy(market, { ...order, feesPaid: null, ...changes });
      return old === null ? null : formatDecimal(old);
    };
    assertEquals(paid(buy, {}), null);
    assertEquals(paid(buy, { remaining: buy.volume }), "0");
    assertEquals(paid(buy, { takerFee: 1000 }), "0.0025");
    assertEquals(paid(buy, { type: "post_only" }), "0.0025");
    for (const changes of [{ type: "market" }, { type: "stop" }, { timeInForce: "ioc" }] as const) {
      assertEquals(paid(buy, changes), "0.005");
    }
    assertEquals(paid(sell, { takerFee: 1000 }), "0.1");
  });
});
