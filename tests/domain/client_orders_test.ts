import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ClientOrders } from "../../src/domain/client_orders.ts";
import type { Outcome } from "../../src/domain/command.ts";
import {
  CLIENT_ORDER_ID_LIFE_MS,
  CLIENT_ORDER_IDS_PER_MEMBER_MAX,
} from "../../src/domain/limits.ts";
import type { Order } from "../../src/domain/order.ts";
import { DomainVenue, START } from "../support/domain_venue.ts";

function market(): DomainVenue {
  return new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "1000" });
}

/** Cancels orders by name; a single name without an order is refused. */
function cancelNamed(test: DomainVenue, ...names: string[]): Outcome {
  return test.do({
    kind: "cancel_orders",
    member: test.member("ann"),
    names: names.map((clientOrderId) => ({ clientOrderId })),
    strict: names.length === 1,
    isKnown: false,
  });
}

const ORDER = { amount: "1", price: "10", clientOrderId: "mine" } as const;

describe("the client order ids of a member that stops placing orders", () => {
  it("are forgotten after a day, as other members place orders", () => {
    const test = market().withMember("bob", { usdt: "1000" });
    for (const clientOrderId of ["a", "b"]) test.buy("ann", "1", "10", { clientOrderId });
    const left = () => test.venue.holder(test.member("ann")).clientOrders?.size;
    const rounds = test.venue.holders.length;
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 1;
    for (let i = 0; i < rounds; i++) test.buy("bob", "1", "10");
    assertEquals(left(), 2);
    test.sink.at += 1;
    for (let i = 0; i < rounds; i++) test.buy("bob", "1", "10");
    assertEquals(left(), 0);
  });
});

