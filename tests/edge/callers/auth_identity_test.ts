import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  IDENTITY_SETTINGS,
  PASSWORD_STRENGTH,
  USER_ANSWER,
} from "../../../src/edge/schemas/identity.ts";
import { assertError } from "../../support/assert_error.ts";
import { Person } from "../../support/person.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const USERS = "/identity/users";
const EMAIL = "carol@example.org";
/**
 * A compatibility "k", invisible, ignorable and reversing characters, a full stop of another
 * script, a lone surrogate, a decomposed "é".
 */
const ODD_EMAILS = [
  "\u212aarl@example.org",
  "ca\u200brol@example.org",
  "carol@exam\ufe0fple.org",
  "car\u034fol@example.org",
  "carol@example\u3002org",
  "carol\u202e@example.org",
  "carol@example\ud800.org",
  "cafe\u0301@example.org",
  "Carol<carol@example.org",
];

function newcomer(venue: TestVenue): Person {
  return new Person(venue, EMAIL);
}

describe("an address that is no longer allowed to sign up", () => {
  it("still signs in, and is sent codes", () =>
    withVenue(async (venue) => {
      const { password } = newcomer(venue);
      for (const email of ODD_EMAILS) {
        const person = new Person(venue, email);
        const signedIn = await person.post("/identity/sessions", { email, password });
        assertError(signedIn, 401, "identity.session.invalid_params");
        const sent = await person.post(`${USERS}/password/generate_code`, { email });
        assertEquals(sent.status, 201);
      }
    }));
});

describe("the sign-up settings", () => {
  it("tell how strong a password must be, and how strong one is", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      const settings = await carol.get("/identity/configs");
      assertEquals([settings.status, settings.body.captcha_type], [200, "none"]);
      IDENTITY_SETTINGS.parse(settings.body);
      const entropy = async (password: string) => {
        const { status, body } = await carol.post("/identity/password/validate", { password });
        assertEquals(status, 201);
        return PASSWORD_STRENGTH.parse(body).entropy;
      };
      const { password_min_entropy: least } = settings.body;
      assert(await entropy(carol.password) >= least);
      const email = carol.email;
      for (const password of ["correct-horse", "Password1"]) {
        assert(await entropy(password) < least, password);
        assertError(await carol.post(USERS, { email, password }), 422, "password.requirements");
      }
    }));
});

