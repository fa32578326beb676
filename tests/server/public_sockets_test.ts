/** Unsigned sockets on a port and in a thread of their own. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Figures } from "../../src/edge/figures.ts";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { eventually } from "../support/eventually.ts";
import { rawHandshake, refused } from "../support/raw_handshake.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { type Frame, StreamClient } from "../support/stream_client.ts";
import { ConfigError } from "../../src/server/config_error.ts";

const OPERATOR = { kid: "boss", secret: "boss-secret-of-length" };
const PUBLIC = "/api/v2/stream/public";
const PRIVATE = "/api/v2/stream/private";
const RPC = "/api/v2/trading";
const OTHER_PORT = [421, ["stream.other_port"]];

interface Served {
  readonly server: VenueServer;
  /** Of unsigned sockets, as a URL. */
  readonly apart: string;
  readonly lines: readonly string[];
}

async function start(environment: Record<string, string>, lines: string[]): Promise<VenueServer> {
  const config = readConfig({
    PORT: "0",
    PUBLIC_SOCKETS_PORT: "0",
    KV_PATH: ":memory:",
    MASTER_KEY: "01".repeat(32),
    OPERATOR_KEY: `${OPERATOR.kid}:${OPERATOR.secret}`,
    ...environment,
  }, []);
  return await VenueServer.start(config, new Logger("info", (line) => lines.push(line)));
}

async function withServer(test: (served: Served) => Promise<void>): Promise<void> {
  const lines: string[] = [];
  const server = await start({}, lines);
  try {
    await test({ server, apart: server.publicSocketsUrl ?? "", lines });
  } finally {
    await server.stop();
  }
}

function signed(): Record<string, string> {
  return signedHeaders(OPERATOR.kid, OPERATOR.secret, Date.now());
}

/** Returns the venue's figures. */
async function metrics(server: VenueServer): Promise<Figures> {
  const answer = await fetch(`${server.url}/api/v2/admin/metrics`, { headers: signed() });
  const text = await answer.text();
  assertEquals(answer.status, 200, text);
  return JSON.parse(text);
}

