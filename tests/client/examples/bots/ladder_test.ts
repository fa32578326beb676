import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BEST_TICKS_MAX,
  ladderChanges,
  type Rung,
  RUNGS,
  type Side,
} from "../../../../src/client/examples/bots/ladder.ts";
import { amountFor, type Market } from "../../../../src/client/examples/bots/market_terms.ts";
import { Prng } from "../../../support/prng.ts";

const SIDES: readonly Side[] = ["buy", "sell"];

/** A ladder whose changes are made as the venue would make them. */
class Ladder {
  #orders: readonly (Rung & { readonly side: Side })[] = [];
  #lastId = 0;
  readonly #random: () => number;

  constructor(seed: number) {
    const prng = new Prng(seed);
    this.#random = () => prng.uint32() / 2 ** 32;
  }

  of(side: Side): readonly Rung[] {
    return this.#orders.filter((order) => order.side === side);
  }

  /** @returns how many orders were cancelled and placed */
  move(middle: bigint): { cancelled: number; placed: number } {
    const done = { cancelled: 0, placed: 0 };
    for (const side of SIDES) {
      const changes = ladderChanges(side, this.of(side), middle, this.#random);
      const placed = changes.placed.map(({ price }) => ({ side, id: ++this.#lastId, price }));
      this.#orders = [
        ...this.#orders.filter(({ id }) => !changes.cancelled.includes(id)),
        ...placed,
      ];
      done.cancelled += changes.cancelled.length;
      done.placed += placed.length;
    }
    return done;
  }
}

describe("a ladder of orders", () => {
  it("has all rungs on both sides, the best a few ticks from the price", () => {
    for (const middle of [2_000_000n, 100_000n, 50_000n, 3_000n]) {
      const ladder = new Ladder(Number(middle));
      assertEquals(ladder.move(middle), { cancelled: 0, placed: 2 * RUNGS });
      for (const side of SIDES) {
        const aways = ladder.of(side).map(({ price }) =>
          Number(side === "buy" ? middle - price : price - middle)
        );
        const best = Math.min(...aways);
        assert(best >= 1 && best <= BEST_TICKS_MAX, `${best} from ${middle}`);
        assertEquals(new Set(aways).size, RUNGS);
      }
    }
  });

  it("follows the price with few orders, never crosses it, and does not grow", () => {
    const ladder = new Ladder(7);
    const prng = new Prng(7);
    let middle = 2_000_000n;
    ladder.move(middle);
    let changed = 0;
    const moves = 2_000;
    for (let move = 0; move < moves; move++) {
      middle += BigInt(prng.below(401) - 200);
      const { cancelled, placed } = ladder.move(middle);
      changed += placed;
      assert(cancelled + placed < 4 * RUNGS);
      assert(ladder.of("buy").every(({ price }) => price < middle));
      assert(ladder.of("sell").every(({ price }) => price > middle));
      for (const side of SIDES) {
        const { length } = ladder.of(side);
        assert(length >= 10 && length <= 4 * RUNGS, `${length} after ${move}`);
      }
    }
    assert(changed / moves < 4, `${changed / moves} orders a move`);
  });

  it("is made anew where the price has jumped", () => {
    const ladder = new Ladder(8);
    ladder.move(2_000_000n);
    ladder.move(2_200_000n);
    assert(ladder.of("sell").length >= RUNGS && ladder.of("buy").length >= RUNGS);
    assert(ladder.of("buy").every(({ price }) => price > 2_100_000n));
  });

  it("bids nothing where a price would be zero", () => {
    const { placed } = ladderChanges("buy", [], 3n, () => 0.5);
    assert(placed.every(({ price }) => price > 0n) && placed.length < RUNGS);
  });
});

describe("an amount of a value", () => {
  const market = {
    amount_precision: 6,
    price_precision: 2,
    min_amount: "0.0001",
    min_total: "0",
  } as Market;
  const value = 20_000n * 10n ** 12n;

  it("is what somebody would type", () => {
    assertEquals(amountFor(market, 123_456n, value, 2_000_000n), "0.06172");
    assertEquals(amountFor(market, 20_000_000_00n, value, 2_000_000n), "1000");
  });

  it("is no less than the market takes", () => {
    assertEquals(amountFor(market, 1n, value, 2_000_000n), "0.0001");
    const dear = { ...market, min_total: "50" };
    assertEquals(amountFor(dear, 1n, value, 2_000_000n), "0.002501");
    assertEquals(amountFor({ ...market, min_amount: "0" }, 0n, value, 2_000_000n), "0.000001");
  });
});
