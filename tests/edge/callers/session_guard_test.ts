import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import { assertError } from "../../support/assert_error.ts";
import { PASSWORD, Person } from "../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const BALANCES = "/api/v2/backend/account/balances";
const ORDERS = "/api/v2/trading/market/orders";
const ORDER = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };

async function joinTrader(venue: TestVenue): Promise<Person> {
  const carol = await Person.join(venue);
  const path = `/api/v2/admin/members/${carol.uid}`;
  await venue.call("operator", "PATCH", path, { json: { level: 3 } });
  const given = { uid: carol.uid, currency: "usdt", amount: "1000", reason: "start" };
  assertEquals((await venue.post("operator", "/api/v2/admin/adjustments", given)).status, 201);
  return carol;
}

function order(person: Person, headers: Record<string, string> = {}): Promise<Answer> {
  return person.call("POST", ORDERS, { json: ORDER, headers });
}

describe("a session", () => {
  it("trades and reads like a key with every scope", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const placed = await order(carol);
      assertEquals(placed.status, 201);
      const open = await carol.call("GET", "/api/v2/backend/market/orders");
      assertEquals(open.body.map(({ uuid }: { uuid: string }) => uuid), [placed.body.uuid]);
      const balance = await carol.call("GET", `${BALANCES}/usdt`);
      assertEquals([balance.body.balance, balance.body.locked], ["900.0", "100.0"]);
      const cancelled = await carol.call("POST", `${ORDERS}/cancel`, { json: {} });
      assertEquals([cancelled.status, cancelled.body.length], [200, 1]);
    }));

  it("must send its token with everything but reads", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const token = carol.csrfToken;
      carol.csrfToken = null;
      assertError(await order(carol), 401, "authz.missing_csrf_token");
      assertError(await carol.delete("/identity/sessions"), 401, "authz.missing_csrf_token");
      for (const wrong of ["x", `${token}0`, token?.slice(1), token?.slice(0, -1), "é"]) {
        const answer = await order(carol, { "X-CSRF-Token": wrong ?? "" });
        assertError(answer, 401, "authz.csrf_token_mismatch");
      }
      assertEquals((await carol.call("GET", BALANCES)).status, 200);
      assertEquals((await carol.get("/resource/users/me")).body.csrf_token, token);
      carol.csrfToken = token;
      assertEquals((await order(carol)).status, 201);
    }));

  it("has a token of its own", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const other = new Person(venue, carol.email);
      await other.signIn();
      carol.csrfToken = other.csrfToken;
      assertError(await order(carol), 401, "authz.csrf_token_mismatch");
    }));

  it("is ignored if a key signs or tries to", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const signed = await carol.call("GET", `${BALANCES}/usdt`, { headers: venue.sign("alice") });
      assertEquals([signed.status, signed.body.balance], [200, "10000000.0"]);
      const partly = await carol.call("GET", BALANCES, { headers: { "X-Auth-Nonce": "1" } });
      assertError(partly, 422, "authz.invalid_api_key_headers");
      const keyed = await carol.call("GET", "/api/v2/auth/resource/users/sessions", {
        headers: venue.sign("alice"),
      });
      assertError(keyed, 401, "authz.invalid_permission");
    }));

  it("does not operate the venue because its member has an operator's key", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      await venue.engine.submit({
        kind: "create_key",
        uid: carol.uid,
        kid: "carol-operates",
        role: "operator",
        scopes: ["read"],
        nonceMode: "single",
      }, null);
      const read = await carol.call("GET", "/api/v2/admin/members");
      assertError(read, 401, "authz.invalid_permission");
      const write = await carol.call("POST", "/api/v2/admin/members", {
        json: { email: "x@y.org" },
      });
      assertError(write, 401, "authz.invalid_permission");
    }));

  for (const state of ["locked", "banned"]) {
    it(`stops with its member, and says that it is ${state} as long as it would have lasted`, () =>
      withVenue(async (venue) => {
        const carol = await joinTrader(venue);
        const { cookie = "" } = carol;
        const path = `/api/v2/admin/members/${carol.uid}`;
        const change = (json: unknown) => venue.call("operator", "PATCH", path, { json });
        await change({ state, reason: "seen with a stolen phone" });
        assertError(await order(carol), 401, `identity.session.${state}`);
        assertError(await carol.call("GET", BALANCES), 401, `identity.session.${state}`);
        const id = await venue.engine.listSidecar({ prefix: ["sessions", carol.uid], limit: 9 });
        assertEquals(id.length, 1);
        const stranger = Object.assign(new Person(venue, ""), {
          cookie: `${carol.uid}.${"0".repeat(64)}`,
        });
        const guess = await stranger.call("GET", BALANCES);
        assertError(guess, 401, "authz.invalid_session");

        const sent = await venue.outbox.list(carol.uid);
        assertEquals(sent[0]?.kind, `account_${state}`);
        await change({ state: "active", reason: "the phone is back" });
        assertEquals((await venue.outbox.list(carol.uid))[0]?.kind, "account_active");
        assertEquals(carol.cookie, cookie);
        assertError(await carol.call("GET", BALANCES), 401, "authz.invalid_session");
      }));
  }

  it("is told by mail, in the words of each, when an operator changes its member's state", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const path = `/api/v2/admin/members/${carol.uid}`;
      const states = ["locked", "banned", "banned", "pending", "active", "banned", "active"];
      const before = (await venue.outbox.list(carol.uid)).length;
      for (const state of states) {
        const json = { state, reason: `now ${state}` };
        assertEquals((await venue.call("operator", "PATCH", path, { json })).status, 200);
      }
      const sent = (await venue.outbox.list(carol.uid)).toReversed().slice(before);
      const told = ["locked", "banned", "pending", "active", "banned", "active"];
      assertEquals(sent.map(({ kind }) => kind), told.map((state) => `account_${state}`));
    }));

  it("says nothing of its member's lock once it would have ended anyway", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const path = `/api/v2/admin/members/${carol.uid}`;
      await venue.call("operator", "PATCH", path, { json: { state: "locked", reason: "asked" } });
      venue.clock.now += 31 * 86_400_000;
      assertError(await carol.call("GET", BALANCES), 401, "authz.invalid_session");
    }));

  for (
    const json of [...["locked", "banned", "pending"].map((state) => ({ state })), { otp: false }]
  ) {
    it(`is over once an operator sets ${JSON.stringify(json)}, also if that is undone`, () =>
      withVenue(async (venue) => {
        const carol = await joinTrader(venue);
        const path = `/api/v2/admin/members/${carol.uid}`;
        const change = (changes: unknown) =>
          venue.call("operator", "PATCH", path, { json: changes });
        assertEquals((await change({ level: 2 })).status, 200);
        assertEquals((await carol.call("GET", BALANCES)).status, 200);
        assertEquals((await change(json)).status, 200);
        assertEquals((await change({ state: "active" })).status, 200);
        assertError(await carol.call("GET", BALANCES), 401, "authz.invalid_session");
        await carol.signIn();
        assertEquals((await carol.call("GET", BALANCES)).status, 200);
      }));
  }

  it("begun by whoever signed up, as in older versions, is over once the member is active", () =>
    withVenue(async (venue) => {
      const carol = await joinTrader(venue);
      const { uid } = carol;
      const changes = { state: "pending" } as const;
      await venue.engine.submit({ kind: "change_member", uid, changes }, null);
      assertError(await carol.call("GET", BALANCES), 401, "authz.invalid_session");
      const json = { state: "active" };
      const path = `/api/v2/admin/members/${uid}`;
      assertEquals((await venue.call("operator", "PATCH", path, { json })).status, 200);
      assertError(await carol.call("GET", BALANCES), 401, "authz.invalid_session");
    }));

  it("is needed if no key signs", () =>
    withVenue(async (venue) => {
      assertError(await venue.post(null, ORDERS, ORDER), 401, "authz.invalid_session");
      const me = await venue.get(null, "/api/v2/auth/resource/users/me");
      assertError(me, 401, "authz.invalid_session");
    }));

  it("shares a key's rate limit among all sessions of a member", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const other = new Person(venue, carol.email);
      await other.signIn();
      venue.clock.now += 60_000;
      const first = await carol.get("/resource/users/me");
      assertEquals(
        [first.headers.get("ratelimit-limit"), first.headers.get("ratelimit-remaining")],
        ["2", "1"],
      );
      assertEquals((await other.get("/resource/users/me")).status, 200);
      const third = await carol.get("/resource/users/me");
      assertError(third, 429, "server.rate_limited");
      assertEquals(third.headers.get("retry-after"), "1");
    }, { rateLimit: 2 }));

  it("is also counted for calls over its socket", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      venue.clock.now += 60_000;
      const { sessions } = venue.identity;
      const session = present(
        await sessions.authenticate(carol.cookie ?? "", false),
        "she is signed in",
      );
      const member = session.member.index;
      const caller = { member, key: null, signature: null, session };
      for (let count = 0; count < 2; count++) venue.auth.count(caller, "other");
      assertThrows(() => venue.auth.count(caller, "other"), ApiError, "server.rate_limited");
      venue.auth.count(caller, "cancel");
    }, { rateLimit: 2 }));

  it("may cancel when over its rate limit", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      venue.clock.now += 60_000;
      for (let i = 0; i < 3; i++) await carol.get("/resource/users/me");
      assertError(await carol.get("/resource/users/me"), 429, "server.rate_limited");
      const answer = await carol.call("POST", `${ORDERS}/cancel`, { json: {} });
      assertEquals([answer.status, answer.headers.get("ratelimit-remaining")], [200, "1"]);
    }, { rateLimit: 2 }));
});

