/** The names by which an order that is sent twice is placed once. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OrderNames } from "../../../src/pages/trade/order_names.ts";

const ORDER = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "2" } as const;

describe("the names of orders", () => {
  it("stay while nobody knows what became of the order, and say that it was sent", () => {
    const names = new OrderNames();
    const first = names.named(ORDER);
    assert(/^[0-9a-f]{32}$/.test(first.order.client_order_id));
    assertEquals([first.wasSent, names.unknown], [false, []]);
    names.lost(first.order);
    const other = names.named({ ...ORDER, price: "3" });
    assertNotEquals(other.order.client_order_id, first.order.client_order_id);
    assertEquals(other.wasSent, false);
    assertEquals(names.named(ORDER), { order: first.order, wasSent: true });
    assertEquals(names.unknown, [first.order]);
  });

  it("stay after a refusal, which an earlier try may outlive, and end with the placing", () => {
    const names = new OrderNames();
    const { order } = names.named(ORDER);
    assertEquals(names.named(ORDER), { order, wasSent: false });
    assertEquals(names.placed(order.client_order_id), false);
    const { order: next } = names.named(ORDER);
    assertNotEquals(next.client_order_id, order.client_order_id);
    names.lost(next);
    assertEquals(names.placed(next.client_order_id), true);
    assertEquals(names.placed(next.client_order_id), false);
    assertEquals(names.unknown, []);
  });

  it("are one's own where one has typed them", () => {
    const names = new OrderNames();
    const { order } = names.named({ ...ORDER, client_order_id: "mine" });
    assertEquals(order.client_order_id, "mine");
    names.lost(order);
    assertEquals(names.named({ ...ORDER, client_order_id: "mine" }).wasSent, true);
  });

  it("are kept for all that is unknown, and for little else", () => {
    const names = new OrderNames();
    const { order: lost } = names.named(ORDER);
    names.lost(lost);
    const { order: old } = names.named({ ...ORDER, amount: "2" });
    for (let i = 10; i < 300; i++) names.named({ ...ORDER, amount: String(i) });
    assertEquals(names.named(ORDER).order, lost);
    const { order: again } = names.named({ ...ORDER, amount: "2" });
    assertNotEquals(again.client_order_id, old.client_order_id);
  });
});
