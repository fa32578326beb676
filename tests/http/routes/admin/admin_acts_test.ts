import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isActEndpoint } from "../../../../src/http/act_note.ts";
import { createEndpoints } from "../../../../src/http/endpoints.ts";
import { ACT } from "../../../../src/edge/schemas/admin/admin_bounds.ts";
import { isRejection } from "../../../../src/domain/command.ts";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import {
  type ActJson,
  ACTS,
  acts,
  write,
  writeEverything,
} from "../../../support/operator_writes.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const OPERATOR = "ID0000000001";

/** Creates a member with a key; returns the secret. */
async function addMember(venue: TestVenue): Promise<string> {
  const { body: member } = await write(venue, "POST", "/members", { email: "op@example.org" });
  const { body: key } = await write(venue, "POST", `/members/${member.uid}/api_keys`, {});
  return key.secret;
}

describe("the audit trail", () => {
  it("says who did what, when and why", () =>
    withVenue(async (venue) => {
      venue.clock.now += 5_000;
      const at = `${new Date(venue.clock.now).toISOString().slice(0, 19)}Z`;
      await write(venue, "PATCH", `/members/${UIDS.bob}`, {
        state: "locked",
        level: 2,
        reason: "asked for by the police",
      });
      const { body } = await venue.get("operator", ACTS);
      ACT.array().parse(body);
      assertEquals(body, [{
        id: 1,
        uid: OPERATOR,
        email: "operator@demo.invalid",
        kid: "demo-operator",
        action: "changeMember",
        target: { uid: UIDS.bob },
        changes: { state: "locked", level: "2" },
        member: UIDS.bob,
        made: null,
        before: { state: "active", level: 3 },
        after: { state: "locked", level: 2 },
        reason: "asked for by the police",
        approval: null,
        at,
      }]);
    }));

  it("holds every write of every endpoint, once and in order", () =>
    withVenue(async (venue) => {
      const done = await writeEverything(venue);
      const trail = await acts(venue);
      assertEquals(trail.map(({ action }) => action), done.toReversed());
      assertEquals(trail.map(({ id }) => id), done.map((_, place) => done.length - place));
      for (const { id } of createEndpoints().filter(isActEndpoint)) {
        assert(done.includes(id), `${id} is called by this test`);
      }
    }));

  it("holds what a write was given, since none takes fields in the query", () => {
    const writes = createEndpoints().filter(isActEndpoint);
    assert(writes.length > 20);
    for (const { id, query } of writes) {
      assertEquals(
        query,
        undefined,
        `The trail keeps the path and the body of ${id}, not its query: take the field in the body`,
      );
    }
  });

  it("takes a reason with every write, even one without fields of its own", () =>
    withVenue(async (venue) => {
      await write(venue, "POST", "/deposits", { uid: UIDS.bob, currency: "btc", amount: "1" });
      await write(venue, "POST", "/deposits/1/accept", { reason: "seen" });
      const form = {
        text: "reason=not+needed",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      };
      await venue.call(
        "operator",
        "DELETE",
        `${ADMIN}/members/${UIDS.bob}/api_keys/demo-bob`,
        form,
      );
      const trail = await acts(venue);
      assertEquals(trail.map(({ reason }) => reason), ["not needed", "seen", "a test"]);
      assertEquals(trail[0]?.target, { uid: UIDS.bob, kid: "demo-bob" });
      for (const [json, error] of WRONG_REASONS) {
        assertError(await write(venue, "POST", "/deposits/1/reject", json), 422, error);
      }
      const text = { text: "{" };
      const broken = await venue.call("operator", "POST", `${ADMIN}/deposits/1/reject`, text);
      assertError(broken, 400, "server.method.invalid_message_body");
    }));

  it("records acts that change nothing in the log", () =>
    withVenue(async (venue) => {
      const { venue: state } = venue.engine;
      const before = { ...state.holderByUid.get(UIDS.bob)?.member };
      await write(venue, "POST", `/members/${UIDS.bob}/unlock`, { reason: "has called" });
      assertEquals({ ...state.holderByUid.get(UIDS.bob)?.member }, before);
      const payouts = { currency: "btc", address: "*", outcome: "fail", times: 1 };
      await write(venue, "POST", "/sandbox/payouts", payouts);
      const trail = await acts(venue);
      assertEquals(
        trail.map(({ action, target, changes, reason }) => [
          action,
          target,
          changes,
          reason,
        ]),
        [
          ["setSandboxPayouts", {}, { ...payouts, address: "(not kept)", times: "1" }, null],
          ["unlockMember", { uid: UIDS.bob }, {}, "has called"],
        ],
      );
    }));

  it("records nothing that was refused", () =>
    withVenue(async (venue) => {
      await write(venue, "PATCH", "/members/IDX", { level: 1 });
      await write(venue, "PATCH", "/markets/btcusdt", { price_precision: 99 });
      await write(venue, "POST", "/deposits/1/accept");
      const json = { uid: OPERATOR, currency: "btc", amount: "-1", reason: "x" };
      assertError(
        await write(venue, "POST", "/adjustments", json),
        422,
        "market.account.insufficient_balance",
      );
      await venue.order("alice");
      await venue.post("alice", `${ADMIN}/deposits/1/accept`);
      assertEquals(await acts(venue), []);
    }));

  it("keeps flags as they were given", () =>
    withVenue(async (venue) => {
      await write(venue, "PATCH", "/switches", { trading: false });
      await write(venue, "PATCH", "/currencies/btc", { visible: true, min_confirmations: 3 });
      const trail = await acts(venue);
      assertEquals(trail.map(({ changes }) => changes), [
        { visible: true, min_confirmations: "3" },
        { trading: false },
      ]);
    }));

  it("leaves out values too long for a row", () =>
    withVenue(async (venue) => {
      const scopes = Array.from({ length: 60 }, () => `read\u3000${",".repeat(990)}`);
      const path = `/members/${UIDS.bob}/api_keys/demo-bob`;
      await write(venue, "PATCH", path, { scopes, state: "active" });
      const trail = await acts(venue);
      assertEquals(trail.map(({ changes }) => changes), [{
        state: "active",
        scopes: "(too long)",
      }]);
    }));

  it("keeps no secrets or personal data", () =>
    withVenue(async (venue) => {
      const secret = await addMember(venue);
      await write(venue, "PATCH", `/members/${UIDS.bob}/api_keys/demo-bob`, {
        ip_allow_list: ["198.51.100.4"],
      });
      const trail = await acts(venue);
      assertEquals(trail.map(({ changes }) => changes), [
        { ip_allow_list: "(not kept)" },
        {},
        { email: "(not kept)" },
      ]);
      const rows = await venue.engine.listSidecar({ prefix: ["acts"], limit: 100 });
      assertEquals(rows.length, 3);
      const text = JSON.stringify(rows);
      for (const word of ["example.org", "198.51.100.4", secret]) {
        assert(!text.includes(word), word);
      }
    }));
});

