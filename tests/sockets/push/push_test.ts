import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { STREAMS_PER_READER_MAX } from "../../../src/sockets/sending/hub.ts";
import { REQUESTS_AT_ONCE_MAX } from "../../../src/sockets/request_pace.ts";
import { PUSH_FRAME_BYTES_MAX } from "../../../src/sockets/push/push_routes.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { StreamClient } from "../../support/stream_client.ts";
import { CLOSE_CODES } from "../../../src/sockets/limits.ts";

describe("the push protocol", () => {
  it("confirms all streams after connecting, for none, one or several", async () => {
    await withServedVenue(async ({ listen }) => {
      const silent = await listen();
      assertEquals(await silent.next(), { success: { message: "subscribed", streams: [] } });
      const client = await listen(
        "/?stream=nothing.trades,%20btcusdt.trades%20&stream=global.tickers",
      );
      const { success } = await client.message("success");
      assertEquals(success.streams, ["btcusdt.trades", "global.tickers"]);
      const listed = await listen("/?stream[0]=btcusdt.trades&stream%5B%5D=global.tickers");
      assertEquals((await listed.message("success")).success.streams, success.streams);
    });
  });

  it("is spoken at all its paths, with and without a slash", async () => {
    await withServedVenue(async ({ url, venue }) => {
      for (const folder of ["stream", "ranger", "websocket"]) {
        for (const slash of ["", "/"]) {
          const open = await StreamClient.open(`${url}/api/v2/${folder}/public${slash}`);
          await open.message("success");
          const path = `${url}/api/v2/${folder}/private${slash}`;
          venue.clock.now += 1;
          const own = await StreamClient.open(path, venue.sign("alice"));
          await own.message("success");
          await open.close();
          await own.close();
        }
      }
    });
  });

  it("names all streams that a client can't have, beside the success of the others", async () => {
    await withServedVenue(async ({ url, venue, listen, listenAs }) => {
      const error = (...refused: string[]) => ({ error: { message: refused.join("; ") } });
      const [none, own] = [": no such stream", ": private, read it at a private path, or log in"];
      const asked = ["btcusdt.trades", "order", "no.such", "balances", "no.such", "nothing"];
      const refused = error(`order${own}`, `no.such${none}`, `balances${own}`, `nothing${none}`);
      const success = { success: { message: "subscribed", streams: ["btcusdt.trades"] } };
      for (const folder of ["stream", "ranger", "websocket"]) {
        const path = `${url}/api/v2/${folder}/public`;
        const client = await StreamClient.open(`${path}?stream=${asked}`);
        assertEquals([await client.next(), await client.next()], [refused, success]);
        client.send({ event: "subscribe", streams: asked });
        assertEquals([await client.next(), await client.next()], [refused, success]);
        await client.close();
      }
      const client = await listen();
      await client.message("success");
      client.send({ event: "unsubscribe", streams: ["no.such", "ethusdt.trades"] });
      assertEquals(await client.next(), error(`no.such${none}`));
      assertEquals((await client.next()).success.streams, []);
      venue.clock.now += 1;
      const alice = await listenAs("alice", `?stream=${asked}`);
      assertEquals(await alice.next(), error(`no.such${none}`, `nothing${none}`));
    });
  });

  it("has the stream's key alone in public messages at older paths, whoever else reads", async () => {
    await withServedVenue(async ({ url, venue }) => {
      const streams = ["ob-inc", "ob-levels", "trades", "kline-1m"].map((one) => `btcusdt.${one}`);
      const query = `?stream=${streams},global.tickers&checksum=crc32`;
      const [numbered, older, own] = [
        await StreamClient.open(`${url}/api/v2/stream/public${query}`),
        await StreamClient.open(`${url}/api/v2/ranger/public${query}`),
        await StreamClient.open(
          `${url}/api/v2/websocket/private${query}&stream=order`,
          venue.sign("alice"),
        ),
      ];
      await venue.order("alice", { price: "100" });
      await venue.order("bob", { side: "sell", price: "100" });
      await venue.order("alice", { price: "80" });
      const seen = async (client: StreamClient, isRight: (keys: string[]) => boolean) => {
        const names = new Set<string>();
        while (names.size < 6) {
          const keys = Object.keys(await client.next());
          const [key = ""] = keys;
          if (!key.includes(".")) continue;
          assert(isRight(keys), `${keys}`);
          names.add(key);
        }
      };
      await seen(numbered, ([key = "", ...others]) => {
        const numbers = key.includes(".ob-") ? ["sequence", "event"] : ["sequence"];
        return others.filter((one) => one !== "last").join() === numbers.join();
      });
      for (const client of [older, own]) await seen(client, (keys) => keys.length === 1);
      await venue.order("alice", { price: "90" });
      assertEquals(Object.keys(await own.message("order")), ["order", "sequence", "event"]);
    });
  });

  it("subscribes and unsubscribes", async () => {
    await withServedVenue(async ({ listen }) => {
      const client = await listen();
      await client.message("success");
      assertEquals(await client.subscribe("btcusdt.trades"), ["btcusdt.trades"]);
      assertEquals(await client.subscribe("btcusdt.trades", "ethusdt.trades"), [
        "btcusdt.trades",
        "ethusdt.trades",
      ]);
      client.send({ event: "unsubscribe", streams: ["btcusdt.trades"], extra: 1 });
      assertEquals(await client.next(), {
        success: { message: "unsubscribed", streams: ["ethusdt.trades"] },
      });
    });
  });

  it("answers what it does not understand with an error, and goes on", async () => {
    await withServedVenue(async ({ listen }) => {
      const client = await listen();
      await client.message("success");
      const wrong = [
        "{",
        "[]",
        "null",
        "7",
        { event: "dance", streams: ["btcusdt.trades"] },
        { event: "subscribe" },
        { event: "subscribe", streams: [] },
        { event: "subscribe", streams: "btcusdt.trades" },
        { event: "unsubscribe", streams: [7] },
        '{"event":"subscribe","streams":["btcusdt.trades"],"streams":["ethusdt.trades"]}',
      ];
      for (const frame of wrong) {
        client.send(frame);
        const { error } = await client.next();
        assert(typeof error.message === "string" && error.message.length > 0);
      }
      assertEquals(await client.subscribe("btcusdt.trades"), ["btcusdt.trades"]);
    });
  });

  it("answers ping with pong", async () => {
    await withServedVenue(async ({ listen }) => {
      const client = await listen();
      await client.message("success");
      client.send("ping");
      assertEquals(await client.next(), "pong");
      client.send("ping\n");
      assertEquals(await client.next(), "pong");
      for (const blank of ["", " ", "\n"]) {
        client.send(blank);
        assert((await client.next()).error !== undefined);
      }
    });
  });

  it("closes a client for a binary frame, whatever it holds", async () => {
    await withServedVenue(async ({ url, venue }) => {
      const request = '{"event":"subscribe","streams":["btcusdt.trades"]}';
      for (const path of ["stream/public", "ranger/private", "trading", "finex"]) {
        for (const text of [request, "ping", "x".repeat(PUSH_FRAME_BYTES_MAX + 1), ""]) {
          venue.clock.now += 1;
          const client = await StreamClient.open(`${url}/api/v2/${path}`, venue.sign("alice"));
          const frames: unknown[] = [];
          client.onFrame = (frame) => frames.push(frame);
          client.sendBytes(new TextEncoder().encode(text));
          assertEquals((await client.closed).code, 1003, `${path} ${text}`);
          assert(!`${frames}`.includes("pong"));
        }
      }
    });
  });

  it("closes a client for a frame that is too long or not text", async () => {
    await withServedVenue(async ({ listen }) => {
      const long = await listen();
      long.send("x".repeat(PUSH_FRAME_BYTES_MAX + 1));
      assertEquals((await long.closed).code, 1009);
      const wide = await listen();
      wide.send("é".repeat(PUSH_FRAME_BYTES_MAX / 2 + 1));
      assertEquals((await wide.closed).code, 1009);
      const fitting = await listen();
      await fitting.message("success");
      fitting.send("x".repeat(PUSH_FRAME_BYTES_MAX));
      assert((await fitting.next()).error !== undefined);
      fitting.sendBytes(new Uint8Array([0xff, 0xfe]));
      assertEquals((await fitting.closed).code, 1003);
    });
  });

  it("takes as many requests at once as streams are allowed", async () => {
    await withServedVenue(async ({ listen }) => {
      const client = await listen();
      await client.message("success");
      const streams = ["btcusdt.trades", "btcusdt.ob-inc", "global.tickers", "btcusdt.kline-1m"];
      for (let i = 0; i < STREAMS_PER_READER_MAX; i++) {
        client.send({ event: "subscribe", streams: [streams[i % streams.length]] });
      }
      let answer = await client.message("success");
      for (let i = 1; i < STREAMS_PER_READER_MAX; i++) answer = await client.message("success");
      assertEquals(answer.success.streams, streams);
    });
  });

  it("closes a client for too many requests at once", async () => {
    await withServedVenue(async ({ listen }) => {
      const client = await listen();
      await client.message("success");
      // The allowance refills meanwhile.
      await assertRejects(async () => {
        for (let i = 0; i <= 2 * REQUESTS_AT_ONCE_MAX; i++) {
          client.send("{}");
          await client.next();
        }
      });
      assertEquals(await client.closed, { code: 1008, reason: "too many requests" });
    });
  });

  it("says why it closes a client that keeps sending", async () => {
    await withServedVenue(async ({ listen }) => {
      for (const frame of ["{}", "ping"]) {
        const client = await listen();
        for (let i = 0; i < 10 * REQUESTS_AT_ONCE_MAX; i++) client.send(frame);
        assertEquals((await client.closed).code, 1008);
      }
    });
  });

  it("closes only the client whose stream fails to begin", async () => {
    await withServedVenue(async ({ realtime, listen, faults }) => {
      const begin = () => {
        throw new Error("A fact does not hold");
      };
      realtime.hub.register({ access: "public", has: (name) => name === "broken", begin });
      const [client, other] = [await listen(), await listen()];
      client.send({ event: "subscribe", streams: ["broken"] });
      assertEquals((await client.closed).code, CLOSE_CODES.fault);
      assertEquals(faults.length, 1);
      await other.message("success");
      assertEquals(await other.subscribe("btcusdt.trades"), ["btcusdt.trades"]);
    });
  });

  it("limits the streams of one socket", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const { engine } = venue;
      const books = [...engine.venue.bookById.keys()];
      const periods = ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d", "3d", "1w"];
      const streams = books.flatMap((id) => periods.map((period) => `${id}.kline-${period}`));
      assert(streams.length < STREAMS_PER_READER_MAX, "the demo has few markets");
      const client = await listen();
      await client.message("success");
      for (const id of books) {
        await client.subscribe(...streams.filter((name) => name.startsWith(`${id}.`)));
      }
      assertEquals((await client.subscribe("global.tickers")).length, streams.length + 1);
    });
  });

  it("remembers the `since` of a stream that there was no room for", async () => {
    await withServedVenue(async ({ venue, realtime, listenAs }) => {
      realtime.hub.register({
        access: "public",
        has: (stream) => stream.startsWith("test."),
        begin() {},
      });
      for (let i = 0; i < 2; i++) assertEquals((await venue.order("alice")).status, 201);
      const many = Array.from({ length: STREAMS_PER_READER_MAX }, (_, i) => `test.${i}`);
      const client = await listenAs("alice", `?stream=${many},order&since=order:1`);
      assert((await client.next()).error.message.startsWith("Too many streams"));
      client.send({ event: "unsubscribe", streams: ["test.7"] });
      client.send({ event: "subscribe", streams: ["order"] });
      const { sequence, snapshot } = await client.message("order");
      assertEquals([sequence, snapshot], [2, undefined]);
    });
  });
});
