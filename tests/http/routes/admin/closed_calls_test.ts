import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  UNKNOWN_FIELD,
  UNKNOWN_PARAMETERS_HEADER,
} from "../../../../src/edge/reading/known_fields.ts";
import { assertError } from "../../../support/assert_error.ts";
import { Person } from "../../../support/person.ts";
import {
  type Answer,
  type CallOptions,
  type TestVenue,
  withVenue,
} from "../../../support/with_venue.ts";

const TRADING = "/api/v2/trading/market";
const PEATIO = "/api/v2/peatio/market";
const ACCOUNT = "/api/v2/backend/account";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const BUY = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };
const OLDER_BUY = { market: "btcusdt", side: "buy", volume: "1", ord_type: "limit", price: "100" };

function openCount(venue: TestVenue): number {
  return venue.engine.venue.holders.reduce((sum, holder) => {
    return sum + [...holder.openOrders.values()].length;
  }, 0);
}

function assertUnknown({ status, body }: Answer, field: string, nearest?: string): void {
  assertEquals([status, body.errors], [422, [UNKNOWN_FIELD]]);
  assertEquals([body.details.field, body.details.nearest], [field, nearest]);
}

describe("a field that a member's write does not have", () => {
  it("cancels nothing, in JSON, a form or the query", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("alice", { side: "sell", price: "200" });
      const cases: [CallOptions, string, field: string, nearest: string][] = [
        [{ json: { symbol: "btcusdt" } }, "", "symbol", "market"],
        [{ json: { Market: "btcusdt" } }, "", "Market", "market"],
        [{ json: { sde: "buy" } }, "", "sde", "side"],
        [{ json: { market: "btcusdt", sde: "buy" } }, "", "sde", "side"],
        [{ text: "symbol=btcusdt", headers: FORM }, "", "symbol", "market"],
        [{ text: "btcusdt", headers: FORM }, "", "btcusdt", ""],
        [{}, "?symbol=btcusdt", "symbol", "market"],
        [{ json: { market: "btcusdt" } }, "?sde=buy", "sde", "side"],
      ];
      for (const path of [`${TRADING}/orders/cancel`, `${PEATIO}/orders/cancel`]) {
        for (const [options, query, field, nearest] of cases) {
          const answer = await venue.call("alice", "POST", path + query, options);
          assertUnknown(answer, field, nearest === "" ? undefined : nearest);
        }
      }
      const sweep = "/api/v2/admin/members/IDA11CE00001/orders/cancel";
      assertUnknown(await venue.post("operator", sweep, { symbol: "btcusdt" }), "symbol", "market");
      assertEquals(openCount(venue), 2);
    }));

  it("places no order, alone or in a bulk, of which it names the place", () =>
    withVenue(async (venue) => {
      const cases: [field: string, value: unknown, nearest?: string][] = [
        ["postOnly", true, "post_only"],
        ["tif", "fok", "time_in_force"],
        ["stop_price", "90", "trigger_price"],
        ["validate", true],
        ["clientOrderId", "x", "client_order_id"],
        ["volume", "1", "amount"],
        ["__proto__", "1"],
      ];
      for (const [field, value, nearest] of cases) {
        const text = `${JSON.stringify(BUY).slice(0, -1)},"${field}":${JSON.stringify(value)}}`;
        const json = { "Content-Type": "application/json" };
        const alone = { text, headers: json };
        assertUnknown(
          await venue.call("alice", "POST", `${TRADING}/orders`, alone),
          field,
          nearest,
        );
        const many = { text: `[${JSON.stringify(BUY)},${text}]`, headers: json };
        const bulk = await venue.call("alice", "POST", `${TRADING}/bulk/orders`, many);
        assertUnknown(bulk, field, nearest);
        assertEquals(bulk.body.index, 1);
      }
      const query = `${TRADING}/orders?postOnly=true`;
      assertUnknown(await venue.post("alice", query, BUY), "postOnly", "post_only");
      const older = await venue.post("alice", `${PEATIO}/orders`, { ...OLDER_BUY, amount: "1" });
      assertUnknown(older, "amount", "volume");
      assertEquals(openCount(venue), 0);
    }));

  it("is refused by timers, withdrawals, beneficiaries and the faucet alike", () =>
    withVenue(async (venue) => {
      const beneficiary = { currency: "btc", name: "cold", data: { address: "a", tag: "1" } };
      const withdraw = { otp: 1, beneficiary_id: 1, currency: "btc", amount: "1" };
      const cases: [method: string, path: string, json: object, field: string, nearest?: string][] =
        [
          [
            "POST",
            `${TRADING}/orders/cancel_all_after`,
            { timeout: 60, market: "btcusdt" },
            "market",
          ],
          ["POST", `${ACCOUNT}/withdraws`, { ...withdraw, rid: "x" }, "rid", "beneficiary_id"],
          ["POST", `${ACCOUNT}/beneficiaries`, { ...beneficiary, desc: "x" }, "desc"],
          ["PATCH", `${ACCOUNT}/beneficiaries/1/activate`, { Pin: 1 }, "Pin", "pin"],
          ["PATCH", `${ACCOUNT}/beneficiaries/1/resend_pin`, { pin: 1 }, "pin"],
          ["DELETE", `${ACCOUNT}/beneficiaries/1`, { id: 2 }, "id"],
          ["POST", `${ACCOUNT}/faucet`, { currency: "btc", amount: "1", x: 1 }, "x"],
          ["POST", `${TRADING}/orders/cancel/1`, { market: "btcusdt" }, "market"],
          ["POST", `${TRADING}/orders/cancel/1`, { market: "1" }, "market"],
        ];
      for (const [method, path, json, field, nearest] of cases) {
        assertUnknown(await venue.call("alice", method, path, { json }), field, nearest);
      }
    }));

  it("makes no key, and changes none", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey();
      const keys = "/api/v2/auth/resource/api_keys";
      const json = { totp_code: carol.nextOtp(), permissions: ["read"] };
      assertUnknown(await carol.call("POST", keys, { json }), "permissions", "scope");
      const listed = { totp_code: json.totp_code, ip_whitelist: ["192.0.2.1"] };
      assertUnknown(
        await carol.call("POST", keys, { json: listed }),
        "ip_whitelist",
        "ip_allow_list",
      );
      const change = { totp_code: json.totp_code, status: "disabled" };
      const changed = await carol.call("PATCH", `${keys}/${key.kid}`, { json: change });
      assertUnknown(changed, "status", "state");
      const inQuery = { json: { totp_code: json.totp_code } };
      assertUnknown(await carol.call("POST", `${keys}?scope=read`, inQuery), "scope");
      const anywhere = { totp_code: json.totp_code, ip_allow_list: null };
      assertError(
        await carol.call("POST", keys, { json: anywhere }),
        422,
        "resource.api_key.invalid_ip_allow_list",
      );
      const all = await carol.get("/resource/api_keys");
      assertEquals(all.body, [{ ...key, secret: undefined }].map(({ secret: _, ...own }) => own));
    }));
});

