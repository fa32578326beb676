import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  type Candle,
  type CandlePeriod,
  candleStart,
  extendCandle,
  joinCandles,
} from "../../../src/domain/trading/candle.ts";
import { CandleSeries, type DaySummary } from "../../../src/engine/candle_series.ts";
import { CANDLES_PER_ROW } from "../../../src/store/rows/row_codec.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { START } from "../../support/domain_venue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Rows that a start reads of these periods. */
const ROWS = { 1: 25, 60: 2 } as const;

/** Returns the plain sum over the minutes of the 24 hours before `now`. */
function plainSum(minutes: readonly Candle[], now: number): DaySummary {
  const from = candleStart(now, 1) - DAY_MS / 1000;
  const day = minutes.filter(({ start }) => start >= from);
  const [first, ...later] = day;
  if (first === undefined) return { open: 0, high: 0, low: 0, volume: 0n, total: 0n };
  const { open, high, low, volume, total } = later.reduce(
    (sum, minute) => joinCandles(sum, first.start, minute),
    first,
  );
  return { open, high, low, volume, total };
}

/** Returns minutes joined to candles of a longer period. */
function joined(minutes: readonly Candle[], period: CandlePeriod): Candle[] {
  const candles: Candle[] = [];
  for (const minute of minutes) {
    const start = candleStart(minute.start * 1000, period);
    const old = candles.at(-1)?.start === start ? candles.pop() ?? null : null;
    candles.push(joinCandles(old, start, minute));
  }
  return candles;
}

/** A market that trades, with all its minutes beside its series. */
class TradedMarket {
  series = new CandleSeries();
  readonly minutes: Candle[] = [];
  #trades = 0;

  trade(at: number): void {
    const i = this.#trades++;
    const price = 1 + i * 7919 % 1009;
    const volume = 1 + i * 31 % 97;
    const total = BigInt(price * volume) * 10n ** 18n;
    this.series.add(at, price, volume, total);
    const start = candleStart(at, 1);
    const old = this.minutes.at(-1)?.start === start ? this.minutes.pop() ?? null : null;
    this.minutes.push(extendCandle(old, start, price, BigInt(volume), total));
  }

  /** Continues with what a start reads of the rows. */
  restart(): void {
    this.series = new CandleSeries();
    for (const period of [1, 60] as const) {
      const candles = joined(this.minutes, period);
      const rowOf = ({ start }: Candle) => Math.floor(start / (period * 60 * CANDLES_PER_ROW));
      const rows = [...new Set(candles.map(rowOf))].slice(-ROWS[period]);
      this.series.load(period, candles.filter((candle) => rows.includes(rowOf(candle))));
    }
  }
}

/** Times at which the day is read, from the last trade: around the edges of hours and the day. */
const LOOKS = [-30 * MINUTE_MS, 0, MINUTE_MS, HOUR_MS, DAY_MS - HOUR_MS, DAY_MS, 2 * DAY_MS];
const EDGES = [
  (at: number) => at,
  (at: number) => at + 17 * MINUTE_MS,
  (at: number) => at - at % MINUTE_MS - 1,
  (at: number) => at - at % MINUTE_MS,
  (at: number) => at - at % HOUR_MS + HOUR_MS - 1,
  (at: number) => at - at % HOUR_MS + HOUR_MS,
  (at: number) => at - at % HOUR_MS + HOUR_MS + MINUTE_MS,
];

/** Trades at equal distances after a pause, with a start before them or none. */
const RUN = fc.record({
  pause: fc.oneof(
    fc.integer({ min: 0, max: 2 * MINUTE_MS }),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
    fc.constantFrom(HOUR_MS, DAY_MS - HOUR_MS, DAY_MS - MINUTE_MS, DAY_MS, 70 * HOUR_MS),
  ),
  count: fc.integer({ min: 1, max: 300 }),
  distance: fc.constantFrom(20_000, MINUTE_MS, 61_000, 7 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS),
  isRestarted: fc.boolean(),
});

