import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FARTHEST, PriceWalk } from "../../../../src/client/examples/bots/price_walk.ts";
import { WalkedPrices } from "../../../../src/client/examples/bots/walked_prices.ts";
import { Prng } from "../../../support/prng.ts";

const REFERENCE = 20_000n * 10n ** 12n;
const DAY_S = 86_400;

/** Returns numbers from 0 up to 1 that are the same each time. */
function randomOf(seed: number): () => number {
  const prng = new Prng(seed);
  return () => prng.uint32() / 2 ** 32;
}

describe("a price that is walked", () => {
  it("moves as much as a market's in a day, and comes back in many", () => {
    const walk = new PriceWalk(REFERENCE, randomOf(1));
    const bound = REFERENCE * BigInt(FARTHEST) / 1_000_000n;
    for (let day = 0; day < 20; day++) {
      let [low, high] = [walk.price, walk.price];
      for (let second = 0; second < DAY_S; second += 5) {
        walk.walk(5);
        const { price, trend } = walk;
        assert(Math.abs(trend) <= 1);
        if (price < low) low = price;
        if (price > high) high = price;
      }
      assert(low >= REFERENCE - bound && high <= REFERENCE + bound, `${low} to ${high}`);
      const percent = Number((high - low) * 1000n / REFERENCE) / 10;
      assert(percent > 1 && percent < 15, `${percent} % on day ${day}`);
    }
  });

  it("does not jump after a pause, and not at all in no time", () => {
    const walk = new PriceWalk(REFERENCE, randomOf(2));
    walk.walk(0);
    walk.walk(-1);
    assertEquals(walk.price, REFERENCE);
    walk.walk(DAY_S);
    const away = walk.price - REFERENCE;
    assert(away * away < (REFERENCE / 200n) ** 2n, `${away}`);
  });

  it("goes on from a price, or from its bound", () => {
    const walk = new PriceWalk(REFERENCE);
    for (
      const [last, expected] of [[101n, 101n], [99n, 99n], [108n, 108n], [500n, 108n], [1n, 92n]]
    ) {
      walk.continueAt(REFERENCE / 100n * (last ?? 0n));
      assertEquals(walk.price, REFERENCE / 100n * (expected ?? 0n));
    }
  });
});

describe("the prices of all markets", () => {
  const market = { base_unit: "btc", quote_unit: "usdt", price_precision: 2 };
  const cross = { base_unit: "eth", quote_unit: "btc", price_precision: 6 };
  const values = { btc: "20000", eth: "1000", usdt: "1" };

  it("are those of their currencies, so that no detour is cheaper", () => {
    let now = 0;
    const prices = new WalkedPrices(values, randomOf(3), () => now);
    assertEquals([prices.priceOf(market), prices.priceOf(cross)], [2_000_000n, 50_000n]);
    now = 5_000;
    assert(prices.priceOf(market) !== 2_000_000n);
    const [btc, eth] = [prices.valueOf("btc"), prices.valueOf("eth")];
    assertEquals(prices.priceOf(cross), eth * 1_000_000n / btc);
    assertEquals(prices.valueOf("usdt"), 10n ** 12n);
    assertThrows(() => prices.valueOf("doge"), RangeError, "doge");
  });

  it("go on from the last ones that tell a currency's value", () => {
    const prices = new WalkedPrices(values, randomOf(4), () => 0);
    prices.continueAt(market, 2_100_000n);
    prices.continueAt(cross, 1n);
    prices.continueAt({ ...market, base_unit: "eth" }, 0n);
    assertEquals(prices.priceOf(market), 2_100_000n);
    assertEquals(prices.priceOf(cross), 1000n * 10n ** 6n / 21_000n);
    assertEquals([prices.trendOf(market), prices.trendOf(cross)], [0, 0]);
  });
});
