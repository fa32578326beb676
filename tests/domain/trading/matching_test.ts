import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatDecimal, formatInteger } from "../../../src/domain/money/money.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

function market(capacity: number = Infinity): DomainVenue {
  return new DomainVenue(capacity)
    .withMarket("btc", "usdt")
    .withMember("ann", { btc: "100", usdt: "100000" })
    .withMember("ben", { btc: "100", usdt: "100000" })
    .withMember("cay", { btc: "100", usdt: "100000" });
}

/** Returns state, reason and remaining volume, such as `cancel self_trade 0.5`. */
function outcomeOf(order: Order): string {
  return [order.state, order.reason, formatInteger(order.remaining, 6)].filter(Boolean).join(" ");
}

/** Returns trades as `0.5@100`. */
function tradesOf(test: DomainVenue): string[] {
  return test.trades().map(({ volume, price }) =>
    `${formatInteger(volume, 6)}@${formatInteger(price, 2)}`
  );
}

describe("matching", () => {
  it("takes the best price first, then the oldest order", () => {
    const test = market();
    const late = test.sell("ann", "1", "101");
    const first = test.sell("ann", "1", "100");
    const second = test.sell("ben", "1", "100");
    test.buy("cay", "2.5", "101");
    assertEquals(test.trades().map((trade) => trade.maker), [first.id, second.id, late.id]);
    assertEquals(tradesOf(test), ["1@100", "1@100", "0.5@101"]);
    assertEquals(outcomeOf(late), "wait 0.5");
  });

  it("trades at the maker's price and returns the improvement with each fill", () => {
    const test = market();
    test.sell("ann", "1", "90");
    const order = test.buy("ben", "2", "100");
    assertEquals(outcomeOf(order), "wait 1");
    assertEquals(formatDecimal(order.locked), "100");
    assertEquals(test.balance("ben", "usdt"), "99810/100");
    assertEquals(test.balance("ann", "usdt"), "100090/0");
  });

  it("keeps a partly filled maker's place in its queue", () => {
    const test = market();
    const first = test.sell("ann", "2", "100");
    test.sell("ben", "2", "100");
    test.buy("cay", "1", "100");
    test.buy("cay", "1", "100");
    assertEquals(test.trades().map((trade) => trade.maker), [first.id, first.id]);
  });

  it("rests the remainder of a gtc order and cancels that of an ioc order", () => {
    const test = market();
    test.sell("ann", "1", "100");
    assertEquals(
      outcomeOf(test.buy("ben", "3", "100", { timeInForce: "ioc" })),
      "cancel time_in_force 2",
    );
    assertEquals(test.balance("ben", "usdt"), "99900/0");
    assertEquals(outcomeOf(test.buy("ben", "3", "100")), "wait 3");
  });

  it("fills a fok order in full or not at all, even across levels", () => {
    const test = market();
    test.sell("ann", "1", "100");
    test.sell("ann", "1", "101");
    const tooLarge = test.buy("ben", "2.000001", "101", { timeInForce: "fok" });
    assertEquals(outcomeOf(tooLarge), "cancel not_fillable 2.000001");
    const tooCheap = test.buy("ben", "2", "100.99", { timeInForce: "fok" });
    assertEquals(outcomeOf(tooCheap), "cancel not_fillable 2");
    assertEquals(test.balance("ben", "usdt"), "100000/0");
    assertEquals(outcomeOf(test.buy("ben", "2", "101", { timeInForce: "fok" })), "done 0");
  });

  it("excludes a member's own orders from what fills a fok order", () => {
    const test = market();
    test.sell("ben", "1", "100");
    test.sell("ann", "1", "100");
    const fok = { timeInForce: "fok" } as const;
    for (const selfTrade of ["cancel_newest", "cancel_both"] as const) {
      const order = test.buy("ben", "1", "100", { ...fok, selfTrade });
      assertEquals(outcomeOf(order), "cancel not_fillable 1", selfTrade);
    }
    const whole = test.buy("ben", "1", "100", { ...fok, selfTrade: "cancel_oldest" });
    assertEquals(outcomeOf(whole), "done 0");
    assertEquals(outcomeOf(test.order(1)), "cancel self_trade 1");
  });

  it("refuses a post_only order that would take and rests one that would not", () => {
    const test = market();
    test.sell("ann", "1", "100");
    assertEquals(
      outcomeOf(test.buy("ben", "1", "100", { type: "post_only" })),
      "reject would_take 1",
    );
    assertEquals(outcomeOf(test.buy("ben", "1", "99.99", { type: "post_only" })), "wait 1");
    assertEquals(test.trades().length, 0);
  });

  it("names the member of a resting order only if it was pending", () => {
    const test = market();
    test.sell("ann", "1", "100");
    test.place(
      "ben",
      { amount: "2", price: "100" },
      { type: "post_only", amount: "1", price: "99" },
      { type: "post_only", side: "sell", amount: "1", price: "99" },
      { amount: "1", price: "98" },
      { type: "stop_limit", amount: "1", price: "90", trigger: "100" },
    );
    assertEquals(outcomeOf(test.order(4)), "reject would_take 1");
    const rested = test.sink.events.flatMap(({ event }) =>
      event.kind === "order_rested" ? [[event.id, event.member]] : []
    );
    const member = test.member("ben");
    assertEquals(rested, [[2, undefined], [3, member], [5, undefined], [6, undefined]]);
    // Five were accepted; one was partly filled, one rested, one was rejected, one was triggered.
    assertEquals(test.venue.holder(member).messages.order, 9);
  });

  it("sweeps two thousand makers with the same result for any batch size", () => {
    const wide = market();
    const narrow = market(16);
    for (const test of [wide, narrow]) {
      for (const uid of ["ann", "ben"]) {
        for (let i = 0; i < 1000; i++) test.sell(uid, "0.001", `${100 + i % 7}`);
      }
      const before = test.sink.batches;
      const taker = test.buy("cay", "2", "110");
      assertEquals(outcomeOf(taker), "done 0");
      assertEquals([taker.tradesCount, taker.firstTrade, taker.lastTrade], [2000, 1, 2000]);
      assertEquals(test.trades().length, 2000);
      assertEquals(test.sink.batches - before, test === wide ? 0 : 2000 / 16);
      test.venue.checkInvariants();
    }
    assertEquals(narrow.trades(), wide.trades());
  });
});

