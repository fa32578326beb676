import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import {
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  UIDS,
} from "../../../support/beneficiaries.ts";
import { defineGroups } from "../../../support/define_groups.ts";
import { acts, write } from "../../../support/operator_writes.ts";
import { PASSWORD, Person } from "../../../support/person.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const REASON = { reason: "a stolen phone" };

async function kindsSent(venue: TestVenue, uid: string): Promise<string[]> {
  return (await venue.outbox.list(uid)).map(({ kind }) => kind);
}

describe("a member's sessions", () => {
  it("are seen and ended by operators, and the member is told", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const [phone, desk] = [carol, new Person(venue, carol.email)];
      await desk.signIn();
      const path = `/members/${carol.uid}/sessions`;
      const list = async () => (await venue.get("operator", ADMIN + path)).body;
      const all = await list();
      assertEquals(all.map(({ current }: { current: boolean }) => current), [false, false]);
      const gone = await write(venue, "DELETE", `${path}/${"0".repeat(16)}`, REASON);
      assertError(gone, 404, "resource.session.not_found");
      assertEquals((await write(venue, "DELETE", `${path}/${all[1].id}`, REASON)).body.ended, 1);
      assertEquals((await list()).length, 1);
      assertEquals((await write(venue, "DELETE", path, REASON)).body, { ended: 1 });
      assertEquals(await list(), []);
      for (const browser of [phone, desk]) {
        assertError(await browser.get("/resource/users/me"), 401, "authz.invalid_session");
      }
      assertEquals((await kindsSent(venue, carol.uid)).slice(0, 2), [
        "sessions_ended",
        "sessions_ended",
      ]);
      const done = await acts(venue, `?member=${carol.uid}`);
      assertEquals(done.map(({ action }) => action), ["endMemberSessions", "endMemberSession"]);
      assertError(
        await write(venue, "DELETE", "/members/ID-nobody/sessions", REASON),
        404,
        "record.not_found",
      );
    }));
});

describe("a member's activity", () => {
  it("is seen by operators as by the member", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const own = await carol.get("/resource/users/activity/all");
      const seen = await venue.get("operator", `${ADMIN}/members/${carol.uid}/activity/all`);
      assertEquals([seen.body, seen.headers.get("total")], [own.body, own.headers.get("total")]);
      const wrong = await venue.get("operator", `${ADMIN}/members/${carol.uid}/activity/x`);
      assertError(wrong, 422, "resource.user.wrong_topic");
    }));
});

describe("a member's beneficiaries", () => {
  it("are seen and deleted by operators", () =>
    withVenue(async (venue) => {
      const active = await activeBeneficiary(venue, "alice");
      const { body: pending } = await createBeneficiary(venue, "alice", {
        data: { address: "sandbox-btc-2" },
      });
      const path = `/members/${UIDS.alice}/beneficiaries`;
      const seen = await venue.get("operator", ADMIN + path);
      assertEquals(seen.body, (await venue.get("alice", BENEFICIARIES)).body);
      for (const id of [active, pending.id]) {
        assertEquals((await write(venue, "DELETE", `${path}/${id}`, REASON)).status, 204);
      }
      assertEquals((await venue.get("alice", BENEFICIARIES)).body, []);
      for (const id of [active, "x", 99]) {
        assertError(await write(venue, "DELETE", `${path}/${id}`, REASON), 404, "record.not_found");
      }
      const bobs = await activeBeneficiary(venue, "bob");
      assertError(await write(venue, "DELETE", `${path}/${bobs}`, REASON), 404, "record.not_found");
      const own = await venue.get("alice", "/api/v2/auth/resource/users/acts");
      assertEquals(own.body.map(({ action }: { action: string }) => action), [
        "disableBeneficiary",
        "disableBeneficiary",
      ]);
    }));
});

describe("notes about a member", () => {
  it("are for operators alone", () =>
    withVenue(async (venue) => {
      const path = `/members/${UIDS.alice}/notes`;
      for (const text of ["first call", "second call"]) {
        assertEquals((await write(venue, "POST", path, { text })).status, 201);
      }
      const { body, headers } = await venue.get("operator", `${ADMIN}${path}?limit=1`);
      assertEquals([body.length, body[0].text, headers.get("total")], [1, "second call", "2"]);
      assertEquals([body[0].id, body[0].kid], [2, "demo-operator"]);
      for (const text of ["", " ", "x".repeat(1001)]) {
        assertEquals((await write(venue, "POST", path, { text })).status, 422);
      }
      assertEquals((await venue.get("alice", "/api/v2/auth/resource/users/acts")).body, []);
      assertEquals((await acts(venue, `?member=${UIDS.alice}`)).length, 2);
    }));
});

