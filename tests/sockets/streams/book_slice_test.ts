import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { firstChanges, type LevelChange } from "../../../src/sockets/streams/book_slice.ts";
import { EventPace } from "../../../src/sockets/sending/send_budget.ts";
import { Prng } from "../../support/prng.ts";

const ROOM = { buy: 100, sell: 100 };

function gone(side: "buy" | "sell", price: number): LevelChange {
  return { side, level: [price, 0], isNew: false };
}

function fresh(side: "buy" | "sell", price: number): LevelChange {
  return { side, level: [price, 5], isNew: true };
}

describe("the book changes that are sent first", () => {
  it("are all of them, removals first, when there is time for all", () => {
    const [bid, ask] = [fresh("buy", 10), gone("sell", 20)];
    assertEquals(firstChanges([bid, ask], 2, ROOM), [ask, bid]);
  });

  it("are the oldest, additions and removals alike", () => {
    const changes = [fresh("buy", 10), gone("buy", 9), gone("sell", 20), fresh("sell", 21)];
    assertEquals(firstChanges(changes, 1, ROOM), changes.slice(0, 1));
    assertEquals(firstChanges(changes, 3, ROOM), changes.slice(0, 3));
  });

  it("begin with removals of crossed levels", () => {
    const [bid, low, high] = [fresh("buy", 15), gone("sell", 15), gone("sell", 16)];
    const other = gone("buy", 3);
    assertEquals(firstChanges([bid, high, other, low], 1, ROOM), [low]);
    assertEquals(firstChanges([bid, high, other, low], 3, ROOM), [low, bid, high]);
  });

  it("make room for a level beyond the bound", () => {
    const changes = [fresh("buy", 10), fresh("buy", 11), gone("buy", 9), gone("buy", 8)];
    const [first, second, nine, eight] = changes;
    assertEquals(firstChanges(changes, 1, { buy: 0, sell: 0 }), [nine]);
    assertEquals(firstChanges(changes, 3, { buy: 0, sell: 0 }), [nine, first, eight]);
    assertEquals(firstChanges(changes, 2, { buy: 1, sell: 0 }), [first, nine]);
    assertEquals(firstChanges(changes, 4, { buy: 0, sell: 0 }), [nine, eight, first, second]);
  });

  it("never starve a change and never show a reader a crossed book", () => {
    const prng = new Prng(1);
    const known = { buy: new Set<number>(), sell: new Set<number>() };
    let pending: LevelChange[] = [];
    let middle = 500;
    for (let round = 0; round < 2000; round++) {
      middle += prng.between(-3, 3);
      const isThere = (side: "buy" | "sell", price: number) =>
        side === "buy" ? price < middle : price > middle;
      // Crossed levels have traded.
      pending = pending.filter(({ side, level: [price, lots] }) =>
        (lots > 0) === isThere(side, price)
      );
      for (const side of ["buy", "sell"] as const) {
        const isPending = (price: number) =>
          pending.some((one) => one.side === side && one.level[0] === price);
        for (const price of known[side]) {
          if (!isThere(side, price) && !isPending(price)) pending.push(gone(side, price));
        }
        const price = middle + (side === "buy" ? -1 : 1) * prng.between(1, 9);
        if (!isPending(price)) pending.push(fresh(side, price));
      }
      pending = pending.map((one) => ({ ...one, isNew: !known[one.side].has(one.level[0]) }));
      const told = firstChanges(pending, 3, ROOM);
      assert(told.length === Math.min(3, pending.length));
      for (const { side, level: [price, lots] } of told) {
        if (lots === 0) known[side].delete(price);
        else known[side].add(price);
        const best = [Math.max(-1, ...known.buy), Math.min(9999, ...known.sell)] as const;
        assert(best[0] < best[1], `Crossed at ${best.join(" and ")}`);
      }
      const done = new Set(told);
      pending = pending.filter((change) => !done.has(change));
    }
  });
});

describe("the pace of events", () => {
  it("counts the last window, per second", () => {
    let now = 0;
    const pace = new EventPace(() => now);
    assertEquals(pace.perSecond, 0);
    for (let i = 0; i < 10; i++) pace.add(5);
    now = 200;
    assertEquals(pace.perSecond, 250);
    now = 1200;
    assertEquals(pace.perSecond, 0);
  });
});
