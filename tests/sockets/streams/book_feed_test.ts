import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_FORMS } from "../../../src/sockets/streams/book_feed.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { UNPAUSED_FRAMES } from "../../../src/sockets/sending/send_budget.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { allTold, FramesReader } from "../../support/frames_reader.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MARKETS } from "../../support/random_command.ts";

/** More than are served without a pause. */
const READERS = UNPAUSED_FRAMES + 500;
const COMMANDS_PER_ROUND = 300;
const ROUNDS = 3;

describe("a book with more readers than a portion", () => {
  for (const form of BOOK_FORMS) {
    it(`sends all of them the same ${form} changes, latecomers included`, async () => {
      await using test = await EngineVenue.open();
      await addStream(test, 1000n);
      const hub = new Hub();
      registerPublicStreams(hub, test.engine, rethrow);
      const [{ base, quote } = { base: "", quote: "" }] = STREAM_MARKETS;
      const stream = `${base}${quote}.${form}`;
      const readers: FramesReader[] = [];
      const prng = new Prng(7);
      for (let round = 0; round < ROUNDS; round++) {
        for (let i = 0; i < READERS / ROUNDS; i++) {
          const reader = new FramesReader(0);
          readers.push(reader);
          await hub.subscribe(reader, [stream]);
        }
        await runStream(test, prng, COMMANDS_PER_ROUND);
      }
      await allTold(readers);
      const [first] = readers as [FramesReader];
      assert(first.frames.length > 1, "there were changes");
      for (const { frames, closed } of readers) {
        assertEquals(closed, null);
        const [snapshot = "", ...others] = frames;
        const { sequence } = JSON.parse(snapshot);
        assertEquals(others.length, JSON.parse(first.frames.at(-1) ?? "").sequence - sequence);
        assertEquals(others, first.frames.slice(first.frames.length - others.length));
      }
      for (const reader of readers) hub.leave(reader);
    });
  }
});

function rethrow(error: unknown): never {
  throw error;
}
