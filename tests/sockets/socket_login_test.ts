/** Log-in by a message over a socket that was opened without a signature. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  SIGNATURE_FAILURES_MAX,
  SIGNATURE_FAILURES_WINDOW_MS,
} from "../../src/edge/callers/rate_limit.ts";
import { LOGIN_FAILURES_MAX } from "../../src/sockets/socket_login.ts";
import { SOCKETS_PER_CALLER_MAX } from "../../src/sockets/socket_registry.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/raw_handshake.ts";
import { bodySignature } from "../support/signed_headers.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";
import { type Frame, StreamClient } from "../support/stream_client.ts";
import type { TestVenue } from "../support/with_venue.ts";

const PUBLIC = "/api/v2/stream/public";
const PRIVATE = "/api/v2/stream/private";
const ORDERS = "/api/v2/backend/market/orders";

type Headers = Readonly<Record<string, string>>;

/** Returns the log-in that headers stand for. */
function message(headers: Headers): Record<string, unknown> {
  return {
    event: "login",
    apikey: headers["X-Auth-Apikey"],
    nonce: headers["X-Auth-Nonce"],
    signature: headers["X-Auth-Signature"],
    ...(headers["X-Auth-Body-Signature"] === undefined
      ? {}
      : { body_signature: headers["X-Auth-Body-Signature"] }),
  };
}

/** Returns the same as the arguments of a request. */
function args(headers: Headers): unknown[] {
  const { event: _, ...values } = message(headers);
  return Object.values(values);
}

/** Logs in, and returns the answer. */
async function logIn(client: StreamClient, headers: Headers): Promise<Frame> {
  client.send(message(headers));
  return await client.next((frame) =>
    frame.success?.message === "logged_in" || frame.error?.event === "login"
  );
}

/** Logs in, which has to be refused, and returns with which identifiers. */
async function refusal(client: StreamClient, headers: Headers): Promise<string[]> {
  const { error } = await logIn(client, headers);
  assertEquals(error.message, error.errors[0]);
  return error.errors;
}

/** Makes a key of alice's. */
async function keyOf(venue: TestVenue, fields: Record<string, unknown>) {
  const made = await venue.post("operator", `/api/v2/admin/members/${uid(venue)}/api_keys`, fields);
  assertEquals(made.status, 201, made.text);
  return { kid: made.body.kid, secret: made.body.secret } as const;
}

function uid(venue: TestVenue): string {
  const { engine } = venue;
  const member = engine.venue.keyByKid.get("demo-alice")?.key.member ?? -1;
  return engine.venue.holder(member).member.uid;
}

async function patchKey(venue: TestVenue, kid: string, change: unknown): Promise<void> {
  const path = `/api/v2/admin/members/${uid(venue)}/api_keys/${kid}`;
  const answer = await venue.call("operator", "PATCH", path, { json: change });
  assertEquals(answer.status, 200, answer.text);
}

/** Opens a socket of the RPC dialect without a signature. */
function openRpc(served: ServedVenue, path?: string): Promise<RpcClient> {
  return RpcClient.open(served, null, path);
}

