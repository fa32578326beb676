import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { LEVEL_LOTS_MAX } from "../../../src/domain/limits.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** @param capacity events of a batch */
function market(capacity = Infinity): DomainVenue {
  return new DomainVenue(capacity)
    .withMarket("btc", "usdt")
    .withMember("ann", { btc: "100", usdt: "100000" })
    .withMember("ben", { btc: "100", usdt: "100000" })
    .withMember("cay", { btc: "100", usdt: "100000" });
}

/** Makes one trade at a price in an otherwise empty book. */
function tradeAt(test: DomainVenue, price: string): void {
  test.sell("ann", "0.000001", price);
  test.buy("ben", "0.000001", price);
}

/** Returns the ids of the triggered stops, in order. */
function fired(test: DomainVenue): number[] {
  return test.sink.events.flatMap(({ event }) =>
    event.kind === "order_triggered" ? [event.id] : []
  );
}

describe("a stop order", () => {
  it("waits until there has been a trade", () => {
    const test = market();
    const buy = test.buy("cay", "1", "0", { type: "stop", trigger: "0.01" });
    const sell = test.sell("cay", "1", "0", { type: "stop", trigger: "1000000" });
    assertEquals([buy.state, sell.state], ["trigger_wait", "trigger_wait"]);
    test.buy("cay", "1", "50", { type: "stop_limit", trigger: "0.01" });
    const accepted = test.sink.events.flatMap(({ event }) =>
      event.kind === "order_accepted" ? [event.resting] : []
    );
    assertEquals(accepted, [false, false, false], "none of them rests in the book");
  });

  it("fires at once if the last price has already reached it", () => {
    const test = market();
    tradeAt(test, "100");
    test.sell("ann", "1", "102");
    const order = test.buy("cay", "1", "0", { type: "stop", trigger: "100" });
    assertEquals(order.state, "done");
    assertEquals(test.trades().at(-1)?.price, 10200);
  });

  it("that fires at once goes before later orders in its bulk, but after earlier ones", () => {
    const test = market();
    tradeAt(test, "100");
    test.buy("ben", "1", "99");
    const outcome = test.place(
      "cay",
      { side: "sell", type: "stop", amount: "1", trigger: "100" },
      { side: "buy", amount: "1", price: "99.5" },
    );
    assert(!isRejection(outcome));
    const [stop, bid] = [test.order(4), test.order(5)];
    assertEquals([stop.state, stop.remaining], ["done", 0]);
    assertEquals([bid.state, bid.remaining], ["wait", bid.volume]);
    assertEquals(test.sink.events.slice(-5).map(({ event }) => event.kind), [
      "order_accepted",
      "order_triggered",
      "order_accepted",
      "trade",
      "order_rested",
    ]);
  });

  it("that fires at once leaves no trace if another order in its bulk is refused", () => {
    const test = market();
    tradeAt(test, "100");
    const events = test.sink.events.length;
    const outcome = test.place(
      "cay",
      { side: "sell", type: "stop", amount: "1", trigger: "100" },
      { side: "sell", amount: "1000", price: "99.5" },
    );
    if (!isRejection(outcome)) throw new Error("Nothing refuses the bulk");
    assertEquals([outcome.rejected, outcome.index], ["balance_insufficient", 1]);
    assertEquals([test.sink.events.length, test.book().pending.length], [events, 0]);
    assertEquals(test.balance("cay", "btc"), "100/0");
    test.venue.checkInvariants();
  });

  it("fires a buy when the price rises to it and a sell when it falls to it", () => {
    const test = market();
    tradeAt(test, "100");
    const buy = test.buy("cay", "1", "0", { type: "stop", trigger: "105" });
    const sell = test.sell("cay", "1", "0", { type: "stop", trigger: "95" });
    tradeAt(test, "104.99");
    tradeAt(test, "95.01");
    assertEquals(fired(test), []);
    tradeAt(test, "105");
    assertEquals(fired(test), [buy.id]);
    tradeAt(test, "95");
    assertEquals(fired(test), [buy.id, sell.id]);
    assertEquals([buy.state, buy.reason], ["reject", "insufficient_market_liquidity"]);
  });

  it("locks eleven tenths of trigger price times amount for a buy, up to the balance", () => {
    const test = market().withMember("dan", { usdt: "50", btc: "3" });
    const buy = test.buy("cay", "2", "0", { type: "stop", trigger: "100" });
    assertEquals(formatDecimal(buy.locked), "220");
    const poor = test.buy("dan", "2", "0", { type: "stop", trigger: "100" });
    assertEquals(formatDecimal(poor.locked), "50");
    const sell = test.sell("dan", "2", "0", { type: "stop", trigger: "100" });
    assertEquals(formatDecimal(sell.locked), "2");
  });

  it("fills completely, however far the asks are above its trigger price", () => {
    const test = market();
    tradeAt(test, "1000");
    const order = test.buy("cay", "1", "0", { type: "stop", trigger: "1050" });
    assertEquals(test.balance("cay", "usdt"), "98845/1155");
    test.sell("ann", "0.01", "1060");
    test.sell("ann", "1", "1200");
    test.buy("ben", "0.000001", "1060");
    assertEquals([order.state, order.reason], ["done", ""]);
    // 0.009999 at 1060, and the rest at 1200.
    assertEquals(test.balance("cay", "usdt"), "98801.39986/0");
    assertEquals(test.balance("cay", "btc"), "101/0");
    test.venue.checkInvariants();
  });

  it("raises its lock to what the asks cost with its first fill, and releases what it leaves", () => {
    const test = market();
    tradeAt(test, "100");
    for (const price of ["110", "210", "310"]) test.sell("ann", "1", price);
    test.buy("cay", "3", "0", { type: "stop", trigger: "105" });
    test.buy("ben", "0.000001", "110");
    const locked = test.trades().slice(-3).map(({ buyerQuoteAvailable, buyerQuoteLocked }) => [
      formatDecimal(buyerQuoteAvailable),
      formatDecimal(buyerQuoteLocked),
    ]);
    // What nobody offers is not paid for: 0.999999 + 1 + 1 of 3 lots.
    assertEquals(locked, [["99370.00011", "520"], ["99370.00011", "310"], ["99370.00011", "0"]]);
    assertEquals(test.balance("cay", "usdt"), "99370.00011/0");
    test.venue.checkInvariants();
  });

  it("keeps a lock that is larger than what the asks cost, and releases it at the end", () => {
    const test = market();
    tradeAt(test, "100");
    const order = test.buy("cay", "2", "0", { type: "stop", trigger: "105" });
    test.sell("ann", "1", "106");
    test.sell("ann", "1", "107");
    test.buy("ben", "0.5", "106");
    assertEquals([order.state, order.reason], ["cancel", "insufficient_market_liquidity"]);
    const [first] = test.trades().slice(-2);
    assertEquals(formatDecimal(first?.buyerQuoteLocked ?? 0n), "178");
    assertEquals(test.balance("cay", "usdt"), "99840/0");
  });

  it("buys as much as all that its member has pays for, to the last lot", () => {
    const test = market().withMember("dan", { usdt: "300" });
    tradeAt(test, "100");
    test.sell("ann", "1", "120");
    test.sell("ann", "5", "200");
    const order = test.buy("dan", "2", "0", { type: "stop", trigger: "100" });
    assertEquals([order.state, order.reason], ["cancel", "insufficient_balance"]);
    assertEquals(test.balance("dan", "btc"), "1.9/0");
    assertEquals(test.balance("dan", "usdt"), "0/0");
  });

  it("leaves to the next stop of its member what it does not need", () => {
    const test = market().withMember("dan", { usdt: "1000" });
    tradeAt(test, "100");
    const stops = ["101", "102", "103"].map((trigger) =>
      test.buy("dan", "1", "0", { type: "stop", trigger })
    );
    test.sell("ann", "9", "400");
    tradeAt(test, "103");
    // Each has locked a tenth more than its trigger price; the third still has its own.
    assertEquals(stops.map(({ state, reason, remaining }) => `${state} ${reason} ${remaining}`), [
      "done  0",
      "done  0",
      "cancel insufficient_balance 500000",
    ]);
    assertEquals(test.balance("dan", "usdt"), "0/0");
    assertEquals(test.balance("dan", "btc"), "2.5/0");
    test.venue.checkInvariants();
  });

  it("does not spend again what it has paid to its own member", () => {
    const test = market().withMember("dan", { btc: "9", usdt: "50" });
    tradeAt(test, "10");
    test.sell("dan", "9", "20");
    const terms = { type: "stop", trigger: "10", selfTrade: "none" } as const;
    const order = test.buy("dan", "9", "0", terms);
    assertEquals([order.state, order.tradesCount, order.remaining], ["cancel", 1, 6_500_000]);
    assertEquals(test.balance("dan", "usdt"), "50/0");
  });

  it("fills alike in batches of any size", () => {
    const wide = market();
    const narrow = market(3);
    for (const test of [wide, narrow]) {
      tradeAt(test, "100");
      for (let i = 0; i < 20; i++) test.sell("ann", "1", String(110 + 10 * i));
      test.sell("cay", "1", "105");
      const terms = { type: "stop", trigger: "100", selfTrade: "cancel_oldest" } as const;
      const order = test.buy("cay", "15", "0", terms);
      assertEquals([order.state, order.remaining], ["done", 0]);
      test.venue.checkInvariants();
    }
    assertEquals(narrow.balance("cay", "usdt"), wide.balance("cay", "usdt"));
    assertEquals(narrow.trades(), wide.trades());
  });

  it("can be cancelled while it waits", () => {
    const test = market();
    const order = test.sell("cay", "1", "0", { type: "stop", trigger: "95" });
    test.cancel("cay", order.id);
    assertEquals([order.state, order.reason], ["cancel", "requested"]);
    assertEquals(test.balance("cay", "btc"), "100/0");
    tradeAt(test, "90");
    assertEquals(fired(test), []);
  });
});

