import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CREATED_OWN_KEY, OWN_KEY } from "../../../../src/edge/schemas/identity.ts";
import { assertError } from "../../../support/assert_error.ts";
import { Person } from "../../../support/person.ts";
import { type Answer, withVenue } from "../../../support/with_venue.ts";

const KEYS = "/resource/api_keys";
const BALANCES = "/api/v2/backend/account/balances";

function change(person: Person, kid: string, json: Record<string, unknown>): Promise<Answer> {
  return person.call("PATCH", `/api/v2/auth${KEYS}/${kid}`, {
    json: person.proven({ totp_code: person.nextOtp(), ...json }),
  });
}

function post(person: Person, json: Record<string, unknown>): Promise<Answer> {
  return person.post(KEYS, person.proven(json));
}

describe("a key that a member makes", () => {
  it("signs calls at once, and its secret is shown once", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { status, body } = await carol.makeKey({ algorithm: "HS256" });
      assertEquals(status, 201);
      CREATED_OWN_KEY.parse(body);
      assertMatch(body.kid, /^[0-9a-f]{16}$/);
      assertMatch(body.secret, /^[0-9a-f]{32}$/);
      assertEquals([body.scope, body.state, body.algorithm], [
        ["read", "trade"],
        "active",
        "HS256",
      ]);
      assertEquals((await venue.get(body, BALANCES)).status, 200);

      const list = await carol.get(KEYS);
      list.body.forEach((key: unknown) => OWN_KEY.parse(key));
      const { secret, ...known } = body;
      assertEquals([list.status, list.body], [200, [known]]);
      assertEquals(list.headers.get("total"), "1");
      assertEquals(list.text.includes(secret), false);
      const [notice] = await venue.outbox.list(carol.uid);
      assertEquals([notice?.kind, notice?.code], ["api_key_created", null]);
      const activity = await carol.get("/resource/users/activity/api_key");
      assertEquals([activity.body[0].action, activity.body[0].result], ["create", "succeed"]);
    }));

  it("has the requested scopes, addresses and nonce mode", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body } = await carol.makeKey({
        scopes: "withdraw,read",
        ip_allow_list: ["192.0.2.0/24"],
        nonce_mode: "request",
      });
      assertEquals(body.scope, ["read", "withdraw"]);
      assertEquals([body.ip_allow_list, body.nonce_mode], [["192.0.2.0/24"], "request"]);
      assertError(await venue.get(body, BALANCES), 403, "authz.ip_not_permitted");
      const readOnly = await carol.makeKey({ scope: ["read"] });
      assertError(await venue.order(readOnly.body), 403, "authz.scope_not_permitted");
    }));

  it("needs the second factor", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      assertError(await post(carol, {}), 422, "resource.api_key.2fa_disabled");
      const coded = await post(carol, { totp_code: "123456" });
      assertError(coded, 422, "resource.api_key.2fa_disabled");
    }));

  it("needs a correct, unused code", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const missing = await post(carol, {});
      assertError(missing, 422, "resource.api_key.missing_totp");
      assertEquals(missing.body.details.field, "totp_code");
      const totp_code = carol.nextOtp();
      assertError(
        await post(carol, { totp_code: "000000" }),
        422,
        "resource.api_key.invalid_totp",
      );
      assertEquals((await post(carol, { totp_code })).status, 201);
      const again = await post(carol, { totp_code });
      assertError(again, 422, "resource.api_key.invalid_totp");
      assertEquals((await carol.get(KEYS)).body.length, 1);
    }));

  it("counts a code once if two calls race with it", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const totp_code = carol.nextOtp();
      const race = [post(carol, { totp_code }), post(carol, { totp_code })];
      const statuses = (await Promise.all(race)).map(({ status }) => status);
      assertEquals(statuses.sort(), [201, 422]);
      assertEquals((await carol.get(KEYS)).body.length, 1);
    }));

  it("rejects invalid fields without using up a code", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const totp_code = carol.nextOtp();
      const refused: [Record<string, unknown>, string][] = [
        [{ algorithm: "RS256" }, "invalid_algorithm"],
        [{ scope: "fly" }, "invalid_scope"],
        [{ scopes: ["fly"] }, "invalid_scopes"],
        [{ scope: ["read"], scopes: ["read", "trade"] }, "invalid_scopes"],
        [{ scope: [] }, "invalid_scope"],
        [{ scopes: "," }, "invalid_scopes"],
        [{ nonce_mode: "never" }, "invalid_nonce_mode"],
        [{ ip_allow_list: ["here"] }, "invalid_ip_allow_list"],
        [{ ip_allow_list: [""] }, "invalid_ip_allow_list"],
        [{ ip_allow_list: [`::1%${"a".repeat(3_000)}`] }, "invalid_ip_allow_list"],
        [{ totp_code: "" }, "invalid_totp_code"],
        [{ totp_code: "1".repeat(65) }, "too_long_totp_code"],
      ];
      for (const [json, reason] of refused) {
        const answer = await post(carol, { totp_code, ...json });
        assertError(answer, 422, `resource.api_key.${reason}`);
      }
      assertEquals((await post(carol, { totp_code })).status, 201);
    }));

  it("needs addresses if it may withdraw, where the venue requires it", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const missing = "resource.api_key.missing_ip_allow_list";
      const asked = { totp_code: carol.nextOtp(), scope: "read,withdraw" };
      assertError(await post(carol, asked), 422, missing);
      const ip_allow_list = ["203.0.113.0/24"];
      const { status, body } = await post(carol, { ...asked, ip_allow_list });
      assertEquals(status, 201);
      assertError(await change(carol, body.kid, { ip_allow_list: [] }), 422, missing);
      const harmless = { scope: "read", ip_allow_list: [] };
      assertEquals((await change(carol, body.kid, harmless)).status, 200);
    }, { needsWithdrawIpLists: true }));

  it("is one of fifty at most", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      for (let count = 0; count < 50; count++) {
        await venue.engine.submit({
          kind: "create_key",
          uid: carol.uid,
          kid: `carol-${count}`,
          role: "member",
          scopes: ["read"],
          nonceMode: "single",
        }, null);
      }
      assertError(await carol.makeKey(), 422, "resource.api_key.limit_exceeded");
    }));

  it("is made by people only", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ scope: ["read", "trade", "withdraw"] });
      const answer = await venue.post(key, `/api/v2/auth${KEYS}`, { totp_code: carol.nextOtp() });
      assertError(answer, 401, "authz.invalid_permission");
      assertError(
        await venue.get(key, `/api/v2/auth${KEYS}`),
        401,
        "authz.invalid_permission",
      );
    }));
});

