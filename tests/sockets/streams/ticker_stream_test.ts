import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { TickerStream } from "../../../src/sockets/streams/ticker_stream.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const STREAM = "global.tickers";
const READERS = 200;

describe("the stream of tickers", () => {
  it("is sent to many readers without blocking others, and continues", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hub = new Hub();
    hub.register(new TickerStream(test.engine));
    const readers = Array.from({ length: READERS }, () => new FramesReader(0));
    for (const reader of readers) hub.subscribe(reader, [STREAM]);
    const first = readers[0] as FramesReader;
    const last = readers.at(-1) as FramesReader;
    for (const frames of [2, 3]) {
      await test.placed("alice", { price: "10", amount: "1" });
      const isSent = last.sent(frames);
      await first.sent(frames);
      const turns = await turnsDuring(() => isSent);
      assert(turns >= 10, `${turns} turns`);
    }
    const sequences = readers.map(({ frames }) =>
      frames.map((frame) => JSON.parse(frame).sequence)
    );
    assertEquals(sequences, readers.map(() => [0, 1, 2]));
    for (const reader of readers) hub.leave(reader);
  });
});