describe("signing up", () => {
  it("answers with a pending member, and opens no session", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      const { status, body, headers } = await carol.signUp();
      assertEquals([status, headers.get("set-cookie"), carol.csrfToken], [201, null, null]);
      USER_ANSWER.parse(body);
      assertMatch(body.uid, /^ID[0-9A-F]{10}$/);
      assertEquals(
        [body.email, body.role, body.level, body.otp, body.state],
        [EMAIL, "member", 0, false, "pending"],
      );
      assertEquals(venue.engine.venue.holderByUid.get(body.uid), undefined);
      assertError(await carol.signIn(), 401, "identity.session.invalid_params");
    }));

  it("sends a code that no answer shows, and that confirms with its password", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      const signedUp = await carol.signUp();
      const code = await carol.code("email_confirmation");
      assert(code.length > 20 && !signedUp.text.includes(code));
      const { status, body } = await carol.confirm();
      assertEquals([status, carol.cookie], [201, null]);
      USER_ANSWER.parse(body);
      assertEquals([body.uid, body.level, body.state], [carol.uid, 1, "active"]);
      assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
      await carol.signIn();
      assertEquals((await carol.get("/resource/users/me")).body.uid, carol.uid);
    }));

  it("with a member's address is answered like any, and tells the member by mail", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const stranger = new Person(venue, EMAIL);
      stranger.password = "Str4nger-here";
      const { body } = await stranger.signUp();
      USER_ANSWER.parse(body);
      assertEquals([body.state, body.level], ["pending", 0]);
      assertNotEquals(body.uid, carol.uid);
      const { body: messages } = await venue.get("operator", "/api/v2/admin/outbox");
      assertEquals([messages[0].kind, messages[0].uid], ["address_in_use", carol.uid]);
      assertError(await stranger.signIn(), 401, "identity.session.invalid_params");
      assertEquals((await carol.signIn()).status, 200);
    }));

  it("by a stranger gives the stranger nothing once the owner confirms", () =>
    withVenue(async (venue) => {
      const stranger = newcomer(venue);
      stranger.password = "Str4nger-here";
      await stranger.signUp();
      const code = await stranger.code("email_confirmation");
      const carol = newcomer(venue);
      const confirm = (token: string) =>
        carol.post(`${USERS}/email/confirm_code`, { token, password: carol.password });
      assertError(await confirm(code), 422, "identity.user.wrong_password");
      await carol.signUp();
      assertError(await confirm(code), 422, "identity.user.invalid_token");
      await carol.confirm();
      assertError(await stranger.signIn(), 401, "identity.session.invalid_params");
      assertError(await stranger.get("/resource/users/me"), 401, "authz.invalid_session");
      assertError(
        await stranger.post("/resource/otp/generate_qrcode"),
        401,
        "authz.invalid_session",
      );
      assertEquals((await carol.signIn()).status, 200);
    }));

  it("is refused without a valid address or password, naming the field", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      const { password } = carol;
      const refused: [Record<string, unknown>, string, string][] = [
        [{ password }, "identity.user.missing_email", "email"],
        [{ email: "carol", password }, "identity.user.invalid_email", "email"],
        [{ email: "", password }, "identity.user.invalid_email", "email"],
        [{ email: 7, password }, "identity.user.invalid_email", "email"],
        ...ODD_EMAILS.map((email): [Record<string, unknown>, string, string] => [
          { email, password },
          "identity.user.invalid_email",
          "email",
        ]),
        [{ email: `${"c".repeat(260)}@x.org`, password }, "identity.user.too_long_email", "email"],
        [{ email: `a@${".".repeat(260)}@`, password }, "identity.user.too_long_email", "email"],
        [{ email: EMAIL }, "identity.user.missing_password", "password"],
        [{ email: EMAIL, password: "" }, "identity.user.invalid_password", "password"],
        [
          { email: EMAIL, password: "Aa1".repeat(100) },
          "identity.user.too_long_password",
          "password",
        ],
        [{ email: EMAIL, password: "weak" }, "password.requirements", "password"],
        [{ email: EMAIL, password: "lowercase1lowercase" }, "password.requirements", "password"],
      ];
      for (const [json, identifier, field] of refused) {
        const answer = await carol.post(USERS, json);
        assertError(answer, 422, identifier);
        assertEquals(answer.body.details.field, field);
        assertEquals(answer.text.includes(password), false);
      }
    }));

  it("leaves an address to its owner when another spelling of it is refused", () =>
    withVenue(async (venue) => {
      for (const email of ["carol@exam\ufe0fple.org", "carol@ex\u00e4m\u180bple.org"]) {
        const person = new Person(venue, email);
        const { password } = person;
        const answer = await person.post(USERS, { email, password });
        assertError(answer, 422, "identity.user.invalid_email");
      }
      const carol = newcomer(venue);
      assertEquals((await carol.signUp()).body.email, EMAIL);
      const other = new Person(venue, "carol@EX\u00c4MPLE.org");
      assertEquals((await other.signUp()).body.email, other.email);
      const { password } = carol;
      await other.confirm();
      const again = await carol.post(USERS, { email: "carol@xn--exmple-cua.org", password });
      assertEquals(again.status, 201);
      const { body: messages } = await venue.get("operator", "/api/v2/admin/outbox");
      assertEquals([messages[0].kind, messages[0].uid], ["address_in_use", other.uid]);
    }));

  it("also takes a form", () =>
    withVenue(async (venue) => {
      const answer = await venue.call(null, "POST", `/api/v2/auth${USERS}`, {
        text: new URLSearchParams({ email: EMAIL, password: "Tr0ub4dor&3x" }).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      assertEquals(answer.status, 201);
    }));
});

