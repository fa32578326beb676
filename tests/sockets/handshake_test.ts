import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import type { Credentials } from "../../src/secrets/credentials.ts";
import { type Engine, UnreadableError } from "../../src/engine/engine.ts";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import { SOCKETS_PER_CALLER_MAX } from "../../src/sockets/socket_registry.ts";
import { eventually } from "../support/eventually.ts";
import { Person } from "../support/person.ts";
import { rawHandshake, refused } from "../support/raw_handshake.ts";
import { bodySignature } from "../support/signed_headers.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";
import type { TestVenue } from "../support/with_venue.ts";

const PRIVATE = "/api/v2/stream/private";
const PUBLIC = "/api/v2/stream/public";

/** Shortest time after which a usual proxy cuts off a silent socket, in s: haproxy in Debian. */
const PROXY_PATIENCE_S = 50;

describe("an open socket", () => {
  it("is pinged before a proxy gives up on its silence", async () => {
    const timeouts: number[] = [];
    const upgrade = Deno.upgradeWebSocket;
    Deno.upgradeWebSocket = (request, options) => {
      timeouts.push(options?.idleTimeout ?? 0);
      return upgrade(request, options);
    };
    try {
      await withServedVenue(async ({ listen, listenAs }) => {
        await listen();
        await listenAs("alice", "?cancel_on_disconnect=true");
      });
    } finally {
      Deno.upgradeWebSocket = upgrade;
    }
    assertEquals(timeouts.length, 2);
    // The platform pings after half of it, and never if it is zero.
    for (const seconds of timeouts) assert(seconds > 0 && seconds / 2 < PROXY_PATIENCE_S);
  });
});

describe("the handshake of a private socket", () => {
  it("is refused like any unauthorized call", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      assertEquals(await refused(served, PRIVATE, {}), [401, ["authz.invalid_session"]]);
      const wrong = venue.sign({ kid: "demo-alice", secret: "wrong" });
      assertEquals(await refused(served, PRIVATE, wrong), [401, ["authz.invalid_signature"]]);
      const { "X-Auth-Nonce": _, ...partial } = venue.sign("alice");
      for (const path of [PRIVATE, "/api/v2/trading"]) {
        assertEquals((await refused(served, path, partial))[0], 422);
      }
      assertEquals(venue.unexpected, []);
    });
  });

  it("needs a body signature where the setting asks for it", async () => {
    await withServedVenue(async (served) => {
      const { venue, url } = served;
      for (const path of [`${PRIVATE}?stream=order`, "/api/v2/trading", "/api/v2/finex"]) {
        const bare = venue.sign("alice");
        const missing = [401, ["authz.body_signature_required"]];
        assertEquals(await refused(served, path, bare), missing, path);
        const usual = venue.sign("alice");
        const of = (covered: string) =>
          bodySignature("demo-alice-secret", usual, { path: covered });
        const wrong = { ...usual, ...of(`${path}&stream=trade`) };
        assertEquals(await refused(served, path, wrong), [401, ["authz.invalid_signature"]]);
        assertEquals((await refused(served, path, of(path)))[0], 422, "alone it is no signature");
        const right = await rawHandshake(`${url}${path}`, { ...usual, ...of(path) });
        assertEquals(right.status, 101);
        right.connection.close();
      }
      await (await served.listen()).close();
    }, { bodySignatures: "withdraw" });
  });

  it("spends its nonce", async () => {
    await withServedVenue(async (served) => {
      const headers = served.venue.sign("alice");
      const client = await StreamClient.open(`${served.url}${PRIVATE}`, headers);
      await client.message("success");
      assertEquals(await refused(served, PRIVATE, headers), [401, ["authz.nonce_already_used"]]);
      const answer = await served.venue.call(null, "GET", "/api/v2/backend/market/orders", {
        headers,
      });
      assertEquals(answer.status, 401);
    });
  });

  it("needs the read scope", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const made = await venue.post(
        "operator",
        `/api/v2/admin/members/${uidOf(venue, "demo-alice")}/api_keys`,
        { scopes: ["trade"] },
      );
      assertEquals(made.status, 201, made.text);
      const { kid, secret } = made.body;
      const headers = venue.sign({ kid, secret });
      assertEquals(await refused(served, PRIVATE, headers), [403, ["authz.scope_not_permitted"]]);
    });
  });

  it("lets a person in by the session, only from the venue's own pages", async () => {
    await withServedVenue(async (served) => {
      const person = await Person.join(served.venue);
      const Cookie = present(person.headers("GET").Cookie, "who is signed in has a cookie");
      const foreign = { Cookie, Origin: "https://elsewhere.example" };
      assertEquals(await refused(served, PRIVATE, foreign), [403, ["authz.cross_site_request"]]);
      assertEquals(await refused(served, PRIVATE, { Cookie }), [403, ["authz.cross_site_request"]]);
      // A signing program needs no origin, whatever cookies it sends.
      const signed = { Cookie, ...served.venue.sign("alice") };
      await (await StreamClient.open(`${served.url}${PRIVATE}`, signed)).close();
      const own = { Cookie, Origin: served.url };
      const client = await StreamClient.open(`${served.url}${PRIVATE}`, own);
      await client.message("success");
      await person.call("DELETE", "/api/v2/auth/identity/sessions");
      assertEquals(await client.closed, { code: 4001, reason: "access ended" });
    });
  });

  it("names what is wrong in the query", async () => {
    await withServedVenue(async (served) => {
      const wrong = async (query: string) =>
        await refused(served, `${PRIVATE}${query}`, served.venue.sign("alice"));
      for (
        const query of [
          "?since=3",
          "?stream=order,trade&since=3",
          "?stream=order&since=-1",
          "?stream=trade&since=trades:3",
          "?stream=order&since=order:1,order:2",
          "?stream=order&since=order:1&since=1",
          "?stream=order&since=order:1,trade:2",
          "?stream=order,btcusdt.trades&since=btcusdt.trades:1",
          "?stream=order&since=",
          "?since=order:1",
        ]
      ) {
        assertEquals(await wrong(query), [422, ["stream.invalid_since"]], query);
      }
      assertEquals(await wrong("?checksum=md5"), [422, ["stream.invalid_checksum"]]);
    });
  });
});

