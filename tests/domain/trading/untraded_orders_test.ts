import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import { untradedOn } from "../../../src/domain/trading/untraded_orders.ts";
import { DomainVenue, type OrderText } from "../../support/domain_venue.ts";

const MIDNIGHT = Date.UTC(2030, 0, 2);
const ORDER = { amount: "1", price: "10" } as const;
const FOK = { ...ORDER, timeInForce: "fok" } as const;

function market(): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt");
  test.withMember("ann", { usdt: "1000", btc: "100" }).withMember("bob", { btc: "100" });
  test.sink.at = MIDNIGHT - 2;
  return test;
}

/** Places orders of ann's on a venue where so many may end without a trade on a day. */
function place(test: DomainVenue, untradedOrdersMax: number, ...orders: OrderText[]): Outcome {
  test.set({ untradedOrdersMax });
  return test.place("ann", ...orders);
}

function count(test: DomainVenue): number {
  return untradedOn(test.venue.holder(test.member("ann")).untraded, test.sink.at);
}

function refusal(limit: number, resetsAt = MIDNIGHT) {
  const rejected = "untraded_orders_exceeded" as const;
  return { rejected, field: "market", limit: `${limit}`, resetsAt, index: 0 };
}

describe("a member of which many orders end without a trade", () => {
  it("may place no more until midnight, while its open orders stay and can be cancelled", () => {
    const test = market();
    const open = test.buy("ann", "1", "9");
    for (const _ of [1, 2]) assert(!isRejection(place(test, 2, FOK)));
    for (const order of [ORDER, FOK]) assertEquals(place(test, 2, order), refusal(2));
    assertEquals(place(test, 2, ORDER, ORDER), refusal(2));
    test.cancel("ann", open.id);
    assertEquals(count(test), 3);
    test.sink.at = MIDNIGHT - 1;
    assertEquals(place(test, 3, ORDER), refusal(3));
    test.sink.at = MIDNIGHT;
    assertEquals(count(test), 0);
    assert(!isRejection(place(test, 1, FOK)));
    assertEquals(place(test, 1, ORDER), refusal(1, MIDNIGHT + 24 * 60 * 60_000));
  });

  it("has a call that begins below the limit placed whole", () => {
    const test = market();
    assert(!isRejection(place(test, 2, FOK)));
    assert(!isRejection(place(test, 2, FOK, FOK, FOK)));
    assertEquals(count(test), 4);
    assertEquals(place(test, 2, FOK), refusal(2));
  });

  it("may place as many as it likes where there is no limit", () => {
    const test = market();
    for (let i = 0; i < 50; i++) assert(!isRejection(place(test, 0, FOK)));
    assertEquals(count(test), 50);
  });

  it("has its own limit if the operator sets one, and others theirs", () => {
    const test = market();
    test.change("ann", { untradedOrdersMax: 2 });
    for (const _ of [1, 2]) assert(!isRejection(place(test, 1, FOK)));
    assertEquals(place(test, 100, FOK), refusal(2));
    assertEquals(place(test, 0, FOK), refusal(2));
    test.change("ann", { untradedOrdersMax: 0 });
    assert(!isRejection(place(test, 3, FOK)));
    assertEquals(place(test, 3, FOK), refusal(3));
    test.sell("bob", "1", "20");
  });

  it("still has repeats answered, and what is wrong by itself refused as ever", () => {
    const test = market();
    const named = { ...FOK, clientOrderId: "mine" };
    assert(!isRejection(place(test, 1, named)));
    assertEquals(place(test, 1, named), { kind: "orders_placed", orders: [{ repeats: 1 }] });
    const small = place(test, 1, { ...ORDER, amount: "0.0000001" });
    assertEquals(isRejection(small) && small.rejected, "volume_off_grid");
  });
});

describe("an order that ends", () => {
  it("counts if it has not traded, whatever ended it", () => {
    const test = market();
    const resting = test.buy("ann", "1", "9");
    const events = test.sink.events.length;
    place(test, 0, { ...ORDER, timeInForce: "ioc" });
    place(test, 0, { side: "sell", amount: "1", price: "9", type: "post_only" });
    place(test, 0, { side: "sell", amount: "1", type: "market" });
    test.cancel("ann", resting.id);
    const closed = test.sink.events.slice(events).flatMap(({ event }) =>
      event.kind === "order_closed" ? [[event.reason, event.untraded]] : []
    );
    assertEquals(closed, [
      ["time_in_force", 1],
      ["would_take", 2],
      ["self_trade", 3],
      ["requested", 4],
    ]);
    assertEquals(count(test), 4);
  });

  it("does not count if it has, even in part", () => {
    const test = market();
    const order = test.buy("ann", "2", "10");
    test.sell("bob", "1", "10");
    test.cancel("ann", order.id);
    const filled = test.buy("ann", "1", "10");
    test.sell("bob", "1", "10");
    assertEquals([order.state, filled.state, count(test)], ["cancel", "done", 0]);
  });

  it("does not count if it has traded with one of its own member", () => {
    const test = market();
    const own = { ...ORDER, selfTrade: "none" } as const;
    place(test, 0, own, { ...own, side: "sell", amount: "2" });
    test.cancel("ann", 2);
    assertEquals([test.venue.counters.trades, count(test)], [1, 0]);
  });

  it("does not count if the batch that ended it is undone", () => {
    const test = market();
    place(test, 0, FOK);
    const mark = test.undo.mark();
    test.sink.at = MIDNIGHT;
    place(test, 0, FOK);
    assertEquals(count(test), 1);
    test.undo.rollback(mark);
    assertEquals(count(test), 0);
    test.sink.at = MIDNIGHT - 1;
    assertEquals(count(test), 1);
  });
});