describe("a member's key", () => {
  it("changes its scopes, addresses and state with a code", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey();
      const changed = await change(carol, key.kid, { scope: "read", ip_allow_list: "10.0.0.0/8" });
      assertEquals(changed.status, 200);
      OWN_KEY.parse(changed.body);
      assertEquals([changed.body.scope, changed.body.ip_allow_list], [["read"], ["10.0.0.0/8"]]);
      assertError(await venue.order(key), 403, "authz.scope_not_permitted");
      const disabled = await change(carol, key.kid, { state: "disabled" });
      assertEquals([disabled.status, disabled.body.state], [200, "disabled"]);
      assertEquals(disabled.body.ip_allow_list, ["10.0.0.0/8"]);
      assertError(await venue.get(key, BALANCES), 401, "authz.apikey_not_active");
      await change(carol, key.kid, { state: "active" });
      assertEquals((await venue.get(key, BALANCES)).status, 200);
    }));

  it("tells its member of a change, but not of a refused one", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ scope: "read", ip_allow_list: "192.0.2.1" });
      const latest = async () => (await venue.outbox.list(carol.uid))[0]?.kind;
      assertEquals((await change(carol, key.kid, { scope: "none" })).status, 422);
      assertEquals(await latest(), "api_key_created");
      for (
        const changes of [{ scope: "read,trade" }, { ip_allow_list: "" }, { ip_allow_list: [] }]
      ) {
        const before = (await venue.outbox.list(carol.uid)).length;
        assertEquals((await change(carol, key.kid, changes)).status, 200);
        assertEquals(await latest(), "api_key_changed");
        assertEquals((await venue.outbox.list(carol.uid)).length, before + 1);
      }
    }));

  it("rejects invalid fields and missing codes", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { kid } = (await carol.makeKey()).body;
      const refused: [Record<string, unknown>, string][] = [
        [{ totp_code: null, state: "disabled" }, "missing_totp"],
        [{ totp_code: "000000", state: "disabled" }, "invalid_totp"],
        [{ state: "deleted" }, "invalid_state"],
        [{ scope: "fly" }, "invalid_scope"],
        [{ ip_allow_list: "here" }, "invalid_ip_allow_list"],
        [{ ip_allow_list: [" ", ""] }, "invalid_ip_allow_list"],
        [{ ip_allow_list: "," }, "invalid_ip_allow_list"],
      ];
      for (const [json, reason] of refused) {
        assertError(await change(carol, kid, json), 422, `resource.api_key.${reason}`);
      }
      assertEquals((await carol.get(KEYS)).body[0].state, "active");
    }));

  it("is deleted with a code in the query or in the body", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const first = (await carol.makeKey()).body;
      const second = (await carol.makeKey()).body;
      const path = `/api/v2/auth${KEYS}`;
      const json = carol.proven({});
      const missing = await carol.call("DELETE", `${path}/${first.kid}`, { json });
      assertError(missing, 422, "resource.api_key.missing_totp");
      const wrong = await carol.call("DELETE", `${path}/${first.kid}?totp_code=000000`, { json });
      assertError(wrong, 422, "resource.api_key.invalid_totp");
      const query = await carol.call(
        "DELETE",
        `${path}/${first.kid}?totp_code=${carol.nextOtp()}`,
        { json },
      );
      assertEquals([query.status, query.text], [204, ""]);
      const body = await carol.call("DELETE", `${path}/${second.kid}`, {
        json: carol.proven({ totp_code: carol.nextOtp() }),
      });
      assertEquals(body.status, 204);
      assertError(await venue.get(first, BALANCES), 401, "authz.invalid_signature");
      assertEquals((await carol.get(KEYS)).body, []);
      const again = await carol.call("DELETE", `${path}/${first.kid}?totp_code=${carol.nextOtp()}`);
      assertError(again, 404, "record.not_found");
    }));

  it("is not found by other members, nor an operator's key by its own", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const dave = await Person.joinWithTwoFactor(venue, "dave@example.org");
      const { kid } = (await carol.makeKey()).body;
      assertError(await change(dave, kid, { state: "disabled" }), 404, "record.not_found");
      assertEquals((await dave.get(KEYS)).body, []);
      await venue.engine.submit({
        kind: "create_key",
        uid: dave.uid,
        kid: "dave-operates",
        role: "operator",
        scopes: ["read"],
        nonceMode: "single",
      }, null);
      assertEquals((await dave.get(KEYS)).body, []);
      const own = await change(dave, "dave-operates", { state: "disabled" });
      assertError(own, 404, "record.not_found");
    }));

  it("is listed in pages", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const kids = [];
      for (let count = 0; count < 3; count++) kids.push((await carol.makeKey()).body.kid);
      const page = await carol.get(`${KEYS}?limit=2&page=2`);
      assertEquals(page.body.map((key: { kid: string }) => key.kid), kids.slice(2));
      assertEquals([page.headers.get("page"), page.headers.get("total")], ["2", "3"]);
    }));
});
