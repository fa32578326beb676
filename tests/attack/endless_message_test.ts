/** A websocket message whose fragments never end: the platform keeps them all. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Listener } from "../../src/listener.ts";
import { MemoryGuard } from "../../src/memory_guard.ts";
import { sleep } from "../../src/store/in_time.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";

const MEBIBYTE = 1024 * 1024;
const ROOM = 64 * MEBIBYTE;
const FRAGMENTS_MAX = 512;
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const MS_MAX = 10_000;

// Its sockets live on when their server ends: nothing can be done there.
const options = { skip: IS_OLDEST_RUNTIME };

function foreignBytes(): number {
  const { rss, heapTotal } = Deno.memoryUsage();
  return rss - heapTotal;
}

/** Sends fragments of a mebibyte until the connection ends; returns how many were taken. */
async function sendFragments(connection: Deno.Conn): Promise<number> {
  const fragment = new Uint8Array(14 + MEBIBYTE);
  fragment.set([1, 0x80 | 127, 0, 0, 0, 0, 0, 16, 0, 0]);
  for (let sent = 0; sent < FRAGMENTS_MAX; sent++) {
    // The first one says that it is text, the others that they go on.
    if (sent > 0) fragment[0] = 0;
    try {
      for (let at = 0; at < fragment.length;) at += await connection.write(fragment.subarray(at));
    } catch {
      return sent;
    }
    // The guard looks once a second.
    await sleep(5);
  }
  return FRAGMENTS_MAX;
}

describe("a message without an end", options, () => {
  it("costs all connections, but not the process, and calls in flight are answered", async () => {
    const address = Promise.withResolvers<Deno.NetAddr>();
    const told: string[] = [];
    const slow = Promise.withResolvers<void>();
    const listener = new Listener({
      hostname: "127.0.0.1",
      port: 0,
      onListen: (given) => address.resolve(given),
      onError: () => new Response(),
      handler(request) {
        if (request.headers.has("upgrade")) return Deno.upgradeWebSocket(request).response;
        return request.url.endsWith("/slow")
          ? slow.promise.then(() => new Response("late"))
          : new Response("at once");
      },
      logger: { error: (event) => told.push(event), info: (event) => told.push(event) },
    });
    const { hostname, port } = await address.promise;
    const url = `http://${hostname}:${port}`;
    const before = foreignBytes();
    const guard = new MemoryGuard({
      bytesMax: before + ROOM,
      relieve: () => listener.renew(),
      logger: { warn: (event) => told.push(event) },
    });
    const late = fetch(`${url}/slow`).then((answer) => answer.text());
    const peer = new WebSocket(url.replace("http", "ws"));
    const peerClosed = new Promise((resolve) => peer.onclose = resolve);
    await new Promise((resolve) => peer.onopen = resolve);
    using attacker = await Deno.connect({ hostname, port });
    const lines = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Key: ${KEY}`];
    const head = ["GET / HTTP/1.1", "Host: venue", "Sec-WebSocket-Version: 13", ...lines];
    await attacker.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
    guard.start();
    const taken = await sendFragments(attacker);
    assert(taken < FRAGMENTS_MAX, "the connection was ended");
    await peerClosed;
    slow.resolve();
    assertEquals(await late, "late");
    const until = performance.now() + MS_MAX;
    while (foreignBytes() > before + ROOM && performance.now() < until) await sleep(50);
    assert(foreignBytes() <= before + ROOM, "their memory is free again");
    while (!told.includes("listening_again")) await sleep(20);
    assertEquals(await fetch(url).then((answer) => answer.text()), "at once");
    assertEquals(told, ["connections_dropped", "listening_again"]);
    guard.stop();
    await listener.stop();
  });
});