describe("a call without an upgrade", () => {
  it("is told to upgrade, while other paths and methods stay as they are", async () => {
    await withServedVenue(async ({ venue, url, realtime }) => {
      for (const path of [PUBLIC, `${PRIVATE}/`]) {
        assertEquals((await venue.get(null, path)).status, 426);
        const answer = await venue.get("alice", path);
        assertEquals([answer.status, answer.body], [426, { errors: ["stream.upgrade_required"] }]);
        assertEquals(answer.headers.get("upgrade"), "websocket");
      }
      const half = await rawHandshake(`${url}${PUBLIC}`, { "Sec-WebSocket-Key": "" });
      assertEquals([half.status, half.body], [426, { errors: ["stream.upgrade_required"] }]);
      half.connection.close();
      const old = await rawHandshake(`${url}${PUBLIC}`, { "Sec-WebSocket-Version": "8" });
      assertEquals([old.status, old.body], [426, { errors: ["stream.upgrade_required"] }]);
      assertEquals(old.headers.get("sec-websocket-version"), "13");
      old.connection.close();
      const unsaid = await rawHandshake(`${url}${PUBLIC}`, { "Sec-WebSocket-Version": "" });
      assertEquals(unsaid.status, 101);
      unsaid.connection.close();
      await eventually("no socket", () => realtime.registry.size === 0);
      assertEquals((await venue.get(null, "/api/v2/stream/other")).status, 404);
      assertEquals((await venue.post(null, PUBLIC)).status, 405);
      assertEquals(venue.unexpected, []);
    });
  });
});

describe("a client that hangs up right after it asked for a socket", () => {
  for (const path of [PUBLIC, "/api/v2/trading", `${PRIVATE}?cancel_on_disconnect=true`]) {
    it(`is not upgraded at ${path}`, () =>
      withServedVenue(async ({ venue, realtime }) => {
        const client = new AbortController();
        submitLate(venue, client.signal);
        const signed = path.startsWith(PRIVATE) ? venue.sign("alice") : {};
        const headers = { ...signed, "Upgrade": "websocket" };
        const answer = venue.app.request(path, { headers, signal: client.signal });
        await yieldToOthers();
        client.abort();
        assertEquals((await answer).status, 400);
        assertEquals(realtime.registry.size, 0);
        const { timers } = venue.engine.venue;
        await eventually("no timer", () => timers.soonest === Infinity);
      }));
  }
});

