import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { BookLevel } from "../../../src/edge/wire/book_checksum.ts";
import {
  BOOK_LEVELS_MAX,
  BookMirror,
  type MirroredSide,
} from "../../../src/sockets/streams/book_mirror.ts";
import { Prng } from "../../support/prng.ts";

/** A side of a book without its orders. */
class Side implements MirroredSide {
  readonly #lots = new Map<number, number>();

  get size(): number {
    return this.#lots.size;
  }

  at(price: number): { lots: number } | undefined {
    const lots = this.#lots.get(price);
    return lots === undefined ? undefined : { lots };
  }

  levels(): { price: number; lots: number }[] {
    return [...this.#lots].map(([price, lots]) => ({ price, lots })).sort((a, b) =>
      b.price - a.price
    );
  }

  set(price: number, lots: number): void {
    if (lots === 0) this.#lots.delete(price);
    else this.#lots.set(price, lots);
  }
}

function pair({ price, lots }: { price: number; lots: number }): [number, number] {
  return [price, lots];
}

/** Returns the levels that readers must know. */
function nearest(side: Side): BookLevel[] {
  return side.levels().slice(0, BOOK_LEVELS_MAX).map(({ price, lots }) => [price, lots]);
}

/** Changes a random level among the first `prices` prices; returns its price. */
function change(side: Side, mirror: BookMirror, prng: Prng, prices: number): number {
  const price = 1 + prng.below(prices);
  side.set(price, prng.below(2) === 0 ? 0 : 1 + prng.below(3));
  mirror.touch(price);
  return price;
}

describe("the mirrored side of a book", () => {
  for (const prices of [40, 590, 1200]) {
    it(`follows the book while ${prices} prices change at random`, () => {
      const side = new Side();
      const prng = new Prng(prices);
      for (let i = 0; i < prices; i++) side.set(1 + prng.below(prices), 1);
      const mirror = new BookMirror(side, "highest");
      for (let round = 0; round < 2_000; round++) {
        const touched = new Set<number>();
        for (let i = prng.below(4); i >= 0; i--) {
          touched.add(change(side, mirror, prng, prices));
        }
        const known = new Map(mirror.levels());
        for (const level of mirror.changes()) {
          const [price, lots] = level;
          const isChange = (known.get(price) ?? 0) !== lots;
          assert(isChange || touched.has(price), "only changes are told, or what was touched");
          mirror.apply(level);
        }
        assertEquals(mirror.levels(), nearest(side));
      }
    });

    it(`is followed by who read the book amid changes of ${prices} prices`, () => {
      const side = new Side();
      const prng = new Prng(prices + 2);
      for (let i = 0; i < prices; i++) side.set(1 + prng.below(prices), 1);
      const mirror = new BookMirror(side, "highest");
      let read: Map<number, number> | null = null;
      for (let round = 0; round < 2_000; round++) {
        const isFirst: boolean = read === null;
        const count = prng.below(12);
        for (let i = 0; i <= count; i++) {
          // As much of the book as a depth has, some time between two rounds.
          if (read === null && i === count) read = new Map(side.levels().slice(0, 1_000).map(pair));
          change(side, mirror, prng, prices);
        }
        for (const [price, lots] of mirror.changes()) {
          mirror.apply([price, lots]);
          if (lots === 0) read?.delete(price);
          else read?.set(price, lots);
        }
        if (read === null) continue;
        const levels = [...read].sort(([a], [b]) => b - a);
        const kept: [number, number][] = isFirst ? levels.slice(0, BOOK_LEVELS_MAX) : levels;
        assertEquals(kept, nearest(side));
        read = prng.below(8) === 0 ? null : new Map(kept);
      }
    });

    it(`catches up when changes of ${prices} prices are sent only in part`, () => {
      const side = new Side();
      const prng = new Prng(prices + 1);
      const mirror = new BookMirror(side, "highest");
      for (let round = 0; round < 2_000; round++) {
        for (let i = prng.below(4); i >= 0; i--) change(side, mirror, prng, prices);
        const changes = [...mirror.changes()].sort(([, a], [, b]) =>
          Number(b === 0) - Number(a === 0)
        );
        const told = prng.below(3);
        changes.slice(0, told).forEach((level) => mirror.apply(level));
        changes.slice(told).forEach((level) => mirror.postpone(level));
        assert(mirror.levels().length <= BOOK_LEVELS_MAX);
      }
      for (const level of mirror.changes()) mirror.apply(level);
      assertEquals(mirror.levels(), nearest(side));
    });
  }
});
