import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CANDLE_PERIODS } from "../../src/domain/trading/candle.ts";
import { CandleSeries } from "../../src/engine/candle_series.ts";
import { START } from "../support/domain_venue.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

describe("candles in memory", () => {
  it("add a trade to every period", () => {
    const series = new CandleSeries();
    series.add(START, 10, 1, 10n);
    series.add(START + 59_999, 7, 2, 14n);
    series.add(START + 60_000, 12, 3, 36n);
    const start = START / 1000;
    assertEquals(series.of(1), [
      { start, open: 10, high: 10, low: 7, close: 7, volume: 3n, total: 24n },
      { start: start + 60, open: 12, high: 12, low: 12, close: 12, volume: 3n, total: 36n },
    ]);
    for (const period of CANDLE_PERIODS.filter((minutes) => minutes > 1)) {
      const [candle, ...more] = series.of(period);
      assertEquals(more, []);
      assertEquals({ ...candle, start: 0 }, {
        start: 0,
        open: 10,
        high: 12,
        low: 7,
        close: 12,
        volume: 6n,
        total: 60n,
      });
      assertEquals(START / 1000 - (candle?.start ?? 0) < period * 60, true);
    }
  });

  it("start days at midnight UTC and weeks on Thursday", () => {
    const series = new CandleSeries();
    const hours = Array.from({ length: 14 * 24 }, (_, hour) => START + hour * 60 * MINUTE_MS);
    for (const at of hours) series.add(at, 10, 1, 10n);
    const starts = (period: 1440 | 10080) =>
      series.of(period).map(({ start }) => new Date(start * 1000).toUTCString().slice(0, 25));
    assertEquals(starts(1440).slice(0, 2), [
      "Tue, 01 Jan 2030 00:00:00",
      "Wed, 02 Jan 2030 00:00:00",
    ]);
    assertEquals(starts(10080), [
      "Thu, 27 Dec 2029 00:00:00",
      "Thu, 03 Jan 2030 00:00:00",
      "Thu, 10 Jan 2030 00:00:00",
    ]);
  });

  it("sum up the last 24 hours, to the minute", () => {
    const series = new CandleSeries();
    const none = { open: 0, high: 0, low: 0, volume: 0n, total: 0n };
    assertEquals(series.day(START), none);
    series.add(START, 10, 1, 10n);
    series.add(START + MINUTE_MS, 30, 1, 30n);
    series.add(START + DAY_MS, 20, 2, 40n);
    const all = { open: 10, high: 30, low: 10, volume: 4n, total: 80n };
    assertEquals(series.day(START + DAY_MS), all);
    assertEquals(series.day(START + DAY_MS + MINUTE_MS - 1), all, "begins with a minute");
    assertEquals(series.day(START + DAY_MS + MINUTE_MS), {
      open: 30,
      high: 30,
      low: 20,
      volume: 3n,
      total: 70n,
    });
    assertEquals(series.day(START + 2 * DAY_MS), {
      ...none,
      open: 20,
      high: 20,
      low: 20,
      volume: 2n,
      total: 40n,
    });
    assertEquals(series.day(START + 3 * DAY_MS), none);
    series.add(START + 3 * DAY_MS, 5, 1, 5n);
    assertEquals(series.day(START + 3 * DAY_MS).volume, 1n, "a trade in the same minute counts");
  });

  it("hold more lots than a safe integer, individually and in total", () => {
    const series = new CandleSeries();
    const most = Number.MAX_SAFE_INTEGER;
    for (const [minute, volume] of [[0, most], [0, 2], [1, most], [1, 1]] as const) {
      series.add(START + minute * MINUTE_MS, 1, volume, 1n);
    }
    const [first, second] = [2n ** 53n + 1n, 2n ** 53n];
    assertEquals(series.of(1).map(({ volume }) => volume), [first, second]);
    assertEquals(series.of(5).map(({ volume }) => volume), [first + second]);
    assertEquals(series.day(START + MINUTE_MS).volume, first + second);
  });

  it("keep a day of minutes and drop the rest", () => {
    const series = new CandleSeries();
    let fewest = Infinity;
    for (let minute = 0; minute < 5000; minute++) {
      series.add(START + minute * MINUTE_MS, 10, 1, 10n);
      if (minute >= 1000) fewest = Math.min(fewest, series.of(5).length);
    }
    assert(fewest >= 200, `${fewest} candles of five minutes`);
    const end = START + 5000 * MINUTE_MS;
    assertEquals(series.day(end).volume, 1440n);
    assert(series.of(1).length < 2000, `${series.of(1).length} minutes`);
    assert(series.of(5).length <= 400);
    const minutes = series.of(1).map(({ start }) => start);
    assertEquals(minutes, [...minutes].sort((a, b) => a - b));
  });
});
