import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ClientOrdersAhead,
  newPool,
  PackedClientOrders,
} from "../../../src/domain/trading/client_orders.ts";
import { CLIENT_ORDER_ID_LIFE_MS } from "../../../src/domain/limits.ts";
import { START } from "../../support/domain_venue.ts";

describe("the client order ids that a batch takes", () => {
  const order = (id: number) => ({ id, digest: id, at: START });

  it("are seen before they are durable, and kept once afterwards", () => {
    const durable = new PackedClientOrders();
    durable.set("a", order(1));
    const ahead = new ClientOrdersAhead(durable);
    ahead.set("b", order(2));
    assertEquals([ahead.get("a", START)?.id, ahead.get("b", START)?.id], [1, 2]);
    assertEquals([ahead.size, durable.size, durable.get("b", START)], [2, 1, undefined]);
    durable.set("b", order(2));
    assertEquals([ahead.size, ahead.get("b", START)?.id], [2, 2]);
    ahead.set("b", order(2));
    assertEquals(ahead.size, 2, "an entry of others is durable before it is applied");
    assertEquals(ahead.get("b", START + CLIENT_ORDER_ID_LIFE_MS), undefined);
  });

  it("are free again once they are undone, though another's are durable by then", () => {
    const durable = new PackedClientOrders();
    const ahead = new ClientOrdersAhead(durable);
    ahead.set("a", order(1));
    ahead.set("b", order(2));
    ahead.delete("b");
    assertEquals([ahead.size, ahead.get("b", START)], [1, undefined]);
    durable.set("c", order(1));
    ahead.delete("a");
    assertEquals([ahead.get("a", START), ahead.get("c", START)?.id], [undefined, 1]);
  });

  it("expire after a day, even if what was taken after them was undone", () => {
    const durable = new PackedClientOrders();
    const ahead = new ClientOrdersAhead(durable);
    ahead.set("a", order(1));
    ahead.set("b", order(2));
    ahead.delete("b");
    durable.set("a", order(1));
    assertEquals(ahead.size, 1, "it is not counted twice");
    assertEquals(ahead.get("a", START)?.id, 1);
    assertEquals(ahead.get("a", START + CLIENT_ORDER_ID_LIFE_MS), undefined);
  });

  it("count against the bounds", () => {
    const pool = newPool(4);
    const durable = new PackedClientOrders(pool, 3);
    const ahead = new ClientOrdersAhead(durable);
    const later = START + CLIENT_ORDER_ID_LIFE_MS;
    for (const id of [1, 2]) durable.set(`${id}`, order(id));
    assertEquals(ahead.reachedBound(START), null);
    ahead.set("3", { ...order(3), at: later });
    assertEquals(ahead.reachedBound(START), { of: "member", idsMax: 3 });
    ahead.set("4", { ...order(4), at: later });
    assertEquals(ahead.reachedBound(later), null, "two have expired");
    ahead.set("5", { ...order(5), at: later });
    assertEquals(ahead.reachedBound(later), { of: "member", idsMax: 3 });
    const others = new PackedClientOrders(pool);
    others.set("a", order(6));
    others.set("b", order(7));
    assertEquals(others.reachedBound(START), { of: "venue", idsMax: 4 });
  });
});
