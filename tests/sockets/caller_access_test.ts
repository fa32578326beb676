import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type Engine,
  LATE_MS_MAX,
  type SidecarKey,
  UnavailableError,
  UnreadableError,
} from "../../src/engine/engine.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { PersonCaller, SignedCaller } from "../../src/edge/env.ts";
import { ApiError } from "../../src/edge/errors.ts";
import { KeyedHash } from "../../src/secrets/keyed_hash.ts";
import { IpAllowList } from "../../src/secrets/ip_allow_list.ts";
import {
  type AccessCredentials,
  AccessEndedError,
  CallerAccess,
  SESSIONS_LATE_MS_MAX,
} from "../../src/sockets/caller_access.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { Person } from "../support/person.ts";
import { rawHandshake } from "../support/raw_handshake.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { withServedVenue } from "../support/served_venue.ts";
import { StreamClient } from "../support/stream_client.ts";

const LIVE = { csrfToken: "t", expiresAt: 10_000, idleAt: 10_000 };
const SESSION = { member: { index: 3, uid: "IDCAROL" }, sessionId: "s1", csrfToken: "t" } as never;
const PERSON: PersonCaller = { member: 3, key: null, signature: null, session: SESSION };
const SIGNED = { member: 3, key: { index: 1, kid: "kid" }, session: null } as SignedCaller;
const ADDRESS = "192.0.2.1";

/** Returns the access of a session, in a process whose last look at all sessions can be set. */
function watched() {
  const test = {
    now: 1_000_000,
    registry: { sessionsSeenAt: -Infinity },
    row: null as unknown,
    keys: [] as string[],
    isAway: false,
    lagMs: 0,
    caughtUp: 0,
    session: null as unknown as CallerAccess,
  };
  const engine = {
    now: () => 5_000,
    get lagMs() {
      return test.lagMs;
    },
    fresh: () => Promise.resolve(void (test.caughtUp += 1)),
    readSidecars(keys: readonly SidecarKey[]) {
      test.keys.push(...keys.map((key) => key.join("/")));
      return test.isAway
        ? Promise.reject(new UnreadableError("away"))
        : Promise.resolve(keys.map(() => test.row));
    },
  };
  const credentials = { get: () => Promise.reject(new Error("a session has no key")) };
  const parts = { engine: engine as unknown as Engine, credentials, registry: test.registry };
  test.session = new CallerAccess(parts, PERSON, ADDRESS, () => test.now);
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

/** Returns the access of a key. */
function accessOf(
  behind: Pick<Engine, "fresh" | "lagMs">,
  credentials: AccessCredentials,
): CallerAccess {
  const venue = { keys: [], settings: DEFAULT_SETTINGS };
  const engine = Object.assign(behind, { venue }) as unknown as Engine;
  const parts = { engine, credentials, registry: { sessionsSeenAt: -Infinity } };
  return new CallerAccess(parts, SIGNED, ADDRESS);
}

/** How long what is late takes, in ms. */
const LATE_MS = 5;

/** Returns a process that lags until it has caught up, and then sees the given list. */
function processBehind(list: readonly string[], fails = 0) {
  const keyedHash = new KeyedHash("secret");
  let allowList: IpAllowList | null = null;
  const engine = {
    lagMs: LATE_MS_MAX + 1,
    readings: 0,
    async fresh() {
      const reading = this.readings += 1;
      await sleep(LATE_MS);
      if (reading <= fails) throw new UnreadableError("away");
      this.lagMs = 0;
      allowList = IpAllowList.parse(list);
    },
  };
  let lookups = 0;
  const credentials = {
    async get() {
      lookups += 1;
      // The first lookup reads the store.
      if (lookups === 1) await sleep(LATE_MS);
      return { keyedHash, allowList };
    },
  };
  return { engine, address: accessOf(engine, credentials) };
}

describe("the check of an address", () => {
  it("is made only while the process is behind", async () => {
    const { engine, address } = processBehind(["10.0.0.1"]);
    engine.lagMs = LATE_MS_MAX;
    assertEquals(address.check(true), null);
    engine.lagMs += 1;
    const check = async () => await address.check(true);
    const refused = await assertRejects(check, ApiError, "authz.ip_not_permitted");
    assertEquals(refused.extras.details, { address: "192.0.2.1" });
    assertEquals(engine.readings, 1);
  });

  it("lets allowed requests through in order of arrival", async () => {
    const { engine, address } = processBehind(["192.0.2.0/24"]);
    const order: string[] = [];
    async function ask(name: string, hops = 0): Promise<void> {
      await address.check(true);
      // The turns that a request takes before it reaches the venue.
      for (let hop = 0; hop < hops; hop++) await null;
      order.push(name);
    }
    const asked = [ask("first", 50), ask("second")];
    await engine.fresh();
    assertEquals([engine.lagMs, order], [0, []]);
    asked.push(ask("third"));
    await Promise.all(asked);
    assertEquals(order, ["first", "second", "third"]);
    assertEquals(address.check(true), null);
  });

  it("lets no request overtake another as the answer arrives", async () => {
    for (let hops = 0; hops < 10; hops++) {
      const order: string[] = [];
      const { promise: second, resolve } = Promise.withResolvers<void>();
      const engine = { lagMs: LATE_MS_MAX + 1, fresh: () => Promise.resolve() };
      const credentials = {
        async get() {
          engine.lagMs = 0;
          queueMicrotask(async () => {
            for (let hop = 0; hop < hops; hop++) await null;
            resolve(ask("second"));
          });
          return await Promise.resolve(null);
        },
      };
      const address = accessOf(engine, credentials);
      const ask = async (name: string) => {
        const checking = address.check(true);
        if (checking !== null) await checking;
        order.push(name);
      };
      await Promise.all([ask("first"), second]);
      assertEquals(order, ["first", "second"]);
    }
  });

  it("is made again if the process could not catch up", async () => {
    const { engine, address } = processBehind(["192.0.2.1"], 1);
    const checks = [address.check(true), address.check(true)];
    await assertRejects(async () => await checks[0], UnavailableError);
    await checks[1];
    assertEquals(engine.readings, 2);
  });
});

describe("a handshake with a key that is bound to other addresses", () => {
  it("is told from which address it came", () =>
    withServedVenue(async ({ venue, url }) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ ip_allow_list: ["192.0.2.0/24"] });
      for (const path of ["/api/v2/stream/private", "/api/v2/trading"]) {
        const { status, body, connection } = await rawHandshake(`${url}${path}`, venue.sign(key));
        connection.close();
        assertEquals([status, body.errors], [403, ["authz.ip_not_permitted"]]);
        assertEquals(body.details, { address: "10.0.0.1" });
      }
    }));
});