describe("a client order id", () => {
  it("returns the first order for a repeat of the same request", () => {
    const test = market();
    const first = test.buy("ann", "1", "10", ORDER);
    assertEquals(test.place("ann", ORDER), {
      kind: "orders_placed",
      orders: [{ repeats: first.id }],
    });
    assertEquals(test.venue.counters.orders, 1);
    assertEquals(test.balance("ann", "usdt"), "990/10");
  });

  it("returns that order even if it has ended, the market is halted or funds are gone", () => {
    const test = market();
    const first = test.buy("ann", "1", "10", ORDER);
    test.cancel("ann", first.id);
    test.fund("ann", "usdt", "-1000");
    test.must({ kind: "change_market", id: "btcusdt", changes: { state: "halted" } });
    assertEquals(test.place("ann", ORDER), {
      kind: "orders_placed",
      orders: [{ repeats: first.id }],
    });
  });

  it("is taken for any other request, whichever field differs", () => {
    const test = market();
    test.buy("ann", "1", "10", ORDER);
    const others = [
      { ...ORDER, amount: "2" },
      { ...ORDER, price: "11" },
      { ...ORDER, side: "sell" },
      { ...ORDER, type: "post_only" },
      { ...ORDER, timeInForce: "ioc" },
      { ...ORDER, selfTrade: "none" },
      { ...ORDER, type: "stop_limit", trigger: "10" },
    ] as const;
    for (const other of others) {
      assertEquals(test.place("ann", other), {
        rejected: "client_order_id_taken",
        field: "client_order_id",
        index: 0,
      });
    }
  });

  it("is free again after 24 hours", () => {
    const test = market();
    test.buy("ann", "1", "10", ORDER);
    test.sink.at = START + CLIENT_ORDER_ID_LIFE_MS - 1;
    test.place("ann", ORDER);
    assertEquals(test.venue.counters.orders, 1);
    test.sink.at = START + CLIENT_ORDER_ID_LIFE_MS;
    test.place("ann", ORDER);
    assertEquals(test.venue.counters.orders, 2);
  });

  it("may be used by two members at once", () => {
    const test = market().withMember("ben", { usdt: "1000" });
    test.buy("ann", "1", "10", ORDER);
    test.buy("ben", "1", "10", ORDER);
    assertEquals(test.venue.counters.orders, 2);
  });

  it("may appear only once in a request, which otherwise fails whole", () => {
    const test = market();
    assertEquals(test.place("ann", ORDER, ORDER), {
      rejected: "client_order_id_repeated",
      field: "client_order_id",
      index: 1,
    });
    assertEquals(test.balance("ann", "usdt"), "1000/0");
    test.buy("ann", "1", "10", ORDER);
    assertEquals(test.venue.counters.orders, 1);
  });

  it("is not taken by a refused order", () => {
    const test = market();
    test.place("ann", { ...ORDER, amount: "1000" });
    test.buy("ann", "1", "10", ORDER);
    assertEquals(test.venue.counters.orders, 1);
  });

  it("names an order to cancel", () => {
    const test = market();
    const order = test.buy("ann", "1", "10", ORDER);
    const cancelled = test.do({
      kind: "cancel_orders",
      member: test.member("ann"),
      names: [{ clientOrderId: "mine" }],
      strict: true,
      isKnown: false,
    });
    assertEquals(cancelled, { kind: "orders_cancelled", ids: [order.id] });
    assertEquals(order.state, "cancel");
  });

  it("names an ended order, whose cancel succeeds", () => {
    const test = market();
    const order = test.buy("ann", "1", "10", ORDER);
    test.cancel("ann", order.id);
    assertEquals(cancelNamed(test, "mine"), { kind: "orders_cancelled", ids: [order.id] });
    assertEquals(cancelNamed(test, "other"), { rejected: "order_not_found", field: "id" });
  });

  it("names an open order forever, but an ended one for only 24 hours", () => {
    const test = market();
    const open = test.buy("ann", "1", "10", ORDER);
    const ended = test.buy("ann", "1", "10", { clientOrderId: "other" });
    test.cancel("ann", ended.id);
    test.buy("ann", "1", "10");
    test.sink.at = START + 100 * CLIENT_ORDER_ID_LIFE_MS;
    const unknown = { rejected: "order_not_found", field: "id" } as const;
    assertEquals(cancelNamed(test, "other"), unknown);
    assertEquals(cancelNamed(test, ""), unknown);
    assertEquals(cancelNamed(test, "mine"), { kind: "orders_cancelled", ids: [open.id] });
    assertEquals(cancelNamed(test, "mine"), unknown, "not open any more");
  });

  it("names the last order that took it, then the youngest one still open", () => {
    const test = market();
    const orders = [0, 1, 2].map((day) => {
      test.sink.at = START + day * CLIENT_ORDER_ID_LIFE_MS;
      return test.buy("ann", "1", "10", ORDER);
    });
    const [first, second, third] = orders.map(({ id }) => id) as [number, number, number];
    test.cancel("ann", third);
    assertEquals(cancelNamed(test, "mine"), { kind: "orders_cancelled", ids: [third] });
    test.sink.at = START + 3 * CLIENT_ORDER_ID_LIFE_MS;
    const { openOrders } = test.venue.holder(test.member("ann"));
    const oldest = orders[0] as Order;
    openOrders.remove(oldest);
    openOrders.add(oldest);
    const ids = [second, second];
    assertEquals(cancelNamed(test, "mine", "mine"), { kind: "orders_cancelled", ids });
    assertEquals(oldest.state, "wait", "twice the same name is the same order");
    assertEquals(cancelNamed(test, "mine"), { kind: "orders_cancelled", ids: [first] });
  });
});

