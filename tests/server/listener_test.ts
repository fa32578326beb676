import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Listener, type ListenerOptions } from "../../src/server/listener.ts";
import { randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { eventually } from "../support/eventually.ts";
import { signedHeaders } from "../support/signed_headers.ts";

/**
 * The variable with which Deno Deploy names a process's socket; it applies to one listener. Test
 * files share their process and so its variables, and each of them may listen at any time.
 */
const PLATFORM_ADDRESS = "DENO_SERVE_ADDRESS";
const SECRET = "boss-secret-of-length";

async function statusOfCall(path: string, secret: string): Promise<string> {
  using connection = await Deno.connect({ transport: "unix", path });
  const headers = Object.entries(signedHeaders("boss", secret, Date.now()));
  const lines = ["Host: venue.example", ...headers.map((header) => header.join(": "))];
  const call = `GET /api/v2/admin/members HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(call));
  const answer = new Uint8Array(1_024);
  const length = await connection.read(answer) ?? 0;
  return new TextDecoder().decode(answer.subarray(0, length)).slice(9, 12);
}

describe("a venue whose platform listens for it", () => {
  it("serves on the socket given in place of its address", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/venue.sock`;
    const server = ServerProcess.spawn({
      kvPath: ":memory:",
      operator: { kid: "boss", secret: SECRET },
      masterKey: randomMasterKey(),
      environment: { [PLATFORM_ADDRESS]: `unix:${path}` },
    });
    await eventually("its start", () => server.output.includes('"event":"listening"'));
    assertEquals(await statusOfCall(path, SECRET), "200");
    assertEquals(await statusOfCall(path, "another-secret"), "401");
    assertEquals((await server.stop()).code, 0, server.output);
    await Deno.remove(directory, { recursive: true });
    const told = server.output.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(told.find(({ event }) => event === "listening")?.url, "unix");
    assertEquals(told.find(({ event }) => event === "auth_failed")?.address, "unix");
  });
});

/** A server of the platform under the test's control. */
class TestServer {
  readonly #end = Promise.withResolvers<void>();
  readonly #drained = Promise.withResolvers<void>();
  readonly finished = this.#end.promise;
  isShutDown = false;

  constructor(
    readonly addr: Deno.Addr,
    readonly options: { port?: number; signal?: AbortSignal; onListen?: unknown },
  ) {}

  /** Stops accepting, as the platform does without a file descriptor left. */
  async giveUp(): Promise<void> {
    this.#end.reject(new Error("Too many open files"));
    await this.finished.catch(() => {});
    await Promise.resolve();
  }

  shutdown(): Promise<void> {
    this.isShutDown = true;
    return this.#drained.promise;
  }

  /** Ends the calls in flight. */
  drain(): void {
    this.#drained.resolve();
  }
}

/** A platform under the test's control. */
interface TestPlatform {
  readonly servers: TestServer[];
  readonly waiting: ReadonlyMap<number, () => void>;
  /** What the listener logged. */
  readonly told: string[];
  readonly options: ListenerOptions;
  isTaken: boolean;
  /** Lets all timers fire. */
  wait(): void;
}

const TCP = { hostname: "127.0.0.1", port: 4711, transport: "tcp" } as const;

