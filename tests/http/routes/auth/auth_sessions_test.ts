import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../../../src/edge/env.ts";
import { SESSION_ANSWER, USER_IN_SESSION } from "../../../../src/edge/schemas/identity.ts";
import { answerText } from "../../../../src/edge/answer.ts";
import { setSessionCookie } from "../../../../src/edge/callers/session_cookie.ts";
import { assertError } from "../../../support/assert_error.ts";
import { DEFAULT_SETTINGS } from "../../../../src/domain/settings.ts";
import { Person } from "../../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const SESSIONS = "/api/v2/auth/identity/sessions";
const EMAIL = "carol@example.org";

function setState(venue: TestVenue, uid: string, state: string): Promise<Answer> {
  return venue.call("operator", "PATCH", `/api/v2/admin/members/${uid}`, { json: { state } });
}

describe("signing in", () => {
  it("returns the member and its token", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const { status, body } = await carol.signIn();
      assertEquals([status, body.uid, body.email, body.otp], [200, carol.uid, EMAIL, false]);
      USER_IN_SESSION.parse(body);
      const me = await carol.get("/resource/users/me");
      const { group, limits } = me.body;
      assertEquals([me.status, me.body], [200, { ...body, group, limits }]);
    }));

  it("treats an unknown address like a wrong password", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const unknown = await carol.post("/identity/sessions", { email: "x@y.org", password: "x" });
      const wrong = await carol.post("/identity/sessions", { email: EMAIL, password: "x" });
      assertError(unknown, 401, "identity.session.invalid_params");
      assertEquals([wrong.status, wrong.text], [unknown.status, unknown.text]);
      assertEquals([...wrong.headers.keys()], [...unknown.headers.keys()]);
    }));

  it("is refused without address or password", () =>
    withVenue(async (venue) => {
      const signIn = (json: unknown) => venue.post(null, SESSIONS, json);
      assertError(await signIn({ password: "x" }), 422, "identity.session.missing_email");
      assertError(await signIn({ email: EMAIL }), 422, "identity.session.missing_password");
      assertError(
        await signIn({ email: EMAIL, password: "x", otp_code: "1".repeat(65) }),
        422,
        "identity.session.too_long_otp_code",
      );
    }));

  it("is refused to inactive members once the password is right", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      for (const [state, shown = state] of [["pending", "not_active"], ["locked"], ["banned"]]) {
        await setState(venue, carol.uid, state ?? "");
        assertError(await carol.signIn(), 401, `identity.session.${shown}`);
        const wrong = await venue.post(null, SESSIONS, { email: EMAIL, password: "x" });
        assertError(wrong, 401, "identity.session.invalid_params");
      }
    }));

  it("needs an unused code if the second factor is on", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      assertError(await carol.signIn(), 401, "identity.session.missing_otp");
      assertError(await carol.signIn("000000"), 401, "identity.session.invalid_otp");
      const code = carol.nextOtp();
      assertEquals((await carol.signIn(code)).status, 200);
      assertError(await carol.signIn(code), 401, "identity.session.invalid_otp");
      const key = await carol.makeKey({ totp_code: code });
      assertError(key, 422, "resource.api_key.invalid_totp");
    }));

  it("takes a recovery code, once", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const [code] = await carol.turnTwoFactorOn();
      assertEquals((await carol.signIn(code)).status, 200);
      assertError(await carol.signIn(code), 401, "identity.session.invalid_otp");
    }));

  it("is throttled after wrong passwords, even without a rate limit, until unlocked", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const right = carol.password;
      carol.password = "Wr0ng-password";
      let answer = await carol.signIn();
      for (let tries = 1; tries < 50 && answer.status === 401; tries++) {
        answer = await carol.signIn();
      }
      assertError(answer, 429, "identity.session.too_many_failures");
      assert(Number(answer.headers.get("retry-after")) >= 1);
      carol.password = right;
      assertError(await carol.signIn(), 429, "identity.session.too_many_failures");
      const unlocked = await venue.post("operator", `/api/v2/admin/members/${carol.uid}/unlock`);
      assertEquals([unlocked.status, unlocked.body.uid], [200, carol.uid]);
      assertEquals((await carol.signIn()).status, 200);
    }));

  it("is unlocked only by operators, for known members", () =>
    withVenue(async (venue) => {
      const path = "/api/v2/admin/members/ID0000000000/unlock";
      assertError(await venue.post("operator", path), 404, "record.not_found");
      assertError(await venue.post("alice", path), 401, "authz.invalid_permission");
    }));
});

