import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { formatDecimal, formatInteger } from "../../../src/domain/money/money.ts";
import type { SelfTradePrevention } from "../../../src/domain/trading/order.ts";
import { BookSide } from "../../../src/domain/trading/order_book.ts";
import { DomainVenue, type OrderText } from "../../support/domain_venue.ts";

const BUY: OrderText = { side: "buy", type: "market", amount: "1" };
const SHORT = { rejected: "balance_insufficient", field: "amount", index: 0 } as const;

/** Returns a market with asks of ben, 1 at each price. */
function market(...prices: string[]): DomainVenue {
  const test = new DomainVenue()
    .withMarket("btc", "usdt")
    .withMember("ann", { btc: "100", usdt: "10000000" })
    .withMember("ben", { btc: "100", usdt: "10000000" });
  for (const price of prices) test.sell("ben", "1", price);
  return test;
}

/** Places orders of ann together; returns what each locked, and its final state. */
function placed(test: DomainVenue, ...orders: OrderText[]): [lock: string, end: string][] {
  const outcome = test.place("ann", ...orders);
  if (isRejection(outcome) || outcome.kind !== "orders_placed") throw new Error("refused");
  return outcome.orders.map((one) => {
    if ("repeats" in one) throw new Error("a repeat");
    const { state, reason, volume, remaining } = test.order(one.accepted.id);
    const filled = formatInteger(volume - remaining, 6);
    return [formatDecimal(one.accepted.orderLocked), `${state} ${reason} ${filled}`.trim()];
  });
}

describe("the lock of a market buy", () => {
  it("ignores own asks that the order will cancel", () => {
    const test = market();
    const own = test.sell("ann", "1", "100");
    test.sell("ben", "1", "200");
    assertEquals(placed(test, { ...BUY, selfTrade: "cancel_oldest" }), [["220", "done  1"]]);
    assertEquals(own.reason, "self_trade");
    test.venue.checkInvariants();
  });

  it("ignores everything after an own ask that ends the order", () => {
    for (const selfTrade of ["cancel_newest", "cancel_both"] as const) {
      const test = market("100");
      test.sell("ann", "1", "200");
      test.sell("ben", "1", "300");
      const order = { ...BUY, amount: "3", selfTrade };
      assertEquals(placed(test, order), [["110", "cancel self_trade 1"]]);
    }
  });

  it("counts own asks that the order will take", () => {
    const test = market("100");
    test.sell("ann", "1", "200");
    const order: OrderText = { ...BUY, amount: "2", selfTrade: "none" };
    assertEquals(placed(test, order), [["330", "done  2"]]);
  });

  it("is capped at the balance, which has to pay for the asks that it takes", () => {
    const order = { ...BUY, amount: "2" };
    const test = market("4000000", "5500000", "9000000");
    assertEquals(placed(test, order), [["10000000", "done  2"]]);
    const dear = market("4000000", "6000000.01");
    assertEquals(dear.refused("ann", order), {
      ...SHORT,
      needed: "10000000.01",
      available: "10000000",
    });
    assertEquals(dear.balance("ann", "usdt"), "10000000/0");
    assertEquals(placed(dear, { ...order, amount: "1.999999" })[0]?.[1], "done  1.999999");
  });

  it("needs no money for asks that it does not take", () => {
    const beyond = { ...BUY, amount: "3" };
    for (const selfTrade of ["cancel_newest", "cancel_both"] as const) {
      const test = market("100");
      test.sell("ann", "1", "200");
      test.sell("ben", "1", "20000000");
      assertEquals(placed(test, { ...beyond, selfTrade })[0]?.[0], "110", selfTrade);
    }
    const test = market("100");
    test.sell("ann", "1", "20000000");
    test.sell("ben", "1", "200");
    const skipping = { ...beyond, selfTrade: "cancel_oldest" } as const;
    assertEquals(placed(test, skipping)[0]?.[0], "330");
    const own = market("100");
    own.sell("ann", "1", "20000000");
    const taking = { ...BUY, amount: "2", selfTrade: "none" } as const;
    assertEquals(own.refused("ann", taking).needed, "20000100");
  });

  it("is refused without looking at the asks, however many there are", () => {
    const test = market(...Array.from({ length: 20 }, (_, i) => String(10_000_000 + i)));
    const { after } = BookSide.prototype;
    BookSide.prototype.after = () => {
      throw new Error("An ask was looked at");
    };
    try {
      for (const selfTrade of ["none", "cancel_oldest", "cancel_newest", "cancel_both"] as const) {
        const refused = test.refused("ann", { ...BUY, amount: "20", selfTrade });
        assertEquals(refused.needed, "200000190", selfTrade);
      }
    } finally {
      BookSide.prototype.after = after;
    }
  });

  it("is refused to a member without any money, also where nobody offers anything", () => {
    const test = market("100").withMember("dan", { btc: "1" });
    assertEquals(test.refused("dan", BUY), { ...SHORT, needed: "100", available: "0" });
    assertEquals(market().withMember("dan").refused("dan", BUY), { ...SHORT, available: "0" });
  });
});