describe("the port of unsigned sockets", () => {
  it("has the public streams, and those of the RPC dialect", () =>
    withServer(async ({ server, apart, lines }) => {
      assert(
        lines.some((line) => line.includes(`"publicSocketsUrl":"${apart}"`)),
        lines.join("\n"),
      );
      const push = await StreamClient.open(`${apart}${PUBLIC}/?stream=global.tickers`);
      assertEquals((await push.message("success")).success.streams, ["global.tickers"]);
      push.send("ping");
      assertEquals(await push.next(), "pong");
      const rpc = await StreamClient.open(`${apart}${RPC}`);
      rpc.send('[1,5,"list_orders",[]]');
      assertEquals(await rpc.next(), [2, 5, "error", ["authz.invalid_session"]]);
      assertEquals((await metrics(server)).sockets, 2);
      await push.close();
      await rpc.close();
      await eventually("their places free", async () => (await metrics(server)).sockets === 0);
    }));

  it("is the only one that they have, and signed ones don't have it", () =>
    withServer(async ({ server, apart }) => {
      for (const path of [PUBLIC, RPC, "/api/v2/ranger/public"]) {
        assertEquals(await refused(server, path, {}), OTHER_PORT);
      }
      for (const path of [PRIVATE, RPC]) {
        const headers = signed();
        assertEquals(await refused({ url: apart }, path, headers), OTHER_PORT);
        // It was refused, but can't be used for another call.
        assertEquals(await refused(server, path, headers), [401, ["authz.nonce_already_used"]]);
      }
      const { status, connection } = await rawHandshake(`${server.url}${PRIVATE}`, signed());
      assertEquals(status, 101);
      connection.close();
    }));

  it("answers everything else as the other one does", () =>
    withServer(async ({ apart }) => {
      const url = apart;
      assertEquals(await refused({ url }, "/api/v2/stream/none", {}), [404, ["route.not_found"]]);
      const version = { "Sec-WebSocket-Version": "8" };
      assertEquals(await refused({ url }, PUBLIC, version), [426, ["stream.upgrade_required"]]);
      const keyless = { "Sec-WebSocket-Key": "" };
      assertEquals(await refused({ url }, PUBLIC, keyless), [426, ["stream.upgrade_required"]]);
      const long = `${PUBLIC}?stream=${"x".repeat(9_000)}`;
      assertEquals(await refused({ url }, long, {}), [414, ["server.url_too_long"]]);
      const checksum = `${PUBLIC}?checksum=md5`;
      assertEquals(await refused({ url }, checksum, {}), [422, ["stream.invalid_checksum"]]);
      const plain = await fetch(`${url}/api/v2/peatio/public/markets`);
      assertEquals([plain.status, (await plain.json()).errors], [426, ["stream.upgrade_required"]]);
    }));

  it("closes what is no text, too long, or too fast", () =>
    withServer(async ({ server, apart }) => {
      const binary = await StreamClient.open(`${apart}${PUBLIC}`);
      binary.sendBytes(new Uint8Array(3));
      assertEquals((await binary.closed).code, 1003);
      const long = await StreamClient.open(`${apart}${PUBLIC}`);
      long.send("x".repeat(4_097));
      assertEquals((await long.closed).code, 1009);
      const longer = await StreamClient.open(`${apart}${RPC}`);
      longer.send("x".repeat(1024 * 1024));
      assertEquals((await longer.closed).code, 1009);
      const fast = await StreamClient.open(`${apart}${PUBLIC}`);
      for (let i = 0; i < 310; i++) fast.send('{"event":"subscribe","streams":["none"]}');
      // On a busy machine its last frames may still be unread, and the platform then resets it.
      assert([1008, 0].includes((await fast.closed).code));
      await eventually("all of them counted", async () => {
        const { closed_sockets } = await metrics(server);
        const counted = closed_sockets.map(({ code, count }) => `${code} ${count}`).toSorted();
        return counted.join() === "1003 1,1008 1,1009 1,1009 1";
      });
    }));

  it("lets keys log in, whose longer frames are then read", () =>
    withServer(async ({ server, apart }) => {
      const login = () => {
        const { "X-Auth-Apikey": apikey, "X-Auth-Nonce": nonce, "X-Auth-Signature": signature } =
          signed();
        return { apikey, nonce, signature };
      };
      const push = await StreamClient.open(`${apart}${PUBLIC}`);
      push.send({ event: "login", ...login() });
      const isAnswer = (frame: Frame) => frame.error || frame.success?.message === "logged_in";
      const { success } = await push.next(isAnswer);
      assertEquals(typeof success.uid, "string");
      assertEquals(await push.subscribe("balance"), ["balance"]);
      const long = `[1,8,"get_orders",${" ".repeat(100_000)}[]]`;
      const rpc = await StreamClient.open(`${apart}${RPC}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      rpc.send([1, 7, "login", Object.values(login())]);
      assertEquals(await rpc.next(), [4, "systemEvent", ["authenticated", success.uid]]);
      assertEquals(await rpc.next(), [2, 7, "login", [success.uid]]);
      rpc.send(long);
      const answer = [2, 8, "error", ["market.order.empty_orders"]];
      assertEquals((await rpc.next()).slice(0, 4), answer);
      const stranger = await StreamClient.open(`${apart}${RPC}`);
      stranger.send(long);
      assertEquals((await stranger.closed).code, 1009);
      await eventually("the two count", async () => (await metrics(server)).sockets === 2);
    }));

  it("tells its sockets to reconnect when the venue stops", async () => {
    const lines: string[] = [];
    const server = await start({}, lines);
    const client = await StreamClient.open(`${server.publicSocketsUrl}${PUBLIC}`);
    const stopped = server.stop();
    assertEquals((await client.closed).code, 1012);
    await stopped;
    assert(lines.some((line) => line.includes('"event":"stopped"')), lines.join("\n"));
  });

  it("is named if it can't be listened on, as the other one is, which frees it", async () => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const freePort = free.addr.port;
    free.close();
    const apart = () => start({ PUBLIC_SOCKETS_PORT: String(port) }, []);
    await assertRejects(apart, ConfigError, `PUBLIC_SOCKETS_PORT ${port}`);
    const other = () => start({ PORT: String(port), PUBLIC_SOCKETS_PORT: String(freePort) }, []);
    await assertRejects(other, ConfigError, `PORT ${port}`);
    Deno.listen({ hostname: "127.0.0.1", port: freePort }).close();
    taken.close();
  });
});