describe("the cookie of a session", () => {
  async function cookieAt(venue: TestVenue, origin: string): Promise<string> {
    const { email, password } = await Person.join(venue, `carol@${origin.length}.example.org`);
    const answer = await venue.post(null, `${origin}${SESSIONS}`, { email, password });
    assertEquals(answer.status, 200);
    return answer.headers.getSetCookie()[0] ?? "";
  }

  it("is out of reach of scripts, other sites and plain connections", () =>
    withVenue(async (venue) => {
      const cookie = await cookieAt(venue, "https://exchange.example");
      assertMatch(cookie, /^__Host-_kvenue_session=[^;]{64,};/);
      const attributes = cookie.split("; ").slice(1).sort();
      assertEquals(attributes, [
        "HttpOnly",
        `Max-Age=${DEFAULT_SETTINGS.sessionLifeMs / 1000}`,
        "Path=/",
        "SameSite=Lax",
        "Secure",
      ]);
    }));

  it("is Secure behind a proxy too, but not on a loopback address", () =>
    withVenue(async (venue) => {
      assert((await cookieAt(venue, "http://exchange.example")).includes("Secure"));
      assert((await cookieAt(venue, "https://localhost:8000")).includes("Secure"));
      assert((await cookieAt(venue, "http://notlocalhost")).includes("Secure"));
      assert((await cookieAt(venue, "http://localhost.example.org")).includes("Secure"));
      assert((await cookieAt(venue, "http://127.0.0.1.example")).includes("Secure"));
      for (const host of ["localhost:8000", "a.localhost", "127.0.0.1", "[::1]:80"]) {
        assertEquals((await cookieAt(venue, `http://${host}`)).includes("Secure"), false, host);
      }
    }));

  it("is Secure if a call's host is invalid", async () => {
    const app = new Hono<Env>();
    app.get("*", (c) => {
      setSessionCookie({ c, services: { auth: { isBehindProxy: false } } }, "token", 1);
      return answerText(c, 200, "");
    });
    const request = new Request("http://localhost/");
    const answer = await app.fetch(Object.defineProperty(request, "url", { value: "http://[/" }));
    assertMatch(answer.headers.get("set-cookie") ?? "", /; Secure/);
  });

  it("is Secure behind proxies, whatever host calls name", () =>
    withVenue(async (venue) => {
      assert((await cookieAt(venue, "http://127.0.0.1:8000")).includes("Secure"));
    }, { isBehindProxy: true }));

  it("opens nothing behind proxies under its plain http name, whatever the host", async () => {
    for (const isBehindProxy of [false, true]) {
      await withVenue(async (venue) => {
        const cookie = await cookieAt(venue, "http://127.0.0.1:8000");
        const token = cookie.replace(/^[^=]*=|;.*$/g, "");
        const statusOf = async (name: string) => {
          const headers = { cookie: `${name}=${token}` };
          const path = "http://127.0.0.1:8000/api/v2/auth/resource/users/me";
          return (await venue.call(null, "GET", path, { headers })).status;
        };
        assertEquals(await statusOf("__Host-_kvenue_session"), 200);
        assertEquals(await statusOf("_kvenue_session"), isBehindProxy ? 401 : 200);
      }, { isBehindProxy });
    }
  });

  it("comes with a token that no cache keeps", () =>
    withVenue(async (venue) => {
      const carol = new Person(venue, EMAIL);
      await carol.signUp();
      await carol.confirm();
      assertEquals((await carol.signIn()).headers.get("cache-control"), "no-store");
    }));

  it("is removed by signing out, and then opens nothing", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const { cookie } = carol;
      const answer = await carol.delete("/identity/sessions");
      assertEquals([answer.status, answer.text], [200, "{}"]);
      assertMatch(answer.headers.get("set-cookie") ?? "", /^_kvenue_session=; Max-Age=0/);
      assertEquals(carol.cookie, null);
      carol.cookie = cookie;
      assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
    }));

  it("opens nothing if made up", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      for (const made of ["", "x", carol.uid, `${carol.uid}.${"0".repeat(64)}`]) {
        carol.cookie = made;
        assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
      }
    }));
});

describe("the sessions of a member", () => {
  it("are listed, and end one by one", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const phone = new Person(venue, EMAIL);
      await phone.signIn();
      const list = await carol.get("/resource/users/sessions");
      list.body.forEach((session: unknown) => SESSION_ANSWER.parse(session));
      const other = list.body.find((session: { current: boolean }) => !session.current);
      assertEquals(list.body.filter((session: { current: boolean }) => session.current).length, 1);
      assertEquals(other.user_ip, "10.0.0.1");

      const dave = await Person.join(venue, "dave@example.org");
      const foreign = await dave.delete(`/resource/users/sessions/${other.id}`);
      assertError(foreign, 404, "resource.session.not_found");
      for (const { id, current } of list.body) {
        if (current) continue;
        assertEquals((await carol.delete(`/resource/users/sessions/${id}`)).status, 200);
      }
      assertError(await phone.get("/resource/users/me"), 401, "authz.invalid_session");
      assertEquals((await carol.get("/resource/users/sessions")).body.length, 1);
      const gone = await carol.delete(`/resource/users/sessions/${other.id}`);
      assertError(gone, 404, "resource.session.not_found");
    }));

  it("take the cookie along if the caller's own ends", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const list = await carol.get("/resource/users/sessions");
      const own = list.body.find((session: { current: boolean }) => session.current);
      await carol.delete(`/resource/users/sessions/${own.id}`);
      assertEquals(carol.cookie, null);
    }));

  it("end all but one", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const others = [new Person(venue, EMAIL), new Person(venue, EMAIL)];
      for (const other of others) await other.signIn();
      const before = (await carol.get("/resource/users/sessions")).body.length;
      const ended = await carol.delete("/resource/users/sessions");
      assertEquals([ended.status, ended.body], [200, { ended: before - 1 }]);
      for (const other of others) {
        assertError(await other.get("/resource/users/me"), 401, "authz.invalid_session");
      }
      assertEquals((await carol.get("/resource/users/me")).status, 200);
    }));

  it("end when the member is locked", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      await setState(venue, carol.uid, "locked");
      assertError(await carol.get("/resource/users/me"), 401, "identity.session.locked");
      await setState(venue, carol.uid, "active");
      assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
    }));
});