const WRONG_REASONS: [unknown, string][] = [
  [{ reason: "x".repeat(501) }, "admin.act.too_long_reason"],
  [{ reason: ["x"] }, "admin.act.invalid_reason"],
  ["why", "server.method.invalid_message_body"],
  [["why"], "server.method.invalid_message_body"],
];

describe("reading the audit trail", () => {
  it("is filtered and paged, newest first", () =>
    withVenue(async (venue) => {
      for (const level of [1, 2, 3]) {
        await write(venue, "PATCH", `/members/${UIDS.bob}`, { level });
        await write(venue, "PATCH", "/switches", { trading: true });
      }
      const ids = async (query: string) => (await acts(venue, query)).map(({ id }) => id);
      assertEquals(await ids(""), [6, 5, 4, 3, 2, 1]);
      assertEquals(await ids("?limit=4"), [6, 5, 4, 3]);
      assertEquals(await ids("?limit=4&page=2"), [2, 1]);
      assertEquals(await ids("?limit=4&page=3"), []);
      assertEquals(await ids("?action=changeMember"), [5, 3, 1]);
      assertEquals(await ids("?action=changeMember&limit=2&page=2"), [1]);
      assertEquals(await ids(`?uid=${OPERATOR}&action=setSwitches`), [6, 4, 2]);
      assertEquals(await ids(`?uid=${UIDS.bob}`), []);
      assertEquals(await ids("?kid=demo-operator&action=setSwitches"), [6, 4, 2]);
      assertEquals(await ids("?kid=second-operator"), []);
      const { headers } = await venue.get("operator", `${ACTS}?limit=4`);
      assertEquals(["page", "per-page", "total"].map((name) => headers.get(name)), ["1", "4", "6"]);
      const filtered = await venue.get("operator", `${ACTS}?action=changeMember`);
      assertEquals(filtered.headers.get("total"), null);
      assertEquals(filtered.headers.get("x-scan-limited"), null);
    }));

  it("rejects invalid filters, and members", () =>
    withVenue(async (venue) => {
      const refused = async (query: string, error: string) =>
        assertError(await venue.get("operator", `${ACTS}?${query}`), 422, error);
      await refused("uid=", "admin.act.empty_uid");
      await refused("kid=", "admin.act.empty_kid");
      await refused("action=changeMembers", "admin.act.unknown_action");
      await refused("time_from=1583146260000", "admin.act.invalid_time_from");
      const { body } = await venue.get("operator", `${ACTS}?action=changeMembers`);
      const details = {
        field: "action",
        value: "changeMembers",
        rule: "known",
        nearest: "changeMember",
      };
      assertEquals(body.details, details);
      for (const action of ["addOperatorKey", "restoreVenue"]) {
        assertEquals((await venue.get("operator", `${ACTS}?action=${action}`)).body, []);
      }
      await refused(`action=${"x".repeat(65)}`, "admin.act.too_long_action");
      await refused("limit=0", "admin.act.invalid_limit");
      await refused("limit=x", "admin.act.non_integer_limit");
      await refused("page=0", "admin.act.non_positive_page");
      await refused("page=x", "admin.act.non_integer_page");
      await refused("page=1000&limit=1000", "admin.act.invalid_page");
      assertError(await venue.get("alice", ACTS), 401, "authz.invalid_permission");
      assertError(await venue.get(null, ACTS), 401, "authz.invalid_session");
    }));

  it("is all that anyone can do with it", () =>
    withVenue(async (venue) => {
      await write(venue, "PATCH", `/members/${UIDS.bob}`, { level: 1, reason: "first" });
      const before = await venue.engine.listSidecar({ prefix: ["acts"], limit: 1 });
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await venue.call("operator", method, ACTS, { json: { reason: "other" } });
        assertError(answer, 405, "server.method_not_allowed");
        assertEquals((await write(venue, method, "/acts/1", { reason: "other" })).status, 404);
      }
      for (const { method, paths } of createEndpoints()) {
        assert(method === "GET" || !paths.some((path) => path.startsWith(ACTS)));
      }
      await writeEverything(venue);
      const rows = await venue.engine.listSidecar({ prefix: ["acts"], limit: 1 });
      assertEquals(rows, before);
      assertEquals(rows.length, 1);
    }));

  it("shows the number of an act known only to the log", () =>
    withVenue(async (venue) => {
      const index = venue.engine.venue.keyByKid.get("demo-operator")?.key.index ?? -1;
      const signature = { key: index, nonce: venue.clock.now, digest: 0 };
      const command = { kind: "set_switches", switches: {} } as const;
      assert(!isRejection(await venue.engine.submit(command, signature)));
      await write(venue, "PATCH", "/switches", { reason: "told" });
      const trail = await acts(venue);
      assertEquals(trail.map(({ id, reason }) => [id, reason]), [[2, "told"], [1, null]]);
      assertEquals(trail[1], {
        id: 1,
        uid: null,
        email: null,
        kid: null,
        action: null,
        target: {},
        changes: {},
        member: null,
        made: null,
        before: null,
        after: null,
        reason: null,
        approval: null,
        at: null,
      } as unknown as ActJson);
      assertEquals((await acts(venue, "?action=setSwitches")).map(({ id }) => id), [2]);
    }));
});