// On its own: the oldest Deno runs the tests of a group concurrently, and the upgrade is global.
describe("a socket that the platform fails to open", () => {
  it("gives up its place and timer", async () => {
    const upgrade = Deno.upgradeWebSocket;
    const socket = Object.assign(new EventTarget(), { readyState: WebSocket.CONNECTING });
    const upgraded = { socket, response: new Response() };
    Deno.upgradeWebSocket = () => upgraded as unknown as Deno.WebSocketUpgrade;
    try {
      await withServedVenue(async ({ venue, realtime }) => {
        const headers = { ...venue.sign("alice"), "Upgrade": "websocket" };
        await venue.app.request(`${PRIVATE}?cancel_on_disconnect=true`, { headers });
        const { timers } = venue.engine.venue;
        assertEquals([realtime.registry.size, timers.soonest < Infinity], [1, true]);
        socket.dispatchEvent(new Event("error"));
        assertEquals(realtime.registry.size, 0);
        await eventually("the timer's end", () => timers.soonest === Infinity);
      });
    } finally {
      Deno.upgradeWebSocket = upgrade;
    }
  });
});

describe("sockets", () => {
  it("are limited per key", async () => {
    await withServedVenue(async (served) => {
      const clients: StreamClient[] = [];
      for (let i = 0; i < SOCKETS_PER_CALLER_MAX; i++) clients.push(await served.listenAs("alice"));
      assertEquals(await refused(served, PRIVATE, served.venue.sign("alice")), [
        429,
        ["stream.too_many_sockets"],
      ]);
      await served.listenAs("bob");
      await clients[0]?.close();
      const { registry } = served.realtime;
      await eventually("a place", () => registry.size === SOCKETS_PER_CALLER_MAX);
      await served.listenAs("alice");
    });
  });

  it("are limited per address and per process", async () => {
    const limits = { perAddressMax: 2, anonymousPerAddressMax: 1, totalMax: 10, reserved: 1 };
    await withServedVenue(async (served) => {
      await served.listen();
      const full = [429, ["stream.too_many_sockets"]];
      assertEquals(await refused(served, PUBLIC, {}), full);
      await served.listenAs("alice");
      await served.listenAs("alice");
      // It is refused before it authenticates.
      assertEquals(await refused(served, PRIVATE, {}), full);
    }, { limits });
    await withServedVenue(async (served) => {
      await served.listen();
      assertEquals(await refused(served, PUBLIC, {}), [503, ["server.unavailable"]]);
    }, { limits: { totalMax: 2, reserved: 1 } });
  });

  it("of a session are closed when its member is frozen", async () => {
    await withServedVenue(async ({ url, venue }) => {
      const person = await Person.join(venue);
      const Cookie = present(person.headers("GET").Cookie, "who is signed in has a cookie");
      const client = await StreamClient.open(`${url}${PRIVATE}`, { Cookie, Origin: url });
      await client.message("success");
      const path = `/api/v2/admin/members/${person.uid}`;
      const frozen = await venue.call("operator", "PATCH", path, { json: { state: "locked" } });
      assertEquals(frozen.status, 200, frozen.text);
      assertEquals(await client.closed, { code: 4001, reason: "access ended" });
    });
  });

  it("of a session are closed by its end, before anything else can pass through them", async () => {
    await withServedVenue(async ({ url, venue, realtime }) => {
      const person = await Person.join(venue);
      const Cookie = present(person.headers("GET").Cookie, "who is signed in has a cookie");
      const client = await StreamClient.open(`${url}${PRIVATE}`, { Cookie, Origin: url });
      await client.message("success");
      // The look that finds ended sessions, once a second, must not be what closes it.
      Object.assign(realtime.registry, { checkSessions: () => Promise.resolve() });
      assertEquals((await person.delete("/identity/sessions")).status, 200);
      assertEquals(await client.closed, { code: 4001, reason: "access ended" });
    });
  });

  it("of a frozen member or a disabled key are closed, others are not", async () => {
    await withServedVenue(async ({ venue, listen, listenAs }) => {
      const [alice, bob] = [await listenAs("alice"), await listenAs("bob")];
      const anybody = await listen();
      const path = `/api/v2/admin/members/${uidOf(venue, "demo-alice")}`;
      const frozen = await venue.call("operator", "PATCH", path, { json: { state: "banned" } });
      assertEquals(frozen.status, 200, frozen.text);
      assertEquals(await alice.closed, { code: 4001, reason: "access ended" });
      await anybody.message("success");
      await bob.message("success");
      const keyPath = `/api/v2/admin/members/${uidOf(venue, "demo-bob")}/api_keys/demo-bob`;
      const disabled = await venue.call("operator", "PATCH", keyPath, {
        json: { state: "disabled" },
      });
      assertEquals(disabled.status, 200, disabled.text);
      assertEquals((await bob.closed).code, 4001);
      anybody.send("ping");
      assertEquals(await anybody.next(), "pong");
    });
  });

  it("are closed when their key no longer allows their address", async () => {
    await withServedVenue(async ({ venue, listenAs, faults }) => {
      const bob = await listenAs("bob", "?stream=order");
      await bob.message("success");
      const path = `/api/v2/admin/members/${uidOf(venue, "demo-bob")}/api_keys/demo-bob`;
      const allow = async (list: string[]) => {
        const json = { ip_allow_list: list };
        const { status, text } = await venue.call("operator", "PATCH", path, { json });
        assertEquals(status, 200, text);
      };
      await allow(["10.0.0.0/24"]);
      bob.send("ping");
      assertEquals(await bob.next(), "pong");
      await allow(["192.0.2.0/24"]);
      assertEquals(await bob.closed, { code: 4001, reason: "access ended" });
      assertEquals(faults, []);
    });
  });

  it("are closed when the changed addresses of their key can't be read", () =>
    withServedVenue(async ({ venue, listenAs, realtime, faults }) => {
      const bob = await listenAs("bob");
      const away = new UnreadableError("away");
      const get: Credentials["get"] = venue.credentials.get.bind(venue.credentials);
      const failing: Credentials["get"] = (kid) =>
        kid === "demo-bob" ? Promise.reject(away) : get(kid);
      Object.assign(venue.credentials, { get: failing });
      const path = `/api/v2/admin/members/${uidOf(venue, "demo-bob")}/api_keys/demo-bob`;
      const json = { ip_allow_list: ["192.0.2.0/24"] };
      const { status, text } = await venue.call("operator", "PATCH", path, { json });
      assertEquals(status, 200, text);
      await eventually("the socket's end", () => realtime.registry.size === 0);
      assertEquals((await bob.closed).code, 1011);
      assertEquals(faults, [away]);
    }));
});

