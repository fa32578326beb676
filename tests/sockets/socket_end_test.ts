import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { Logger } from "../../src/server/logger.ts";
import { StreamMessage } from "../../src/sockets/stream_message.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { eventually } from "../support/eventually.ts";
import { rawHandshake, readUpTo } from "../support/raw_handshake.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";

const STREAM = "test.flood";
const FRAME_LENGTH = 60_000;
const HALF_MEBIBYTE = 512 * 1024;
/** The server's close frame: its head, the code 4008 and the reason. */
const SLOW_READER = [0x88, 13, 0x0f, 0xa8, ...new TextEncoder().encode("slow reader")];

describe("a reader that does not read", () => {
  it("is closed with a reason and never waited for, and others miss nothing", async () => {
    await withServedVenue(async ({ url, realtime, listen }) => {
      const { hub } = realtime;
      hub.register({ access: "public", has: (stream) => stream === STREAM, begin() {} });
      const slow = await rawHandshake(`${url}/api/v2/stream/public?stream=${STREAM}`);
      assertEquals(slow.status, 101);
      const reader = await listen(`?stream=${STREAM}`);
      await reader.message("success");
      await eventually("both readers", () => hub.topic(STREAM)?.subscriptions.size === 2);
      const content = { payload: () => JSON.stringify("x".repeat(FRAME_LENGTH)) };
      let sequence = 0;
      while (hub.topic(STREAM)?.subscriptions.size === 2) {
        sequence += 1;
        hub.topic(STREAM)?.publish(new StreamMessage(STREAM, sequence, content));
        assertEquals((await reader.message(STREAM)).sequence, sequence);
      }
      const length = await readUpTo(slow.connection, SLOW_READER);
      assert(length > FRAME_LENGTH, "it had what was sent before");
      assertEquals(realtime.figures(), {
        sockets: 2,
        dropped_readers: 1,
        closed_sockets: [{ code: 4008, reason: "slow reader", count: 1 }],
      });
      slow.connection.close();
      reader.send("ping");
      assertEquals(await reader.next(), "pong");
    });
  });
});

describe("readers that together leave more unread than may wait", () => {
  it("are closed although none of them is slow by itself, and prompt readers are not", async () => {
    const limits = { waitingBytesMax: 3 * HALF_MEBIBYTE, burstBytesMax: 0 };
    await withServedVenue(async ({ url, realtime, listen }) => {
      const { hub } = realtime;
      hub.register({ access: "public", has: (stream) => stream === STREAM, begin() {} });
      const path = `${url}/api/v2/stream/public?stream=${STREAM}`;
      const deaf = await Promise.all([1, 2, 3, 4].map(() => rawHandshake(path)));
      const reader = await listen(`?stream=${STREAM}`);
      await reader.message("success");
      const subscriptions = () => [...hub.topic(STREAM)?.subscriptions ?? []];
      const unread = () => subscriptions().reduce((sum, one) => sum + one.reader.unread, 0);
      await eventually("all readers", () => subscriptions().length === deaf.length + 1);
      const content = { payload: () => JSON.stringify("x".repeat(FRAME_LENGTH)) };
      // The platform keeps two frames of each at most.
      const enough = limits.waitingBytesMax + 2 * deaf.length * FRAME_LENGTH;
      for (let sequence = 1; unread() <= enough; sequence++) {
        const message = new StreamMessage(STREAM, sequence, content);
        for (const one of subscriptions()) {
          if (one.reader.unread < HALF_MEBIBYTE) one.deliver(message);
        }
        assertEquals((await reader.message(STREAM)).sequence, sequence);
      }
      await eventually("one that is closed", () => realtime.figures().dropped_readers > 0);
      assert(unread() <= enough);
      reader.send("ping");
      assertEquals(await reader.next(), "pong");
      for (const { connection } of deaf) connection.close();
    }, { limits });
  });
});

describe("a venue that stops", () => {
  it("answers what a bot has asked before, and takes nothing more", async () => {
    await withServedVenue(async (served) => {
      const { engine } = served.venue;
      const client = await RpcClient.open(served, "alice");
      const [asked, durable] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const submit: Engine["submit"] = engine.submit.bind(engine);
      const held: Engine["submit"] = async (...command) => {
        asked.resolve();
        await durable.promise;
        return await submit(...command);
      };
      Object.assign(engine, { submit: held });
      const answer = client.call("create_order", ["btcusdt", "l", "buy", "1", "100"]);
      await asked.promise;
      const closed = served.realtime.close();
      client.stream.send([1, 99, "create_order", ["btcusdt", "l", "buy", "1", "100"]]);
      durable.resolve();
      const [uuid] = await answer;
      assert(engine.idOf(uuid) !== null, "the answer names the order");
      await closed;
      assertEquals(await client.stream.closed, { code: 1012, reason: "service restart" });
      assertEquals(engine.venue.counters.orders, 1);
    });
  });

  it("tells its clients to reconnect", async () => {
    const config = readConfig({ PORT: "0", KV_PATH: ":memory:" }, ["--demo"]);
    const logger = new Logger("error", () => {});
    const server = await VenueServer.start(config, logger);
    const streams = "stream=btcusdt.ob-inc,global.tickers,btcusdt.kline-1m";
    const client = await StreamClient.open(`${server.url}/api/v2/stream/public?${streams}`);
    assertEquals((await client.message("success")).success.streams.length, 3);
    await Promise.all([server.stop(), client.closed]);
    assertEquals(await client.closed, { code: 1012, reason: "service restart" });
  });
});
