import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Person } from "../support/person.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";

const OWN = "https://app.example.com";
const STRANGER = "https://evil.example";
const OPTIONS = { corsOrigins: [OWN] };
const BALANCES = "/api/v2/backend/account/balances";
const ORDERS = "/api/v2/trading/market/orders";
const ALLOW = "access-control-allow-origin";
const PUBLIC = [
  "/api/v2/backend/public/markets/btcusdt/tickers",
  "/api/v2/peatio/public/timestamp",
  "/api/v2/trade/public/markets",
  "/api/v2/trading/public/currencies",
  "/api/v2/backend/public/markets/nowhere/depth",
  "/api/v2/backend/public/nothing",
  "/api/v2/openapi.json",
];

/** Asks whether a page of an origin may make a call. */
function preflight(venue: TestVenue, origin: string, method: string, path: string) {
  const asked = { "Origin": origin, "Access-Control-Request-Method": method };
  return venue.app.request(path, { method: "OPTIONS", headers: asked });
}

describe("a page of another origin", () => {
  it("reads what is public, errors too, whether any origin is named or not", async () => {
    for (const options of [{}, OPTIONS]) {
      await withVenue(async (venue) => {
        for (const path of PUBLIC) {
          for (const method of ["GET", "HEAD"]) {
            for (const headers of [{ "Origin": STRANGER }, {}]) {
              const answer = await venue.app.request(path, { method, headers });
              await answer.body?.cancel();
              assertEquals([answer.headers.get(ALLOW), answer.headers.get("vary")], ["*", null]);
              assertEquals(answer.headers.has("access-control-allow-credentials"), false);
              assert(answer.headers.get("access-control-expose-headers")?.includes("Total"));
            }
          }
          const asked = await preflight(venue, STRANGER, "GET", path);
          assertEquals([asked.status, asked.headers.get(ALLOW)], [204, "*"]);
          assertEquals(asked.headers.get("access-control-allow-methods"), "GET, HEAD");
        }
      }, options);
    }
  });

  it("makes members' calls by key if its origin is named, and reads errors and headers", () =>
    withVenue(async (venue) => {
      const calls = [["GET", BALANCES], ["POST", ORDERS], ["POST", `${ORDERS}/cancel`]] as const;
      for (const [method, path] of calls) {
        const asked = await preflight(venue, OWN, method, path);
        assertEquals([asked.status, asked.headers.get(ALLOW)], [204, OWN]);
        assertEquals(asked.headers.get("vary"), "Origin");
        const names = asked.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
        for (const name of ["x-auth-apikey", "x-auth-nonce", "x-auth-signature", "content-type"]) {
          assert(names.includes(name), name);
        }
        assertEquals(names.includes("csrf"), false);
        const { status, headers } = await venue.call("alice", method, path, {
          headers: { "Origin": OWN },
        });
        assert([200, 422].includes(status), path);
        assertEquals([headers.get(ALLOW), headers.get("vary")], [OWN, "Origin"]);
        assertEquals(headers.has("access-control-allow-credentials"), false);
        for (const name of ["RateLimit-Remaining", "X-Cancelled-Orders"]) {
          assert(headers.get("access-control-expose-headers")?.includes(name), name);
        }
      }
      const wrong = { "Origin": OWN, ...venue.sign({ kid: "demo-alice", secret: "x" }) };
      const refused = await venue.call(null, "GET", BALANCES, { headers: wrong });
      assertEquals([refused.status, refused.headers.get(ALLOW)], [401, OWN]);
    }, OPTIONS));

  it("gets no leave for anything else", () =>
    withVenue(async (venue) => {
      const others: [origin: string, method: string, path: string][] = [
        [STRANGER, "GET", BALANCES],
        [STRANGER, "POST", ORDERS],
        [`${OWN}.evil.example`, "GET", BALANCES],
        ["null", "GET", BALANCES],
        [OWN, "POST", "/api/v2/auth/identity/sessions"],
        [OWN, "GET", "/api/v2/barong/resource/users/me"],
        [OWN, "GET", "/api/v2/admin/members"],
        [OWN, "GET", "/docs"],
      ];
      for (const [origin, method, path] of others) {
        const asked = await preflight(venue, origin, method, path);
        assertEquals([asked.status >= 400, asked.headers.has(ALLOW)], [true, false], path);
        const headers = { "Origin": origin, ...venue.sign("alice") };
        const answer = await venue.app.request(path, { method, headers });
        await answer.body?.cancel();
        assertEquals(answer.headers.has(ALLOW), false, `${origin} ${path}`);
      }
    }, OPTIONS));

  it("reads nothing with a cookie, even if its origin is named", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const answer = await carol.call("GET", BALANCES, { headers: { "Origin": OWN } });
      assertEquals([answer.status, answer.headers.has(ALLOW)], [200, false]);
    }, OPTIONS));
});
