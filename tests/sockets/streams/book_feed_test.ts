import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_FORMS, BookFeed } from "../../../src/sockets/streams/book_feed.ts";
import { PUSH } from "../../../src/sockets/push/push_dialect.ts";
import {
  type StreamSource,
  type Subscription,
  Topic,
} from "../../../src/sockets/sending/subscription.ts";
import type { StreamMessage } from "../../../src/sockets/stream_message.ts";
import { DomainVenue } from "../../support/domain_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { SendBudget, UNPAUSED_FRAMES } from "../../../src/sockets/sending/send_budget.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { allTold, FramesReader } from "../../support/frames_reader.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MARKETS } from "../../support/random_command.ts";

/** So many that a push has one message. */
const CROWD = 20_000;
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

describe("the messages of a book with so many readers that each push is cut", () => {
  it("are marked only where they make the book whole, and carry its event", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("bob", { btc: "100" });
    const book = test.book();
    const messages: StreamMessage[] = [];
    const reader = { dialect: PUSH };
    const counting = { reader, deliver: (message: StreamMessage) => void messages.push(message) };
    const others = Array.from({ length: CROWD }, () => ({ reader, deliver: () => {} }));
    const topic = new Topic("btcusdt.ob-inc", null, {} as StreamSource);
    for (const one of [counting, ...others]) {
      topic.subscriptions.add(one as unknown as Subscription);
    }
    const whenHeard = (push: () => void) => push();
    const budget = new SendBudget();
    const feed = new BookFeed({ book, topic, form: "ob-inc", budget, whenHeard }, 1);
    const sell = (price: number) => {
      test.sell("bob", "1", String(price));
      feed.touch("sell", price * 100);
      return test.venue.sequence;
    };
    const [snapshot] = [feed.snapshot()];
    assertEquals([snapshot.content.isLast, snapshot.event], [true, book.levelsSequence]);
    const first = [10, 11, 12].map(sell).at(-1);
    feed.follow();
    const cut = feed.snapshot();
    assertEquals([cut.content.isLast, cut.event, messages.length], [false, first, 1]);
    const last = sell(13);
    await eventually("all levels", () => messages.length === 4);
    assertEquals(messages.map(({ content }) => content.isLast), [false, false, false, true]);
    assertEquals(messages.map(({ event }) => event), [first, last, last, last]);
    feed.stop();
  });
});

function rethrow(error: unknown): never {
  throw error;
}
