/** How the worth of an account changes, and how much of that is profit. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type Account,
  equityCurve,
  priceAt,
  type PricePoint,
} from "../../src/pages/wallet/equity.ts";

/** One coin is worth as much as the time says. */
const PRICED_BY_TIME: Account["valueAt"] = (currency, units, at) =>
  currency === "usdt" ? units : currency === "btc" ? units * BigInt(at) : null;

describe("the curve of an account", () => {
  it("goes back from what there is now", () => {
    const points = equityCurve({
      now: new Map([["usdt", 80n], ["btc", 2n]]),
      changes: [
        { at: 15, currency: "usdt", units: -20n, isFlow: false },
        { at: 15, currency: "btc", units: 2n, isFlow: false },
      ],
      times: [10, 20, 30],
      valueAt: PRICED_BY_TIME,
    });
    assertEquals(points.map(({ value }) => value), [100n, 120n, 140n]);
    assertEquals(points.map(({ profit }) => profit), [0n, 20n, 40n]);
  });

  it("counts what comes from outside, or goes there, as neither profit nor loss", () => {
    const points = equityCurve({
      now: new Map([["usdt", 50n], ["btc", 1n]]),
      changes: [
        { at: 12, currency: "btc", units: 1n, isFlow: true },
        { at: 25, currency: "usdt", units: -50n, isFlow: true },
      ],
      times: [10, 20, 30],
      valueAt: PRICED_BY_TIME,
    });
    assertEquals(points.map(({ value }) => value), [100n, 120n, 80n]);
    assertEquals(points.map(({ profit }) => profit), [0n, 8n, 18n]);
  });

  it("leaves out what nobody knows the worth of", () => {
    const now = new Map([["xyz", 5n], ["usdt", 1n]]);
    const points = equityCurve({ now, changes: [], times: [1], valueAt: PRICED_BY_TIME });
    assertEquals(points, [{ at: 1, value: 1n, profit: 0n }]);
  });
});

describe("a price at a time", () => {
  const points: readonly PricePoint[] = [[10, "1"], [20, "2"], [30, "3"]];

  it("is the last one before it, else the first", () => {
    assertEquals([5, 10, 19, 20, 99].map((at) => priceAt(points, at)), ["1", "1", "1", "2", "3"]);
    assertEquals(priceAt([], 5), undefined);
  });
});