describe("another site's page", () => {
  const SIGN_IN = "/api/v2/auth/identity/sessions";
  const json = { email: "carol@example.org", password: "x" };

  it("signs nobody in, up or out", () =>
    withVenue(async (venue) => {
      const foreign = [
        { "Sec-Fetch-Site": "cross-site" },
        { "Sec-Fetch-Site": "same-site" },
        { "Origin": "https://evil.example" },
        { "Origin": "null" },
        { "Origin": "http://localhost:8081", "Host": "localhost:8080" },
        { "Origin": "https://exchange.example", "Host": "exchange.example.org" },
      ];
      const paths = [
        SIGN_IN,
        "/api/v2/auth/identity/users",
        "/api/v2/auth/identity/users/email/confirm_code",
        "/api/v2/auth/identity/users/password/generate_code",
      ];
      for (const headers of foreign) {
        for (const path of paths) {
          const answer = await venue.call(null, "POST", path, { json, headers });
          assertError(answer, 403, "authz.cross_site_request");
        }
      }
    }));

  it("signs nobody in by a form, even from a neighbouring host of the site", () =>
    withVenue(async (venue) => {
      const { email } = await Person.join(venue);
      const neighbour = { "Sec-Fetch-Site": "same-site", "Origin": "https://blog.venue.example" };
      const type = "application/x-www-form-urlencoded";
      const headers = { "Content-Type": type, "Host": "venue.example", ...neighbour };
      const text = `${new URLSearchParams({ email, password: PASSWORD })}`;
      const answer = await venue.call(null, "POST", SIGN_IN, { text, headers });
      assertError(answer, 403, "authz.cross_site_request");
      assertEquals(answer.headers.get("set-cookie"), null);
    }));

  it("is told from the venue's own pages and from programs", () =>
    withVenue(async (venue) => {
      const own = [
        {},
        { "Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example" },
        { "Sec-Fetch-Site": "none" },
        { "Origin": "http://localhost" },
        { "Origin": "https://exchange.example", "Host": "exchange.example" },
      ];
      for (const headers of own) {
        const answer = await venue.call(null, "POST", SIGN_IN, {
          json,
          headers: headers as Record<string, string>,
        });
        assertError(answer, 401, "identity.session.invalid_params");
      }
    }));
});
