import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { type BestEnd, BookSide } from "../../../src/domain/trading/order_book.ts";
import { Prng } from "../../support/prng.ts";
import { createOrder } from "../../../src/domain/trading/order_changes.ts";

let nextId = 1;

function order(price: number, volume: number = 1, triggerPrice: number = 0): Order {
  const id = nextId++;
  return createOrder(
    {
      kind: "order_accepted",
      id,
      member: 2,
      market: 0,
      side: "buy",
      type: "limit",
      timeInForce: "gtc",
      selfTrade: "none",
      price,
      triggerPrice,
      volume,
      clientOrderId: "",
      makerFee: 0,
      takerFee: 0,
      orderLocked: 0n,
      keepsFees: true,
      available: 0n,
      locked: 0n,
      resting: true,
    },
    id,
    0,
  );
}

/** Returns all levels as `price: lots = ids`, best first. */
function picture(side: BookSide): string[] {
  return [...side.levels()].map((level) => {
    const ids: number[] = [];
    for (let one = level.first; one !== null; one = one.next) ids.push(one.id);
    return `${level.price}: ${level.lots} = ${ids}`;
  });
}

describe("a book side", () => {
  it("serves the best price first, highest or lowest", () => {
    for (const [best, prices] of [["highest", [30, 20, 10]], ["lowest", [10, 20, 30]]] as const) {
      const side = new BookSide(best);
      for (const price of [20, 30, 10]) side.add(order(price));
      assertEquals([...side.levels()].map((level) => level.price), [...prices]);
      assertEquals(side.best()?.price, prices[0]);
      assertEquals(side.size, 3);
    }
  });

  it("sorts by trigger price if it holds stops", () => {
    const side = new BookSide("lowest", "triggerPrice");
    side.add(order(1, 1, 50));
    side.add(order(9, 1, 40));
    assertEquals(side.best()?.price, 40);
    assertEquals(side.at(9), undefined);
  });

  it("keeps orders at one price in order of arrival", () => {
    const side = new BookSide("highest");
    const [a, b, c] = [order(10, 1), order(10, 2), order(10, 4)];
    for (const one of [a, b, c]) side.add(one);
    assertEquals(picture(side), [`10: 7 = ${a.id},${b.id},${c.id}`]);
    side.remove(b);
    assertEquals(picture(side), [`10: 5 = ${a.id},${c.id}`]);
    side.remove(a);
    side.remove(c);
    assertEquals([side.best(), side.size], [undefined, 0]);
  });

  it("refuses to add an order twice or to remove one that does not rest", () => {
    const side = new BookSide("highest");
    const one = order(10);
    side.add(one);
    assertThrows(() => side.add(one), InvariantError);
    side.remove(one);
    assertThrows(() => side.remove(one), InvariantError);
  });

  it("detects a wrong sum, link or time priority", () => {
    const damages: ((older: Order, younger: Order) => void)[] = [
      (older) => older.remaining += 1,
      (older) => older.next = null,
      (older, younger) => older.priority = younger.priority + 1,
      (older) => older.level = null,
    ];
    for (const damage of damages) {
      const side = new BookSide("highest");
      const [older, younger] = [order(10), order(10)];
      side.add(older);
      side.add(younger);
      side.checkInvariants();
      damage(older, younger);
      assertThrows(() => side.checkInvariants(), InvariantError);
    }
  });

  for (const best of ["highest", "lowest"] as const satisfies readonly BestEnd[]) {
    it(`is restored after any sequence of removals, ${best} first`, () => {
      const prng = new Prng(11);
      const side = new BookSide(best);
      const resting: Order[] = [];
      for (let round = 0; round < 200; round++) {
        for (let i = prng.below(8); i > 0; i--) {
          const one = order(prng.between(1, 12), prng.between(1, 9));
          side.add(one);
          resting.push(one);
        }
        const before = picture(side);
        const removed: [Order, ReturnType<BookSide["remove"]>][] = [];
        for (let i = Math.min(prng.below(9), resting.length); i > 0; i--) {
          const one = resting.splice(prng.below(resting.length), 1)[0] as Order;
          removed.push([one, side.remove(one)]);
          side.checkInvariants();
        }
        if (prng.chance(0.5)) continue;
        for (const [one, place] of removed.reverse()) {
          side.restore(one, place);
          resting.push(one);
        }
        assertEquals(picture(side), before);
        side.checkInvariants();
      }
    });
  }
});
