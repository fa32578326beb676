import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { MemberOrders, OpenOrders } from "../../../src/domain/trading/open_orders.ts";
import { type Order, UNPLACED } from "../../../src/domain/trading/order.ts";
import { orderOf as largestOrder } from "../../support/largest_records.ts";

function orderOf(id: number): Order {
  return { ...largestOrder(id), ...UNPLACED };
}

/** Ids that are adjacent or far apart, including the ends of pages. */
const ID = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.constantFrom(15, 16, 17, 31, 32),
  fc.integer({ min: 2 ** 40, max: 2 ** 40 + 3 }),
);

/** Adds or removes each order in turn, as its id occurs, and checks after each step. */
function comeAndGo(
  ids: readonly number[],
  orders: Pick<OpenOrders, "add" | "remove">,
  look: (expected: ReadonlyMap<number, Order>, id: number, gone: Order | undefined) => void,
): Map<number, Order> {
  const expected = new Map<number, Order>();
  for (const id of ids) {
    const open = expected.get(id);
    if (open === undefined) {
      const order = orderOf(id);
      expected.set(id, order);
      orders.add(order);
    } else {
      expected.delete(id);
      orders.remove(open);
    }
    look(expected, id, open);
  }
  return expected;
}

describe("the open orders of a venue", () => {
  it("are found by id, whatever has been added and removed", () => {
    fc.assert(fc.property(fc.array(ID, { maxLength: 300 }), (ids) => {
      const orders = new OpenOrders();
      const expected = comeAndGo(ids, orders, (expected, id) => {
        assert(orders.get(id) === expected.get(id));
        assertEquals(orders.size, expected.size);
      });
      const byId = (a: number, b: number) => a - b;
      const open = Array.from(orders.values(), ({ id }) => id);
      assertEquals(open.sort(byId), [...expected.keys()].sort(byId));
      for (const id of ids) assert(orders.get(id) === expected.get(id));
      for (const order of orders.values()) assert(expected.get(order.id) === order);
    }));
  });

  it("refuse to remove an order that is not among them", () => {
    const orders = new OpenOrders();
    orders.add(orderOf(1));
    for (const id of [1, 2, 16]) {
      assertThrows(() => orders.remove(orderOf(id)), InvariantError, "is open");
    }
    assertEquals(Array.from(orders.values(), ({ id }) => id), [1]);
  });
});

describe("the open orders of a member", () => {
  it("keep their order of arrival, whatever is removed", () => {
    fc.assert(fc.property(fc.array(ID, { maxLength: 60 }), (ids) => {
      const orders = new MemberOrders();
      comeAndGo(ids, orders, (expected, _, gone) => {
        assert(!gone || (gone.memberPrevious === null && gone.memberNext === null));
        const ids = [...expected.keys()];
        assertEquals(Array.from(orders.values(), (order) => order.id), ids);
        assertEquals(Array.from(orders.newestFirst(), (order) => order.id), ids.toReversed());
      });
    }));
  });

  it("can be removed while iterating", () => {
    const orders = new MemberOrders();
    for (const id of [1, 2, 3]) orders.add(orderOf(id));
    const seen: number[] = [];
    for (const order of orders.values()) {
      orders.remove(order);
      seen.push(order.id);
    }
    assertEquals(seen, [1, 2, 3]);
    assertEquals([...orders.values()], []);
  });
});
