import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Hub } from "../../../src/sockets/sending/hub.ts";
import {
  isContiguous,
  lastSequence,
  LOGGED_STREAMS,
  type LoggedStream,
} from "../../../src/sockets/streams/private_messages.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import type { FaultyStore } from "../../support/faulty_store.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { addMoneyStream, MONEY_MEMBERS, runMoneyStream } from "../../support/money_stream.ts";
import { streamsOf, withMemberEvents } from "../../support/private_streams.ts";
import { Prng } from "../../support/prng.ts";
import { units } from "../../support/domain_venue.ts";
import { STREAM_MEMBERS } from "../../support/random_command.ts";

/** Subscribes members to all streams; returns their readers by uid. */
async function readers(
  test: EngineVenue,
  hub: Hub,
  uids: readonly string[],
): Promise<Map<string, FramesReader>> {
  const byUid = new Map<string, FramesReader>();
  for (const uid of uids) {
    const reader = new FramesReader(test.member(uid));
    await hub.subscribe(reader, LOGGED_STREAMS);
    byUid.set(uid, reader);
  }
  return byUid;
}

/** Asserts that messages are numbered without gaps up to the last one. */
function assertWhole(test: EngineVenue, live: FramesReader, start: Record<string, number>): void {
  for (const stream of LOGGED_STREAMS) {
    const sequences = live.news(stream).map((frame) => JSON.parse(frame).sequence as number);
    const from = start[stream] ?? 0;
    const last = lastSequence(test.venue, live.member, stream);
    if (isContiguous(stream)) {
      assertEquals(sequences, sequences.map((_, i) => from + 1 + i), stream);
      assertEquals(from + sequences.length, last, stream);
    } else {
      const all = [from, ...sequences];
      assert(
        sequences.every((sequence, i) => sequence > (all[i] ?? 0) && sequence <= last),
        stream,
      );
    }
  }
}

/** Asserts that replays from random sequences equal what was pushed. */
async function assertReplayed(
  hub: Hub,
  live: FramesReader,
  start: Record<string, number>,
  prng: Prng,
): Promise<void> {
  for (let i = 0; i < 6; i++) {
    const since = new Map<LoggedStream, number>();
    for (const stream of LOGGED_STREAMS) {
      const from = start[stream] ?? 0;
      since.set(stream, i === 0 ? from : from + prng.below(live.news(stream).length + 1));
    }
    const again = new FramesReader(live.member);
    await hub.subscribe(again, LOGGED_STREAMS, since);
    for (const stream of LOGGED_STREAMS) {
      const told = again.news(stream);
      const missed = live.news(stream, since.get(stream));
      // What stop orders had locked is not known before they end, and the last tells everything.
      const isWhole = stream !== "balances" || missed.length === 0;
      assert(isWhole || told.length > 0, stream);
      assertEquals(told, isWhole ? missed : missed.slice(-told.length), stream);
    }
    const count = LOGGED_STREAMS.reduce((sum, stream) => sum + again.news(stream).length, 0);
    assertEquals(again.frames.length, count);
    hub.leave(again);
  }
}

function countsOf(test: EngineVenue, uid: string): Record<string, number> {
  const member = test.member(uid);
  return Object.fromEntries(
    LOGGED_STREAMS.map((stream) => [stream, lastSequence(test.venue, member, stream)]),
  );
}

/** Places orders of alice at one process, and after each runs `read` at a lagging one. */
async function eachHeardLate(
  read: (reader: FramesReader, hub: Hub, count: number) => Promise<void>,
): Promise<void> {
  await using file = await VenueFile.create();
  await using one = await EngineVenue.open({ path: file.path, isShared: true });
  await one.addUsual();
  const prepare = (store: FaultyStore) => store.isWatchDropped = true;
  await using other = await EngineVenue.open({ path: file.path, isShared: true, prepare });
  const { hub } = streamsOf(other);
  for (let count = 1; count <= 5; count++) {
    await one.place("alice", { price: "10", amount: "1" });
    const reader = new FramesReader(other.member("alice"));
    await read(reader, hub, count);
    hub.leave(reader);
  }
}

