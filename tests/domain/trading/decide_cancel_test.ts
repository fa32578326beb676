import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CancelOrders } from "../../../src/domain/command.ts";
import { MemberOrders } from "../../../src/domain/trading/open_orders.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

function market(capacity: number = Infinity): DomainVenue {
  return new DomainVenue(capacity)
    .withMarket("btc", "usdt")
    .withMarket("eth", "usdt")
    .withMember("ann", { btc: "100", usdt: "1000" })
    .withMember("ben", { usdt: "1000" });
}

function cancelOf(test: DomainVenue, uid: string, ids: number[], strict: boolean): CancelOrders {
  const names = ids.map((id) => ({ id }));
  return { kind: "cancel_orders", member: test.member(uid), names, strict, isKnown: false };
}

describe("the open orders of a member on one market", () => {
  it("are found without those that came after the last of them", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt")
      .withMarket("eth", "btc").withMember("ann", { usdt: "1000000" });
    const on = (market: string) => test.buy("ann", "1", "10", { market }).id;
    const ids = [on("btcusdt"), on("ethusdt"), on("btcusdt")];
    for (let i = 0; i < 50; i++) on("ethusdt");
    const { values } = MemberOrders.prototype;
    let steps = 0;
    MemberOrders.prototype.values = function* () {
      for (const order of values.call(this)) {
        steps += 1;
        yield order;
      }
    };
    const cancelAll = (market: string) =>
      test.do({
        kind: "cancel_all_orders",
        member: test.member("ann"),
        market: test.book(market).market.index,
        side: null,
      });
    try {
      const cancelled = { kind: "orders_cancelled", ids: [ids[0], ids[2]] };
      assertEquals<unknown>(cancelAll("btcusdt"), cancelled);
      assertEquals(steps, 3);
      for (const market of ["btcusdt", "ethbtc"]) {
        assertEquals<unknown>(cancelAll(market), { kind: "orders_cancelled", ids: [] });
      }
      assertEquals(steps, 3);
    } finally {
      MemberOrders.prototype.values = values;
    }
    assertEquals(test.venue.orders.size, 51);
  });
});

describe("cancelling orders", () => {
  it("releases what they lock", () => {
    const test = market();
    const order = test.buy("ann", "2", "10");
    assertEquals(test.cancel("ann", order.id), { kind: "orders_cancelled", ids: [order.id] });
    assertEquals(test.balance("ann", "usdt"), "1000/0");
    assertEquals(test.book().bids.size, 0);
  });

  it("refuses a foreign, unknown or ended order if strict", () => {
    const test = market();
    const order = test.buy("ann", "2", "10");
    const refused = { rejected: "order_not_found", field: "id" } as const;
    assertEquals(test.cancel("ben", order.id), refused);
    assertEquals(test.cancel("ann", 99), refused);
    test.cancel("ann", order.id);
    assertEquals(test.cancel("ann", order.id), refused);
  });

  it("accepts an order that the caller saw ended", () => {
    const test = market();
    const order = test.buy("ann", "2", "10");
    test.cancel("ann", order.id);
    const command = { ...cancelOf(test, "ann", [order.id], true), isKnown: true };
    const gone = { kind: "orders_cancelled", ids: [order.id], unchanged: 1 } as const;
    assertEquals(test.do(command), gone);
  });

  it("cancels whichever of many it can, and never a foreign one", () => {
    const test = market();
    const own = test.buy("ann", "2", "10");
    const foreign = test.buy("ben", "2", "10");
    test.do(cancelOf(test, "ann", [own.id, foreign.id, 99], false));
    assertEquals([own.state, foreign.state], ["cancel", "wait"]);
  });

  it("is refused on a halted market if strict, and otherwise skips it", () => {
    const test = market();
    const open = test.buy("ann", "1", "10");
    const halted = test.buy("ann", "1", "10", { market: "ethusdt" });
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "halted" } });
    const refused = { rejected: "market_halted", field: "market" } as const;
    assertEquals(test.do(cancelOf(test, "ann", [open.id, halted.id], true)), refused);
    assertEquals([open.state, halted.state], ["wait", "wait"]);
    assertEquals(test.do(cancelOf(test, "ann", [halted.id, open.id], false)), {
      kind: "orders_cancelled",
      ids: [open.id],
    });
    assertEquals([open.state, halted.state], ["cancel", "wait"]);
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "cancel_only" } });
    test.do(cancelOf(test, "ann", [halted.id], true));
    assertEquals(halted.state, "cancel");
  });
});

