import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { VenueEvent } from "../../../src/domain/event.ts";
import type { EntryListener } from "../../../src/engine/engine.ts";
import {
  CandleStream,
  type CandleStreamEngine,
} from "../../../src/sockets/streams/candle_stream.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { DomainVenue } from "../../support/domain_venue.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { allTold, FramesReader } from "../../support/frames_reader.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const STREAM = "btcusdt.kline-1m";

describe("the first candle of a market", () => {
  it("is sent to earlier readers even if a newcomer sees it first", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const faults: unknown[] = [];
    const hub = new Hub();
    registerPublicStreams(hub, test.engine, (fault) => faults.push(fault));
    const [first, newcomer] = [new FramesReader(0), new FramesReader(0)];
    await hub.subscribe(first, [STREAM]);
    assertEquals(first.frames, []);
    const begun = Promise.withResolvers<void>();
    test.engine.onEntry((events) => {
      if (!events.some(({ kind }) => kind === "trade")) return;
      void Promise.resolve(hub.subscribe(newcomer, [STREAM])).then(() => begun.resolve());
    });
    await test.place("bob", { side: "sell", price: "10", amount: "1" });
    await test.place("alice", { price: "10", amount: "1" });
    await begun.promise;
    await eventually("the first candle", () => first.frames.length > 0);
    assertEquals(first.news(STREAM).length, 1);
    assertEquals(newcomer.frames.length, 2);
    assertEquals(faults, []);
    for (const reader of [first, newcomer]) hub.leave(reader);
  });
});

/** Returns the public streams of a venue, their faults, and a function that makes a trade. */
async function tradedStreams(test: EngineVenue) {
  await test.addUsual();
  const faults: unknown[] = [];
  const hub = new Hub();
  registerPublicStreams(hub, test.engine, (fault) => faults.push(fault));
  const trade = async () => {
    await test.place("bob", { side: "sell", price: "10", amount: "1" });
    await test.place("alice", { price: "10", amount: "1" });
  };
  return { hub, faults, trade };
}

describe("the candles of a market that had no reader for a while", () => {
  it("continue the numbering of the last reader", async () => {
    await using test = await EngineVenue.open();
    const { hub, faults, trade } = await tradedStreams(test);
    const reader = new FramesReader(0);
    await hub.subscribe(reader, [STREAM]);
    for (const count of [1, 2]) {
      await trade();
      await eventually("the candle", () => reader.news(STREAM).length >= count);
    }
    const { sequence } = JSON.parse(reader.frames.at(-1) ?? "");
    hub.leave(reader);
    const next = new FramesReader(0);
    await hub.subscribe(next, [STREAM]);
    assertEquals(next.frames.map((frame) => JSON.parse(frame).sequence), [sequence]);
    assertEquals([sequence >= 2, faults], [true, []]);
    hub.leave(next);
  });
});

describe("a candle with many readers", () => {
  it("is sent to all of them without blocking others", async () => {
    await using test = await EngineVenue.open();
    const { hub, faults, trade } = await tradedStreams(test);
    const readers = Array.from({ length: 5_000 }, () => new FramesReader(0));
    for (const reader of readers) await hub.subscribe(reader, [STREAM]);
    const [first, last] = [readers[0] as FramesReader, readers.at(-1) as FramesReader];
    const [isBegun, isSent] = [first.sent(1), last.sent(1)];
    await trade();
    await isBegun;
    const turns = await turnsDuring(() => isSent);
    await allTold(readers);
    const news = new Set(readers.map((reader) => reader.news(STREAM).join()));
    assertEquals([news.size, faults], [1, []]);
    assert(turns >= 15, `${turns} turns`);
    for (const reader of readers) hub.leave(reader);
  });
});

describe("a market with candles of several periods", () => {
  it("goes on sending those that still have readers", async () => {
    await using test = await EngineVenue.open();
    const { hub, faults, trade } = await tradedStreams(test);
    const HOURS = "btcusdt.kline-1h";
    const [brief, lasting] = [new FramesReader(0), new FramesReader(0)];
    await hub.subscribe(lasting, [HOURS]);
    await hub.subscribe(brief, [STREAM]);
    await trade();
    await eventually("the minute", () => brief.news(STREAM).length > 0);
    await eventually("the hour", () => lasting.news(HOURS).length > 0);
    hub.leave(brief);
    await trade();
    await eventually("the next hour", () => lasting.news(HOURS).length > 1);
    await hub.subscribe(brief, [STREAM]);
    const seen = brief.news(STREAM).length;
    await trade();
    await eventually("the next minute", () => brief.news(STREAM).length > seen);
    assertEquals(faults, []);
    for (const reader of [brief, lasting]) hub.leave(reader);
  });
});

