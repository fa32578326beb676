import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MessageLine } from "../../../src/sockets/sending/message_line.ts";
import { StreamMessage } from "../../../src/sockets/stream_message.ts";
import {
  type StreamSource,
  Subscription,
  Topic,
} from "../../../src/sockets/sending/subscription.ts";
import { FramesReader } from "../../support/frames_reader.ts";

const STREAM = "test";
/** More than a reader may leave unread before its beginning continues. */
const MUCH = 300 * 1024;

/** Returns a reader's subscription to a stream whose beginning the test controls. */
function subscribed(begin: StreamSource["begin"], since: number | null = null) {
  const source: StreamSource = { access: "public", has: () => true, begin };
  const reader = new FramesReader(1);
  const line = new MessageLine(reader);
  const subscription = new Subscription(new Topic(STREAM, null, source), reader, line, since);
  const sequences = () => reader.frames.map((frame) => JSON.parse(frame).sequence);
  return { reader, subscription, sequences };
}

function message(sequence: number, payload = () => "0"): StreamMessage {
  return new StreamMessage(STREAM, sequence, { payload });
}

describe("a reader's place in a stream", () => {
  it("continues after the highest number it began with", () => {
    const { subscription, sequences } = subscribed((one) => {
      for (const sequence of [5, 3]) one.send(message(sequence));
    });
    subscription.begin();
    for (const sequence of [4, 5, 6]) subscription.deliver(message(sequence));
    assertEquals([sequences(), subscription.sequence], [[5, 3, 6], 6]);
  });

  it("gets nothing once it is given up, whatever is still pending", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const { reader, subscription } = subscribed(() => promise);
    const begun = subscription.begin();
    subscription.end();
    subscription.send(message(1));
    subscription.deliver(message(2));
    subscription.refuse("it can't be read back");
    reject(new Error("The store can't be read"));
    await begun;
    assertEquals([reader.frames, reader.closed], [[], null]);
  });

  it("rejects if it can't begin, at once or later, and leaves its reader alone", async () => {
    const fault = new Error("The store can't be read");
    const failAtOnce = () => {
      throw fault;
    };
    for (const begin of [() => Promise.reject(fault), failAtOnce]) {
      const { reader, subscription } = subscribed(begin);
      await assertRejects(async () => await subscription.begin(), Error, fault.message);
      assertEquals([reader.frames, reader.closed], [[], null]);
    }
  });

  it("begins again with the current state, holding what comes meanwhile", async () => {
    const asked: (number | null)[] = [];
    const begun = Promise.withResolvers<void>();
    const { subscription, sequences } = subscribed(async (one) => {
      asked.push(one.since);
      if (asked.length === 1) return;
      await begun.promise;
      one.send(message(7));
    }, 6);
    await subscription.begin();
    subscription.deliver(message(7));
    const again = subscription.beginAgain();
    subscription.deliver(message(8));
    assertEquals(sequences(), [7]);
    begun.resolve();
    await again;
    assertEquals([sequences(), asked], [[7, 7, 8], [6, null]]);
  });

  it("waits for its reader with the state at the time of sending", async () => {
    const { reader, subscription } = subscribed(() => {});
    let state = 1;
    reader.unread = MUCH;
    const sent = subscription.sendAll([1, 2].map((at) => message(at, () => `${state}`)));
    state = 2;
    assertEquals(reader.frames, []);
    reader.read();
    await sent;
    assertEquals(reader.frames.map((frame) => JSON.parse(frame)[STREAM]), [1, 1]);
  });
});
