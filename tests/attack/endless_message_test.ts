/** A websocket message whose fragments never end: the platform keeps them all. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { itUnless } from "../support/unless.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { GRACE_MS } from "../../src/sockets/cancel_on_disconnect.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { freePort, randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { eventually } from "../support/eventually.ts";
import { longestWait } from "../support/longest_wait.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";
import { type EndlessMessage, sendFragments, upgraded } from "./endless_message.ts";

const OPERATOR = { kid: "boss", secret: "boss-secret-of-length" };
const PUBLIC = "/api/v2/stream/public";
const PRIVATE = "/api/v2/stream/private";
const GUARDED = `${PRIVATE}?cancel_on_disconnect=true`;
const ALIVE = "/api/v2/backend/public/health/alive";
/** How long another caller may wait meanwhile, in ms, on a machine that does other things as well. */
const WAIT_MS_MAX = 1_000;
/** In MiB: more than the venue lets strangers have. */
const FRAGMENTS_MAX = 2_048;
/** In MiB: more than a member's sockets may hold. */
const HELD = 80;
/** In MiB: more than a string can have, and less than the venue lets strangers have. */
const TOO_LONG = 520;
/** The last fragment, which is empty. */
const LAST = new Uint8Array([0x80, 0x80, 0, 0, 0, 0]);
/** In MiB: what a venue without them has at most. */
const USUAL_MEBIBYTES_MAX = 600;
const PROGRAM = new URL("./endless_message.ts", import.meta.url).href;

// Its sockets live on when their server ends: nothing can be done there.
const skip = IS_OLDEST_RUNTIME;

describe("a message without an end", () => {
  itUnless(skip)(
    "costs all connections, but not the process, and calls in flight are answered",
    async () => {
      const { success, stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", "--allow-net", "--allow-read", PROGRAM],
        stdin: "null",
        stderr: "inherit",
      }).output();
      assert(success, "the process lives on");
      const became: EndlessMessage = JSON.parse(new TextDecoder().decode(stdout));
      assert(became.isEnded, "the connection was ended");
      assertEquals(became.answers, ["late", "at once"]);
      assertEquals(became.told, ["connections_dropped", "listening_again"]);
    },
  );

  it("costs only unsigned sockets, and their memory, where they have a thread of their own", async () => {
    const port = freePort();
    const server = await startDemo({ PUBLIC_SOCKETS_PORT: String(port) });
    try {
      const own = await StreamClient.open(`${server.baseUrl}${GUARDED}`, signed("demo-alice"));
      const id = await placeOrder(server);
      const apart = `http://127.0.0.1:${port}`;
      const bystander = await StreamClient.open(`${apart}${PUBLIC}`);
      using attacker = await upgraded({ hostname: "127.0.0.1", port }, PUBLIC);
      const sending = sendFragments(attacker, FRAGMENTS_MAX);
      const waited = await longestWait(`${server.baseUrl}${ALIVE}`, sending);
      assert(await sending < FRAGMENTS_MAX, "it was cut");
      assert(waited < WAIT_MS_MAX, `others waited for ${Math.round(waited)} ms`);
      await bystander.closed;
      await eventually(
        "their memory free again",
        async () => await server.residentMebibytes() < USUAL_MEBIBYTES_MAX,
      );
      await eventually("a listener", () => server.output.includes("listening_again"));
      const later = await StreamClient.open(`${apart}${PUBLIC}`);
      await later.close();
      own.send("ping");
      await own.next((frame) => frame === "pong");
      assertEquals(await stateOf(server, id), "wait");
      assert(server.output.includes("unsigned_sockets_dropped"));
      assert(!server.output.includes("connections_dropped"));
      await own.close();
    } finally {
      await server.stop();
    }
  });

  itUnless(skip)(
    "of a member costs all connections once, but no orders of whoever comes back, and then no others'",
    async () => {
      const port = freePort();
      const server = await startDemo({ PUBLIC_SOCKETS_PORT: String(port) });
      try {
        const own = await guardedSocket(server);
        const id = await placeOrder(server);
        await attack(server, "demo-bob");
        await own.closed;
        const back = await eventually(
          "its way back",
          () => guardedSocket(server).catch(() => null),
        );
        assertEquals(counted(server), { connections: 1, unsigned: 1, members: 1 });
        assertEquals(await statusOf(server, "demo-bob"), "429");
        const bystander = await StreamClient.open(`http://127.0.0.1:${port}${PUBLIC}`);
        // For longer than an end by the client would have left them.
        await sleep(2 * GRACE_MS);
        assertEquals(await stateOf(server, id), "wait");
        // Another account: nobody takes it for strangers a second time.
        await attack(server, "demo-operator");
        await back.closed;
        const again = await eventually(
          "its way back",
          () => guardedSocket(server).catch(() => null),
        );
        assertEquals(await statusOf(server, "demo-operator"), "429");
        bystander.send("ping");
        await bystander.next((frame) => frame === "pong");
        assertEquals(counted(server), { connections: 2, unsigned: 1, members: 2 });
        await bystander.close();
        await sleep(2 * GRACE_MS);
        assertEquals(await stateOf(server, id), "wait");
        await again.close();
        await eventually("the cancel", async () => await stateOf(server, id) === "cancel");
      } finally {
        await server.stop();
      }
    },
  );

  it("of a member costs nobody else anything if it is let go of in time", async () => {
    const server = await startDemo({});
    try {
      const own = await guardedSocket(server);
      const attackers = [await attacking(server, "demo-bob"), await attacking(server, "demo-bob")];
      const other = await StreamClient.open(`${server.baseUrl}${PRIVATE}`, signed("demo-bob"));
      for (const attacker of attackers) await sendFragments(attacker, HELD / 2);
      for (const attacker of attackers) attacker.close();
      assertEquals(await other.closed, { code: 1008, reason: "endless message" });
      assertEquals(await statusOf(server, "demo-bob"), "429");
      own.send("ping");
      await own.next((frame) => frame === "pong");
      assertEquals(counted(server), { connections: 0, unsigned: 0, members: 1 });
      await own.close();
    } finally {
      await server.stop();
    }
  });
});

