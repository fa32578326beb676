import { assert, assertEquals, fail } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnreadableError } from "../../../src/engine/engine.ts";
import { lastSequence } from "../../../src/sockets/streams/private_messages.ts";
import { REPLAYED_MESSAGES_MAX } from "../../../src/sockets/streams/replay.ts";
import { changedEngine } from "../../support/changed_engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf, withMemberEvents } from "../../support/private_streams.ts";

describe("what a private stream does not replay", () => {
  async function asked(test: EngineVenue, stream: string, since: number): Promise<FramesReader> {
    const reader = new FramesReader(test.member("alice"));
    await streamsOf(test).hub.subscribe(reader, [stream], new Map([[stream, since]]));
    return reader;
  }

  it("is a number never sent: the reader gets an error and the current state", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const id = await test.placed("alice", { price: "10", amount: "1" });
    const { frames } = await asked(test, "order", 9);
    assertEquals(JSON.parse(frames[0] ?? ""), {
      error: { message: "order: since 9 was never sent; sending the current state instead" },
    });
    const { order, ...rest } = JSON.parse(frames[1] ?? "");
    assertEquals(order.id, id);
    assertEquals(rest, { sequence: 1, event: test.venue.sequence, snapshot: true });
    assertEquals(frames.length, 2);
  });

  it("is more than the venue replays at once", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    // Placing and cancelling gives two messages about the order and two about the balances.
    const orders = Array.from({ length: 500 }, () => ({ price: "1", amount: "0.1" }));
    const member = test.member("alice");
    for (let i = 0; i * 1000 <= REPLAYED_MESSAGES_MAX; i++) {
      await test.place("alice", ...orders);
      await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    }
    const tooMany = await asked(test, "order", 0);
    assertEquals(tooMany.frames.length, 1);
    assert(JSON.parse(tooMany.frames[0] ?? "").error.message.includes("10000 messages ago"));
    const last = lastSequence(test.venue, member, "order");
    const enough = await asked(test, "order", last - REPLAYED_MESSAGES_MAX);
    assertEquals(enough.news("order").length, REPLAYED_MESSAGES_MAX);
  });

  it("is too far back in the log", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const cut = withMemberEvents(test, async (read) => {
      const { before, events } = await read();
      return { events, before: { ...before, balance: 2 }, isCut: true };
    });
    const { hub } = streamsOf({ engine: cut });
    const reader = new FramesReader(test.member("alice"));
    await hub.subscribe(reader, ["balance"], new Map([["balance", 1]]));
    assertEquals(JSON.parse(reader.frames[0] ?? ""), {
      error: {
        message: "balance: since 1 is too long ago in the log; sending the current state instead",
      },
    });
    assertEquals(reader.frames.slice(1).map((frame) => JSON.parse(frame)), [
      {
        balance: { currency: "btc", balance: "1000000.0", locked: "0.0" },
        sequence: 2,
        event: test.venue.sequence,
        snapshot: true,
      },
      {
        balance: { currency: "usdt", balance: "1000000000.0", locked: "0.0" },
        sequence: 2,
        event: test.venue.sequence,
        snapshot: true,
      },
    ]);
  });

  it("is too far back in the log for the next one who asks, without another look", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    let reads = 0;
    // The log was read back to where so many messages had been sent.
    let place = 2;
    const cut = withMemberEvents(test, async (read) => {
      reads += 1;
      const { before, events } = await read();
      return { events, before: { ...before, balance: place }, isCut: true };
    });
    const { hub } = streamsOf({ engine: cut });
    const answers = async (uid: string, since: number) => {
      const reader = new FramesReader(test.member(uid));
      await hub.subscribe(reader, ["balance"], new Map([["balance", since]]));
      return JSON.parse(reader.frames[0] ?? "").error.message.includes("too long ago");
    };
    assertEquals([await answers("alice", 1), reads], [true, 1]);
    assertEquals([await answers("alice", 1), await answers("alice", 0), reads], [true, true, 1]);
    // Nothing is known of what came later, or of others.
    await test.must({ kind: "adjust_balance", uid: "alice", currency: "usdt", amount: 1n });
    place = 3;
    assertEquals([await answers("alice", 2), reads], [true, 2]);
    assertEquals([await answers("bob", 1), reads], [true, 3]);
  });

  it("is what came before the current state, even if that is empty", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const { hub } = streamsOf(test);
    const member = test.member("alice");
    await test.placed("alice", { price: "10", amount: "1" });
    await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    const reader = new FramesReader(member);
    await hub.subscribe(reader, ["order"]);
    assertEquals([reader.frames, hub.sequencesOf(reader)], [[], { order: 2 }]);
  });

  it("is nothing when nothing was missed", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const { hub } = streamsOf(test);
    await test.place("alice", { price: "10", amount: "1" });
    const reader = new FramesReader(test.member("alice"));
    await hub.subscribe(reader, ["order"], new Map([["order", 1]]));
    assertEquals(reader.frames, []);
    await test.place("alice", { price: "11", amount: "1" });
    assertEquals(reader.news("order").map((frame) => JSON.parse(frame).sequence), [2]);
  });
});

describe("a fault in private streams", () => {
  it("does not reach the venue, but ends readers that missed a message", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const engine = changedEngine(test.engine, { uuidOf: () => fail() });
    const { hub, faults } = streamsOf({ engine });
    const reader = new FramesReader(test.member("alice"));
    const bob = new FramesReader(test.member("bob"));
    await hub.subscribe(reader, ["order"]);
    await hub.subscribe(bob, ["balances"]);
    await test.placed("alice", { price: "10", amount: "1" });
    await test.placed("bob", { price: "10", amount: "1" });
    assertEquals(faults.length, 1);
    assertEquals(reader.closed, { code: 1011, reason: "internal error" });
    assertEquals(bob.closed, null);
    assertEquals(bob.news("balances").length, 1);
    assertEquals(test.faults, []);
  });

  it("ends the stream of a reader that returns while the store can't be read", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const away = withMemberEvents(test, () => Promise.reject(new UnreadableError("away")));
    const { hub, faults } = streamsOf({ engine: away });
    const reader = new FramesReader(test.member("alice"));
    const outcome = await hub.subscribe(reader, ["balance"], new Map([["balance", 1]]));
    assertEquals([outcome, hub.streamsOf(reader)], ["unavailable", []]);
    const message = "balance: cannot be started now, subscribe again later";
    assertEquals(reader.frames, [JSON.stringify({ error: { message } })]);
    assertEquals([reader.closed, faults], [null, []]);
  });

  it("does not keep a reader from coming back", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    await test.place("alice", { price: "10", amount: "1" });
    const wrong = withMemberEvents(test, async (read) => {
      const { events, ...rest } = await read();
      return { ...rest, events: [...events, ...events] };
    });
    const { hub, faults } = streamsOf({ engine: wrong });
    const reader = new FramesReader(test.member("alice"));
    await hub.subscribe(reader, ["balance"], new Map([["balance", 0]]));
    assertEquals(faults.length, 1);
    assertEquals(reader.closed, null);
    assertEquals(reader.frames.filter((frame) => frame.includes("cannot be read back")).length, 1);
    const { sequence, snapshot } = JSON.parse(reader.frames.at(-1) ?? "");
    assertEquals([sequence, snapshot], [3, true]);
    await test.place("alice", { price: "11", amount: "1" });
    assertEquals(JSON.parse(reader.frames.at(-1) ?? "").sequence, 4);
  });
});
