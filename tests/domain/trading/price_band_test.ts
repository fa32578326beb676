import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import type { Order, OrderType, Side } from "../../../src/domain/trading/order.ts";
import { DomainVenue, type OrderText } from "../../support/domain_venue.ts";

const BAND_BPS = 500;

/** Returns a market whose last price is 100, with a band of 5 %; nothing is left in its book. */
function market(last: string = "100", capacity: number = Infinity): DomainVenue {
  const test = emptyMarket(capacity);
  test.sell("ben", "0.000001", last);
  test.buy("ann", "0.000001", last);
  test.set({ priceBandBps: BAND_BPS });
  return test;
}

function emptyMarket(capacity: number = Infinity): DomainVenue {
  const test = new DomainVenue(capacity)
    .withMarket("btc", "usdt")
    .withMember("ann", { btc: "10000", usdt: "1000000000" })
    .withMember("ben", { btc: "10000", usdt: "1000000000" });
  test.set({ priceBandBps: BAND_BPS });
  return test;
}

/** Lets ben offer or bid for 1 at each price, whatever the band. */
function makers(test: DomainVenue, side: Side, ...prices: string[]): Order[] {
  const { priceBandBps } = test.venue.settings;
  test.set({ priceBandBps: 0 });
  const orders = prices.map((price) => test[side]("ben", "1", price));
  test.set({ priceBandBps });
  return orders;
}

/** Places an order for 3 without a limit price; returns how it ends. */
function ending(test: DomainVenue, side: Side, order: Partial<OrderText> = {}): string {
  const { state, reason, volume, remaining } = test[side]("ann", "3", "0", {
    type: "market",
    ...order,
  });
  return `${state} ${reason} ${(volume - remaining) / 1e6}`;
}

/** Returns what each of ann's orders, placed together, locks. */
function locks(test: DomainVenue, ...orders: OrderText[]): string[] {
  const outcome = test.place("ann", ...orders);
  if (isRejection(outcome) || outcome.kind !== "orders_placed") throw new Error("refused");
  return outcome.orders.map((one) =>
    "accepted" in one ? formatDecimal(one.accepted.orderLocked) : "a repeat"
  );
}

function assertOutOfBand(test: DomainVenue, order: OrderText, limit: string): void {
  const refusal = { rejected: "price_out_of_band", field: "price", limit, index: 0 } as const;
  assertEquals(test.refused("ann", order), refusal);
}

