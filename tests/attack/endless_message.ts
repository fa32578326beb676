/**
 * A process that takes a websocket message whose fragments never end, and prints what became of it
 * as JSON. No other test uses its memory, which is what its guard looks at.
 */
import { Listener } from "../../src/server/listener.ts";
import { MemoryGuard } from "../../src/server/memory_guard.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { freePort } from "../bench/load/server_process.ts";
import { eventually } from "../support/eventually.ts";

const MEBIBYTE = 1024 * 1024;
const ROOM = 64 * MEBIBYTE;
const FRAGMENTS_MAX = 512;
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

/** What became of the connections, and of the process. */
export interface EndlessMessage {
  /** Whether the attacker's connection was ended before it gave up. */
  readonly isEnded: boolean;
  /** The answers to a call that was in flight, and to one that came later. */
  readonly answers: readonly string[];
  /** What was logged. */
  readonly told: readonly string[];
}

if (import.meta.main) {
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(await attacked())));
}

async function attacked(): Promise<EndlessMessage> {
  const told: string[] = [];
  const slow = Promise.withResolvers<void>();
  const { listener, url } = await listen(told, slow.promise);
  const before = bytesOutsideHeap();
  const guard = new MemoryGuard({
    bytesMax: before + ROOM,
    relieve() {
      listener.renew();
      return "connections_dropped";
    },
    logger: { warn: (event) => told.push(event) },
  });
  const late = fetch(`${url}/slow`).then((answer) => answer.text());
  const peer = new WebSocket(url.replace("http", "ws"));
  const peerClosed = new Promise((resolve) => peer.onclose = resolve);
  await new Promise((resolve) => peer.onopen = resolve);
  using attacker = await upgraded(listener.address);
  guard.start();
  const isEnded = await sendFragments(attacker) < FRAGMENTS_MAX;
  await peerClosed;
  slow.resolve();
  const answers = [await late];
  await eventually("their memory free again", () => bytesOutsideHeap() <= before + ROOM);
  await eventually("a listener", () => told.includes("listening_again"));
  answers.push(await fetch(url).then((answer) => answer.text()));
  guard.stop();
  await listener.stop();
  return { isEnded, answers, told };
}

/** Answers one call only once it may, and others at once. */
async function listen(
  told: string[],
  released: Promise<void>,
): Promise<{ listener: Listener; url: string }> {
  const address = Promise.withResolvers<Deno.NetAddr>();
  const listener = new Listener({
    hostname: "127.0.0.1",
    port: freePort(),
    onListen: (given) => address.resolve(given),
    onCut() {},
    onRenew() {},
    onError: () => new Response(),
    handler(request) {
      if (request.headers.has("upgrade")) return Deno.upgradeWebSocket(request).response;
      return request.url.endsWith("/slow")
        ? released.then(() => new Response("late"))
        : new Response("at once");
    },
    logger: { error: (event) => told.push(event), info: (event) => told.push(event) },
  });
  const { hostname, port } = await address.promise;
  return { listener, url: `http://${hostname}:${port}` };
}

/** Opens a socket below its protocol. */
export async function upgraded(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  path = "/",
  headers: Readonly<Record<string, string>> = {},
): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname, port });
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const usual = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Key: ${KEY}`];
  const lines = [...usual, ...given];
  const head = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, "Sec-WebSocket-Version: 13", ...lines];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
  return connection;
}

/** Sends fragments of a mebibyte until the connection ends; returns how many were taken. */
export async function sendFragments(
  connection: Deno.Conn,
  fragmentsMax = FRAGMENTS_MAX,
): Promise<number> {
  const fragment = new Uint8Array(14 + MEBIBYTE);
  fragment.set([1, 0x80 | 127, 0, 0, 0, 0, 0, 16, 0, 0]);
  for (let sent = 0; sent < fragmentsMax; sent++) {
    // The first one says that it is text, the others that they go on.
    if (sent > 0) fragment[0] = 0;
    try {
      for (let at = 0; at < fragment.length;) at += await connection.write(fragment.subarray(at));
    } catch {
      return sent;
    }
    // The guard looks every now and then.
    await sleep(5);
  }
  return fragmentsMax;
}

function bytesOutsideHeap(): number {
  const { rss, heapTotal } = Deno.memoryUsage();
  return rss - heapTotal;
}
