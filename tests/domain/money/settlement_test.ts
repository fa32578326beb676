import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { MarketBook } from "../../../src/domain/trading/market_book.ts";
import { feeOf, formatDecimal } from "../../../src/domain/money/money.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { settle } from "../../../src/domain/money/settlement.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Returns a resting buy and a resting sell of `amount` on a new market. */
function pair(price: string, amount: string): { test: DomainVenue; buy: Order; sell: Order } {
  const test = new DomainVenue().withMarket("btc", "usdt")
    .withMember("ann", { usdt: "1000000" }).withMember("ben", { btc: "100" });
  const buy = test.buy("ann", amount, price);
  const sell = test.sell("ben", amount, "99999");
  return { test, buy, sell };
}

describe("the settlement of a fill", () => {
  it("moves total and volume, and takes each side's fee from what it receives", () => {
    const { test, buy, sell } = pair("100", "2");
    const money = settle(test.book(), buy, sell, 10_000, 500_000, 1000, 2000);
    assertEquals(formatDecimal(money.total), "50");
    assertEquals(formatDecimal(money.base), "0.5");
    assertEquals(formatDecimal(money.buyerFee), "0.0005");
    assertEquals(formatDecimal(money.sellerFee), "0.1");
    assertEquals(formatDecimal(money.buyLocked), "150");
    assertEquals(formatDecimal(money.released), "0");
    assertEquals(formatDecimal(money.sellLocked), "1.5");
  });

  it("releases the price improvement with each fill, and the rest with the last", () => {
    const { test, buy, sell } = pair("100", "2");
    const part = settle(test.book(), buy, sell, 9000, 500_000, 0, 0);
    assertEquals(formatDecimal(part.released), "5");
    assertEquals(formatDecimal(part.buyLocked), "150");
    const whole = settle(test.book(), buy, sell, 9000, 2_000_000, 0, 0);
    assertEquals(formatDecimal(whole.released), "20");
    assertEquals(whole.buyLocked, 0n);
  });

  it("keeps the lock of a priceless buy until its last lot", () => {
    const { test, buy, sell } = pair("100", "2");
    const market: Order = { ...buy, type: "market", price: 0 };
    const part = settle(test.book(), market, sell, 9000, 500_000, 0, 0);
    assertEquals([formatDecimal(part.buyLocked), part.released], ["155", 0n]);
    const whole = settle(test.book(), market, sell, 9000, 2_000_000, 0, 0);
    assertEquals([whole.buyLocked, formatDecimal(whole.released)], [0n, "20"]);
  });

  it("is exact for every price, volume and rate, and neither creates nor loses money", () => {
    const { test, buy } = pair("100", "2");
    const book = test.book();
    const lots = fc.integer({ min: 1, max: 1e13 });
    const rate = fc.integer({ min: 0, max: 500_000 });
    fc.assert(
      fc.property(lots, lots, lots, rate, rate, (price, volume, fill, buyRate, sellRate) => {
        fc.pre(fill <= volume);
        const locked = book.total(price, volume);
        const bid: Order = { ...buy, price, volume, remaining: volume, locked };
        const ask: Order = { ...bid, side: "sell", locked: book.base(volume) };
        const money = settle(book, bid, ask, price, fill, buyRate, sellRate);
        assertEquals(money.total, BigInt(price) * BigInt(fill) * book.totalUnit);
        assertEquals(money.buyerFee, feeOf(money.base, buyRate));
        assertEquals(money.sellerFee, feeOf(money.total, sellRate));
        assertEquals(money.buyLocked + money.released + money.total, locked);
        assertEquals(money.buyLocked, book.total(price, volume - fill));
        assertEquals(money.sellLocked, book.base(volume - fill));
      }),
    );
  });
});

describe("a market's grid", () => {
  it("refuses precisions that make fees inexact", () => {
    const { test } = pair("100", "2");
    const market = { ...test.book().market, pricePrecision: 6, amountPrecision: 5 };
    assertThrows(() => new MarketBook(market), InvariantError);
  });
});
