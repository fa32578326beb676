import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import {
  FRAMES_WAITING_MAX,
  TradeStream,
  type TradeStreamEngine,
} from "../../../src/sockets/streams/trade_stream.ts";
import { heardAtOnce } from "../../support/changed_engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { allTold, FramesReader } from "../../support/frames_reader.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const STREAM = "btcusdt.trades";
const READERS = 500;
const TRADES = 20;

describe("the stream of trades", () => {
  it("sends many readers everything without blocking others", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hub = new Hub();
    hub.register(new TradeStream(hub, heardAtOnce(test.engine)));
    const readers = Array.from({ length: READERS }, () => new FramesReader(0));
    for (const reader of readers) hub.subscribe(reader, [STREAM]);
    const orders = Array.from({ length: TRADES }, () => ({ price: "10", amount: "1" }));
    await test.must(
      test.placing("bob", ...orders.map((one) => ({ ...one, side: "sell" as const }))),
    );
    const [first, last] = [readers[0] as FramesReader, readers.at(-1) as FramesReader];
    const [isBegun, isSent] = [first.sent(1), last.sent(TRADES)];
    const placed = test.must(test.placing("alice", ...orders));
    await isBegun;
    const turns = await turnsDuring(() => isSent);
    await placed;
    await allTold(readers);
    const sequences = Array.from({ length: TRADES }, (_, i) => i + 1);
    for (const { frames } of readers) {
      assertEquals(frames.map((frame) => JSON.parse(frame).sequence), sequences);
    }
    assert(turns >= 30, `${turns} turns`);
  });

  it("has a bounded backlog, however many trades there are", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hub = new Hub();
    hub.register(new TradeStream(hub, heardAtOnce(test.engine)));
    let frames = 0;
    for (let i = 0; i < READERS; i++) {
      const reader = new FramesReader(0);
      reader.send = () => void (frames += 1);
      hub.subscribe(reader, [STREAM]);
    }
    let trades = 0;
    let behind = 0;
    test.engine.onEvent(({ kind }) => {
      if (kind === "trade") trades += 1;
      behind = Math.max(behind, trades * READERS - frames);
    });
    const orders = Array.from({ length: 100 }, () => ({ price: "10", amount: "1" }));
    const sells = orders.map((one) => ({ ...one, side: "sell" as const }));
    for (let round = 0; round < 20; round++) {
      await test.must(test.placing("bob", ...sells));
      await test.must(test.placing("alice", ...orders));
    }
    assertEquals(trades, 2_000);
    // Includes the trade that is being sent.
    assert(behind <= FRAMES_WAITING_MAX + READERS, `${behind} frames behind`);
  });

  it("counts the trades that nobody reads, so that a gap shows them", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hub = new Hub();
    hub.register(new TradeStream(hub, heardAtOnce(test.engine)));
    await test.placed("bob", { side: "sell", price: "10", amount: "9" });
    const trade = () => test.placed("alice", { price: "10", amount: "1" });
    await trade();
    const [reader, next] = [new FramesReader(0), new FramesReader(0)];
    const sequencesOf = ({ frames }: FramesReader) =>
      frames.map((frame) => JSON.parse(frame).sequence);
    await hub.subscribe(reader, [STREAM]);
    await trade();
    await trade();
    await allTold([reader]);
    hub.leave(reader);
    await trade();
    await hub.subscribe(next, [STREAM]);
    await trade();
    await allTold([next]);
    assertEquals([sequencesOf(reader), sequencesOf(next)], [[2, 3], [5]]);
  });

  it("loses no trade made just after the previous one was sent", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const made: VenueEvent[] = [];
    test.engine.onEvent((event) => void made.push(event));
    await test.placed("bob", { side: "sell", price: "10", amount: "1" });
    await test.placed("alice", { price: "10", amount: "1" });
    const trade = present(made.find(({ kind }) => kind === "trade"), "there is one");
    const { venue } = test;
    for (let hops = 0; hops < 8; hops++) {
      let tell: Parameters<TradeStreamEngine["onEvent"]>[0] = () => {};
      const hub = new Hub();
      const whenHeard = (push: () => void) => push();
      const onEvent: TradeStreamEngine["onEvent"] = (listener) => tell = listener;
      hub.register(new TradeStream(hub, { venue, onEvent, whenHeard }));
      const reader = new FramesReader(0);
      hub.subscribe(reader, [STREAM]);
      tell(trade, 1, 0);
      for (let hop = 0; hop < hops; hop++) await null;
      tell(trade, 2, 0);
      await allTold([reader]);
      assertEquals(reader.frames.length, 2, `${hops} hops`);
    }
  });
});
