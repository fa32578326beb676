import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import {
  PushConnection,
  REQUESTS_WAITING_LENGTH_MAX,
  REQUESTS_WAITING_MAX,
} from "../../../src/sockets/push/push_connection.ts";
import { PUSH } from "../../../src/sockets/push/push_dialect.ts";
import { StreamMessage } from "../../../src/sockets/stream_message.ts";
import type { StreamSocket } from "../../../src/sockets/sending/stream_socket.ts";
import type { StreamSource, Subscription } from "../../../src/sockets/sending/subscription.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf } from "../../support/private_streams.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";
import { pushParts } from "../../support/push_parts.ts";
import { BURST_BYTES_MAX, CLOSE_CODES } from "../../../src/sockets/limits.ts";

/** Three such frames make a reader slow. */
const FRAME_BYTES = 100 * 1024;
const MARKETS = ["btcusdt", "ethusdt", "ethbtc"];
/** Together fewer orders than a member may have on a market. */
const CALLS_PER_MARKET = 10;
const ORDERS_PER_CALL = 99;

/** Returns id, state, whether it is a snapshot, and sequence of each order message. */
function toldOrders(frames: readonly string[]): unknown[] {
  return frames.map((frame) => {
    const { order, snapshot, sequence } = JSON.parse(frame);
    return [order.id, order.state, snapshot === true, sequence];
  });
}

async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe("the open orders that a private stream begins with", () => {
  it("wait for their reader unchanged, and later events follow them", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push(await test.placed("alice", { price: "10", amount: "1" }));
    const { hub, faults } = streamsOf(test);
    const reader = new FramesReader(test.member("alice"), FRAME_BYTES);
    const subscribed = hub.subscribe(reader, ["order"]);
    await test.must({ kind: "cancel_all_orders", member: reader.member, market: -1, side: null });
    const late = await test.placed("alice", { price: "10", amount: "1" });
    await turns();
    assertEquals(reader.frames.length, 3);
    reader.read();
    await subscribed;
    assertEquals(toldOrders(reader.frames), [
      ...ids.map((id) => [id, "wait", true, 6]),
      ...ids.map((id, i) => [id, "cancel", false, 7 + i]),
      [late, "wait", false, 13],
    ]);
    assertEquals([reader.closed, faults], [null, []]);
  });

  it("may exceed a socket's send buffer, with every order sent once", async () => {
    await withServedVenue(async ({ venue, listenAs, realtime, faults }) => {
      for (const market of MARKETS) {
        for (let i = 0; i < CALLS_PER_MARKET; i++) {
          const orders = Array.from({ length: ORDERS_PER_CALL }, (_, k) => ({
            market,
            side: "buy",
            type: "limit",
            price: "0.02",
            amount: "1",
            client_order_id: `${market}-a-name-that-is-long-${i}-${k}`,
          }));
          const { status, text } = await venue.post(
            "alice",
            "/api/v2/trading/market/bulk/orders",
            orders,
          );
          assertEquals(status, 201, text);
        }
      }
      const client = await listenAs("alice", "?stream=order");
      const first = await client.message("order");
      const placed = venue.order("alice", { price: "0.02" });
      const orders: Frame[] = [first];
      while (orders.at(-1).snapshot === true) orders.push(await client.message("order"));
      assertEquals((await placed).status, 201);
      const count = MARKETS.length * CALLS_PER_MARKET * ORDERS_PER_CALL;
      const begun = orders.slice(0, count);
      assertEquals(orders.length, count + 1);
      assert(begun.every(({ snapshot, sequence }) => snapshot && sequence === count));
      const ids = begun.map(({ order }) => order.id);
      assertEquals(ids, [...new Set(ids)].sort((a, b) => a - b));
      assertEquals(orders.at(-1).sequence, count + 1);
      assertEquals([realtime.figures().dropped_readers, faults], [0, []]);
    });
  });
});

/** Streams that send one frame each once they are ready. */
class SlowStreams implements StreamSource {
  readonly access = "public";
  readonly begun: string[] = [];

  constructor(readonly ready: Promise<void> | undefined = undefined) {}

  has(): boolean {
    return true;
  }

  begin(subscription: Subscription): Promise<void> | undefined {
    const { stream } = subscription.topic;
    this.begun.push(stream);
    subscription.send(message(stream, 0));
    return this.ready;
  }
}

function message(stream: string, sequence: number): StreamMessage {
  return new StreamMessage(stream, sequence, { payload: () => "0" });
}