describe("the code of an address", () => {
  it("works once", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      await carol.signUp();
      const token = await carol.code("email_confirmation");
      await carol.confirm();
      const { password } = carol;
      const again = await carol.post(`${USERS}/email/confirm_code`, { token, password });
      assertError(again, 422, "identity.user.invalid_token");
    }));

  it("is refused if wrong, missing or too long", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      await carol.signUp();
      const { password } = carol;
      const confirm = (json: Record<string, unknown>) =>
        carol.post(`${USERS}/email/confirm_code`, { password, ...json });
      assertError(await confirm({}), 422, "identity.user.missing_token");
      const token = await carol.code("email_confirmation");
      const bare = await confirm({ token, password: null });
      assertError(bare, 422, "identity.user.missing_password");
      assertError(await confirm({ token: "" }), 422, "identity.user.invalid_token");
      const wrong = `${carol.uid}.00000000000000000000000000000000`;
      assertError(await confirm({ token: wrong }), 422, "identity.user.invalid_token");
      const long = "x".repeat(300);
      assertError(await confirm({ token: long }), 422, "identity.user.too_long_token");
    }));

  it("gives way to the next", () =>
    withVenue(async (venue) => {
      const carol = newcomer(venue);
      await carol.signUp();
      const token = await carol.code("email_confirmation");
      venue.clock.now += 3_600_000;
      const sent = await carol.post(`${USERS}/email/generate_code`, { email: EMAIL });
      assertEquals([sent.status, sent.body], [201, {}]);
      assertNotEquals(await carol.code("email_confirmation"), token);
      const { password } = carol;
      const old = await carol.post(`${USERS}/email/confirm_code`, { token, password });
      assertError(old, 422, "identity.user.invalid_token");
      await carol.confirm();
    }));

  it("is requested alike for any address", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      for (const email of [EMAIL, "nobody@example.org"]) {
        venue.clock.now += 3_600_000;
        const sent = await carol.post(`${USERS}/email/generate_code`, { email });
        assertEquals([sent.status, sent.text], [201, "{}"]);
      }
      const missing = await carol.post(`${USERS}/email/generate_code`, {});
      assertError(missing, 422, "identity.user.missing_email");
    }));
});

describe("the activity of an account", () => {
  it("is paged by topic, newest first", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      await new Person(venue, EMAIL).post("/identity/sessions", { email: EMAIL, password: "x" });
      const { status, body, headers } = await carol.get("/resource/users/activity/session");
      assertEquals(status, 200);
      assertEquals(
        body.map((one: { action: string; result: string }) => `${one.action} ${one.result}`),
        ["login failed", "login succeed"],
      );
      assertEquals(body[0].user_ip, "10.0.0.1");
      assertEquals([headers.get("page"), headers.get("total")], ["1", "2"]);
      const all = await carol.get("/resource/users/activity/all?limit=1&page=2");
      assertEquals([all.status, all.body.length], [200, 1]);
      assert(Number(all.headers.get("total")) > 2);
    }));

  it("knows its topics", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const wrong = await carol.get("/resource/users/activity/weather");
      assertError(wrong, 422, "resource.user.wrong_topic");
      const page = await carol.get("/resource/users/activity/all?page=0");
      assertError(page, 422, "pagination.non_positive_page");
    }));
});

describe("the demo's outbox", () => {
  it("shows the operator what was sent to all or one, newest first", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const dave = new Person(venue, "dave@example.org");
      await dave.signUp();
      const { status, body } = await venue.get("operator", "/api/v2/admin/outbox");
      assertEquals(status, 200);
      assertEquals(body[0].to, "dave@example.org");
      assertEquals(Object.keys(body[0]), ["id", "uid", "to", "kind", "code", "created_at"]);
      const own = await venue.get("operator", `/api/v2/admin/outbox?uid=${carol.uid}`);
      assert(own.body.length > 0);
      assert(own.body.every((message: { uid: string }) => message.uid === carol.uid));
      assertError(
        await venue.get("alice", "/api/v2/admin/outbox"),
        401,
        "authz.invalid_permission",
      );
    }));

  it("is absent on any other venue", () =>
    withVenue(async (venue) => {
      const answer = await venue.get("operator", "/api/v2/admin/outbox");
      assertError(answer, 404, "route.not_found");
      const contract = await venue.get(null, "/api/v2/openapi.json");
      assertEquals(contract.body.paths["/api/v2/admin/outbox"], undefined);
    }, { hasOutbox: false }));
});