describe("a log-in over a socket of streams", () => {
  it("gives it to the key, whose private streams it may then read", async () => {
    await withServedVenue(async ({ listen, venue, realtime }) => {
      const client = await listen("?stream=btcusdt.trades");
      await client.message("success");
      assertEquals(await logIn(client, venue.sign("alice")), {
        success: { message: "logged_in", uid: uid(venue), streams: ["btcusdt.trades"] },
      });
      client.send({ event: "subscribe", streams: ["order"] });
      const { success } = await client.message("success");
      assertEquals(success.streams, ["btcusdt.trades", "order"]);
      assertEquals(Object.keys(success.sequences), ["order"]);
      await venue.order("alice", { price: "90" });
      assertEquals((await client.message("order")).order.state, "wait");
      await venue.order("bob", { side: "sell", price: "90" });
      assertEquals((await client.message("order")).order.state, "done");
      assertEquals(realtime.registry.size, 1);
      await client.close();
      await eventually("its place is free", () => realtime.registry.size === 0);
    });
  });

  it("lets a client that comes back go on where it left off", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const first = await listen();
      await logIn(first, venue.sign("alice"));
      first.send({ event: "subscribe", streams: ["order"] });
      const { success: { sequences } } = await first.message("success");
      await first.close();
      await venue.order("alice", { price: "90" });
      await venue.order("alice", { price: "91" });
      const back = await listen();
      const ask = (since: unknown) =>
        back.send({ event: "subscribe", streams: ["order", "btcusdt.trades"], since });
      ask({ order: sequences.order });
      await logIn(back, venue.sign("alice"));
      ask({ order: sequences.order, "btcusdt.trades": 1, trade: 3, nothing: 1 });
      const stray = ": not asked for, so its since is ignored";
      assertEquals((await back.message("error")).error.message.split("; "), [
        "btcusdt.trades: public, so it has no since",
        `trade${stray}`,
        `nothing${stray}`,
      ]);
      const [one, two] = [await back.next(), await back.next()];
      assertEquals([one.order.price, two.order.price], ["90.0", "91.0"]);
      assertEquals([one.snapshot, two.sequence], [undefined, sequences.order + 2]);
      assertEquals((await back.message("success")).success.sequences, { order: two.sequence });
      // Asked for again, it begins with the open orders.
      ask({ order: sequences.order });
      assertEquals((await back.message("order")).snapshot, true);
      for (const wrong of [3, "3", [3], { order: "3" }, { order: -1 }, { order: 0.5 }]) {
        ask(wrong);
        const { error } = await back.message("error");
        assertEquals(error.message, "since must be an object of sequences by stream");
      }
    });
  });

  it("is possible at the older paths, and what is asked behind it waits for it", async () => {
    await withServedVenue(async ({ url, venue }) => {
      for (const folder of ["ranger", "websocket", "stream"]) {
        const client = await StreamClient.open(`${url}/api/v2/${folder}/public`);
        await client.message("success");
        client.send({ event: "subscribe", streams: ["order"] });
        client.send(message(venue.sign("alice")));
        client.send({ event: "subscribe", streams: ["order", "balance"] });
        assertEquals(await client.next(), {
          error: { message: "order: private, read it at a private path, or log in" },
        });
        assertEquals((await client.next()).success.streams, []);
        assertEquals((await client.next()).success.message, "logged_in");
        const { success } = await client.message("success");
        assertEquals(success.streams, ["order", "balance"]);
        await client.close();
      }
    });
  });

  it("meets the walls of a signed call, and tells so as that would", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const client = await listen();
      await client.message("success");
      const wrong = venue.sign({ kid: "demo-alice", secret: "wrong" });
      const { error } = await logIn(client, wrong);
      assertEquals(error, {
        message: "authz.invalid_signature",
        event: "login",
        errors: ["authz.invalid_signature"],
      });
      const old = { ...venue.sign("alice"), "X-Auth-Nonce": String(venue.clock.now - 60_000) };
      const expired = (await logIn(client, old)).error;
      assertEquals(expired.errors, ["authz.nonce_expired"]);
      assertEquals(typeof expired.server_time, "number");
      const { "X-Auth-Nonce": _, ...partial } = venue.sign("alice");
      const missing = (await logIn(client, partial)).error;
      assertEquals(missing.errors, ["authz.invalid_api_key_headers"]);
      assertEquals(missing.details, { field: "nonce" });
      client.send({ ...message(venue.sign("alice")), apikey: ["demo-alice"] });
      assertEquals((await client.message("error")).error.details, { field: "apikey" });
      const unknown = venue.sign({ kid: "no-such-key", secret: "wrong" });
      assertEquals(await refusal(client, unknown), ["authz.invalid_signature"]);
      assertEquals(venue.authNotices.map(({ reason }) => reason), ["authz.invalid_signature"]);
      assertEquals(venue.unexpected, []);
    });
  });

  it("takes the nonce as a number too, for as long as that is exact", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const client = await listen();
      const headers = venue.sign("alice");
      client.send({ ...message(headers), nonce: Number(headers["X-Auth-Nonce"]) });
      const { success } = await client.next((frame) => frame.success?.message !== "subscribed");
      assertEquals(success.uid, uid(venue));
    });
  });

  it("spends its nonce, for calls too, and takes none that was spent", async () => {
    await withServedVenue(async (served) => {
      const { listen, venue } = served;
      const headers = venue.sign("alice");
      const first = await listen();
      assert("success" in await logIn(first, headers));
      const second = await listen();
      assertEquals(await refusal(second, headers), ["authz.nonce_already_used"]);
      assertEquals(await refused(served, PRIVATE, headers), [401, ["authz.nonce_already_used"]]);
      const call = await venue.call(null, "GET", ORDERS, { headers });
      assertEquals([call.status, call.body.errors], [401, ["authz.nonce_already_used"]]);
      const used = venue.sign("alice");
      assertEquals((await venue.call(null, "GET", ORDERS, { headers: used })).status, 200);
      assertEquals(await refusal(second, used), ["authz.nonce_already_used"]);
      // One of a log-in that was refused for something else is spent as well.
      const again = venue.sign("alice");
      assertEquals(await refusal(first, again), ["stream.already_logged_in"]);
      assert("success" in await logIn(second, again), "that one was never looked at");
    });
  });

  it("is possible once, and not where somebody has signed or is signed in", async () => {
    await withServedVenue(async ({ listen, listenAs, venue }) => {
      const client = await listen();
      assert("success" in await logIn(client, venue.sign("alice")));
      assertEquals(await refusal(client, venue.sign("bob")), ["stream.already_logged_in"]);
      assertEquals(await client.subscribe("balance"), ["balance"]);
      const signed = await listenAs("alice");
      assertEquals(await refusal(signed, venue.sign("bob")), ["stream.already_logged_in"]);
    });
  });

  it("of two at once lets in the first alone", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const client = await listen();
      client.send(message(venue.sign("alice")));
      client.send(message(venue.sign("bob")));
      const { success } = await client.next((one) => one.success?.message === "logged_in");
      assertEquals(success.uid, uid(venue));
      assertEquals((await client.message("error")).error.errors, ["stream.already_logged_in"]);
    });
  });

  it("closes the socket after several that were refused", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const client = await listen();
      for (let i = 0; i < LOGIN_FAILURES_MAX; i++) {
        client.send(message(venue.sign({ kid: "demo-alice", secret: `wrong ${i}` })));
      }
      client.send(message(venue.sign("alice")));
      assertEquals(await client.closed, { code: 1008, reason: "too many requests" });
      const answers = client.frames.flatMap(({ error }) => error?.errors ?? []);
      const late = "server.rate_limited";
      assertEquals(answers, [...Array(LOGIN_FAILURES_MAX).fill("authz.invalid_signature"), late]);
    });
  });

  it("shares an address's failures with its calls, over however many sockets", async () => {
    await withServedVenue(async (served) => {
      const { listen, venue } = served;
      const wrong = () => venue.sign({ kid: "demo-alice", secret: "wrong" });
      for (let i = 0; i < SIGNATURE_FAILURES_MAX; i++) {
        const client = await listen();
        assertEquals(await refusal(client, wrong()), ["authz.invalid_signature"]);
        await client.close();
      }
      const client = await listen();
      const { error } = await logIn(client, wrong());
      assertEquals(error.errors, ["server.rate_limited"]);
      assert(error.retry_after > 0 && error.retry_after <= SIGNATURE_FAILURES_WINDOW_MS / 1000);
      assertEquals((await refused(served, PRIVATE, wrong()))[0], 429);
      // Who knows the secret is let in all the same, as over HTTP.
      assert("success" in await logIn(client, venue.sign("alice")));
    }, { rateLimit: 100 });
  });

  it("costs the member what a call does", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      assertEquals((await venue.call("alice", "GET", ORDERS)).status, 200);
      const client = await listen();
      assertEquals(await refusal(client, venue.sign("alice")), ["server.rate_limited"]);
    }, { rateLimit: 1 });
  });

  it("needs the scope read", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const trader = await keyOf(venue, { scopes: ["trade"] });
      const client = await listen();
      assertEquals(await refusal(client, venue.sign(trader)), ["authz.scope_not_permitted"]);
      client.send({ event: "subscribe", streams: ["order"] });
      assert((await client.message("error")).error.message.startsWith("order: private"));
    });
  });

  it("needs an address that the key may be used from, also later", async () => {
    await withServedVenue(async ({ listen, venue }) => {
      const elsewhere = await keyOf(venue, { scopes: ["read"], ip_allow_list: ["203.0.113.7"] });
      const client = await listen();
      const { error } = await logIn(client, venue.sign(elsewhere));
      assertEquals(error.errors, ["authz.ip_not_permitted"]);
      assertEquals(error.details, { address: venue.address });
      const here = await keyOf(venue, { scopes: ["read"], ip_allow_list: [venue.address] });
      assert("success" in await logIn(client, venue.sign(here)));
      await patchKey(venue, here.kid, { ip_allow_list: ["203.0.113.7"] });
      assertEquals(await client.closed, { code: 4001, reason: "access ended" });
    });
  });

  it("needs a body signature of the handshake where the setting asks for it", async () => {
    await withServedVenue(async ({ url, venue }) => {
      const path = `${PUBLIC}?stream=btcusdt.trades`;
      const client = await StreamClient.open(`${url}${path}`);
      const bare = venue.sign("alice");
      assertEquals(await refusal(client, bare), ["authz.body_signature_required"]);
      const usual = venue.sign("alice");
      const of = (covered: string) => ({
        ...usual,
        ...bodySignature("demo-alice-secret", usual, { path: covered }),
      });
      assertEquals(await refusal(client, of(PUBLIC)), ["authz.invalid_signature"]);
      assert("success" in await logIn(client, of(path)));
    }, { bodySignatures: "withdraw" });
  });

  it("is refused for a disabled key, and ends with one that is disabled before it reads", async () => {
    await withServedVenue(async ({ listen, venue, realtime }) => {
      const key = await keyOf(venue, { scopes: ["read"] });
      const client = await listen("?stream=btcusdt.trades");
      assert("success" in await logIn(client, venue.sign(key)));
      await patchKey(venue, key.kid, { state: "disabled" });
      client.send({ event: "subscribe", streams: ["order"] });
      assertEquals(await client.closed, { code: 4001, reason: "access ended" });
      const other = await listen();
      assertEquals(await refusal(other, venue.sign(key)), ["authz.apikey_not_active"]);
      await other.close();
      await eventually("both places are free", () => realtime.registry.size === 0);
    });
  });

  it("takes one of the key's places, and gives it back", async () => {
    await withServedVenue(async ({ listen, listenAs, venue, realtime }) => {
      const clients: StreamClient[] = [];
      while (clients.length < SOCKETS_PER_CALLER_MAX) {
        const client = await listen();
        assert("success" in await logIn(client, venue.sign("alice")));
        clients.push(client);
      }
      const late = await listen("?stream=btcusdt.trades");
      const { error } = await logIn(late, venue.sign("alice"));
      assertEquals([error.errors, error.retry_after], [["stream.too_many_sockets"], 1]);
      await clients.pop()?.close();
      await eventually("a place is free", () => realtime.registry.size === clients.length + 1);
      assert("success" in await logIn(late, venue.sign("alice")));
      await (await listenAs("bob")).close();
    });
  });

  it("keeps the socket from what strangers' sockets have to make room for", async () => {
    const limits = { totalMax: 2, reserved: 1 };
    await withServedVenue(async ({ listen, listenAs, venue, realtime }) => {
      const own = await listen();
      assert("success" in await logIn(own, venue.sign("alice")));
      const stranger = await listen();
      await stranger.message("success");
      assertEquals(await own.subscribe("btcusdt.trades"), ["btcusdt.trades"]);
      await (await listenAs("bob")).message("success");
      assertEquals((await stranger.closed).code, 1013);
      realtime.pauseUnsigned();
      assertEquals(await own.subscribe("balance"), ["btcusdt.trades", "balance"]);
    }, { limits });
  });
});

