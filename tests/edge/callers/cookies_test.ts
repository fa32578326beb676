import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { PASSWORD, Person } from "../../support/person.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const ME = "http://127.0.0.1:8000/api/v2/auth/resource/users/me";
const SESSIONS = "/api/v2/auth/identity/sessions";
const EMAIL = "carol@example.org";

function readMe(venue: TestVenue, cookie: string, method = "GET") {
  return venue.call(null, method, ME, { headers: { cookie } });
}

describe("two session cookies", () => {
  it("are refused, since one of them is not the venue's", () =>
    withVenue(async (venue) => {
      const { cookie } = await Person.join(venue);
      const own = `_kvenue_session=${cookie}`;
      assertEquals((await readMe(venue, `a=1; ${own}; _kvenue_session2=x`)).status, 200);
      for (
        const both of [
          `${own}; ${own}`,
          `${own}; _kvenue_session=x`,
          `_kvenue_session=x; a=1; ${own}`,
          `_kvenue_session=x, ${own}`,
          `${own};_kvenue_session=`,
          `${own}; __Host-_kvenue_session=x`,
          `__Host-_kvenue_session=${cookie}; _kvenue_session=x`,
        ]
      ) {
        assertError(await readMe(venue, both), 401, "authz.repeated_cookie");
        assertError(
          await venue.call(null, "DELETE", `http://127.0.0.1:8000${SESSIONS}`, {
            headers: { cookie: both },
          }),
          401,
          "authz.repeated_cookie",
        );
      }
    }));

  it("are two of one name behind proxies, where the plain name says nothing", () =>
    withVenue(async (venue) => {
      const { email, password } = await Person.join(venue);
      const { headers } = await venue.post(null, SESSIONS, { email, password });
      const [own = ""] = headers.getSetCookie()[0]?.split(";") ?? [];
      assertEquals((await readMe(venue, `_kvenue_session=x; ${own}`)).status, 200);
      assertError(await readMe(venue, `${own}; ${own}`), 401, "authz.repeated_cookie");
    }, { isBehindProxy: true }));
});

describe("the cookie of a device", () => {
  it("comes with a sign-in, lasts for a year, and opens nothing", () =>
    withVenue(async (venue) => {
      await Person.join(venue);
      const answer = await venue.post(null, `https://exchange.example${SESSIONS}`, {
        email: EMAIL,
        password: PASSWORD,
      });
      const [session = "", device = "", ...others] = answer.headers.getSetCookie();
      assertEquals(others, []);
      assertMatch(session, /^__Host-_kvenue_session=/);
      assertMatch(device, /^__Host-_kvenue_device=[\w.]+;/);
      assertEquals(device.split("; ").slice(1).sort(), [
        "HttpOnly",
        `Max-Age=${365 * 24 * 3600}`,
        "Path=/",
        "SameSite=Strict",
        "Secure",
      ]);
      const [, value = ""] = /=([^;]*)/.exec(device) ?? [];
      const read = await readMe(venue, `_kvenue_session=${value}; _kvenue_device=${value}`);
      assertError(read, 401, "authz.invalid_session");
    }));

  it("lets its member in past whoever guesses, unless it comes twice", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      assert(carol.device !== null);
      const guess = () => venue.post(null, SESSIONS, { email: EMAIL, password: "Wr0ng-one" });
      for (let count = 0; count < 5; count++) {
        assertError(await guess(), 401, "identity.session.invalid_params");
      }
      assertError(await guess(), 429, "identity.session.too_many_failures");
      const json = { email: EMAIL, password: PASSWORD };
      const own = `_kvenue_device=${carol.device}`;
      const signIn = (cookie: string) =>
        venue.call(null, "POST", SESSIONS, { json, headers: { cookie } });
      assertError(await signIn(`${own}; ${own}`), 429, "identity.session.too_many_failures");
      assertEquals((await signIn(own)).status, 200);
    }));

  it("also comes with what a mailed code proves", () =>
    withVenue(async (venue) => {
      const carol = new Person(venue, EMAIL);
      await carol.signUp();
      assertEquals(carol.device, null);
      await carol.confirm();
      const confirmed = carol.device;
      assert(confirmed !== null);
      await carol.post("/identity/users/password/generate_code", { email: EMAIL });
      const password = "C0rrect-h0rse-2";
      const reset = await carol.post("/identity/users/password/confirm_code", {
        reset_password_token: await carol.code("password_reset"),
        password,
        confirm_password: password,
      });
      assertEquals(reset.status, 201);
      assert(carol.device !== confirmed);
    }));
});