describe("a limit price", () => {
  for (const type of ["limit", "post_only"] as const) {
    it(`of a ${type} order may be as bad as the band's bound, and no worse`, () => {
      const test = market();
      assertEquals(test.buy("ann", "1", "105", { type }).state, "wait");
      assertOutOfBand(test, { type, amount: "1", price: "105.01" }, "105");
      test.cancel("ann", 3);
      assertEquals(test.sell("ann", "1", "95", { type }).state, "wait");
      assertOutOfBand(test, { type, amount: "1", price: "94.99", side: "sell" }, "95");
    });
  }

  it("may be as far away as one likes where the order rests", () => {
    const test = market();
    assertEquals(test.buy("ann", "1", "0.01").state, "wait");
    assertEquals(test.sell("ann", "1", "1000000").state, "wait");
  });

  it("is bound at a whole tick within the band", () => {
    const test = market("99.99");
    // Exactly 104.9895 and 94.9905.
    assertOutOfBand(test, { amount: "1", price: "104.99" }, "104.98");
    assertOutOfBand(test, { amount: "1", price: "94.99", side: "sell" }, "95");
    assertEquals(test.buy("ann", "1", "104.98").state, "wait");
  });

  it("may always be a tick worse, however wide that is", () => {
    const test = market("0.19");
    assertEquals(test.buy("ann", "1", "0.2").state, "wait");
    assertOutOfBand(test, { amount: "1", price: "0.21" }, "0.2");
    test.cancel("ann", 3);
    assertEquals(test.sell("ann", "1", "0.18").state, "wait");
    assertOutOfBand(test, { amount: "1", price: "0.17", side: "sell" }, "0.18");
    test.cancel("ann", 4);
    makers(test, "sell", "0.2", "0.21");
    assertEquals(ending(test, "buy"), "cancel insufficient_market_liquidity 1");
    assertEquals(test.venue.book(0).lastPrice, 20);
  });

  it("is not bound before a market's first trade", () => {
    const test = emptyMarket();
    assertEquals(test.buy("ben", "1", "0.01").state, "wait");
    assertEquals(test.sell("ben", "1", "60000").state, "wait");
    assertEquals(ending(test, "buy"), "cancel insufficient_market_liquidity 1");
  });

  it("of a stop is bound around its own trigger price", () => {
    for (const test of [emptyMarket(), market()]) {
      const stop = { type: "stop_limit", amount: "1" } as const;
      const buy: OrderText = { ...stop, trigger: "200" };
      const sell: OrderText = { ...stop, side: "sell", trigger: "50" };
      assertOutOfBand(test, { ...buy, price: "210.01" }, "210");
      assertOutOfBand(test, { ...sell, price: "47.49" }, "47.5");
      for (const order of [{ ...buy, price: "210" }, { ...sell, price: "47.5" }]) {
        assert(!isRejection(test.place("ann", order)));
      }
    }
  });

  it("is bound above only by a band of the whole price", () => {
    const test = market();
    test.set({ priceBandBps: 10_000 });
    assertOutOfBand(test, { amount: "1", price: "200.01" }, "200");
    makers(test, "buy", "0.02", "0.01");
    assertEquals(test.sell("ann", "1", "0.01").state, "done");
    assertEquals(ending(test, "sell"), "cancel insufficient_market_liquidity 1");
  });

  it("is not bound without a band", () => {
    const test = market();
    test.set({ priceBandBps: 0 });
    assertEquals(test.buy("ann", "1", "1000").state, "wait");
    assertEquals(test.buy("ann", "1", "0", { type: "market" }).price, 0);
  });
});

describe("an order without a limit price", () => {
  it("fills up to the bound", () => {
    const test = market();
    makers(test, "sell", "104", "105", "105.01");
    assertEquals(ending(test, "buy"), "cancel insufficient_market_liquidity 2");
    const other = market();
    makers(other, "buy", "96", "95", "94.99");
    assertEquals(ending(other, "sell"), "cancel insufficient_market_liquidity 2");
  });

  it("is refused as if nobody offered anything where nobody does within the band", () => {
    const test = market();
    makers(test, "sell", "105.01");
    assertEquals(ending(test, "buy"), "reject insufficient_market_liquidity 0");
    makers(test, "buy", "94.99");
    assertEquals(ending(test, "sell"), "reject insufficient_market_liquidity 0");
    assertEquals(test.balance("ann", "usdt"), "999999999.9999/0");
  });

  it("has a bound around its trigger price, if it has one", () => {
    const cases: [Side, string, string, string[]][] = [
      ["buy", "110", "110", ["115.5", "115.51"]],
      ["sell", "90", "90", ["85.5", "85.49"]],
    ];
    for (const [side, trigger, last, prices] of cases) {
      const test = market();
      test.set({ priceBandBps: BAND_BPS });
      const stop = test[side]("ann", "3", "0", { type: "stop", trigger });
      const other = side === "buy" ? "sell" : "buy";
      makers(test, other, last, ...prices);
      test.set({ priceBandBps: 0 });
      test[side]("ben", "1", last, { selfTrade: "none" });
      assertEquals([stop.state, stop.reason], ["cancel", "insufficient_market_liquidity"]);
      assertEquals([stop.tradesCount, stop.volume - stop.remaining], [1, 1e6]);
    }
  });

  it("cancels no own order beyond the bound", () => {
    const test = market();
    const own = test.sell("ann", "1", "105.01");
    makers(test, "sell", "105");
    const end = ending(test, "buy", { selfTrade: "cancel_oldest" });
    assertEquals([end, own.state], ["cancel insufficient_market_liquidity 1", "wait"]);
  });

  it("has a bound that no rounding shifts, however large", () => {
    const test = emptyMarket();
    test.set({ priceBandBps: 1 });
    const trigger = "99999999999.99";
    const order = (side: Side) => test[side]("ann", "1", "0", { type: "stop", trigger }).price;
    // 9999999999999 × 1.0001 is 10000999999998.9999, and × 0.9999 is 9998999999999.0001.
    assertEquals([order("buy"), order("sell")], [10000999999998, 9999000000000]);
  });

  it("keeps its bound while its fills move the last price, in whatever batches", () => {
    for (const capacity of [1, 2, Infinity]) {
      const test = market("100", capacity);
      makers(test, "sell", "103", "104", "108");
      assertEquals(ending(test, "buy"), "cancel insufficient_market_liquidity 2");
    }
  });

  it("keeps its bound where another process continues it", () => {
    const test = market();
    makers(test, "sell", "103", "104", "108");
    const before = test.sink.events.length;
    assertEquals(ending(test, "buy"), "cancel insufficient_market_liquidity 2");
    const other = new DomainVenue();
    const halfway = test.sink.events.slice(0, before + 2);
    for (const { event, at } of halfway) apply(other.venue, event, at);
    assertEquals(other.venue.order(test.venue.counters.orders).tradesCount, 1);
    other.run();
    assertEquals(other.sink.events, test.sink.events.slice(halfway.length));
  });

  it("is the same order for its client order id, although the bound has moved", () => {
    for (const type of ["market", "stop"] satisfies OrderType[]) {
      const test = market();
      const trigger = type === "stop" ? { trigger: "300" } : {};
      const order: OrderText = { type, amount: "1", clientOrderId: "a", ...trigger };
      test.place("ann", order);
      const id = test.venue.counters.orders;
      makers(test, "sell", "50");
      test.buy("ann", "1", "50");
      for (const bandBps of [BAND_BPS, 1000, 0]) {
        test.set({ priceBandBps: bandBps });
        const outcome = test.place("ann", order);
        assertEquals(outcome, { kind: "orders_placed", orders: [{ repeats: id }] });
      }
      const other = test.refused("ann", { ...order, amount: "2" });
      assertEquals(other.rejected, "client_order_id_taken");
    }
  });
});