describe("a stop_limit order", () => {
  it("joins the book at its price once it has fired", () => {
    const test = market();
    tradeAt(test, "100");
    const order = test.sell("cay", "1", "94", { type: "stop_limit", trigger: "95" });
    assertEquals(test.book().asks.best(), undefined);
    tradeAt(test, "95");
    assertEquals(order.state, "wait");
    assertEquals(test.book().asks.best()?.price, 9400);
  });

  it("matches up to its price, and the remainder rests", () => {
    const test = market();
    tradeAt(test, "100");
    const order = test.buy("cay", "2", "106", { type: "stop_limit", trigger: "105" });
    assertEquals(formatDecimal(order.locked), "212");
    tradeAt(test, "104");
    test.sell("ann", "1", "105.5");
    test.sell("ann", "1", "107");
    test.buy("ben", "0.5", "105.5");
    assertEquals([order.state, order.remaining], ["wait", 1_500_000]);
    assertEquals(formatDecimal(order.locked), "159");
    test.venue.checkInvariants();
  });
});

describe("a stop_limit order that would rest", () => {
  it("is cancelled if its level's sum would leave the exact range, even by one lot", () => {
    for (const [room, state] of [[1_000_000, "wait"], [999_999, "cancel"]] as const) {
      const test = market();
      tradeAt(test, "100");
      const order = test.buy("cay", "1", "90", { type: "stop_limit", trigger: "105" });
      test.buy("ann", "1", "90");
      const level = test.book().bids.at(9000);
      if (level === null || level === undefined) throw new Error("Nothing rests at 90");
      level.lots = LEVEL_LOTS_MAX - room;
      tradeAt(test, "105");
      assertEquals([order.state, order.reason], [state, state === "wait" ? "" : "level_full"]);
    }
  });
});

