import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/config.ts";
import { Logger } from "../../src/logger.ts";
import { StreamMessage } from "../../src/realtime/stream_message.ts";
import { VenueServer } from "../../src/venue_server.ts";
import { rawHandshake, readUpTo } from "../support/raw_handshake.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";

const STREAM = "test.flood";
const FRAME_LENGTH = 60_000;
/** Close frame of the server: its head, the code 4008 and the reason. */
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
      while (hub.topic(STREAM)?.subscriptions.size !== 2) await turn();
      const content = { payload: () => JSON.stringify("x".repeat(FRAME_LENGTH)) };
      let sequence = 0;
      while (hub.topic(STREAM)?.subscriptions.size === 2) {
        sequence += 1;
        hub.topic(STREAM)?.publish(new StreamMessage(STREAM, sequence, content));
        assertEquals((await reader.message(STREAM)).sequence, sequence);
      }
      const length = await readUpTo(slow.connection, SLOW_READER);
      assert(length > FRAME_LENGTH, "it had what was sent before");
      assertEquals(realtime.figures(), { sockets: 2, dropped_readers: 1 });
      slow.connection.close();
      reader.send("ping");
      assertEquals(await reader.next(), "pong");
    });
  });
});

describe("a venue that stops", () => {
  it("tells its clients to connect again", async () => {
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

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
