import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SocketRelay } from "../../../src/sockets/relay/socket_relay.ts";
import { eventually } from "../../support/eventually.ts";
import { rawHandshake, refused } from "../../support/raw_handshake.ts";
import { StreamClient } from "../../support/stream_client.ts";

const MEBIBYTE = 1024 * 1024;

interface Relayed {
  readonly relay: SocketRelay;
  readonly url: string;
  /** The sockets of all calls, in order. */
  readonly sockets: readonly WebSocket[];
  /** What was logged. */
  readonly told: readonly string[];
}

/** Runs a test with a relay whose calls become sockets, but for those to `/refused`. */
async function withRelay(test: (relayed: Relayed) => Promise<void>): Promise<void> {
  const sockets: WebSocket[] = [];
  const told: string[] = [];
  const relay = await SocketRelay.open({
    hostname: "127.0.0.1",
    port: 0,
    lengthMax: 10,
    handler(request, { openSocket, remoteAddr }) {
      if (request.url.endsWith("/faulty")) throw new Error("a fault");
      if (request.url.endsWith("/refused")) {
        const errors = [remoteAddr.hostname, request.headers.get("x-mark") ?? ""];
        return Response.json({ errors }, { status: 403 });
      }
      const { socket, response } = openSocket(60);
      sockets.push(socket);
      return response;
    },
    onError: (error) => Response.json({ errors: [String(error)] }, { status: 500 }),
    logger: { error: (event) => told.push(event), info: (event) => told.push(event) },
  });
  const { hostname, port } = relay.address;
  try {
    await test({ relay, url: `http://${hostname}:${port}`, sockets, told });
  } finally {
    await relay.stop();
  }
}

/** Reads until so many bytes have come. */
async function readBytes(connection: Deno.TcpConn, bytes: number): Promise<void> {
  const buffer = new Uint8Array(65_536);
  for (let read = 0; read < bytes;) {
    const count = await connection.read(buffer);
    if (count === null) throw new Error("The relay hung up");
    read += count;
  }
}

describe("a relay of sockets", () => {
  it("has calls answered, with their headers and their address", () =>
    withRelay(async ({ url }) => {
      const answer = await refused({ url }, "/refused", { "X-Mark": "a mark" });
      assertEquals(answer, [403, ["127.0.0.1", "a mark"]]);
    }));

  it("refuses what is no URL, and answers for a fault, and goes on", () =>
    withRelay(async ({ url }) => {
      for (const host of ["a:99999", "[::bad", "::1", "xn--a", "999999999999", "1.2.3.4.5"]) {
        const answer = await refused({ url }, "/", { "Host": host });
        assertEquals(answer, [400, ["server.invalid_host"]], host);
      }
      assertEquals(await refused({ url }, "/faulty", {}), [500, ["Error: a fault"]]);
      const client = await StreamClient.open(url);
      await client.close();
    }));

  it("passes frames both ways in order, and the end of either side", () =>
    withRelay(async ({ url, sockets }) => {
      const client = await StreamClient.open(url);
      const socket = await eventually("its socket", () => sockets[0]);
      const heard: unknown[] = [];
      socket.onmessage = ({ data }) => heard.push(data);
      const ended = new Promise((resolve) => socket.onclose = resolve);
      await eventually("an open socket", () => socket.readyState === WebSocket.OPEN);
      for (const value of [1, 2, 3]) socket.send(String(value));
      assertEquals([await client.next(), await client.next(), await client.next()], [1, 2, 3]);
      for (const text of ["a", "b", "longer than it may be"]) client.send(text);
      await eventually("what was sent", () => heard.length === 3);
      // One character too many tells that a text is too long.
      assertEquals(heard, ["a", "b", "longer than"]);
      await client.close();
      await ended;
      const other = await StreamClient.open(url);
      await eventually("another one", () => sockets[1]?.readyState === WebSocket.OPEN);
      sockets[1]?.send("4");
      sockets[1]?.close(4_000, "bye");
      assertEquals(await other.next(), 4);
      assertEquals(await other.closed, { code: 4_000, reason: "bye" });
    }));

  it("knows what a reader leaves unread, until it reads", () =>
    withRelay(async ({ url, sockets }) => {
      const { connection } = await rawHandshake(url);
      const socket = await eventually("a socket", () => sockets[0]);
      await eventually("an open socket", () => socket.readyState === WebSocket.OPEN);
      const frame = "x".repeat(MEBIBYTE);
      for (let i = 0; i < 32; i++) socket.send(frame);
      assertEquals(socket.bufferedAmount, 32 * MEBIBYTE);
      // What the systems take, at most.
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert(socket.bufferedAmount > 16 * MEBIBYTE, String(socket.bufferedAmount));
      const reading = readBytes(connection, 32 * MEBIBYTE);
      await eventually("all of it read", () => socket.bufferedAmount === 0);
      await reading;
      connection.close();
    }));

  it("ends all sockets when it is renewed, and takes others at the same address", () =>
    withRelay(async ({ relay, url, sockets, told }) => {
      const client = await StreamClient.open(url);
      const socket = await eventually("its socket", () => sockets[0]);
      const ended = new Promise<CloseEvent>((resolve) => socket.onclose = resolve);
      let isGone = false;
      relay.renew(() => isGone);
      relay.renew();
      assertEquals((await ended).wasClean, false);
      await client.closed;
      await new Promise((resolve) => setTimeout(resolve, 300));
      assertEquals([relay.isFreeing, told], [true, []], "it may still hold the memory");
      isGone = true;
      await eventually("a listener", () => told.includes("listening_again"));
      assertEquals(relay.isFreeing, false);
      const again = await StreamClient.open(url);
      await again.close();
      assertEquals(told, ["listening_again"]);
    }));

  it("can't have an address that another one has", () =>
    withRelay(async ({ relay }) => {
      const { hostname, port } = relay.address;
      const logger = { error() {}, info() {} };
      const handler = () => new Response();
      await assertRejects(
        () => SocketRelay.open({ hostname, port, lengthMax: 1, handler, onError: handler, logger }),
        Error,
        "in use",
      );
    }));
});