describe("the snapshot that begins a private stream", () => {
  it("includes what another process has just committed", () =>
    eachHeardLate(async (reader, hub, count) => {
      await hub.subscribe(reader, ["order"]);
      assertEquals(reader.frames.length, count);
    }));
});

describe("the replay of private streams", () => {
  for (const seed of [1, 2, 3]) {
    it(`is what was pushed, byte for byte, over random orders (${seed})`, async () => {
      await using test = await EngineVenue.open();
      const { hub, faults } = streamsOf(test);
      const prng = new Prng(seed);
      await addStream(test);
      const starts = new Map(STREAM_MEMBERS.map((uid) => [uid as string, countsOf(test, uid)]));
      const live = await readers(test, hub, STREAM_MEMBERS);
      await runStream(test, prng, 1500);
      for (const [uid, reader] of live) {
        const start = starts.get(uid) ?? {};
        assertWhole(test, reader, start);
        assert(reader.news("order").length > 100 && reader.news("trade").length > 20);
        await assertReplayed(hub, reader, start, prng);
      }
      assertEquals(faults, []);
    });
  }

  it("is what was pushed over deposits, withdrawals and corrections", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    const { hub, faults } = streamsOf(test);
    const prng = new Prng(4);
    await addMoneyStream(test);
    const changes = { depositFee: units("0.003") };
    await test.must({ kind: "change_currency", id: "btc", changes });
    const starts = new Map(MONEY_MEMBERS.map((uid) => [uid as string, countsOf(test, uid)]));
    const live = await readers(test, hub, MONEY_MEMBERS);
    for (let i = 0; i < 20; i++) {
      await runMoneyStream(test, prng, 40, clock);
      for (const uid of MONEY_MEMBERS) {
        const currency = prng.pick(["btc", "usdt", "eur"]);
        const amount = units(prng.pick(["5", "-0.5", "20", "0.01"]));
        await test.engine.submit({ kind: "adjust_balance", uid, currency, amount }, null);
        const side = prng.pick(["buy", "sell"] as const);
        await test.place(uid, { side, price: "100", amount: "0.2", selfTrade: "none" });
      }
    }
    for (const [uid, reader] of live) {
      const start = starts.get(uid) ?? {};
      assertWhole(test, reader, start);
      await assertReplayed(hub, reader, start, prng);
    }
    assertEquals(faults, []);
  });

  it("is the same after a restart, from rows and tail", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    const prng = new Prng(5);
    await addStream(first);
    const starts = new Map(STREAM_MEMBERS.map((uid) => [uid as string, countsOf(first, uid)]));
    const live = await readers(first, streamsOf(first).hub, STREAM_MEMBERS);
    await runStream(first, prng, 600);
    await first.folded();
    await runStream(first, prng, 30);
    await first.close();
    await using again = await EngineVenue.open({ path: file.path });
    const { hub, faults } = streamsOf(again);
    for (const [uid, reader] of live) {
      await assertReplayed(hub, reader, starts.get(uid) ?? {}, prng);
    }
    assertEquals(faults, []);
  });

  it("is the same on every process, without gaps or duplicates", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({ path: file.path, isShared: true });
    await using other = await EngineVenue.open({ path: file.path, isShared: true });
    const prng = new Prng(6);
    await addStream(one);
    const here = streamsOf(one);
    const there = streamsOf(other);
    const starts = new Map(STREAM_MEMBERS.map((uid) => [uid as string, countsOf(one, uid)]));
    const live = await readers(one, here.hub, STREAM_MEMBERS);
    await runStream(one, prng, 200);
    const joined = new Map<string, FramesReader>();
    const trading = runStream(one, prng, 200);
    for (const [uid, { member }] of live) {
      const reader = new FramesReader(member);
      const since = new Map(Object.entries(starts.get(uid) ?? {}));
      await there.hub.subscribe(reader, LOGGED_STREAMS, since);
      joined.set(uid, reader);
    }
    await trading;
    await other.engine.fresh();
    await one.engine.fresh();
    for (const [uid, reader] of live) {
      for (const stream of LOGGED_STREAMS) {
        assertEquals(joined.get(uid)?.news(stream), reader.news(stream), stream);
      }
    }
    assertEquals([...here.faults, ...there.faults], []);
  });

  it("goes on with what happens while it is read", async () => {
    await using test = await EngineVenue.open();
    const { hub } = streamsOf(test);
    const prng = new Prng(7);
    await addStream(test);
    const uid = STREAM_MEMBERS[0];
    const start = countsOf(test, uid);
    const live = (await readers(test, hub, [uid])).get(uid) as FramesReader;
    await runStream(test, prng, 300);
    for (let i = 0; i < 5; i++) {
      const trading = runStream(test, prng, 40, 4);
      const reader = new FramesReader(live.member);
      const since = new Map(Object.entries(start));
      const subscribed = hub.subscribe(reader, LOGGED_STREAMS, since);
      assert(subscribed instanceof Promise);
      await trading;
      await subscribed;
      for (const stream of LOGGED_STREAMS) {
        assertEquals(reader.news(stream), live.news(stream), stream);
      }
      hub.leave(reader);
    }
  });

  it("shows an order as it was then, not as it has become since", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const sell = { side: "sell", price: "10", amount: "1" } as const;
    const id = await test.placed("alice", { price: "10", amount: "5" });
    await test.place("bob", sell);
    const slow = withMemberEvents(test, async (read) => {
      const events = await read();
      await test.place("bob", sell);
      return events;
    });
    const reader = new FramesReader(test.member("alice"));
    await streamsOf({ engine: slow }).hub.subscribe(reader, ["order"], new Map([["order", 1]]));
    const told = reader.news("order").map((frame) => JSON.parse(frame));
    assertEquals(told.map(({ order }) => [order.id, order.remaining_volume, order.trades_count]), [
      [id, "4.0", 1],
      [id, "3.0", 2],
    ]);
    assertEquals(told.map(({ sequence }) => sequence), [2, 3]);
  });

  it("shows that a pending order came to rest, whatever became of it", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const { hub, faults } = streamsOf(test);
    const live = (await readers(test, hub, ["alice"])).get("alice") as FramesReader;
    await test.place("bob", { side: "sell", price: "10", amount: "1" });
    const post = { type: "post_only", price: "9", amount: "1" } as const;
    await test.place("alice", { price: "10", amount: "1" }, post);
    clock.now += 60_000;
    await test.must({ kind: "cancel_all_orders", member: live.member, market: -1, side: null });
    const states = live.news("order").map((frame) => JSON.parse(frame).order.state);
    assertEquals(states, ["wait", "pending", "done", "wait", "cancel"]);
    for (let since = 0; since <= states.length; since++) {
      const again = new FramesReader(live.member);
      await hub.subscribe(again, ["order"], new Map([["order", since]]));
      assertEquals(again.news("order"), live.news("order", since), `since ${since}`);
    }
    assertEquals(faults, []);
  });

  it("skips what its reader saw elsewhere before the process heard of it", () =>
    eachHeardLate(async (reader, hub, count) => {
      await hub.subscribe(reader, ["order"], new Map([["order", count]]));
      assertEquals(reader.frames, []);
    }));

  it("waits for a reader that has not read what it was sent", async () => {
    await using test = await EngineVenue.open();
    const { hub } = streamsOf(test);
    await test.addUsual();
    for (let i = 0; i < 3; i++) await test.place("alice", { price: "10", amount: "1" });
    const reader = new FramesReader(test.member("alice"), 1024 * 1024);
    const subscribed = hub.subscribe(reader, ["order"], new Map([["order", 0]]));
    await eventually("the first message", () => reader.frames.length > 0);
    await test.place("alice", { price: "11", amount: "1" });
    assertEquals(reader.news("order").length, 1);
    reader.read();
    await subscribed;
    assertEquals(reader.news("order").map((frame) => JSON.parse(frame).sequence), [1, 2, 3, 4]);
  });
});
