/** People who operate the venue in a session. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CODE_FRESH_MS } from "../../../../src/identity/identity.ts";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { VenueFile } from "../../../support/engine_venue.ts";
import { FaultyStore } from "../../../support/faulty_store.ts";
import { giveRole, OperatorPerson } from "../../../support/operator_person.ts";
import { Person } from "../../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ME = "/resource/users/me";
const OPERATOR = "ID0000000001";
const ALICE = `/members/${UIDS.alice}`;
const CODE_REQUIRED = [403, "authz.code_required"] as const;

function adjust(person: OperatorPerson, fields: Record<string, unknown> = {}): Promise<Answer> {
  return person.admin("POST", "/adjustments", {
    uid: UIDS.alice,
    currency: "usdt",
    amount: "5",
    ...fields,
  });
}

async function balance(venue: TestVenue): Promise<string> {
  const { body } = await venue.get("operator", `${ADMIN}${ALICE}/balances`);
  return body.find((one: { currency: string }) => one.currency === "usdt").balance;
}

async function lastAct(venue: TestVenue): Promise<Record<string, unknown>> {
  return (await venue.get("operator", `${ADMIN}/acts?limit=1`)).body[0];
}

describe("a role as an operator", () => {
  it("is given by a key or an admin, shown, and taken away", () =>
    withVenue(async (venue) => {
      const ann = await OperatorPerson.ready(venue, "admin");
      assertEquals((await ann.get(ME)).body.role, "admin");
      const carol = await Person.joinWithTwoFactor(venue);
      assertEquals((await carol.get(ME)).body.role, "member");
      const path = `/members/${carol.uid}/operator_role`;
      const given = await ann.admin("PUT", path, { role: "support" });
      assertEquals([given.body.operator_role, given.body.operator_role_active], ["support", true]);
      const act = await lastAct(venue);
      assertEquals([act["uid"], act["email"], act["kid"]], [ann.uid, ann.email, null]);
      assertEquals([act["action"], act["member"]], ["setOperatorRole", carol.uid]);
      assertEquals(act["before"], { operator_role: null, operator_role_active: false });
      assertEquals((await carol.get(ME)).body.role, "support");
      const listed = await ann.admin("GET", "/operators");
      const roles = listed.body.map((one: Record<string, unknown>) => one["operator_role"]);
      assertEquals(roles, ["admin", "admin", "support"], "the demo's operator is the first");
      const taken = await ann.admin("DELETE", path);
      assertEquals([taken.status, taken.body.operator_role], [200, null]);
      assertError(await carol.call("GET", `${ADMIN}/acts`), 401, "authz.invalid_permission");
      const told = (await venue.outbox.list(carol.uid)).map(({ kind }) => kind);
      assertEquals(told.slice(0, 2), ["operator_role_taken", "operator_role_given"]);
    }));

  it("is for active members with a second factor only", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      assertError(await giveRole(venue, carol.uid, "viewer"), 422, "admin.member.otp_required");
      await carol.turnTwoFactorOn();
      const path = `${ADMIN}/members/${carol.uid}`;
      await venue.call("operator", "PATCH", path, { json: { state: "locked" } });
      assertError(await giveRole(venue, carol.uid, "viewer"), 422, "admin.member.invalid_state");
      const unknown = await venue.call("operator", "PUT", `${path}/operator_role`, {
        json: { role: "boss" },
      });
      assertError(unknown, 422, "admin.member.invalid_role");
      assertEquals((await giveRole(venue, "ID0000000000", "viewer")).status, 404);
    }));

  it("is not that of the member's own keys", () =>
    withVenue(async (venue) => {
      const ann = await OperatorPerson.ready(venue, "admin");
      const { body } = await ann.makeKey({ scope: "read,trade,withdraw" });
      const key = { kid: body.kid, secret: body.secret };
      for (const [method, path] of [["GET", "/acts"], ["PATCH", "/switches"]] as const) {
        const options = method === "GET" ? {} : { json: { trading: false } };
        const answer = await venue.call(key, method, `${ADMIN}${path}`, options);
        assertError(answer, 401, "authz.invalid_permission");
      }
      assertEquals((await ann.admin("GET", "/switches")).body.trading, true);
    }));

  it("ends at once when it is taken away, or its member is locked", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.ready(venue, "finance");
      const path = `${ADMIN}/members/${fin.uid}`;
      assertEquals((await adjust(fin)).status, 201);
      await venue.call("operator", "DELETE", `${path}/operator_role`);
      assertError(await adjust(fin), 401, "authz.invalid_permission");
      await giveRole(venue, fin.uid, "viewer");
      assertError(await adjust(fin), 403, "authz.role_not_permitted");
      await giveRole(venue, fin.uid, "finance");
      assertEquals((await adjust(fin)).status, 201);
      await venue.call("operator", "PATCH", path, { json: { state: "locked" } });
      assertError(await adjust(fin), 401, "identity.session.locked");
      assertError(await fin.admin("GET", "/acts"), 401, "identity.session.locked");
    }));

  it("ends with a password reset or a change of the second factor, until it is given again", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.ready(venue, "finance");
      assertEquals((await fin.disableOtp(fin.nextOtp())).status, 201);
      assertError(await adjust(fin), 401, "authz.disabled_2fa");
      assertError(await fin.admin("GET", "/acts"), 401, "authz.disabled_2fa");
      await fin.turnTwoFactorOn();
      assertError(await fin.admin("GET", "/acts"), 403, "authz.role_outdated");
      assertEquals((await fin.get(ME)).body.role, "member");
      const { body } = await venue.get("operator", `${ADMIN}/members/${fin.uid}`);
      assertEquals([body.operator_role, body.operator_role_active], ["finance", false]);
      await giveRole(venue, fin.uid, "finance");
      await fin.giveCode();
      assertEquals((await adjust(fin)).status, 201);
      await fin.resetPassword();
      assertError(await adjust(fin), 401, "authz.invalid_session");
      assertEquals((await fin.signIn(fin.nextOtp())).status, 200);
      assertError(await fin.admin("GET", "/acts"), 403, "authz.role_outdated");
    }));

  it("outlives a change of the password by its member, but the code does not", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.ready(venue, "finance");
      const password = `${fin.password}z`;
      const changed = await fin.call("PUT", "/api/v2/auth/resource/users/password", {
        json: { old_password: fin.password, new_password: password, confirm_password: password },
      });
      assertEquals(changed.status, 201, changed.text);
      const { role, confirmed_until } = (await fin.get(ME)).body;
      assertEquals([role, confirmed_until], ["finance", null]);
      assertError(await adjust(fin), ...CODE_REQUIRED);
      await fin.giveCode();
      assertEquals((await adjust(fin)).status, 201);
    }));

  it("ends at once on other processes, too", async () => {
    await using file = await VenueFile.create();
    const open = async () => {
      const store = await FaultyStore.open(file.path);
      store.isWatchDropped = true;
      return { kvPath: file.path, sharedStore: store };
    };
    await withVenue(async (one) =>
      await withVenue(async (two) => {
        const fin = await OperatorPerson.ready(one, "finance");
        const there = new OperatorPerson(two, fin.email);
        Object.assign(there, { cookie: fin.cookie, csrfToken: fin.csrfToken, uid: fin.uid });
        assertEquals((await adjust(there)).status, 201, "the code is fresh there");
        assertEquals((await there.admin("GET", "/acts")).status, 200);
        await one.call("operator", "DELETE", `${ADMIN}/members/${fin.uid}/operator_role`);
        assertError(await there.admin("GET", "/acts"), 401, "authz.invalid_permission");
        assertError(await adjust(there), 401, "authz.invalid_permission");
        await giveRole(one, fin.uid, "finance");
        assertEquals((await adjust(there)).status, 201);
        assertEquals((await fin.delete("/identity/sessions")).status, 200);
        assertError(await adjust(there), 401, "authz.invalid_session");
      }, { ...await open(), clock: one.clock }), await open());
  });

  it("ends what is under way at another process, whose commit comes later", async () => {
    const endings: Record<string, (one: TestVenue, fin: OperatorPerson) => Promise<Answer>> = {
      "401 authz.invalid_permission": (one, { uid }) =>
        one.call("operator", "DELETE", `${ADMIN}/members/${uid}/operator_role`),
      "403 authz.role_not_permitted": (one, { uid }) => giveRole(one, uid, "support"),
      "401 authz.invalid_session": (_, fin) => fin.delete("/identity/sessions"),
    };
    for (const [expected, end] of Object.entries(endings)) {
      await using file = await VenueFile.create();
      const [store, held] = [await FaultyStore.open(file.path), await FaultyStore.open(file.path)];
      store.isWatchDropped = held.isWatchDropped = true;
      const options = { kvPath: file.path };
      await withVenue(async (one) =>
        await withVenue(async (two) => {
          const fin = await OperatorPerson.ready(one, "finance");
          const there = new OperatorPerson(two, fin.email);
          Object.assign(there, { cookie: fin.cookie, csrfToken: fin.csrfToken, uid: fin.uid });
          const before = await balance(one);
          held.plan = (purpose) => purpose === "log" ? "hold" : "none";
          const answering = adjust(there);
          await held.holding();
          const ended = await end(one, fin);
          assertEquals(ended.status, 200, ended.text);
          held.release();
          const { status, body } = await answering;
          assertEquals(`${status} ${body.errors?.[0]}`, expected);
          assertEquals(await balance(one), before);
        }, { ...options, sharedStore: held, clock: one.clock }), {
        ...options,
        sharedStore: store,
      });
    }
  });

  it("takes an admin to touch an operator, or oneself", () =>
    withVenue(async (venue) => {
      const ann = await OperatorPerson.ready(venue, "admin");
      const sue = await OperatorPerson.ready(venue, "support");
      const fin = await OperatorPerson.ready(venue, "finance");
      const [boss, self] = [`/members/${ann.uid}`, `/members/${sue.uid}`];
      const lacks = [403, "authz.role_not_permitted"] as const;
      assertError(await sue.admin("PATCH", boss, { state: "locked" }), ...lacks);
      assertError(await sue.admin("PATCH", self, { level: 3 }), ...lacks);
      assertError(await sue.admin("DELETE", `${boss}/sessions`), ...lacks);
      assertError(await sue.admin("POST", `${boss}/unlock`), ...lacks);
      assertError(await adjust(fin, { uid: fin.uid }), ...lacks);
      const operatorsKey = `/members/${OPERATOR}/api_keys/demo-operator`;
      assertError(await sue.admin("PATCH", operatorsKey, { state: "disabled" }), ...lacks);
      assertEquals((await sue.admin("PATCH", ALICE, { level: 3 })).status, 200);
      await ann.giveCode();
      assertEquals((await ann.admin("PATCH", self, { level: 2 })).status, 200);
    }));

  it("lets support disable keys, and nothing else about them", () =>
    withVenue(async (venue) => {
      const sue = await OperatorPerson.ready(venue, "support");
      const path = `${ALICE}/api_keys/demo-alice`;
      for (
        const changes of [{ scopes: "read" }, { state: "active" }, {
          state: "disabled",
          ip_allow_list: ["10.0.0.1"],
        }]
      ) {
        const refused = await sue.admin("PATCH", path, changes);
        assertError(refused, 403, "authz.role_not_permitted");
      }
      const disabled = await sue.admin("PATCH", path, { state: "disabled" });
      assertEquals([disabled.status, disabled.body.state], [200, "disabled"]);
      assertError(
        await sue.admin("PATCH", path, { state: "active" }),
        403,
        "authz.role_not_permitted",
      );
    }));
});

describe("a code for what an operator does", () => {
  it("is fresh for ten minutes, in its session", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.start(venue, "finance");
      assertError(await adjust(fin), ...CODE_REQUIRED);
      assertEquals((await fin.get(ME)).body.confirmed_until, null);
      const given = await fin.tryCode();
      const until = new Date(given.body.confirmed_until).getTime();
      assert(Math.abs(until - venue.clock.now - CODE_FRESH_MS) <= 1000);
      assertEquals((await fin.get(ME)).body.confirmed_until, given.body.confirmed_until);
      assertEquals((await adjust(fin)).status, 201);
      const other = new OperatorPerson(venue, fin.email);
      Object.assign(other, { otpSecret: fin.otpSecret, uid: fin.uid });
      assertEquals((await other.signIn(other.nextOtp())).status, 200);
      assertError(await adjust(other), ...CODE_REQUIRED);
      venue.clock.now = until - 5;
      assertEquals((await adjust(fin)).status, 201);
      venue.clock.now = until + 1000;
      assertError(await adjust(fin), ...CODE_REQUIRED);
      assertEquals((await fin.get(ME)).body.confirmed_until, null);
      assertEquals((await fin.admin("GET", "/acts")).status, 200);
    }));

  it("counts once, and wrong ones are throttled", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.start(venue, "finance");
      const code = fin.nextOtp();
      assertEquals((await fin.tryCode(code)).status, 201);
      assertError(await fin.tryCode(code), 422, "resource.otp.invalid");
      assertError(await fin.tryCode("000000"), 422, "resource.otp.invalid");
      for (let tries = 1; tries < 5; tries++) await fin.tryCode("000000");
      const refused = await fin.tryCode();
      assertError(refused, 429, "identity.otp.too_many_failures");
      assertNotEquals(refused.headers.get("retry-after"), null);
    }));

  it("takes a second factor and the session's token", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const path = "/resource/users/sessions/confirm";
      assertError(await carol.post(path, { code: "123456" }), 400, "resource.otp.not_enabled");
      const fin = await OperatorPerson.start(venue, "finance");
      fin.csrfToken = null;
      assertError(await fin.tryCode(), 401, "authz.missing_csrf_token");
    }));
});

describe("an act of a person", () => {
  it("is named in the trail and in the log, and happens once however often it is sent", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.ready(venue, "finance");
      const before = Number(await balance(venue));
      const once = { idempotency_key: "pay-1" };
      const first = await adjust(fin, once);
      const again = await adjust(fin, once);
      assertEquals([first.status, again.status], [201, 201]);
      assertEquals(again.body, first.body);
      assertEquals(Number(await balance(venue)), before + 5);
      assertError(
        await adjust(fin, { ...once, amount: "6" }),
        422,
        "admin.act.duplicate_idempotency_key",
      );
      const act = await lastAct(venue);
      assertEquals([act["uid"], act["kid"], act["reason"]], [fin.uid, null, "a test"]);
      assertEquals(act["email"], fin.email);
      const mine = await venue.get("operator", `${ADMIN}/acts?uid=${fin.uid}`);
      assertEquals(mine.body.length, 1);
    }));

  it("needs a reason where a key needs one, and is bounded like a key's", () =>
    withVenue(async (venue) => {
      const fin = await OperatorPerson.ready(venue, "finance");
      assertError(await adjust(fin, { reason: "" }), 422, "admin.adjustment.invalid_reason");
      await venue.call("operator", "PATCH", `${ADMIN}/settings`, { json: { adjustment_max: 1 } });
      assertError(await adjust(fin), 422, "admin.adjustment.above_maximum");
    }));

  it("signs notes with no key", () =>
    withVenue(async (venue) => {
      const sue = await OperatorPerson.start(venue, "support");
      const note = await sue.admin("POST", `${ALICE}/notes`, { text: "called" });
      assertEquals([note.status, note.body.uid, note.body.kid], [201, sue.uid, null]);
    }));
});
