import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub } from "../../src/realtime/hub.ts";
import { registerPublicStreams } from "../../src/realtime/public_streams.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { FramesReader } from "../support/frames_reader.ts";

const STREAM = "btcusdt.kline-1m";
/** Many more than telling takes. */
const TURNS_MAX = 1_000;

describe("the first candle of a market", () => {
  it("is told to who reads already, though a newcomer begins with it first", async () => {
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
    for (let turn = 0; turn < TURNS_MAX && first.frames.length === 0; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assertEquals(first.news(STREAM).length, 1);
    assertEquals(newcomer.frames.length, 2);
    assertEquals(faults, []);
    for (const reader of [first, newcomer]) hub.leave(reader);
  });
});