describe("a log-in over a socket of orders", () => {
  it("gives it to the key, which may then trade and read", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      for (const path of ["/api/v2/trading", "/api/v2/finex", "/api/v2/open_finance"]) {
        const client = await openRpc(served, path);
        const order = ["btcusdt", "l", "buy", "0.5", "90"];
        assertEquals(await client.refusal("create_order", order), ["authz.invalid_session"]);
        assertEquals(await client.call("login", args(venue.sign("alice"))), [uid(venue)]);
        assertEquals((await client.call("create_order", order)).length, 1);
        const current = await client.call("subscribe", ["private", ["orders"]]);
        assertEquals(current, ["private", ["orders"]]);
        await client.stream.close();
      }
    });
  });

  it("greets as a signed handshake does, and what is asked behind it waits for it", async () => {
    await withServedVenue(async (served) => {
      const { stream } = await openRpc(served);
      const { venue } = served;
      stream.send([1, 1, "login", args(venue.sign("alice"))]);
      stream.send([1, 2, "create_order", ["btcusdt", "l", "buy", "0.5", "90"]]);
      stream.send([1, 3, "list_orders", ["btcusdt"]]);
      stream.send([1, 4, "login", args(venue.sign("bob"))]);
      stream.send([1, 5, "subscribe", ["private", ["trades"]]]);
      assertEquals(await stream.next(), [4, "systemEvent", ["authenticated", uid(venue)]]);
      assertEquals(await stream.next(), [2, 1, "login", [uid(venue)]]);
      const answers = new Map<number, Frame>();
      while (answers.size < 4) {
        const frame = await stream.next();
        answers.set(frame[1], frame);
      }
      assertEquals(answers.get(2)[2], "create_order");
      assertEquals(answers.get(3)[2], "list_orders");
      assertEquals(answers.get(4).slice(2, 4), ["error", ["stream.already_logged_in"]]);
      assertEquals(answers.get(5)[3], ["private", ["trades"]]);
    });
  });

  it("is refused as a handshake is, and closes the socket after several", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await openRpc(served);
      const wrong = venue.sign({ kid: "demo-alice", secret: "wrong" });
      assertEquals(await client.refusal("login", args(wrong)), ["authz.invalid_signature"]);
      assertEquals(await client.refusal("login", []), ["authz.invalid_api_key_headers"]);
      const surplus = [...args(venue.sign("alice")), null, 1];
      assertEquals(await client.refusal("login", surplus), ["server.unexpected_argument"]);
      const signed = venue.sign("alice");
      assertEquals((await venue.call(null, "GET", ORDERS, { headers: signed })).status, 200);
      assertEquals(await client.refusal("login", args(signed)), ["authz.nonce_already_used"]);
      for (let i = 2; i < LOGIN_FAILURES_MAX; i++) await client.refusal("login", args(wrong));
      assertEquals((await client.stream.closed).code, 1008);
    });
  });

  it("lets keys in by any scope, and keeps them to it", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const reader = await openRpc(served);
      await reader.call("login", args(venue.sign(await keyOf(venue, { scopes: ["read"] }))));
      const order = ["btcusdt", "l", "buy", "0.5", "90"];
      assertEquals(await reader.refusal("create_order", order), ["authz.scope_not_permitted"]);
      const trader = await openRpc(served);
      await trader.call("login", args(venue.sign(await keyOf(venue, { scopes: ["trade"] }))));
      await trader.call("create_order", order);
      const asked = ["private", ["orders"]];
      assertEquals(await trader.refusal("subscribe", asked), ["authz.scope_not_permitted"]);
    });
  });

  it("has the limits of the key: long bulks, and the member's rate", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await openRpc(served);
      await client.call("login", args(venue.sign("alice")));
      const order = (i: number) => ["btcusdt", "l", "buy", "0.001", "90", `${i}`.padStart(30, "x")];
      const orders = Array.from({ length: 100 }, (_, i) => order(i));
      const padded = `${" ".repeat(30_000)}`;
      client.stream.send(`[1,7,"create_bulk",${padded}${JSON.stringify(orders)}]`);
      const answer = await client.stream.next((frame) => frame[1] === 7);
      assertEquals(answer[2], "create_bulk", JSON.stringify(answer).slice(0, 300));
      const limited = await client.refusal("create_order", ["btcusdt", "l", "buy", "0.001", "90"]);
      assertEquals(limited, ["server.rate_limited"]);
    }, { rateLimit: 100 });
  });

  it("ends with the key, whose next request is refused", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const key = await keyOf(venue, { scopes: ["read", "trade"] });
      const client = await openRpc(served);
      await client.call("login", args(venue.sign(key)));
      await patchKey(venue, key.kid, { state: "disabled" });
      client.stream.send([1, 9, "create_order", ["btcusdt", "l", "buy", "0.5", "90"]]);
      assertEquals(await client.stream.closed, { code: 4001, reason: "access ended" });
    });
  });
});