describe("the client order ids of a member", () => {
  it("are forgotten after a day, oldest first", () => {
    const orders = new ClientOrders();
    orders.set("a", { id: 1, digest: 1, at: START });
    orders.set("b", { id: 2, digest: 2, at: START + 1 });
    orders.set("c", { id: 3, digest: 3, at: START + CLIENT_ORDER_ID_LIFE_MS });
    assertEquals(orders.get("a", START), undefined);
    assertEquals(orders.get("b", START + CLIENT_ORDER_ID_LIFE_MS)?.id, 2);
    assertEquals(orders.get("c", START + CLIENT_ORDER_ID_LIFE_MS)?.id, 3);
  });

  it("are the same in a fork, which goes its own way", () => {
    const orders = new ClientOrders(3);
    const order = { id: 1, digest: 1, at: START };
    orders.set("a", order);
    const fork = orders.fork();
    assertEquals([fork.get("a", START), fork.size], [order, 1]);
    for (const id of ["b", "c"]) fork.set(id, { ...order, id: 2 });
    assertEquals([fork.size, fork.isFull(START)], [3, true]);
    assertEquals(fork.isFull(START + CLIENT_ORDER_ID_LIFE_MS), false);
    assertEquals([orders.get("b", START), orders.size, orders.isFull(START)], [
      undefined,
      1,
      false,
    ]);
    const third = fork.fork();
    fork.delete("b");
    assertEquals([fork.get("b", START), fork.size, third.get("b", START)?.id], [undefined, 2, 2]);
    fork.forget(START + CLIENT_ORDER_ID_LIFE_MS);
    assertEquals([fork.size, orders.size], [0, 0]);
    assertEquals(new ClientOrders(2).fork().size, 0);
  });

  it("are forgotten one by one, whatever was forgotten before", () => {
    const orders = new ClientOrders(4);
    const at = (i: number) => START + i * CLIENT_ORDER_ID_LIFE_MS / 4;
    for (let i = 0; i < 40; i++) {
      assertEquals(orders.isFull(at(i)), false, "the oldest has expired");
      // Freed and taken again, as when a batch is undone and decided again.
      for (const id of [i, -i]) orders.set(`id-${i % 5}`, { id, digest: 1, at: at(i) });
      orders.delete(`id-${i % 5}`);
      orders.set(`id-${i % 5}`, { id: i, digest: 1, at: at(i) });
      const left = [0, 1, 2, 3].filter((back) => i >= back);
      assertEquals(orders.size, left.length);
      assertEquals(
        left.map((back) => orders.get(`id-${(i - back) % 5}`, at(i))?.id),
        left.map((back) => i - back),
      );
      assertEquals(orders.isFull(at(i)), left.length === 4);
    }
  });

  it("are forgotten without a walk through the map, whose front is full of holes by then", () => {
    const walks = ["entries", "keys", "values", Symbol.iterator] as const;
    const platform = walks.map((name) => Map.prototype[name]);
    const orders = new ClientOrders(20);
    let walked = 0;
    try {
      walks.forEach((name, i) => {
        Map.prototype[name] = function (this: Map<unknown, unknown>) {
          walked += 1;
          return platform[i]?.call(this);
        } as never;
      });
      for (let i = 0; i < 100; i++) {
        const at = START + i * CLIENT_ORDER_ID_LIFE_MS / 20;
        orders.isFull(at);
        orders.set(String(i), { id: i, digest: 1, at });
      }
    } finally {
      walks.forEach((name, i) => Map.prototype[name] = platform[i] as never);
    }
    assertEquals([orders.size, walked], [20, 0]);
  });

  it("are limited per day, while orders without one are not", () => {
    const test = market();
    const holder = test.venue.holder(test.member("ann"));
    assertEquals(holder.clientOrders?.idsMax, CLIENT_ORDER_IDS_PER_MEMBER_MAX);
    const ids = holder.clientOrders = new ClientOrders(3);
    for (const clientOrderId of ["a", "b"]) test.buy("ann", "1", "10", { clientOrderId });
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 1;
    const last = test.buy("ann", "1", "10", ORDER);
    const more = { ...ORDER, clientOrderId: "one-more" };
    assertEquals(test.place("ann", more), {
      rejected: "client_order_ids_exceeded",
      field: "client_order_id",
      index: 0,
      limit: "3",
    });
    const repeat = { kind: "orders_placed", orders: [{ repeats: last.id }] } as const;
    assertEquals(test.place("ann", ORDER), repeat);
    test.buy("ann", "1", "10");
    test.sink.at += 1;
    test.buy("ann", "1", "10", more);
    assertEquals(ids.size, 2);
  });
});
