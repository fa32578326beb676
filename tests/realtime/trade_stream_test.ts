import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub } from "../../src/realtime/hub.ts";
import { TradeStream } from "../../src/realtime/trade_stream.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { allTold, FramesReader } from "../support/frames_reader.ts";
import { turnsDuring } from "../support/turns_during.ts";

const STREAM = "btcusdt.trades";
const READERS = 500;
const TRADES = 20;

describe("the stream of trades", () => {
  it("tells many readers everything, with turns for everybody else between", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hub = new Hub();
    hub.register(new TradeStream(hub, test.engine));
    const readers = Array.from({ length: READERS }, () => new FramesReader(0));
    for (const reader of readers) hub.subscribe(reader, [STREAM]);
    const orders = Array.from({ length: TRADES }, () => ({ price: "10", amount: "1" }));
    await test.must(
      test.placing("bob", ...orders.map((one) => ({ ...one, side: "sell" as const }))),
    );
    const sent = (reader: FramesReader | undefined, frames: number) =>
      new Promise<void>((resolve) => {
        if (reader === undefined) return;
        const send = reader.send.bind(reader);
        reader.send = (frame) => {
          send(frame);
          if (reader.frames.length === frames) resolve();
        };
      });
    const [isBegun, isSent] = [sent(readers[0], 1), sent(readers.at(-1), TRADES)];
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
});