describe("the lock of a buy without a limit price", () => {
  const BUY: OrderText = { type: "market", amount: "1" };

  it("counts only asks within the band", () => {
    const test = market();
    makers(test, "sell", "100", "105", "200");
    assertEquals(locks(test, { ...BUY, amount: "3" }), ["225.5"]);
    const other = market();
    makers(other, "sell", "105.01");
    assertEquals(locks(other, BUY), ["0"]);
  });

  it("is no more than the order can pay within the band", () => {
    const test = market();
    makers(test, "sell", "105");
    assertEquals(locks(test, BUY), ["105"]);
    const stop: OrderText = { type: "stop", amount: "2", trigger: "300" };
    assertEquals(locks(test, stop), ["630"]);
    test.set({ priceBandBps: 2000 });
    assertEquals(locks(test, stop), ["660"], "nor more than without a band");
    test.withMember("cay", { usdt: "50" });
    assert(!isRejection(test.place("cay", stop)));
    assertEquals(test.balance("cay", "usdt"), "0/50", "nor more than there is");
  });

  it("begins after the asks that an earlier order within its own band takes", () => {
    const test = market();
    makers(test, "sell", "94.5", "95");
    const stop: OrderText = { type: "stop", amount: "2", trigger: "90" };
    assertEquals(locks(test, stop, BUY), ["189", "104.5"]);
  });

  it("counts what a sell before it may add, but at the bound at most", () => {
    const test = market();
    makers(test, "sell", "10", "10", "10");
    const first: OrderText = { type: "market", amount: "1", side: "sell" };
    const dear: OrderText = { side: "sell", amount: "1", price: "300" };
    // 30 and the bound, and a tenth more.
    assertEquals(locks(test, first, dear, { ...BUY, amount: "4" }), ["1", "1", "148.5"]);
  });

  it("counts nothing of a stop before it, which leaves nothing", () => {
    const test = market();
    const stop: OrderText = { type: "stop", side: "sell", amount: "1", trigger: "100" };
    assertEquals(locks(test, stop, BUY), ["1", "0"]);
  });
});
