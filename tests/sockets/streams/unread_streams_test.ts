import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_FORMS } from "../../../src/sockets/streams/book_feed.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";

const TICKERS = "global.tickers";

async function streamsOf(test: EngineVenue): Promise<{ hub: Hub; faults: unknown[] }> {
  await test.addUsual();
  const hub = new Hub();
  const faults: unknown[] = [];
  registerPublicStreams(hub, test.engine, (fault) => faults.push(fault));
  return { hub, faults };
}

/** Returns a reader's frames once there are at least `count`. */
async function framesOf(reader: FramesReader, count: number) {
  await eventually("the frames", () => reader.frames.length >= count);
  return reader.frames.map((frame) => JSON.parse(frame));
}

describe("a stream that had no reader for a while", () => {
  for (const form of BOOK_FORMS) {
    it(`of a book (${form}) begins up to date and continues counting`, async () => {
      await using test = await EngineVenue.open();
      const { hub, faults } = await streamsOf(test);
      const stream = `btcusdt.${form}`;
      const [reader, next] = [new FramesReader(0), new FramesReader(0)];
      await hub.subscribe(reader, [stream]);
      await test.placed("alice", { price: "10", amount: "1" });
      const last = (await framesOf(reader, 2)).at(-1);
      hub.leave(reader);
      await test.placed("alice", { price: "11", amount: "1" });
      await hub.subscribe(next, [stream]);
      await test.placed("alice", { price: "12", amount: "1" });
      const [beginning, change] = await framesOf(next, 2);
      assert(JSON.stringify(beginning).includes('"11.0"'), JSON.stringify(beginning));
      assert(beginning.sequence >= last.sequence, `${beginning.sequence}`);
      assertEquals(change.sequence, beginning.sequence + 1);
      hub.leave(next);
      assertEquals([reader.frames.length, faults], [2, []]);
    });
  }

  it("of tickers begins up to date", async () => {
    await using test = await EngineVenue.open();
    const { hub, faults } = await streamsOf(test);
    const [reader, next] = [new FramesReader(0), new FramesReader(0)];
    await hub.subscribe(reader, [TICKERS]);
    hub.leave(reader);
    await test.place("bob", { side: "sell", price: "12", amount: "1" });
    await test.place("alice", { price: "12", amount: "1" });
    await hub.subscribe(next, [TICKERS]);
    const [before] = await framesOf(reader, 1);
    const [now] = await framesOf(next, 1);
    const lastOf = (frame: typeof now) => frame[TICKERS].btcusdt.last;
    assertEquals([lastOf(before), lastOf(now), faults], ["0.0", "12.0", []]);
    hub.leave(next);
  });
});