describe("the cascade of stops", () => {
  it("lets one stop's trades fire the next", () => {
    const test = market();
    tradeAt(test, "100");
    test.buy("ann", "1", "98");
    test.buy("ann", "1", "96");
    test.buy("ann", "1", "94");
    const third = test.sell("cay", "1", "0", { type: "stop", trigger: "96" });
    const second = test.sell("cay", "1", "0", { type: "stop", trigger: "98" });
    const first = test.sell("cay", "1", "0", { type: "stop", trigger: "99" });
    tradeAt(test, "99");
    assertEquals(fired(test), [first.id, second.id, third.id]);
    assertEquals(test.trades().slice(-3).map((trade) => trade.price), [9800, 9600, 9400]);
  });

  it("fires the stop nearest the previous price first, and the older of two at one price", () => {
    const test = market();
    tradeAt(test, "100");
    const stop = (trigger: string) => test.buy("cay", "0.1", "0", { type: "stop", trigger }).id;
    const far = stop("110");
    const near = stop("105");
    const second = stop("105");
    tradeAt(test, "120");
    assertEquals(fired(test), [near, second, far]);
  });

  it("remembers a price that a sweep passed, even if the last price is back", () => {
    const test = market();
    tradeAt(test, "100");
    test.sell("ann", "1", "110");
    test.buy("ann", "1", "90");
    const stop = test.buy("cay", "1", "0", { type: "stop", trigger: "105" });
    test.place(
      "ben",
      { side: "buy", amount: "1", price: "110" },
      { side: "sell", amount: "1", price: "90" },
    );
    assertEquals(test.trades().at(-1)?.price, 9000);
    assertEquals(fired(test), [stop.id]);
  });

  it("ignores prices passed before the stop was placed", () => {
    const test = market();
    tradeAt(test, "110");
    tradeAt(test, "100");
    const stop = test.buy("cay", "1", "0", { type: "stop", trigger: "105" });
    assertEquals(stop.state, "trigger_wait");
    tradeAt(test, "104");
    assertEquals(stop.state, "trigger_wait");
  });

  it("keeps a reached stop waiting while its market is not enabled", () => {
    const test = market();
    tradeAt(test, "100");
    const buy = test.buy("cay", "1", "0", { type: "stop", trigger: "105" });
    const book = test.venue.book(0);
    book.triggerHigh = buy.triggerPrice;
    for (const state of ["cancel_only", "halted", "disabled"] as const) {
      book.define({ ...book.market, state });
      assertEquals([book.reachedStop(), book.hasWork()], [null, false], state);
    }
    book.define({ ...book.market, state: "enabled" });
    assertEquals([book.reachedStop(), book.hasWork()], [buy, true]);
  });

  it("costs nothing without stops, as every commit asks every market", () => {
    const test = market();
    tradeAt(test, "100");
    const book = test.venue.book(0);
    const asked: string[] = [];
    for (const side of ["buyStops", "sellStops"] as const) {
      const best = book[side].best.bind(book[side]);
      book[side].best = () => {
        asked.push(side);
        return best();
      };
    }
    assertEquals([book.hasWork(), asked], [false, []]);
    const stop = test.sell("cay", "1", "0", { type: "stop", trigger: "95" });
    asked.length = 0;
    assertEquals([book.hasWork(), asked], [false, ["buyStops", "sellStops"]]);
    test.cancel("cay", stop.id);
    asked.length = 0;
    assertEquals([book.hasWork(), asked], [false, []]);
  });

  it("lets a stop survive a halt of its market and fire normally afterwards", () => {
    const test = market();
    tradeAt(test, "100");
    test.buy("ann", "1", "100");
    const stop = test.sell("cay", "1", "0", { type: "stop", trigger: "99" });
    test.must({ kind: "change_market", id: "btcusdt", changes: { state: "halted" } });
    assertEquals(stop.state, "trigger_wait");
    test.must({ kind: "change_market", id: "btcusdt", changes: { state: "enabled" } });
    assertEquals(stop.state, "trigger_wait");
    test.buy("ann", "0.5", "99");
    test.cancel("ann", 3);
    test.sell("ben", "0.1", "99");
    assertEquals(stop.state, "cancel");
    assertEquals(stop.reason, "insufficient_market_liquidity");
  });
});
