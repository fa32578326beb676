/** Attacks on people with browsers, and by members who make too many calls. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { PASSWORD, Person } from "../support/person.ts";
import { withVenue } from "../support/with_venue.ts";
import { readContract } from "./documented_operation.ts";

const BALANCES = "/api/v2/backend/account/balances";
const ME = "/api/v2/auth/resource/users/me";
const SESSIONS = "/api/v2/auth/identity/sessions";
const FLOOD = 300;
const GUESSES = 40;

describe("a browser's session", () => {
  it("allows no write without its token, at any endpoint", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const other = await Person.join(venue, "dave@example.org");
      const { operations } = readContract((await venue.get(null, "/api/v2/openapi.json")).text);
      const cookie = { "Cookie": `_kvenue_session=${carol.cookie}` };
      const tokens: [string | null, string][] = [
        [null, "authz.missing_csrf_token"],
        [other.csrfToken, "authz.csrf_token_mismatch"],
        [`${carol.csrfToken}0`, "authz.csrf_token_mismatch"],
      ];
      let tried = 0;
      for (const { access, method, path } of operations) {
        if (method === "GET" || access === "public" || access === "operator") continue;
        for (const [token, identifier] of tokens) {
          const headers = { ...cookie, ...(token === null ? {} : { "X-CSRF-Token": token }) };
          const answer = await venue.call(null, method, path.replace(/\{\w+\}/g, "1"), { headers });
          assertError(answer, 401, identifier);
          tried += 1;
        }
      }
      assert(tried > 60, `${tried} were tried`);
      assertEquals((await carol.call("GET", ME)).status, 200);
    }));

  it("never has an id that somebody else chose", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const planted = carol.cookie;
      const again = await venue.call(null, "POST", SESSIONS, {
        json: { email: carol.email, password: PASSWORD },
        headers: { "Cookie": `_kvenue_session=${planted}; _kvenue_session=chosen` },
      });
      assertEquals(again.status, 200);
      const given = /^_kvenue_session=([^;]+)/.exec(again.headers.get("set-cookie") ?? "")?.[1];
      assert(given !== undefined && given.length >= 22);
      assertNotEquals(given, planted);
      const headers = { "Cookie": "_kvenue_session=chosen" };
      assertEquals((await venue.call(null, "GET", ME, { headers })).status, 401);
    }));

  it("ignores cookies that another host of the site planted", () =>
    withVenue(async (venue) => {
      const site = "https://venue.example";
      const signIn = async (email: string) => {
        await Person.join(venue, email);
        const json = { email, password: PASSWORD };
        const { headers } = await venue.call(null, "POST", `${site}${SESSIONS}`, { json });
        return /^__Host-[a-z_]+=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? "";
      };
      const [own, other] = [await signIn("carol@example.org"), await signIn("mallory@example.org")];
      const me = (cookies: string) =>
        venue.call(null, "GET", `${site}${ME}`, { headers: { "Cookie": cookies } });
      const planted = `_kvenue_session=${other}`;
      assertError(await me(planted), 401, "authz.invalid_session");
      const { body } = await me(`${planted}; __Host-_kvenue_session=${own}`);
      assertEquals(body.email, "carol@example.org");
    }));

  it("is not opened by cookies cut short, extended or changed", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const cookie = carol.cookie ?? "";
      const last = cookie.endsWith("A") ? "B" : "A";
      const forged = [
        cookie.slice(0, -1),
        cookie.slice(0, -4) + last.repeat(4),
        `${cookie}A`,
        cookie.toUpperCase(),
        cookie.split(".")[0] ?? "",
        `${carol.uid}.${carol.uid}`,
        "a".repeat(5_000),
        "\u00e9".repeat(2_000),
        "__proto__",
        ".",
        "..",
      ];
      for (const one of forged.filter((text) => text !== cookie)) {
        const headers = { "Cookie": `_kvenue_session=${one}` };
        assertError(await venue.call(null, "GET", ME, { headers }), 401, "authz.invalid_session");
      }
    }));
});

describe("a caller who asks too much", () => {
  it("is told so, and nobody else is affected", () =>
    withVenue(async (venue) => {
      const answers = [];
      for (let i = 0; i < FLOOD; i++) answers.push(await venue.get("alice", BALANCES));
      const refused = answers.filter(({ status }) => status === 429);
      assert(refused.length > FLOOD / 2, `${refused.length} were refused`);
      for (const { headers, body } of refused) {
        assert(Number(headers.get("retry-after")) >= 1);
        assertEquals(body, { errors: ["server.rate_limited"] });
      }
      assertEquals((await venue.order("bob")).status, 201);
      const ready = await venue.get(null, "/api/v2/backend/public/health/ready");
      assertEquals(ready.status, 200);
    }, { rateLimit: 10 }));

  it("is shut out when guessing passwords, and learns of no account", async () => {
    const seen: string[][] = [];
    for (const email of ["carol@example.org", "nobody@example.org"]) {
      // Guesses also count by caller's address, so each email address gets its own venue.
      await withVenue(async (venue) => {
        await Person.join(venue);
        const words: string[] = [];
        for (let i = 0; i < GUESSES; i++) {
          const json = { email, password: `Guess-${i}-Guess` };
          const { status, text } = await venue.post(null, SESSIONS, json);
          words.push(`${status} ${text}`);
        }
        assert(words.at(-1)?.startsWith("429"), words.join("\n"));
        seen.push(words);
      });
    }
    assertEquals(seen[0], seen[1]);
  });
});
