import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { assertError } from "../../support/assert_error.ts";
import { bodySignature } from "../../support/signed_headers.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { type CallOptions, type TestVenue, withVenue } from "../../support/with_venue.ts";

const TRADING = "/api/v2/trading/market";
const BACKEND = "/api/v2/backend/account";
const LONG = { text: `{"market":"${"x".repeat(5_000)}"}` };

/** Calls by alice that are refused for other reasons than her signature. */
const REFUSED: readonly (readonly [
  status: number,
  method: string,
  path: string,
  options: CallOptions,
])[] = [
  [404, "GET", `${BACKEND}/beneficiaries/77`, {}],
  [404, "DELETE", `${BACKEND}/beneficiaries/77`, {}],
  [404, "GET", `${BACKEND}/deposits/unknown`, {}],
  [413, "POST", `${TRADING}/orders`, LONG],
  [413, "POST", `${TRADING}/orders/cancel`, LONG],
  [413, "POST", `${BACKEND}/withdraws`, LONG],
  [413, "DELETE", `${TRADING}/bulk/orders`, { text: `["${"x".repeat(300_000)}"]` }],
  [413, "POST", `${TRADING}/bulk/orders`, { text: `[${"{},".repeat(200)}{}]` }],
  [400, "POST", `${TRADING}/orders`, { text: "{" }],
  [401, "POST", "/api/v2/auth/resource/otp/generate_qrcode", {}],
  [401, "GET", "/api/v2/admin/members", {}],
];

/** Refuses whatever else is made of the headers of a refused call. */
async function assertSpent(
  venue: TestVenue,
  method: string,
  path: string,
  options: CallOptions,
): Promise<number> {
  const headers = { ...venue.sign("alice"), ...options.headers };
  const { status } = await venue.call(null, method, path, { ...options, headers });
  const { "X-Auth-Body-Signature": _, ...captured }: Record<string, string> = headers;
  const again = await venue.call(null, "GET", `${BACKEND}/balances/btc`, { headers: captured });
  assertEquals([path, again.body.errors], [path, ["authz.nonce_already_used"]]);
  return status;
}

describe("a nonce", () => {
  it("is spent by a call that is refused, for whatever reason", () =>
    withVenue(async (venue) => {
      for (const [status, method, path, options] of REFUSED) {
        assertEquals(await assertSpent(venue, method, path, options), status, `${method} ${path}`);
      }
    }));

  it("is spent by a call for which there is no room", () =>
    withVenue(async (venue) => {
      const json = { market: "btcusdt" };
      const status = await assertSpent(venue, "POST", `${TRADING}/orders`, { json });
      assertEquals(status, 503);
    }, { arrivingLimits: { freeMax: 0, perAddressMax: 10, totalMax: 10 } }));

  it("is spent by a call with a signature of a body that is too long to be read", () =>
    withVenue(async (venue) => {
      const path = `${TRADING}/orders`;
      const usual = venue.sign("alice");
      const covered = { method: "POST", path, body: LONG.text };
      const headers = { ...usual, ...bodySignature("demo-alice-secret", usual, covered) };
      const status = await assertSpent(venue, "POST", path, { ...LONG, headers });
      assertEquals(status, 413);
    }));

  it("is spent by a key that is disabled, or is used from elsewhere", () =>
    withVenue(async (venue) => {
      const key = `/api/v2/admin/members/${UIDS.alice}/api_keys/demo-alice`;
      for (
        const [refused, admitted] of [
          [{ state: "disabled" }, { state: "active" }],
          [{ ip_allow_list: ["192.0.2.1"] }, { ip_allow_list: [] }],
        ]
      ) {
        await venue.call("operator", "PATCH", key, { json: refused });
        const signed = venue.sign("alice");
        const { status } = await venue.call(null, "GET", `${BACKEND}/balances/btc`, {
          headers: signed,
        });
        assertEquals([401, 403].includes(status), true);
        await venue.call("operator", "PATCH", key, { json: admitted });
        const again = await venue.call(null, "GET", `${BACKEND}/balances/btc`, { headers: signed });
        assertEquals(again.body.errors, ["authz.nonce_already_used"]);
      }
    }));

  it("is spent by a handshake that asks for no websocket", () =>
    withServedVenue(async ({ url, venue }) => {
      for (const path of ["/api/v2/stream/private?stream=order", "/api/v2/trading"]) {
        const headers = venue.sign("alice");
        const refused = await fetch(url + path, { headers });
        await refused.body?.cancel();
        assertEquals(refused.status, 426);
        const again = await venue.call(null, "GET", `${BACKEND}/balances/btc`, { headers });
        assertEquals(again.body.errors, ["authz.nonce_already_used"]);
      }
    }));

  it("stays good where the signature is wrong, since nobody proved to have used it", () =>
    withVenue(async (venue) => {
      const headers = venue.sign("alice");
      const forged = { ...headers, "X-Auth-Signature": "0".repeat(64) };
      const refused = await venue.call(null, "POST", `${TRADING}/orders`, {
        ...LONG,
        headers: forged,
      });
      assertError(refused, 413, "server.body_too_large");
      const answer = await venue.call(null, "GET", `${BACKEND}/balances/btc`, { headers });
      assertEquals(answer.status, 200);
    }));
});