describe("a trade in one of many markets", () => {
  it("looks at no feed of another, nor at those of readers that have left", async () => {
    const { venue, stream, looked, trade } = countedStream(40);
    const hub = new Hub();
    hub.register(stream);
    const names = venue.books.flatMap(({ market }) => [
      `${market.id}.kline-1m`,
      `${market.id}.kline-1h`,
    ]);
    const reader = new FramesReader(0);
    await hub.subscribe(reader, names);
    const all = looked.splice(0);
    assertEquals(new Set(all).size, 40, "looks are counted");
    // Long enough for what the trades cause later.
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    trade([3, 5, 3, 5, 3]);
    assert(looked.length <= 4, `${looked} at once`);
    await eventually("the feeds of both", () => looked.includes(3) && looked.includes(5));
    await settled();
    assertEquals(new Set(looked.splice(0)), new Set([3, 5]), "the feeds of both are told");
    hub.leave(reader);
    looked.splice(0);
    trade([3]);
    await settled();
    assertEquals(looked, []);
  });
});

/** Returns a stream of many markets without candles, and the markets that are looked at. */
function countedStream(markets: number) {
  const domain = new DomainVenue();
  for (let i = 0; i < markets; i++) domain.withMarket(`c${i}`, "usdt");
  const { venue } = domain;
  const looked: number[] = [];
  for (const book of venue.books) {
    const { market } = book;
    Object.defineProperty(book, "market", { get: () => (looked.push(market.index), market) });
  }
  let listener: EntryListener = () => {};
  const engine: CandleStreamEngine = {
    venue,
    onEntry: (added) => listener = added,
    whenHeard: (push) => push(),
    now: () => Date.UTC(2030, 0, 1),
    candles: () => Promise.resolve([]),
  };
  const stream = new CandleStream(engine, (fault) => {
    throw fault;
  });
  const trade = (traded: readonly number[]) =>
    listener(traded.map((market) => ({ kind: "trade", market }) as VenueEvent), 1, engine.now());
  return { venue, stream, looked, trade };
}

describe("a market that is disabled before its candle stream begins", () => {
  it("keeps the reader, and sends to it once enabled", async () => {
    await using test = await EngineVenue.open();
    const { hub, faults, trade } = await tradedStreams(test);
    const reader = new FramesReader(0);
    reader.unread = 1024 * 1024;
    const subscribed = hub.subscribe(reader, [STREAM]);
    await test.must({ kind: "change_market", id: "btcusdt", changes: { state: "disabled" } });
    reader.read();
    await subscribed;
    await test.must({ kind: "change_market", id: "btcusdt", changes: { state: "enabled" } });
    await trade();
    await eventually("the candle", () => reader.frames.length > 0);
    assertEquals(reader.frames.map((frame) => JSON.parse(frame).sequence), [1]);
    assertEquals(faults, []);
    hub.leave(reader);
  });
});

describe("a candle that ends while a reader that resubscribes is behind", () => {
  it("is sent to it too", async () => {
    const clock = { now: Date.UTC(2030, 0, 1, 0, 0, 58) };
    await using test = await EngineVenue.open({ clock });
    const { hub, faults, trade } = await tradedStreams(test);
    const [other, again] = [new FramesReader(0), new FramesReader(0)];
    const tellNext = (count: number) =>
      eventually("the next candle", () => other.news(STREAM).length >= count);
    for (const reader of [other, again]) await hub.subscribe(reader, [STREAM]);
    await trade();
    await tellNext(1);
    again.unread = Infinity;
    const begun = hub.subscribe(again, [STREAM]);
    await trade();
    await tellNext(2);
    clock.now += 10_000;
    await trade();
    await tellNext(3);
    again.read();
    await begun;
    assertEquals(again.news(STREAM).slice(0, 3), other.news(STREAM));
    assertEquals(faults, []);
    for (const reader of [other, again]) hub.leave(reader);
  });
});