describe("the lock of a market buy among other orders", () => {
  it("starts after the asks taken by earlier market buys", () => {
    const test = market("20000", "40000", "50000");
    assertEquals(placed(test, BUY, { ...BUY, amount: "1.5" }), [
      ["22000", "done  1"],
      ["71500", "done  1.5"],
    ]);
  });

  it("starts in the middle of an ask if necessary", () => {
    const test = market("100", "200");
    const half = { ...BUY, amount: "0.5" };
    assertEquals(placed(test, half, half, half).map(([lock]) => lock), ["55", "55", "110"]);
  });

  it("starts after the asks taken by earlier limit buys, up to their price", () => {
    const test = market("100", "200");
    assertEquals(placed(test, { side: "buy", amount: "1", price: "150" }, BUY), [
      ["150", "done  1"],
      ["220", "done  1"],
    ]);
    const other = market("100", "200");
    assertEquals(placed(other, { side: "buy", amount: "5", price: "150" }, BUY), [
      ["750", "wait  1"],
      ["220", "done  1"],
    ]);
  });

  it("starts at the first ask after orders that take none", () => {
    const others: OrderText[] = [
      { side: "buy", type: "post_only", amount: "1", price: "150" },
      { side: "buy", amount: "2", price: "150", timeInForce: "fok" },
      { side: "buy", amount: "1", price: "50" },
      { side: "sell", type: "market", amount: "1" },
    ];
    for (const other of others) {
      const test = market("100", "200");
      assertEquals(placed(test, other, BUY).at(-1), ["110", "done  1"]);
    }
    const test = market("100", "200");
    const whole: OrderText = { side: "buy", amount: "1", price: "150", timeInForce: "fok" };
    assertEquals(placed(test, whole, BUY).at(-1), ["220", "done  1"]);
  });

  it("starts after the asks that fill earlier fill-or-kill buys, and those only", () => {
    const half = { ...BUY, amount: "0.5", selfTrade: "none" } as const;
    const whole = (amount: string, price: string, selfTrade: SelfTradePrevention): OrderText => (
      { side: "buy", amount, price, timeInForce: "fok", selfTrade }
    );
    /** Returns the price that the last market buy is meant to pay, which is what it then pays. */
    const priceAfter = (own: string[], ...orders: OrderText[]) => {
      const test = market("100", "200", "300");
      for (const price of own) test.sell("ann", "1", price);
      const [lock] = placed(test, ...orders, half).at(-1) as [string, string];
      const meant = Math.round(Number(lock) / 0.55);
      const last = test.trades().at(-1);
      assertEquals((last?.price ?? 0) / 100, meant || (last?.price ?? 0) / 100);
      return meant;
    };
    // Half an ask is gone when the second one looks.
    assertEquals(priceAfter([], half, whole("1.5", "200", "none")), 300);
    assertEquals(priceAfter([], half, whole("1.500001", "200", "none")), 100);
    assertEquals(priceAfter([], whole("1", "100", "none"), whole("1", "100", "none")), 200);
    assertEquals(priceAfter([], whole("3", "300", "none"), whole("0.000001", "300", "none")), 0);
    // Own asks are cancelled, not taken: they are gone, too, but fill nobody.
    const oldest = "cancel_oldest";
    assertEquals(priceAfter(["150"], whole("2", "200", oldest)), 300);
    assertEquals(priceAfter(["150"], whole("2.000001", "200", oldest)), 100);
    const first = whole("1.5", "200", oldest);
    assertEquals(priceAfter(["150"], first, whole("0.5", "200", oldest)), 300);
    assertEquals(priceAfter(["150"], first, whole("0.500001", "200", oldest)), 200);
    for (const selfTrade of ["cancel_newest", "cancel_both"] as const) {
      assertEquals(priceAfter(["150"], whole("1", "300", selfTrade)), 150, selfTrade);
      assertEquals(priceAfter(["150"], whole("1.000001", "300", selfTrade)), 100, selfTrade);
      // Those before the front end nobody any more.
      assertEquals(priceAfter(["150"], first, whole("1.5", "300", selfTrade)), 0, selfTrade);
    }
  });

  it("is refused for what the earlier ones leave of asks and money", () => {
    const test = market("4000000", "5000000", "6000000");
    const refused = test.refused("ann", BUY, { ...BUY, amount: "1.5" });
    assertEquals(refused, { ...SHORT, index: 1, needed: "8000000", available: "5600000" });
    assertEquals(test.balance("ann", "usdt"), "10000000/0");
  });

  it("looks at no ask for fill-or-kill buys that can't fill", () => {
    const test = market(...Array.from({ length: 20 }, (_, i) => String(100 + i)));
    test.sell("ann", "1", "150");
    const { after } = BookSide.prototype;
    let steps = 0;
    BookSide.prototype.after = function (order) {
      steps += 1;
      return after.call(this, order);
    };
    try {
      const killed: OrderText = { side: "buy", amount: "21", price: "150", timeInForce: "fok" };
      const orders = (["cancel_oldest", "cancel_newest", "cancel_both"] as const)
        .flatMap((selfTrade) => Array<OrderText>(10).fill({ ...killed, selfTrade }));
      // All of them are refused together, so that nothing matches.
      test.place("ann", ...orders, BUY, { ...BUY, amount: "0" });
      assertEquals(steps, 0);
    } finally {
      BookSide.prototype.after = after;
    }
  });

  it("counts what an earlier stop can pay for", () => {
    const test = market("10");
    test.buy("ann", "1", "10");
    test.sell("ben", "0.5", "10");
    test.sell("ben", "1", "20");
    test.sell("ben", "1", "30");
    const stop: OrderText = { side: "buy", type: "stop", amount: "1", trigger: "10" };
    assertEquals(placed(test, stop, BUY), [
      ["11", "done  1"],
      ["27.5", "done  1"],
    ]);
  });

  it("ignores own asks that earlier orders cancel, and everything after one that ends them", () => {
    const two = { ...BUY, amount: "2" };
    const book = () => {
      const test = market("100");
      test.sell("ann", "1", "200");
      for (const price of ["300", "400", "500"]) test.sell("ben", "1", price);
      return test;
    };
    const after = (selfTrade: "cancel_oldest" | "cancel_newest" | "cancel_both" | "none") =>
      placed(book(), { ...two, selfTrade }, { ...BUY, selfTrade: "none" }).at(-1);
    assertEquals(after("cancel_oldest"), ["440", "done  1"]);
    assertEquals(after("cancel_newest"), ["220", "done  1"]);
    assertEquals(after("cancel_both"), ["330", "done  1"]);
    assertEquals(after("none"), ["330", "done  1"]);
  });

  it("counts no lots that nobody offers", () => {
    const test = market("100", "200");
    assertEquals(placed(test, BUY, { ...BUY, amount: "2" }), [
      ["110", "done  1"],
      ["220", "cancel insufficient_market_liquidity 1"],
    ]);
  });

  it("treats each market separately", () => {
    const test = market("100").withMarket("eth", "usdt");
    test.fund("ben", "eth", "10");
    test.sell("ben", "1", "30", { market: "ethusdt" });
    test.sell("ben", "1", "40", { market: "ethusdt" });
    const eth = { ...BUY, market: "ethusdt" };
    const locks = placed(test, BUY, eth, eth).map(([lock]) => lock);
    assertEquals(locks, ["110", "33", "44"]);
  });
});

