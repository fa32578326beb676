import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LATE_MS_MAX, UnavailableError, UnreadableError } from "../../src/engine/engine.ts";
import { AccessEndedError } from "../../src/sockets/rpc/rpc_trader.ts";
import { SessionCheck, SESSIONS_LATE_MS_MAX } from "../../src/sockets/session_check.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { Person } from "../support/person.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";

const LIVE = { csrfToken: "t", expiresAt: 10_000, idleAt: 10_000 };
const SESSION = { member: { index: 3, uid: "IDCAROL" }, sessionId: "s1" } as never;

/** Returns a session's check, in a process whose last look at all sessions can be set. */
function watched() {
  const test = {
    now: 1_000_000,
    registry: { sessionsSeenAt: -Infinity },
    row: null as unknown,
    keys: [] as string[],
    isAway: false,
    lagMs: 0,
    caughtUp: 0,
    session: null as unknown as SessionCheck,
  };
  const engine = {
    now: () => 5_000,
    get lagMs() {
      return test.lagMs;
    },
    fresh: () => Promise.resolve(void (test.caughtUp += 1)),
    readSidecar(key: readonly (string | number)[]) {
      test.keys.push(key.join("/"));
      return test.isAway ? Promise.reject(new UnreadableError("away")) : Promise.resolve(test.row);
    },
  };
  test.session = new SessionCheck(engine, test.registry, SESSION, () => test.now);
  test.row = { ...LIVE };
  return test;
}

describe("the check of a session", () => {
  it("is made only if all sessions were last looked at too long ago", async () => {
    const test = watched();
    test.now += SESSIONS_LATE_MS_MAX;
    assertEquals(test.session.check(false), null, "its handshake was a look, too");
    test.now += 1;
    await test.session.check(false);
    assertEquals(test.keys.length, 1);
    test.registry.sessionsSeenAt = test.now - SESSIONS_LATE_MS_MAX;
    assertEquals(test.session.check(false), null);
    test.registry.sessionsSeenAt -= 1;
    await test.session.check(false);
    assertEquals(test.keys.length, 2);
    assertEquals(test.keys[0]?.endsWith("IDCAROL/s1"), true);
  });

  it("is made for each request that may write, however late the last look was", async () => {
    const test = watched();
    await test.session.check(true);
    await test.session.check(true);
    assertEquals([test.keys.length, test.caughtUp], [2, 0]);
    assertEquals(test.session.check(false), null);
    test.row = null;
    await assertRejects(async () => await test.session.check(true), AccessEndedError);
  });

  it("is made after catching up if the process is behind", async () => {
    const test = watched();
    test.lagMs = LATE_MS_MAX;
    assertEquals(test.session.check(false), null);
    test.lagMs += 1;
    await test.session.check(false);
    assertEquals([test.caughtUp, test.keys.length], [1, 1]);
  });

  it("ends the connection if the session is over, and refuses if nobody can tell", async () => {
    const test = watched();
    test.now += SESSIONS_LATE_MS_MAX + 1;
    test.isAway = true;
    await assertRejects(async () => await test.session.check(false), UnavailableError);
    test.isAway = false;
    for (const row of [null, { ...LIVE, expiresAt: 5_000 }, { ...LIVE, idleAt: 5_000 }]) {
      test.row = row;
      await assertRejects(async () => await test.session.check(false), AccessEndedError);
    }
  });
});

describe("a session that ends while nobody looks", () => {
  it("places no more orders, and its socket ends", () =>
    withServedVenue(async ({ realtime, url, venue }) => {
      const carol = await Person.join(venue);
      const headers = { ...carol.headers("GET"), Origin: url };
      const stream = await StreamClient.open(`${url}/api/v2/trading`, headers);
      const client = new RpcClient(stream);
      await client.event("systemEvent");
      // As in a process that stood still, or could not reach the store, while another ended it.
      const { registry } = realtime;
      registry.checkSessions = () => Promise.resolve();
      registry.endSessions = () => {};
      await sleep(SESSIONS_LATE_MS_MAX + 50);
      assertEquals(await client.call("list_orders"), [], "it lives on");
      await carol.delete("/identity/sessions");
      // Which tells nothing to whoever writes.
      registry.sessionsSeenAt = performance.now();
      const order = ["btcusdt", "limit", "buy", "0.5", "100"];
      assertEquals(await client.refusal("create_order", order), ["authz.invalid_session"]);
      assertEquals(await stream.closed, { code: 4001, reason: "access ended" });
      assertEquals(venue.engine.venue.orders.size, 0);
    }));
});
