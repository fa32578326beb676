import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  PADDED_EVERY,
  PADDING_HEADER,
  withRoomyConnections,
} from "../../src/server/roomy_connections.ts";
import { LoadConnection } from "../bench/load/load_connection.ts";

const REQUEST = new Request("http://venue.example/");

/** Creates a handler, and a function that tells whether its next answer to a port is padded. */
function paddedAnswers(answer: () => Response = () => new Response("ok")) {
  const handler = withRoomyConnections(answer);
  return async (remoteAddr: object): Promise<boolean> => {
    const info = { remoteAddr } as Deno.ServeHandlerInfo<Deno.NetAddr>;
    return (await handler(REQUEST, info)).headers.has(PADDING_HEADER);
  };
}

function peer(port: number): Deno.NetAddr {
  return { transport: "tcp", hostname: "127.0.0.1", port };
}

describe("withRoomyConnections", () => {
  it("pads the second answer of each connection, and no other", async () => {
    const isPadded = paddedAnswers();
    const answers: boolean[] = [];
    for (const port of [1, 1, 2, 1, 2, 2, 1]) answers.push(await isPadded(peer(port)));
    assertEquals(answers, [false, true, false, false, true, false, false]);
  });

  it("leaves the answer that opens a websocket as it is, and those without an address", async () => {
    const isPadded = paddedAnswers(() =>
      Object.defineProperty(new Response(), "status", { value: 101 })
    );
    for (let i = 0; i < 3; i++) assertEquals(await isPadded(peer(1)), false);
    const isUnixPadded = paddedAnswers();
    for (let i = 0; i < 3; i++) assertEquals(await isUnixPadded({ transport: "unix" }), false);
  });

  it("pads again now and then, as a port may be another connection's by now", async () => {
    const isPadded = paddedAnswers();
    const padded: number[] = [];
    for (let answer = 1; answer <= 70_000; answer++) {
      if (await isPadded(peer(65_535))) padded.push(answer);
    }
    assertEquals(padded.slice(0, 3), [2, 2 + PADDED_EVERY, 2 + 2 * PADDED_EVERY]);
    assertEquals(padded.length, Math.ceil((70_000 - 1) / PADDED_EVERY));
  });

  it("has answers of more than 512 bytes arrive whole from the third on", async () => {
    const handler = withRoomyConnections(() => new Response("x".repeat(600)));
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
    const connection = await LoadConnection.open(server.addr.port);
    const request = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: venue.example\r\n\r\n");
    const reads: number[] = [];
    for (let i = 0; i < 4; i++) {
      await connection.exchange(request);
      assertEquals(connection.body().length, 600);
      reads.push(connection.reads);
    }
    connection.close();
    await server.shutdown();
    assertEquals(reads.slice(2), [1, 1]);
  });
});