describe("the lock of a market buy behind a sell of the same bulk", () => {
  const sell = (selfTrade: "none" | "cancel_both"): OrderText => ({
    side: "sell",
    amount: "2",
    price: "100",
    selfTrade,
  });

  it("pays for what is left of the sell", () => {
    const test = market();
    test.buy("ben", "1", "100");
    const order = { ...BUY, selfTrade: "none" } as const;
    assertEquals(placed(test, sell("none"), order), [["2", "done  2"], ["110", "done  1"]]);
  });

  it("pays for asks that earlier buys leave because they meet the sell", () => {
    const test = market("102");
    test.buy("ben", "1", "100");
    const order = { side: "buy", amount: "1", price: "102", selfTrade: "cancel_both" } as const;
    assertEquals(placed(test, sell("cancel_both"), order, BUY), [
      ["2", "cancel self_trade 1"],
      ["102", "cancel self_trade 0"],
      ["112.2", "done  1"],
    ]);
  });

  it("counts only lots that it would not get otherwise, at the highest price", () => {
    const test = market("11", "11", "20");
    const first: OrderText = { side: "buy", amount: "1", price: "11", timeInForce: "ioc" };
    const ask: OrderText = { side: "sell", amount: "1", price: "10" };
    const both = { ...BUY, selfTrade: "cancel_both" } as const;
    assertEquals(placed(test, first, ask, both, { ...both, amount: "3" }), [
      ["11", "done  1"],
      ["1", "cancel self_trade 0"],
      ["12.1", "cancel self_trade 0"],
      ["46.2", "cancel insufficient_market_liquidity 2"],
    ]);
  });

  it("pays for an ask that an earlier stop can't pay for, and no more often than once", () => {
    const test = market().withMarket("eth", "usdt", { amountPrecision: 0 });
    for (const member of ["ann", "ben"]) test.fund(member, "eth", "10");
    const eth = { market: "ethusdt" };
    test.buy("ann", "1", "10", eth);
    for (const price of ["10", "10", "20"]) test.sell("ben", "1", price, eth);
    test.buy("ben", "1", "5", eth);
    const stop: OrderText = { side: "buy", type: "stop", amount: "2", trigger: "10", ...eth };
    const last = { ...BUY, amount: "3", ...eth };
    const orders = [{ ...sell("none"), price: "5", ...eth }, stop, last];
    test.fund("ann", "usdt", "-9999961");
    const refused = test.refused("ann", ...orders);
    assertEquals(refused, { ...SHORT, index: 2, needed: "20", available: "7" });
    test.fund("ann", "usdt", "9999961");
    assertEquals(placed(test, ...orders).map(([lock]) => lock), ["2", "22", "66"]);
  });

  it("counts no sell that can't rest", () => {
    for (const type of ["limit", "market"] as const) {
      const test = market();
      test.buy("ben", "1", "100");
      const taker: OrderText = type === "market"
        ? { side: "sell", type, amount: "2" }
        : { ...sell("none"), timeInForce: "ioc" };
      assertEquals(placed(test, taker, BUY).at(-1)?.[0], "0");
    }
  });
});