/** Replaces globals of the platform, so tests with it run one after the other. */
async function withTestPlatform(
  address: Deno.Addr,
  test: (platform: TestPlatform) => Promise<void>,
): Promise<void> {
  const { serve } = Deno;
  const { setTimeout, clearTimeout } = globalThis;
  const waiting = new Map<number, () => void>();
  const told: string[] = [];
  const note = (event: string) => told.push(event);
  const platform: TestPlatform = {
    servers: [],
    waiting,
    told,
    options: {
      hostname: "127.0.0.1",
      port: 0,
      onListen() {},
      onCut: () => {
        const last = platform.servers.at(-1);
        note(last?.isShutDown || last?.options.signal?.aborted ? "cut before it is told" : "cut");
      },
      onRenew: () => note("to renew"),
      onError: () => new Response(),
      handler: () => new Response(),
      logger: { error: note, info: note },
    },
    isTaken: false,
    wait: () => [...waiting].forEach(([id, step]) => (waiting.delete(id), step())),
  };
  Deno.serve = ((options: TestServer["options"]) => {
    if (platform.isTaken) throw new Deno.errors.AddrInUse("taken");
    platform.servers.push(new TestServer(address, options));
    return platform.servers.at(-1);
  }) as unknown as typeof Deno.serve;
  globalThis.setTimeout =
    ((step: () => void) => (waiting.set(waiting.size + 1, step), waiting.size)) as never;
  globalThis.clearTimeout = ((id: number) => waiting.delete(id)) as never;
  try {
    await test(platform);
  } finally {
    Deno.serve = serve;
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

describe("a listener that is to stop", () => {
  it("answers calls that are on their way, and has their clients close connections", async () => {
    const logger = { error() {}, info() {} };
    const handler = () => new Response("answered");
    const address = Promise.withResolvers<Deno.NetAddr>();
    const listener = new Listener({
      hostname: "127.0.0.1",
      port: 0,
      onListen: (given) => address.resolve(given),
      onCut() {},
      onRenew() {},
      onError: () => new Response(),
      handler,
      logger,
    });
    const { hostname, port } = await address.promise;
    using connection = await Deno.connect({ hostname, port });
    const bytes = new Uint8Array(4_096);
    const call = async () => {
      await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: venue\r\n\r\n"));
      const length = await connection.read(bytes) ?? 0;
      return new TextDecoder().decode(bytes.subarray(0, length)).toLowerCase();
    };
    const before = await call();
    const dismissed = listener.dismiss();
    const last = await call();
    for (const answer of [before, last]) assertEquals(answer.endsWith("answered"), true);
    const asksToClose = [before, last].map((answer) => answer.includes("connection: close"));
    assertEquals(asksToClose, [false, true]);
    await dismissed;
    await listener.stop();
  });
});

describe("a listener whose platform stops accepting", () => {
  it("drops its connections and retries until it can listen, unless it is stopped", () =>
    withTestPlatform(TCP, async (platform) => {
      const { servers, told, wait, waiting } = platform;
      const listener = new Listener(platform.options);
      await servers[0]?.giveUp();
      const failed = ["listener_failed", "cut"];
      assertEquals([told, servers[0]?.options.signal?.aborted], [failed, true]);
      platform.isTaken = true;
      for (let times = 0; times < 2; times++) wait();
      platform.isTaken = false;
      wait();
      assertEquals([servers.length, servers[1]?.options.port], [2, 4711]);
      (servers[1]?.options.onListen as () => void)();
      assertEquals(told, [...failed, "listening_again"]);
      await servers[1]?.giveUp();
      await listener.stop();
      assertEquals(waiting.size, 0, "nobody listens again once it is stopped");
      const other = new Listener(platform.options);
      const stopped = other.stop();
      servers[2]?.drain();
      await stopped;
      await servers[2]?.giveUp();
      assertEquals([servers.length, waiting.size, told.length], [3, 0, 5]);
    }));
});

describe("a listener that lets go of its connections", () => {
  it("listens anew, and stops only when the calls in flight are answered", () =>
    withTestPlatform(TCP, async (platform) => {
      const { servers, told, wait } = platform;
      const listener = new Listener(platform.options);
      listener.renew();
      listener.renew();
      assertEquals([servers.length, servers[0]?.isShutDown, told], [1, false, ["to renew"]]);
      wait();
      assertEquals([servers.length, servers[0]?.isShutDown], [1, true]);
      assert(listener.isRenewing);
      wait();
      assertEquals([servers.length, servers[1]?.options.port], [2, 4711]);
      assert(!listener.isRenewing);
      await servers[0]?.giveUp();
      assertEquals(told, ["to renew", "to renew"], "how the earlier one ends is no news");
      let isStopped = false;
      const stopped = listener.stop().then(() => isStopped = true);
      servers[1]?.drain();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      assertEquals(isStopped, false);
      servers[0]?.drain();
      await stopped;
      listener.renew();
      wait();
      assertEquals(servers.length, 2, "nobody listens again once it is stopped");
      assertEquals(told.length, 2, "nobody is told to let go then");
    }));

  it("keeps a socket that the platform gave it, which it could not open again", () =>
    withTestPlatform({ transport: "unix", path: "venue.sock" }, async (platform) => {
      const { servers, waiting } = platform;
      const listener = new Listener(platform.options);
      listener.renew();
      assertEquals([servers[0]?.isShutDown, waiting.size, platform.told], [false, 0, []]);
      servers[0]?.drain();
      await listener.stop();
    }));
});

describe("a listener that fails before it has let go", () => {
  it("does not cut another one that it had to begin meanwhile", () =>
    withTestPlatform(TCP, async (platform) => {
      const { servers, told, wait } = platform;
      const listener = new Listener(platform.options);
      listener.renew();
      await servers[0]?.giveUp();
      wait();
      wait();
      assertEquals([servers.length, servers[1]?.isShutDown], [2, false]);
      assertEquals(told, ["to renew", "listener_failed", "cut"]);
      assert(!listener.isRenewing);
      servers[1]?.drain();
      await listener.stop();
    }));
});