describe("a market order", () => {
  it("fills what it can and cancels the rest", () => {
    const test = market();
    test.sell("ann", "1", "100");
    const buy = test.buy("ben", "3", "0", { type: "market" });
    assertEquals(outcomeOf(buy), "cancel insufficient_market_liquidity 2");
    test.buy("ann", "1", "90");
    const sell = test.sell("ben", "3", "0", { type: "market" });
    assertEquals(outcomeOf(sell), "cancel insufficient_market_liquidity 2");
    assertEquals(test.balance("ben", "btc"), "100/0");
  });

  it("is rejected by an empty book", () => {
    const test = market();
    const wanted = "reject insufficient_market_liquidity 1";
    assertEquals(outcomeOf(test.buy("ben", "1", "0", { type: "market" })), wanted);
    assertEquals(outcomeOf(test.sell("ben", "1", "0", { type: "market" })), wanted);
    assertEquals(test.balance("ben", "usdt"), "100000/0");
  });

  it("locks eleven tenths of its estimate, capped at the balance", () => {
    const test = market().withMember("dan", { usdt: "1000" });
    test.sell("ann", "1", "100");
    test.sell("ann", "1", "200");
    test.buy("dan", "2", "0", { type: "market" });
    const locks = test.sink.events.flatMap(({ event }) =>
      event.kind === "order_accepted" ? [formatDecimal(event.orderLocked)] : []
    );
    assertEquals(locks.at(-1), "330");
    assertEquals(test.balance("dan", "usdt"), "700/0");
  });

  it("buys up to the last lot that its lock pays for, then returns the rest", () => {
    const test = market().withMember("dan", { btc: "1", usdt: "150.00005" });
    test.buy("ben", "0.5", "10");
    test.sell("ann", "1", "100");
    // Until the sells of the bulk have matched, nobody offers as much as its buy wants.
    const sell = { side: "sell", amount: "0.5", selfTrade: "none" } as const;
    test.place("dan", { ...sell, price: "10" }, { ...sell, price: "300" }, {
      side: "buy",
      type: "market",
      amount: "2",
      selfTrade: "none",
    });
    assertEquals(tradesOf(test), ["0.5@10", "1@100", "0.166666@300"]);
    assertEquals(outcomeOf(test.order(5)), "cancel insufficient_balance 0.833334");
    assertEquals(test.balance("dan", "usdt"), "55.00005/0");
    test.venue.checkInvariants();
  });

  it("is rejected if its lock does not pay for one lot", () => {
    const test = market().withMember("dan", { btc: "1", usdt: "0.00009" });
    test.buy("ben", "0.5", "10");
    const own = { side: "sell", amount: "1", price: "5", selfTrade: "none" } as const;
    const dear = { ...own, amount: "0.5", price: "300" } as const;
    test.place("dan", { ...own, amount: "0.5" }, dear, {
      side: "buy",
      type: "market",
      amount: "1",
      selfTrade: "none",
    });
    assertEquals(outcomeOf(test.order(4)), "reject insufficient_balance 1");
    test.venue.checkInvariants();
  });
});

describe("self-trade prevention", () => {
  const cases = [
    ["cancel_newest", "wait 1", "cancel self_trade 1", []],
    ["cancel_oldest", "cancel self_trade 1", "done 0", ["1@101"]],
    ["cancel_both", "cancel self_trade 1", "cancel self_trade 1", []],
    ["none", "done 0", "done 0", ["1@100"]],
  ] as const;
  for (const [selfTrade, maker, taker, trades] of cases) {
    it(`${selfTrade}: the maker is ${maker}, the taker ${taker}`, () => {
      const test = market();
      const own = test.sell("ann", "1", "100");
      test.sell("ben", "1", "101");
      const incoming = test.buy("ann", "1", "101", { selfTrade });
      assertEquals(outcomeOf(own), maker);
      assertEquals(outcomeOf(incoming), taker);
      assertEquals(tradesOf(test), [...trades]);
      test.venue.checkInvariants();
    });
  }

  it("follows the taker's choice and keeps earlier fills", () => {
    const test = market();
    test.sell("ben", "1", "99");
    test.sell("ann", "1", "100", { selfTrade: "none" });
    const incoming = test.buy("ann", "2", "100");
    assertEquals(outcomeOf(incoming), "cancel self_trade 1");
    assertEquals(tradesOf(test), ["1@99"]);
  });

  it("counts a self-trade on both sides", () => {
    const test = market();
    test.sell("ann", "1", "100");
    test.buy("ann", "1", "100", { selfTrade: "none" });
    assertEquals(test.venue.holder(test.member("ann")).tradesCount, 2);
    assertEquals(test.trades().map(({ isOwn }) => isOwn), [true]);
    assertEquals(test.balance("ann", "usdt"), "100000/0");
    assertEquals(test.balance("ann", "btc"), "100/0");
  });
});