describe("a message that is too long for a string", () => {
  it("of a stranger costs nobody else anything", async () => {
    const server = await startDemo({});
    try {
      const bystander = await StreamClient.open(`${server.baseUrl}${PUBLIC}`);
      using attacker = await upgraded({ hostname: "127.0.0.1", port: server.port }, PUBLIC);
      assertEquals(await sendFragments(attacker, TOO_LONG), TOO_LONG);
      await attacker.write(LAST);
      await eventually("its end", () => server.output.includes("message_too_long"));
      bystander.send("ping");
      await bystander.next((frame) => frame === "pong");
      await bystander.close();
    } finally {
      await server.stop();
    }
  });
});

function startDemo(environment: Record<string, string>): Promise<ServerProcess> {
  return ServerProcess.start({
    kvPath: ":memory:",
    operator: OPERATOR,
    masterKey: randomMasterKey(),
    environment,
    args: ["--demo"],
  });
}

/** Opens a socket whose end cancels alice's orders. */
function guardedSocket({ baseUrl }: ServerProcess): Promise<StreamClient> {
  return StreamClient.open(`${baseUrl}${GUARDED}`, signed("demo-alice"));
}

/** Opens a socket of a member's below its protocol. */
function attacking({ port }: ServerProcess, kid: string): Promise<Deno.Conn> {
  return upgraded({ hostname: "127.0.0.1", port }, PRIVATE, signed(kid));
}

/** Sends a message that does not end until the connection is cut. */
async function attack(server: ServerProcess, kid: string): Promise<void> {
  using attacker = await attacking(server, kid);
  assert(await sendFragments(attacker, FRAGMENTS_MAX) < FRAGMENTS_MAX, "it was cut");
}

/** Returns the status that a member gets who asks for a socket. */
async function statusOf(server: ServerProcess, kid: string): Promise<string> {
  using connection = await attacking(server, kid);
  const answer = new Uint8Array(12);
  await connection.read(answer);
  return new TextDecoder().decode(answer).slice(9);
}

/** Returns how often connections were dropped, unsigned sockets, and a member refused. */
function counted({ output }: ServerProcess): Record<string, number> {
  const times = (event: string) => output.split(`"event":"${event}"`).length - 1;
  return {
    connections: times("connections_dropped"),
    unsigned: times("unsigned_sockets_dropped"),
    members: times("member_sockets_refused"),
  };
}

let lastNonce = 0;

/** Returns the headers of a call by one of the demo's keys, with a nonce that no other has. */
function signed(kid: string): Record<string, string> {
  lastNonce = Math.max(lastNonce + 1, Date.now());
  return signedHeaders(kid, `${kid}-secret`, lastNonce);
}

/** Places an order of alice's that rests; returns its id. */
async function placeOrder({ baseUrl }: ServerProcess): Promise<number> {
  const answer = await fetch(`${baseUrl}/api/v2/trading/market/orders`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...signed("demo-alice") },
    body: JSON.stringify({
      market: "btcusdt",
      side: "buy",
      type: "limit",
      amount: "1",
      price: "1",
    }),
  });
  const { id } = await answer.json();
  assertEquals(answer.status, 201);
  return id;
}

async function stateOf({ baseUrl }: ServerProcess, id: number): Promise<string> {
  const path = `/api/v2/backend/market/orders/${id}`;
  const answer = await fetch(`${baseUrl}${path}`, { headers: signed("demo-alice") });
  return (await answer.json()).state;
}
