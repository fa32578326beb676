import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { newPool, PackedClientOrders } from "../../../src/domain/trading/client_orders.ts";
import type { Outcome } from "../../../src/domain/command.ts";
import { CLIENT_ORDER_ID_LIFE_MS } from "../../../src/domain/limits.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue, START } from "../../support/domain_venue.ts";
import { Prng } from "../../support/prng.ts";

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
    const everybodysTurn = () => test.venue.holders.forEach(() => test.buy("bob", "1", "10"));
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 1;
    everybodysTurn();
    test.sink.forget();
    test.sink.at += 1;
    everybodysTurn();
    assertEquals(left(), 2);
    test.sink.forget();
    everybodysTurn();
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
    const gone = { kind: "orders_cancelled", ids: [order.id], unchanged: 1 } as const;
    assertEquals(cancelNamed(test, "mine"), gone);
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
    const gone = { kind: "orders_cancelled", ids: [third], unchanged: 1 } as const;
    assertEquals(cancelNamed(test, "mine"), gone);
    test.sink.at = START + 3 * CLIENT_ORDER_ID_LIFE_MS;
    const { openOrders } = test.venue.holder(test.member("ann"));
    const oldest = orders[0] as Order;
    openOrders.remove(oldest);
    openOrders.add(oldest);
    const ids = [second, second];
    const twice = { kind: "orders_cancelled", ids, unchanged: 1 } as const;
    assertEquals(cancelNamed(test, "mine", "mine"), twice);
    assertEquals(oldest.state, "wait", "twice the same name is the same order");
    assertEquals(cancelNamed(test, "mine"), { kind: "orders_cancelled", ids: [first] });
  });
});

describe("the client order ids of a member", () => {
  it("are forgotten after a day, oldest first", () => {
    const orders = new PackedClientOrders();
    orders.set("a", { id: 1, digest: 1, at: START });
    orders.set("b", { id: 2, digest: 2, at: START + 1 });
    orders.set("c", { id: 3, digest: 3, at: START + CLIENT_ORDER_ID_LIFE_MS });
    assertEquals(orders.get("a", START)?.id, 1, "a later one need not be durable");
    orders.forget(START + CLIENT_ORDER_ID_LIFE_MS);
    assertEquals(orders.get("a", START), undefined);
    assertEquals(orders.get("b", START + CLIENT_ORDER_ID_LIFE_MS)?.id, 2);
    assertEquals(orders.get("c", START + CLIENT_ORDER_ID_LIFE_MS)?.id, 3);
  });

  it("are forgotten a few at a time, and an expired one is free before", () => {
    const orders = new PackedClientOrders();
    const later = START + CLIENT_ORDER_ID_LIFE_MS;
    for (let i = 0; i < 1000; i++) orders.set(`${i}`, { id: i + 1, digest: 1, at: START });
    orders.forget(later);
    assertEquals(orders.size, 936);
    orders.set("999", { id: 1001, digest: 2, at: later });
    const newest = { id: 1001, digest: 2, at: later };
    for (let steps = 0; steps < 20; steps++) {
      assertEquals([orders.get("999", later), orders.get("998", later)], [newest, undefined]);
      orders.forget(later);
    }
    assertEquals([orders.size, orders.get("999", later)], [1, newest]);
    orders.delete();
    assertEquals([orders.size, orders.get("999", later)], [0, undefined]);
  });

  it("are forgotten one by one, whatever was forgotten before", () => {
    const orders = new PackedClientOrders(newPool(), 4);
    const at = (i: number) => START + i * CLIENT_ORDER_ID_LIFE_MS / 4;
    for (let i = 0; i < 40; i++) {
      assertEquals(orders.reachedBound(at(i)) !== null, false, "the oldest has expired");
      orders.forget(at(i));
      // Freed and taken again, as when a batch is undone and decided again.
      orders.set(`id-${i % 5}`, { id: -i, digest: 1, at: at(i) });
      orders.delete();
      orders.set(`id-${i % 5}`, { id: i, digest: 1, at: at(i) });
      const left = [0, 1, 2, 3].filter((back) => i >= back);
      assertEquals(orders.size, left.length);
      assertEquals(
        left.map((back) => orders.get(`id-${(i - back) % 5}`, at(i))?.id),
        left.map((back) => i - back),
      );
      assertEquals(orders.reachedBound(at(i)) !== null, left.length === 4);
    }
  });

  it("are limited per day, while orders without one are not", () => {
    const test = market();
    const holder = test.venue.holder(test.member("ann"));
    const ids = holder.clientOrders = new PackedClientOrders(newPool(), 3);
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
    assertEquals(ids.size, 4);
    test.sink.forget();
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 2;
    test.buy("ann", "1", "10", { ...ORDER, clientOrderId: "and-another" });
    assertEquals(ids.size, 3);
  });
});