function uidOf({ engine }: TestVenue, kid: string): string {
  const { key } = present(engine.venue.keyByKid.get(kid), "the demo has this key");
  return engine.venue.holder(key.member).member.uid;
}

describe("a key that changes while a socket is being opened with it", () => {
  const changes = {
    "is confined to other addresses": { ip_allow_list: ["192.0.2.0/24"] },
    "loses a scope": { scopes: ["trade"] },
    "is disabled": { state: "disabled" },
  };
  for (const path of [PRIVATE, "/api/v2/trading"]) {
    for (const [what, json] of Object.entries(changes)) {
      it(`and ${what} has no socket at ${path}`, () =>
        withServedVenue(async ({ venue, url, realtime, faults }) => {
          const key = `/api/v2/admin/members/${uidOf(venue, "demo-bob")}/api_keys/demo-bob`;
          // A nonce ahead of the clock is looked up in the log.
          venue.sign("bob");
          onceChecked(venue, async () => {
            const { status, text } = await venue.call("operator", "PATCH", key, { json });
            assertEquals(status, 200, text);
          });
          const client = new StreamClient(`${url}${path}`, venue.sign("bob"));
          await client.opened;
          await eventually("the socket's end", () => realtime.registry.size === 0);
          assertEquals(await client.closed, { code: 4001, reason: "access ended" });
          assertEquals([venue.unexpected, faults], [[], []]);
        }));
    }
  }
});

/** Keeps commands until the client has hung up. */
function submitLate({ engine }: TestVenue, client: AbortSignal): void {
  const submit: Engine["submit"] = engine.submit.bind(engine);
  const hungUp = new Promise((resolve) => client.addEventListener("abort", resolve));
  const late: Engine["submit"] = async (...asked) => {
    await hungUp;
    return await submit(...asked);
  };
  Object.assign(engine, { submit: late });
}

/** Runs `act` once the next handshake is authenticated, before its socket is registered. */
function onceChecked({ engine }: TestVenue, act: () => Promise<void>): void {
  const submit: Engine["submit"] = engine.submit.bind(engine);
  const acting: Engine["submit"] = async (...asked) => {
    const outcome = await submit(...asked);
    if (asked[0].kind === "spend_nonce") {
      Object.assign(engine, { submit });
      await act();
    }
    return outcome;
  };
  Object.assign(engine, { submit: acting });
}