describe("a member's address", () => {
  it("is changed by an operator, with all that a reset ends, and both mailboxes are told", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ scope: ["read"] });
      await carol.call("POST", "/api/v2/auth/identity/users/password/generate_code", {
        json: { email: carol.email },
      });
      const path = `/members/${carol.uid}/email`;
      const taken = await write(venue, "PUT", path, { email: "alice@demo.invalid", ...REASON });
      assertEquals(taken.status, 422);
      const same = await write(venue, "PUT", path, { email: "Carol@Example.org", ...REASON });
      assertError(same, 422, "admin.member.duplicate_email");
      venue.clock.now += 1_000;
      const before = venue.clock.now;
      const moved = await write(venue, "PUT", path, { email: "carol@new.example", ...REASON });
      assertEquals([moved.status, moved.body.email], [200, "carol@new.example"]);

      const told = (await venue.outbox.list(carol.uid)).filter(({ kind }) =>
        kind === "email_changed"
      );
      assertEquals(told.map(({ to }) => to).sort(), ["carol@example.org", "carol@new.example"]);
      assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
      const held = venue.engine.venue.holderByUid.get(carol.uid)?.member.credentialsChangedAt;
      assertEquals(Number(held) > before, true, "withdrawals are on hold");
      assertEquals(venue.engine.venue.keyByKid.get(key.kid)?.key.state, "disabled");

      const again = new Person(venue, "carol@example.org");
      again.otpSecret = carol.otpSecret;
      assertEquals((await again.signIn()).status, 401);
      const found = await venue.get("operator", `${ADMIN}/members?email=carol@new.example`);
      assertEquals(found.body.map(({ uid }: { uid: string }) => uid), [carol.uid]);
      const old = await venue.get("operator", `${ADMIN}/members?email=carol@example.org`);
      assertEquals(old.body, [], "it is free again");
      const other = await Person.join(venue, "carol@example.org");
      assertEquals(other.uid === carol.uid, false);
      const [act] = await acts(venue, `?action=changeMemberEmail`);
      assertEquals(act?.changes, { email: "(not kept)" });
      assertEquals([act?.before, act?.after], [
        { email: "c***@example.org" },
        { email: "c***@new.example" },
      ]);
    }));

  it("takes a new password with it: the old one is over, a code for another is sent", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const pending = await carol.post("/resource/otp/generate_qrcode");
      carol.otpSecret = pending.body.data.secret;
      await carol.post("/identity/users/password/generate_code", { email: carol.email });
      const old = await carol.code("password_reset");
      const path = `/members/${carol.uid}/email`;
      const moved = await write(venue, "PUT", path, { email: "carol@new.example", ...REASON });
      assertEquals(moved.status, 200);

      const owner = new Person(venue, "carol@new.example");
      owner.uid = carol.uid;
      for (let tries = 0; tries < 2; tries++) assertEquals((await owner.signIn()).status, 401);
      const reset = (code: string) =>
        owner.post("/identity/users/password/confirm_code", {
          reset_password_token: code,
          password: "Another-1-word",
          confirm_password: "Another-1-word",
        });
      assertEquals((await reset(old)).status, 422);
      const [sent] = (await venue.outbox.list(carol.uid)).filter(({ kind }) =>
        kind === "password_reset"
      );
      assertEquals(sent?.to, "carol@new.example");
      assertEquals((await reset(await owner.code("password_reset"))).status, 201);
      owner.password = "Another-1-word";
      assertEquals((await owner.signIn()).status, 200);
      owner.otpSecret = carol.otpSecret;
      const factor = await owner.enableOtp(owner.nextOtp());
      assertEquals(factor.status, 422, "what the old session had prepared is gone");
    }));

  it("takes no password from whoever began to change it before", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const change = carol.call("PUT", "/api/v2/auth/resource/users/password", {
        json: {
          old_password: PASSWORD,
          new_password: "Another-1-word",
          confirm_password: "Another-1-word",
        },
      });
      const path = `/members/${carol.uid}/email`;
      const moved = write(venue, "PUT", path, { email: "carol@new.example", ...REASON });
      const [{ status }] = await Promise.all([moved, change]);
      assertEquals(status, 200);
      const owner = new Person(venue, "carol@new.example");
      for (owner.password of [PASSWORD, "Another-1-word"]) {
        assertEquals((await owner.signIn()).status, 401);
      }
    }));
});

describe("the list of members", () => {
  it("has filters by level, group, state and time", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      venue.clock.now += 60_000;
      const since = Math.floor(venue.clock.now / 1000);
      const make = (email: string, fields: object) =>
        write(venue, "POST", "/members", { email, ...fields });
      await make("a@example.org", { level: 1, group: "vip" });
      await make("b@example.org", { level: 2, group: "vip" });
      await make("c@example.org", { level: 1 });
      const list = async (query: string) => {
        const { body, headers } = await venue.get("operator", `${ADMIN}/members?${query}`);
        assertEquals(headers.get("total"), String(body.length));
        return body.map(({ email }: { email: string }) => email[0]).join("");
      };
      assertEquals(await list("group=vip"), "ab");
      assertEquals(await list(`level=1&time_from=${since}`), "ac");
      assertEquals(await list("group=vip&level=2&state=active"), "b");
      assertEquals(await list("group=vip&state=locked"), "");
      assertEquals(await list(`time_to=${since}&group=vip`), "");
      const typo = await venue.get("operator", `${ADMIN}/members?group=vpi`);
      assertError(typo, 422, "admin.member.invalid_group");
      assertEquals(typo.body.details.nearest, "vip");
    }));
});