describe("the summary of 24 hours", () => {
  it("is the plain sum of its minutes", () => {
    fc.assert(
      fc.property(fc.array(RUN, { minLength: 1, maxLength: 6 }), (runs) => {
        const market = new TradedMarket();
        let at = START;
        for (const { pause, count, distance, isRestarted } of runs) {
          if (isRestarted) market.restart();
          at += pause;
          for (let i = 0; i < count; i++) market.trade(at += distance);
          for (const look of LOOKS) {
            for (const edge of EDGES) {
              const now = edge(at + look);
              assertEquals(market.series.day(now), plainSum(market.minutes, now));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is right after a start in every minute of an hour, and while trading goes on", () => {
    const market = new TradedMarket();
    for (let minute = 0; minute < 70 * 60; minute++) market.trade(START + minute * MINUTE_MS);
    market.restart();
    for (let minute = 70 * 60; minute < 72 * 60; minute++) {
      const now = START + minute * MINUTE_MS;
      assertEquals(market.series.day(now), plainSum(market.minutes, now), "before the trade");
      market.trade(now);
      assertEquals(market.series.day(now), plainSum(market.minutes, now), "after the trade");
    }
  });

  it("looks at no more than the minutes of one hour and at hours", () => {
    const market = new TradedMarket();
    const end = START + 70.5 * HOUR_MS;
    for (let at = START; at < end; at += MINUTE_MS) market.trade(at);
    const looks = new Looks();
    const series = new CandleSeries();
    series.load(1, looks.note(market.minutes.slice(-1600)));
    series.load(60, looks.note(joined(market.minutes, 60)));
    let most = 0;
    for (let minute = -50; minute <= 90; minute++) {
      const now = end + minute * MINUTE_MS;
      looks.clear();
      assertEquals(series.day(now), plainSum(market.minutes, now));
      const { summed, found } = looks;
      assert(summed <= 59 + 24, `${summed} candles summed`);
      assert(found <= 50, `${found} candles searched`);
      most = Math.max(most, summed);
      looks.clear();
      series.day(now + MINUTE_MS - 1);
      assertEquals([looks.summed, looks.found], [0, 0], "the next reader has the same summary");
    }
    assert(most >= 59 + 24, "looks are counted, with trades in the present hour too");
  });
});

describe("the ticker after a start", () => {
  it("has the hours of the day before, even if a row of hours has just begun", async () => {
    const ROW_MS = CANDLES_PER_ROW * HOUR_MS;
    const begun = Math.ceil(START / ROW_MS) * ROW_MS;
    const clock = { now: begun - 30 * HOUR_MS };
    await using file = await VenueFile.create();
    const test = await EngineVenue.open({ path: file.path, clock });
    await test.addUsual();
    for (let i = 0; clock.now < begun + HOUR_MS; i++) {
      const order = { price: String(100 + i * 37 % 50), amount: String(1 + i) };
      await test.placed("alice", order);
      await test.placed("bob", { ...order, side: "sell" });
      clock.now += 45 * MINUTE_MS;
    }
    await test.engine.folded();
    const read = ({ engine }: EngineVenue) =>
      Array.from({ length: 26 * 60 }, (_, minute) => {
        clock.now = begun + HOUR_MS + minute * MINUTE_MS;
        return engine.ticker(0);
      });
    const tickers = read(test);
    const volumes = new Set(tickers.map(({ volume }) => volume));
    assert(volumes.size > 30, "trades leave the day one by one");
    await test.close();
    await using restarted = await EngineVenue.open({ path: file.path, clock });
    assertEquals(read(restarted), tickers);
    assertEquals([...test.faults, ...restarted.faults], []);
  });
});

/** Counts how often candles are looked at. */
class Looks {
  /** Reads of volumes. */
  summed = 0;
  /** Reads of starts. */
  found = 0;

  clear(): void {
    this.summed = 0;
    this.found = 0;
  }

  /** Returns candles that count. */
  note(candles: readonly Candle[]): Candle[] {
    return candles.map((candle) =>
      Object.defineProperties({ ...candle }, {
        volume: { get: () => (this.summed += 1, candle.volume) },
        start: { get: () => (this.found += 1, candle.start) },
      })
    );
  }
}