describe("a candle that changes while its first reader begins and ends before it is sent", () => {
  it("is sent complete, before the next one", async () => {
    const clock = { now: Date.UTC(2030, 0, 1, 0, 0, 58) };
    await using test = await EngineVenue.open({ clock });
    const { hub, faults, trade } = await tradedStreams(test);
    await trade();
    const { engine } = test;
    let reads = 0;
    const busy: CandleStreamEngine = {
      venue: engine.venue,
      onEntry: (listener) => engine.onEntry(listener),
      whenHeard: (push) => engine.whenHeard(push),
      now: () => engine.now(),
      async candles(...request) {
        reads += 1;
        if (reads === 2) {
          clock.now += 60_000;
          await trade();
        }
        const candles = await engine.candles(...request);
        if (reads === 1) await trade();
        return candles;
      },
    };
    const busyHub = new Hub();
    busyHub.register(new CandleStream(busy, (fault) => faults.push(fault)));
    const reader = new FramesReader(0);
    await busyHub.subscribe(reader, [STREAM]);
    const start = Date.UTC(2030, 0, 1) / 1000;
    const told = () =>
      reader.frames.map((frame) => JSON.parse(frame)[STREAM])
        .map((candle) => [candle[0], Number(candle[5])]);
    await eventually("the next candle", () => told().at(-1)?.[0] !== start || faults.length > 0);
    assertEquals(told(), [
      [start, 1],
      [start, 2],
      [start + 60, 1],
    ]);
    assertEquals(faults, []);
    for (const one of [busyHub, hub]) one.leave(reader);
  });
});

/** Creates a stream whose first two reads of candles are answered only after `meanwhile`. */
function lateStream(test: EngineVenue, meanwhile: () => Promise<void>) {
  const { engine } = test;
  let reads = 0;
  let happening: Promise<void> | null = null;
  const late: CandleStreamEngine = {
    venue: engine.venue,
    onEntry: (listener) => engine.onEntry(listener),
    whenHeard: (push) => engine.whenHeard(push),
    now: () => engine.now(),
    async candles(...request) {
      reads += 1;
      const isLate = reads <= 2;
      if (!isLate) await happening;
      const candles = await engine.candles(...request);
      if (isLate) await (happening ??= meanwhile());
      return candles;
    },
  };
  const faults: unknown[] = [];
  const hub = new Hub();
  hub.register(new CandleStream(late, (fault) => faults.push(fault)));
  return { hub, faults };
}

describe("a candle that changes and ends before its first readers have begun", () => {
  it("is sent complete to all of them, before the next one", async () => {
    const clock = { now: Date.UTC(2030, 0, 1, 0, 0, 58) };
    await using test = await EngineVenue.open({ clock });
    const { trade } = await tradedStreams(test);
    await trade();
    const { hub, faults } = lateStream(test, async () => {
      await trade();
      clock.now += 60_000;
      await trade();
      // Longer than changes wait before they are sent.
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const readers = [new FramesReader(0), new FramesReader(0)];
    await Promise.all(readers.map((reader) => hub.subscribe(reader, [STREAM])));
    const start = Date.UTC(2030, 0, 1) / 1000;
    const told = (reader: FramesReader) =>
      reader.frames.map((frame) => JSON.parse(frame)[STREAM])
        .map((candle) => [candle[0], Number(candle[5])]);
    const hasLast = (reader: FramesReader) => told(reader).at(-1)?.[0] === start + 60;
    await eventually("the last candle", () => readers.every(hasLast) || faults.length > 0);
    for (const reader of readers) {
      assertEquals(told(reader), [[start, 1], [start, 2], [start + 60, 1]]);
      hub.leave(reader);
    }
    assertEquals(faults, []);
  });
});

describe("candles that a process finds after a pause", () => {
  it("are all sent, however many", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    const { hub, faults, trade } = await tradedStreams(test);
    await trade();
    const reader = new FramesReader(0);
    await hub.subscribe(reader, [STREAM]);
    // All changes fall between two messages, as when other processes have traded.
    const MINUTES = 25;
    for (let minute = 0; minute < MINUTES; minute++) {
      clock.now += 60_000;
      await trade();
    }
    const told = (count: number) =>
      eventually("the candles", () => reader.news(STREAM).length >= count || faults.length > 0);
    await told(1);
    const newcomer = new FramesReader(0);
    await hub.subscribe(newcomer, [STREAM]);
    await told(MINUTES);
    const startsOf = ({ frames }: FramesReader): number[] =>
      frames.flatMap((frame) => JSON.parse(frame)[STREAM]?.[0] ?? []);
    const starts = startsOf(reader);
    assertEquals(new Set(starts).size, MINUTES + 1);
    assertEquals(starts.at(-1), clock.now / 1000);
    const later = startsOf(newcomer);
    assert(later.length > 1, "it came while candles were to be told");
    assertEquals(later, starts.slice(-later.length));
    assertEquals(faults, []);
    for (const one of [reader, newcomer]) hub.leave(one);
  });
});