describe("null", () => {
  it("is refused by a cancel, where an absent field means all", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      for (const path of [`${TRADING}/orders/cancel`, `${PEATIO}/orders/cancel`]) {
        for (const field of ["market", "side"]) {
          const answer = await venue.post("alice", path, { [field]: null });
          assertError(answer, 422, `market.order.invalid_${field}`);
          assertEquals(answer.body.details, { field, value: "null", rule: "format" });
        }
      }
      const sweep = "/api/v2/admin/members/IDA11CE00001/orders/cancel";
      const swept = await venue.post("operator", sweep, { side: null });
      assertError(swept, 422, "market.order.invalid_side");
      assertEquals(openCount(venue), 1);
    }));

  it("as the whole body means all, as an empty one does", () =>
    withVenue(async (venue) => {
      const path = `${TRADING}/orders/cancel`;
      for (const options of [{}, { text: "null" }, { json: {} }, { text: " " }]) {
        await venue.order("alice");
        const { status, body } = await venue.call("alice", "POST", path, options);
        assertEquals([status, body.length], [200, 1]);
      }
    }));

  it("is an absent field of an order", () =>
    withVenue(async (venue) => {
      const nulls = { trigger_price: null, time_in_force: null, client_order_id: null };
      assertEquals((await venue.order("alice", { ...nulls, post_only: null })).status, 201);
    }));
});

describe("what clients of the family send", () => {
  it("is taken on the paths where they send it", () =>
    withVenue(async (venue) => {
      const own = { ...OLDER_BUY, client_id: "a1", market_type: "spot" };
      const placed = await venue.post("alice", `${PEATIO}/orders`, own);
      assertEquals(placed.status, 201);
      const { id, uuid } = placed.body;
      const cancels: [path: string, body: object][] = [
        [`${PEATIO}/orders/${id}/cancel`, { id }],
        [`${PEATIO}/orders/${uuid}/cancel`, { uuid }],
        [`${PEATIO}/orders/a1/cancel?client_id=true`, {}],
        [`/api/v2/finex/market/orders/cancel/${uuid}`, { uuid }],
        [`/api/v2/finex/market/orders/cancel/${id}`, { id }],
        [`${PEATIO}/orders/cancel`, { market: "btcusdt", market_type: "spot" }],
      ];
      for (const [path, body] of cancels) {
        assertEquals((await venue.post("alice", path, body)).status, 201, path);
      }
      const form = { text: `id=${id}`, headers: FORM };
      const path = `${PEATIO}/orders/${id}/cancel`;
      assertEquals((await venue.call("alice", "POST", path, form)).status, 201);
      const margin = { market: "btcusdt", market_type: "qe" };
      const refused = await venue.post("alice", `${PEATIO}/orders/cancel`, margin);
      assertError(refused, 422, "market.order.invalid_market_type");
    }));
});

describe("a parameter that a list's query does not have", () => {
  it("is named by a header", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      const answer = await venue.get(
        "alice",
        `${ACCOUNT}/../market/orders?stat=wait&limit=5&x%0Ay=1`,
      );
      assertEquals([answer.status, answer.body.length], [200, 1]);
      assertEquals(answer.headers.get(UNKNOWN_PARAMETERS_HEADER), "stat, x%0Ay");
      const refused = await venue.get("alice", "/api/v2/backend/market/orders?limit=0&stat=wait");
      assertEquals(refused.status, 422);
      assertEquals(refused.headers.get(UNKNOWN_PARAMETERS_HEADER), "stat");
      const known = await venue.get("alice", "/api/v2/backend/market/orders?limit=5&state[]=wait");
      assertEquals(known.headers.has(UNKNOWN_PARAMETERS_HEADER), false);
      const open = await venue.get(null, "/api/v2/backend/public/markets?Search[base_code]=b");
      assertEquals(open.headers.get(UNKNOWN_PARAMETERS_HEADER), "Search%5Bbase_code%5D");
    }));

  it("is named within bounds, however many there are", () =>
    withVenue(async (venue) => {
      const many = Array.from({ length: 150 }, (_, at) => `p${at}${"é".repeat(5)}=1`).join("&");
      const answer = await venue.get(null, `/api/v2/backend/public/markets?${many}`);
      const named = answer.headers.get(UNKNOWN_PARAMETERS_HEADER) ?? "";
      assertEquals([answer.status, named.split(", ").length], [200, 16]);
      assert(named.length < 4_000);
    }));
});