describe("streams of a reader that does not read", () => {
  it("begin once it has read the others' snapshots, unless unsubscribed", async () => {
    const hub = new Hub();
    const source = new SlowStreams();
    hub.register(source);
    const reader = new FramesReader(0, FRAME_BYTES);
    const subscribed = hub.subscribe(reader, ["a", "b", "c", "d", "e"]);
    hub.topic("d")?.publish(message("d", 1));
    await turns();
    assertEquals(source.begun, ["a", "b", "c"]);
    hub.unsubscribe(reader, ["e"]);
    reader.read();
    assertEquals(await subscribed, "subscribed");
    assertEquals(source.begun, ["a", "b", "c", "d"]);
    assertEquals(reader.frames.slice(3), [
      `{"d":0,"sequence":0}`,
      `{"d":0,"sequence":1}`,
    ]);
  });

  it("continue with held messages once it reads, then with later ones", async () => {
    const hub = new Hub();
    const { promise, resolve } = Promise.withResolvers<void>();
    hub.register(new SlowStreams(promise));
    const reader = new FramesReader(0, FRAME_BYTES);
    const subscribed = hub.subscribe(reader, ["a"]);
    const publish = (sequence: number) => hub.topic("a")?.publish(message("a", sequence));
    for (let sequence = 1; sequence <= 5; sequence++) publish(sequence);
    resolve();
    await turns();
    assertEquals(reader.frames.length, 3);
    publish(6);
    reader.read();
    await subscribed;
    publish(7);
    const sequences = reader.frames.map((frame) => JSON.parse(frame).sequence);
    assertEquals(sequences, [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("end when it leaves", async () => {
    const hub = new Hub();
    const source = new SlowStreams();
    hub.register(source);
    const reader = new FramesReader(0, FRAME_BYTES);
    const subscribed = hub.subscribe(reader, ["a", "b", "c", "d"]);
    reader.close(1000, "");
    hub.leave(reader);
    await subscribed;
    assertEquals([source.begun.length, reader.frames.length], [3, 3]);
  });

  it("close it when too much is held for it", async () => {
    const hub = new Hub();
    const { promise, resolve } = Promise.withResolvers<void>();
    hub.register(new SlowStreams(promise));
    const reader = new FramesReader(0);
    const subscribed = hub.subscribe(reader, ["a"]);
    const text = JSON.stringify("x".repeat(FRAME_BYTES));
    for (let bytes = 0; bytes <= BURST_BYTES_MAX; bytes += text.length) {
      assertEquals(reader.closed, null);
      hub.topic("a")?.publish(new StreamMessage("a", bytes + 1, { payload: () => text }));
    }
    assertEquals(reader.closed, { code: CLOSE_CODES.slowReader, reason: "slow reader" });
    hub.leave(reader);
    resolve();
    await subscribed;
    assertEquals(reader.frames.length, 1);
  });

  it("close it if their snapshot can't be made", async () => {
    const faults: unknown[] = [];
    const fault = new Error("A fact does not hold");
    const hub = new Hub();
    hub.register(new SlowStreams(turns().then(() => Promise.reject(fault))));
    const streams = ["a", "b"];
    const handshake = { member: null, dialect: PUSH, streams, since: new Map() };
    const connection = new PushConnection(pushParts(hub, (error) => faults.push(error)), handshake);
    const reader = new FramesReader(0);
    connection.attach(reader as unknown as StreamSocket);
    connection.onOpen();
    await turns();
    await turns();
    assertEquals([reader.closed?.code, faults], [CLOSE_CODES.fault, [fault]]);
    hub.leave(connection);
  });

  it("limit the length of its waiting requests", () => {
    const hub = new Hub();
    hub.register(new SlowStreams());
    const reader = new FramesReader(0, FRAME_BYTES);
    const handshake = {
      member: null,
      dialect: PUSH,
      streams: ["a", "b", "c", "d"],
      since: new Map(),
    };
    const connection = new PushConnection(
      pushParts(hub, (error) => {
        throw error;
      }),
      handshake,
    );
    connection.attach(reader as unknown as StreamSocket);
    connection.onOpen();
    const longest = '{"event":"subscribe","streams":["a"]}'.padEnd(4096);
    for (let i = 0; i < REQUESTS_WAITING_LENGTH_MAX / 4096; i++) connection.onText(longest);
    assertEquals(reader.closed, null);
    connection.onText(longest);
    assertEquals(reader.closed, { code: 1008, reason: "too many requests" });
    hub.leave(connection);
  });

  it("limit its waiting requests", async () => {
    const hub = new Hub();
    hub.register(new SlowStreams());
    const reader = new FramesReader(0, FRAME_BYTES);
    const streams = ["a", "b", "c", "d"];
    const handshake = { member: null, dialect: PUSH, streams, since: new Map() };
    const connection = new PushConnection(
      pushParts(hub, (error) => {
        throw error;
      }),
      handshake,
    );
    connection.attach(reader as unknown as StreamSocket);
    connection.onOpen();
    const { now } = performance;
    // Starts at the present, because the connection read the clock when it was created.
    let at = performance.now();
    try {
      performance.now = () => at += 1000;
      const ask = () => connection.onText('{"event":"unsubscribe","streams":["e"]}');
      for (let i = 1; i < REQUESTS_WAITING_MAX; i++) ask();
      assertEquals(reader.closed, null);
      reader.read();
      await turns();
      assertEquals(reader.frames.length, streams.length + REQUESTS_WAITING_MAX);
      hub.unsubscribe(connection, streams);
      reader.unread = 3 * FRAME_BYTES;
      for (let i = 0; i <= REQUESTS_WAITING_MAX; i++) {
        connection.onText('{"event":"subscribe","streams":["a"]}');
      }
      assertEquals(reader.closed, { code: 1008, reason: "too many requests" });
    } finally {
      performance.now = now;
    }
    hub.leave(connection);
    await turns();
  });
});
