import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LOGGED_STREAMS } from "../../../src/sockets/streams/private_messages.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf, withMemberEvents } from "../../support/private_streams.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

const SELL = { side: "sell", price: "10", amount: "1" } as const;
/** More than may stay unread before later messages wait. */
const FRAME_BYTES = 300 * 1024;

/** Returns the stream, and the state of an order, of each frame; leaves snapshots out. */
function inShort(frames: readonly string[]): string[] {
  return frames.flatMap((frame) => {
    const { snapshot, ...message } = JSON.parse(frame);
    const stream = LOGGED_STREAMS.find((one) => one in message);
    if (stream === undefined || snapshot === true) return [];
    return stream === "order" ? [`order ${message.order.state}`] : [stream];
  });
}

const ACCEPTED = ["order wait", "balances", "balance"];
const FILLED = ["trade", "order done", "balances", "balance", "balance"];
const CANCELLED = ["order cancel", "balances", "balance"];

/** The streams in an order in which clients may ask for them. */
const ASKED = ["balance", "order", "balances", "trade"];

async function withAlice(
  test: (venue: EngineVenue, reader: FramesReader) => Promise<void>,
  frameBytes = 0,
): Promise<void> {
  await using venue = await EngineVenue.open();
  await venue.addUsual();
  await test(venue, new FramesReader(venue.member("alice"), frameBytes));
}

function buy(venue: EngineVenue): Promise<unknown> {
  return venue.place("alice", { price: "10", amount: "1" });
}

describe("what happens to a member", () => {
  it("is told trade first, then order, then balances, to maker and taker", () =>
    withAlice(async (venue, alice) => {
      const { hub } = streamsOf(venue);
      const bob = new FramesReader(venue.member("bob"));
      for (const reader of [alice, bob]) await hub.subscribe(reader, ASKED);
      await buy(venue);
      await venue.place("bob", SELL);
      for (const reader of [alice, bob]) {
        assertEquals(inShort(reader.frames), [...ACCEPTED, ...FILLED]);
      }
    }));

  it("is told so in the RPC dialect", () =>
    withServedVenue(async (served) => {
      const bob = await RpcClient.open(served, "bob");
      await bob.call("subscribe", ["private", ["balances", "orders", "trades"]]);
      await served.venue.order("alice", { price: "10", amount: "1" });
      bob.stream.send([1, 8, "create_order", ["btcusdt", "l", "sell", "1.5", "10"]]);
      bob.stream.send([1, 9, "cancel_order", ["all"]]);
      const names: string[] = [];
      while (names.length < 7) {
        const [kind, name] = await bob.stream.next();
        if (kind === 4) names.push(name);
      }
      assertEquals(names, ["on", "bu", "tr", "ou", "bu", "oc", "bu"]);
    }));

  it("is told so to those who come back for it, in one order for all streams", () =>
    withAlice(async (venue, live) => {
      const { hub } = streamsOf(venue);
      await hub.subscribe(live, LOGGED_STREAMS);
      const start = new Map(Object.entries(hub.sequencesOf(live)));
      live.frames.length = 0;
      for (let i = 0; i < 3; i++) {
        await buy(venue);
        await venue.place("bob", SELL);
      }
      await buy(venue);
      await venue.must({
        kind: "cancel_all_orders",
        member: live.member,
        market: -1,
        side: null,
      });
      const back = new FramesReader(live.member);
      await hub.subscribe(back, ASKED, start);
      assertEquals(back.frames, live.frames);
      // Streams can be merged by it: it never falls, and one event's messages share it.
      const events = back.frames.map((frame) => JSON.parse(frame).event as number);
      assertEquals(events, [...events].sort((a, b) => a - b));
      assertEquals(new Set(events).size, 8);
      const round = [...ACCEPTED, ...FILLED];
      assertEquals(inShort(back.frames), [...round, ...round, ...round, ...ACCEPTED, ...CANCELLED]);
    }));

  it("is told so after a replay during which it happened", () =>
    withAlice(async (venue, reader) => {
      await buy(venue);
      const slow = withMemberEvents(venue, async (read) => {
        const events = await read();
        await venue.place("bob", SELL);
        return events;
      });
      const since = new Map([["order", 0], ["trade", 0]]);
      await streamsOf({ engine: slow }).hub.subscribe(reader, ["order", "trade"], since);
      assertEquals(inShort(reader.frames), ["order wait", "trade", "order done"]);
    }));

  it("is told so to a slow reader that asks for one of its streams again", () =>
    withAlice(async (venue, reader) => {
      const { hub } = streamsOf(venue);
      await hub.subscribe(reader, ["trade", "order"]);
      for (let i = 0; i < 3; i++) await buy(venue);
      const again = hub.subscribe(reader, ["order"]);
      for (let i = 0; i < 3; i++) await venue.place("bob", SELL);
      reader.read();
      await again;
      await venue.place("alice", { price: "9", amount: "1" });
      const filled = ["trade", "order done"];
      assertEquals(inShort(reader.frames), [
        ...Array(3).fill("order wait"),
        ...filled,
        ...filled,
        ...filled,
        "order wait",
      ]);
    }, FRAME_BYTES));
});