describe("the client order ids of all members together", () => {
  it("are limited per day, and a member that has expired ones takes their places", () => {
    const test = market().withMember("bob", { usdt: "1000" });
    const pool = newPool(3);
    for (const name of ["ann", "bob"]) {
      test.venue.holder(test.member(name)).clientOrders = new PackedClientOrders(pool);
    }
    for (const clientOrderId of ["a", "b"]) test.buy("ann", "1", "10", { clientOrderId });
    test.sink.at += 1;
    test.buy("bob", "1", "10", { clientOrderId: "a" });
    const refused = {
      rejected: "client_order_ids_full",
      field: "client_order_id",
      index: 0,
      limit: "3",
    } as const;
    for (const name of ["ann", "bob"]) assertEquals(test.place(name, ORDER), refused);
    test.buy("bob", "1", "10");
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 1;
    assertEquals(test.place("bob", ORDER), refused, "only ann's have expired");
    test.buy("ann", "1", "10", ORDER);
    test.sink.forget();
    test.buy("ann", "1", "10", { ...ORDER, clientOrderId: "another" });
    assertEquals(pool.count, 3, "both of hers are forgotten");
    test.sink.at += 1;
    test.buy("bob", "1", "10", ORDER);
    assertEquals(pool.count, 4);
  });

  it("no longer count those that were read in vain", () => {
    const pool = newPool(3);
    const orders = new PackedClientOrders(pool);
    orders.addOldest("b", { id: 2, digest: 1, at: START });
    orders.addOldest("b", { id: 1, digest: 1, at: START });
    assertEquals([pool.count, orders.newestId, orders.get("b", START)?.id], [1, 2, 2]);
    orders.discard();
    assertEquals(pool.count, 0);
  });
});

describe("a table of client order ids", () => {
  it("answers as a map does, whatever is added, taken again, undone and forgotten", () => {
    const random = new Prng(7);
    const orders = new PackedClientOrders();
    const model = new Map<string, { id: number; digest: number; at: number }>();
    let at = START;
    for (let id = 1; id <= 60_000; id++) {
      // From a day of some tens of ids to one of some thousands, and back.
      at += random.below(id % 20_000 < 8_000 ? 40_000 : 4_000_000);
      const name = `${"name-".repeat(random.below(8))}${random.below(8_000)}`;
      const known = model.get(name);
      const live = known !== undefined && at - known.at < CLIENT_ORDER_ID_LIFE_MS;
      assertEquals(orders.get(name, at), live ? known : undefined);
      if (live) continue;
      const order = { id: id * 2 ** 33, digest: 2 ** 53 - id, at };
      orders.set(name, order);
      if (id % 7 === 0) {
        orders.delete();
        model.delete(name);
      } else model.set(name, order);
    }
  });

  it("can be filled from its newest order down", () => {
    const orders = new PackedClientOrders();
    for (let id = 5000; id > 0; id--) orders.addOldest(`${id}`, { id, digest: id, at: START + id });
    for (let id = 5001; id <= 6000; id++) orders.set(`${id}`, { id, digest: id, at: START + id });
    for (let id = 1; id <= 6000; id++) assertEquals(orders.get(`${id}`, START)?.at, START + id);
    for (let left = 6000; left > 0; left -= 64) orders.forget(START + 2 * CLIENT_ORDER_ID_LIFE_MS);
    assertEquals([orders.size, orders.bytes], [0, 0]);
    for (const id of [3, 2, 1]) orders.addOldest(`${id}`, { id, digest: id, at: START });
    orders.trim();
    assertEquals([1, 2, 3].map((id) => orders.get(`${id}`, START)?.id), [1, 2, 3]);
    assert(orders.bytes < 1024, `${orders.bytes} bytes`);
  });

  it("takes some forty bytes for each", () => {
    const orders = new PackedClientOrders();
    const count = 50_000;
    for (let id = 1; id <= count; id++) orders.set(`${id}`, { id, digest: id, at: START });
    assert(orders.bytes / count < 48, `${orders.bytes / count} bytes`);
    const few = new PackedClientOrders();
    for (let id = 1; id <= 10_000; id++) {
      const at = START + id * CLIENT_ORDER_ID_LIFE_MS / 10;
      few.forget(at);
      few.set(`${id}`, { id, digest: id, at });
    }
    assert(few.bytes < 4096, `${few.bytes} bytes for those of a day with ten`);
  });
});