describe("cancelling all orders", () => {
  it("cancels those of the given market and side, including stops", () => {
    const test = market();
    const buy = test.buy("ann", "1", "10");
    const sell = test.sell("ann", "1", "20");
    const stop = test.sell("ann", "1", "0", { type: "stop", trigger: "5" });
    const other = test.buy("ann", "1", "10", { market: "ethusdt" });
    const foreign = test.buy("ben", "1", "10");
    const member = test.member("ann");
    assertEquals(test.do({ kind: "cancel_all_orders", member, market: 0, side: "sell" }), {
      kind: "orders_cancelled",
      ids: [sell.id, stop.id],
    });
    assertEquals([buy.state, other.state, foreign.state], ["wait", "wait", "wait"]);
    test.do({ kind: "cancel_all_orders", member, market: -1, side: null });
    assertEquals([buy.state, other.state, foreign.state], ["cancel", "cancel", "wait"]);
  });

  it("skips halted markets", () => {
    const test = market();
    const open = test.buy("ann", "1", "10");
    const halted = test.buy("ann", "1", "10", { market: "ethusdt" });
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "halted" } });
    const member = test.member("ann");
    const outcome = test.do({ kind: "cancel_all_orders", member, market: -1, side: null });
    assertEquals(outcome, { kind: "orders_cancelled", ids: [open.id] });
    assertEquals(halted.state, "wait");
  });

  it("is refused if it names a halted market", () => {
    const test = market();
    const halted = test.buy("ann", "1", "10", { market: "ethusdt" });
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "halted" } });
    const command = { kind: "cancel_all_orders", member: test.member("ann"), market: 1 } as const;
    const refused = { rejected: "market_halted", field: "market" } as const;
    assertEquals(test.do({ ...command, side: null }), refused);
    assertEquals(test.do({ ...command, side: "sell" }), refused);
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "disabled" } });
    const outcome = test.do({ ...command, side: "buy" });
    assertEquals(outcome, { kind: "orders_cancelled", ids: [halted.id] });
  });

  it("continues in the next batch if one is too small", () => {
    const test = market(4);
    const ids = Array.from({ length: 11 }, () => test.buy("ann", "1", "10").id);
    const batches = test.sink.batches;
    const member = test.member("ann");
    const outcome = test.do({ kind: "cancel_all_orders", member, market: -1, side: null });
    assertEquals(outcome, { kind: "orders_cancelled", ids });
    assertEquals(test.sink.batches - batches >= 2, true);
    assertEquals(test.balance("ann", "usdt"), "1000/0");
  });
});

describe("an operator's cancel of all orders", () => {
  it("stops when its batch is full, and says whether there are more", () => {
    const test = market(2);
    for (let i = 0; i < 6; i++) test.buy(i % 2 === 0 ? "ann" : "ben", "1", "10");
    const commands = [
      { kind: "sweep_member", uid: "ann", market: 0, side: "buy" },
      { kind: "sweep_market", id: "btcusdt" },
    ] as const;
    for (const command of commands) {
      test.sink.nextBatch();
      assertEquals(test.do(command), { kind: "orders_swept", cancelled: 2, isDone: false });
      assertEquals(test.do(command), { kind: "orders_swept", cancelled: 1, isDone: true });
      assertEquals(test.do(command), { kind: "orders_swept", cancelled: 0, isDone: true });
    }
    assertEquals(test.balance("ann", "usdt"), "1000/0");
  });
});
