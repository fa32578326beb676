import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { API_KEY, MEMBER } from "../../../../src/edge/schemas/admin/admin_members.ts";
import { MARKET, MEMBER_LEVELS, TRADING_FEE } from "../../../../src/edge/schemas/market_answers.ts";
import { assertError } from "../../../support/assert_error.ts";
import { defineGroups } from "../../../support/define_groups.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ALICE = "IDA11CE00001";

function patch(venue: TestVenue, path: string, json: unknown): Promise<Answer> {
  return venue.call("operator", "PATCH", `${ADMIN}${path}`, { json });
}

describe("the operator's members", () => {
  it("are made with a uid of their own", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip-1");
      const json = { email: "carol@example.org", level: 2, group: "vip-1" };
      const answer = await venue.post("operator", `${ADMIN}/members`, json);
      assertEquals(answer.status, 201);
      MEMBER.parse(answer.body);
      assertMatch(answer.body.uid, /^ID[0-9A-F]{10}$/);
      assertEquals([answer.body.email, answer.body.level, answer.body.group], [
        "carol@example.org",
        2,
        "vip-1",
      ]);
      const read = await venue.get("operator", `${ADMIN}/members/${answer.body.uid}`);
      assertEquals([read.status, read.body], [200, answer.body]);
    }));

  it("are refused with a bad or known address or invalid fields", () =>
    withVenue(async (venue) => {
      const make = (json: unknown) => venue.post("operator", `${ADMIN}/members`, json);
      assertError(await make({}), 422, "admin.member.missing_email");
      for (const odd of ["x", "\u212aarl@example.org", "a\u200bb@example.org"]) {
        assertError(await make({ email: odd }), 422, "admin.member.invalid_email");
      }
      const email = "carol@example.org";
      assertError(await make({ email, level: 100 }), 422, "admin.member.invalid_level");
      assertError(await make({ email, level: "x" }), 422, "admin.member.non_integer_level");
      assertError(await make({ email, group: "a b" }), 422, "admin.member.invalid_group");
      assertEquals((await make({ email })).status, 201);
      assertError(
        await make({ email: "Carol@Example.org" }),
        422,
        "admin.member.duplicate_email",
      );
    }));

  it("are listed in pages, with their addresses", () =>
    withVenue(async (venue) => {
      const answer = await venue.get("operator", `${ADMIN}/members?limit=2&page=1`);
      answer.body.forEach((member: unknown) => MEMBER.parse(member));
      assertEquals([answer.body.length, answer.headers.get("total")], [2, "3"]);
      assertEquals(answer.body[0].uid, ALICE);
      const page = await venue.get("operator", `${ADMIN}/members?page=x`);
      assertError(page, 422, "pagination.non_integer_page");
    }));

  it("change", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const changes = {
        level: 1,
        group: "vip",
        state: "locked",
        bulk_orders_max: 5,
        open_orders_max: 7,
        untraded_orders_max: 9,
        market_orders_enabled: false,
      };
      const answer = await patch(venue, `/members/${ALICE}`, changes);
      assertEquals(answer.status, 200);
      MEMBER.parse(answer.body);
      assertEquals({ ...answer.body, ...changes }, answer.body);
      assertError(await venue.order("alice"), 401, "authz.invalid_session");
    }));

  it("answer 404 if unknown, 422 to invalid fields", () =>
    withVenue(async (venue) => {
      assertError(await venue.get("operator", `${ADMIN}/members/x`), 404, "record.not_found");
      assertError(await patch(venue, "/members/x", {}), 404, "record.not_found");
      const wrong = await patch(venue, `/members/${ALICE}`, {
        state: "x",
        bulk_orders_max: 1001,
        open_orders_max: "x",
        untraded_orders_max: 1_000_000_001,
        market_orders_enabled: "maybe",
        otp: true,
      });
      assertError(
        wrong,
        422,
        "admin.member.invalid_state",
        "admin.member.invalid_bulk_orders_max",
        "admin.member.non_integer_open_orders_max",
        "admin.member.invalid_untraded_orders_max",
        "admin.member.invalid_market_orders_enabled",
        "admin.member.invalid_otp",
      );
    }));

  it("may be denied market orders and many open orders", () =>
    withVenue(async (venue) => {
      await patch(venue, `/members/${ALICE}`, { market_orders_enabled: false, open_orders_max: 1 });
      const market = await venue.order("alice", { type: "market", price: undefined });
      assertError(market, 422, "market.order.market_type_disabled");
      await venue.order("alice");
      assertError(await venue.order("alice"), 422, "market.order.open_orders_limit");
    }));

  it("may be denied many orders a day that end without a trade", () =>
    withVenue(async (venue) => {
      await patch(venue, `/members/${ALICE}`, { untraded_orders_max: 1 });
      await venue.order("alice", { time_in_force: "fok" });
      const refused = await venue.order("alice");
      assertError(refused, 422, "market.order.untraded_orders_limit");
      const midnight = new Date(venue.clock.now).setUTCHours(24, 0, 0, 0);
      assertEquals(refused.body.details, {
        field: "market",
        limit: "1",
        rule: "maximum",
        type: "limit",
        resets_at: new Date(midnight).toISOString().replace(".000", ""),
      });
    }));
});

describe("the operator's keys", () => {
  it("are made with a secret that signs, and listed without it", () =>
    withVenue(async (venue) => {
      const made = await venue.post("operator", `${ADMIN}/members/${ALICE}/api_keys`, {
        scopes: ["read"],
      });
      assertEquals(made.status, 201);
      assertMatch(made.body.kid, /^[0-9a-f]{16}$/);
      assertMatch(made.body.secret, /^[0-9a-f]{32}$/);
      venue.clock.now += 1000;
      const signer = { kid: made.body.kid, secret: made.body.secret };
      assertEquals((await venue.get(signer, "/api/v2/backend/market/orders")).status, 200);
      assertError(await venue.order(signer), 403, "authz.scope_not_permitted");
      const { body } = await venue.get("operator", `${ADMIN}/members/${ALICE}/api_keys`);
      assertEquals(body.map((key: { kid: string }) => key.kid), ["demo-alice", made.body.kid]);
      body.forEach((key: unknown) => API_KEY.strict().parse(key));
    }));

  it("read and trade by default", () =>
    withVenue(async (venue) => {
      const made = await venue.call("operator", "POST", `${ADMIN}/members/${ALICE}/api_keys`);
      assertEquals([made.status, made.body.scopes, made.body.nonce_mode], [
        201,
        ["read", "trade"],
        "single",
      ]);
    }));

  it("keep to their addresses", () =>
    withVenue(async (venue) => {
      const path = `${ADMIN}/members/${ALICE}/api_keys`;
      const made = await venue.post("operator", path, { ip_allow_list: ["192.0.2.0/24"] });
      assertEquals(made.body.ip_allow_list, ["192.0.2.0/24"]);
      const signer = { kid: made.body.kid, secret: made.body.secret };
      const elsewhere = await venue.order(signer);
      assertError(elsewhere, 403, "authz.ip_not_permitted");
      assertEquals(elsewhere.body.details, { address: "10.0.0.1" });
      const changed = await patch(venue, `/members/${ALICE}/api_keys/${made.body.kid}`, {
        ip_allow_list: ["10.0.0.0/8"],
      });
      assertEquals([changed.status, changed.body.ip_allow_list], [200, ["10.0.0.0/8"]]);
      assertEquals((await venue.order(signer)).status, 201);
      const wrong = await venue.post("operator", path, { ip_allow_list: ["here"] });
      assertError(wrong, 422, "admin.api_key.invalid_ip_allow_list");
    }));

  it("stop when they are disabled or deleted", () =>
    withVenue(async (venue) => {
      const path = `/members/${ALICE}/api_keys/demo-alice`;
      const disabled = await patch(venue, path, { state: "disabled" });
      assertEquals([disabled.status, disabled.body.state], [200, "disabled"]);
      assertError(await venue.order("alice"), 401, "authz.apikey_not_active");
      assertEquals((await patch(venue, path, { state: "active" })).body.state, "active");
      assertEquals((await venue.order("alice")).status, 201);
      const deleted = await venue.call("operator", "DELETE", `${ADMIN}${path}`);
      assertEquals([deleted.status, deleted.body.state], [200, "deleted"]);
      assertError(await venue.order("alice"), 401, "authz.invalid_signature");
      assertError(await patch(venue, path, { state: "active" }), 404, "record.not_found");
    }));

  it("answer 404 to others' keys, 422 to bad fields", () =>
    withVenue(async (venue) => {
      const foreign = await patch(venue, `/members/${ALICE}/api_keys/demo-bob`, {});
      assertError(foreign, 404, "record.not_found");
      const path = `${ADMIN}/members/${ALICE}/api_keys`;
      const scopes = await venue.post("operator", path, { scopes: ["fly"] });
      assertError(scopes, 422, "admin.api_key.invalid_scopes");
      const none = await patch(venue, `/members/${ALICE}/api_keys/demo-alice`, { scopes: [] });
      assertError(none, 422, "admin.api_key.invalid_scopes");
      const mode = await venue.post("operator", path, { nonce_mode: "x" });
      assertError(mode, 422, "admin.api_key.invalid_nonce_mode");
      const state = await patch(venue, `/members/${ALICE}/api_keys/demo-alice`, { state: "gone" });
      assertError(state, 422, "admin.api_key.invalid_state");
    }));
});

describe("the operator's currencies and markets", () => {
  it("are made, changed and traded", () =>
    withVenue(async (venue) => {
      const currency = await venue.post("operator", `${ADMIN}/currencies`, {
        id: "xmr",
        name: "Monero",
        precision: 10,
        withdraw_fee: "0.0001",
      });
      assertEquals([currency.status, currency.body.withdraw_fee], [201, "0.0001"]);
      const market = await venue.post("operator", `${ADMIN}/markets`, {
        base_unit: "xmr",
        quote_unit: "usdt",
        price_precision: 3,
        amount_precision: 4,
        min_price: 0.001,
        min_amount: "0.01",
      });
      assertEquals([market.status, market.body.id, market.body.min_price], [
        201,
        "xmrusdt",
        "0.001",
      ]);
      MARKET.parse(market.body);
      assertEquals((await venue.order("alice", { market: "xmrusdt" })).status, 201);
      const hidden = await patch(venue, "/currencies/xmr", { visible: false });
      assertEquals([hidden.status, hidden.body.visible, hidden.body.precision], [200, false, 10]);
      const shown = await venue.get("operator", `${ADMIN}/currencies`);
      assertEquals([shown.body.length, shown.headers.get("total")], [5, "5"]);
      const markets = await venue.get("operator", `${ADMIN}/markets?limit=1`);
      assertEquals([markets.body.length, markets.headers.get("total")], [1, "5"]);
    }));

  it("take only cancels in the state cancel_only", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      const answer = await patch(venue, "/markets/btcusdt", { state: "cancel_only" });
      assertEquals([answer.status, answer.body.state], [200, "cancel_only"]);
      const refused = await venue.order("alice");
      assertError(refused, 422, "market.market.doesnt_exist_or_not_enabled");
      const path = `/api/v2/trading/market/orders/cancel/${body.id}`;
      assertEquals((await venue.post("alice", path)).status, 201);
    }));

  it("are refused if they clash or cannot be exact", () =>
    withVenue(async (venue) => {
      const currency = (json: unknown) => venue.post("operator", `${ADMIN}/currencies`, json);
      assertError(await currency({}), 422, "admin.currency.missing_id");
      assertError(await currency({ id: "btc" }), 422, "admin.currency.duplicate_id");
      assertError(await currency({ id: "B-C" }), 422, "admin.currency.invalid_id");
      assertError(
        await currency({ id: "xmr", precision: 17 }),
        422,
        "admin.currency.invalid_precision",
      );
      assertError(
        await currency({ id: "xmr", precision: 2, withdraw_fee: "0.001" }),
        422,
        "admin.venue.invalid_amount",
      );
      const market = (json: Record<string, unknown>) =>
        venue.post("operator", `${ADMIN}/markets`, {
          base_unit: "usdt",
          quote_unit: "eth",
          price_precision: 4,
          amount_precision: 4,
          ...json,
        });
      assertError(await market({}), 422, "admin.market.reverse_exists");
      assertError(await market({ quote_unit: "usdt" }), 422, "admin.market.base_equals_quote");
      assertError(await market({ quote_unit: "x" }), 422, "admin.currency.doesnt_exist");
      assertError(
        await market({ base_unit: "btc", quote_unit: "usdt" }),
        422,
        "admin.market.duplicate_id",
      );
      await currency({ id: "xmr" });
      const inexact = await market({ base_unit: "xmr", price_precision: 7 });
      assertError(inexact, 422, "admin.venue.inexact_precision");
      const digits = { field: "amount_precision", limit: "3", rule: "maximum" };
      assertEquals(inexact.body.details, digits);
      const long = await market({ base_unit: "xmr", price_precision: 11 });
      const most = { field: "price_precision", value: "11", limit: "10", rule: "maximum" };
      assertEquals(long.body.details, most);
      assertError(
        await market({ base_unit: "xmr", price_precision: undefined }),
        422,
        "admin.market.missing_price_precision",
      );
      const crossed = await market({ base_unit: "xmr", min_price: "10", max_price: "1" });
      assertError(crossed, 422, "admin.market.invalid_max_price");
      const above = { field: "max_price", limit: "10", rule: "minimum" };
      assertEquals(crossed.body.details, above);
      await venue.order("alice");
      assertError(
        await patch(venue, "/markets/btcusdt", { price_precision: 3 }),
        422,
        "admin.venue.precision_in_use",
      );
      assertError(
        await patch(venue, "/currencies/btc", { precision: 9 }),
        422,
        "admin.venue.precision_in_use",
      );
      const state = await patch(venue, "/markets/btcusdt", { state: "x" });
      assertError(state, 422, "admin.market.invalid_state");
      assertError(await patch(venue, "/markets/x", {}), 404, "record.not_found");
      assertError(await patch(venue, "/currencies/x", {}), 404, "record.not_found");
    }));
});

describe("the operator's figures", () => {
  it("count orders and commits", () =>
    withVenue(async (venue) => {
      const before = await venue.get("operator", `${ADMIN}/metrics`);
      await venue.order("alice");
      const { status, body } = await venue.get("operator", `${ADMIN}/metrics`);
      assertEquals(status, 200);
      assertEquals([body.orders, body.open_orders], [before.body.orders + 1, 1]);
      assertEquals(body.commits > before.body.commits, true);
    }));
});

describe("fees and levels", () => {
  it("are set and read", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const json = { group: "vip", maker: "5e-05", taker: 0.0015 };
      const set = (market_id: string) =>
        venue.post("operator", `${ADMIN}/trading_fees`, { ...json, market_id });
      const [fee, other] = [await set("btcusdt"), await set("ethusdt")];
      TRADING_FEE.parse(fee.body);
      const { body } = await venue.get("operator", `${ADMIN}/trading_fees`);
      const ofId = (id: number) => body.find((row: { id: number }) => row.id === id);
      for (const made of [fee.body, other.body]) assertEquals(ofId(made.id), made);
      assertEquals([fee.status, fee.body.maker, fee.body.taker], [201, "0.00005", "0.0015"]);
      const levels = await venue.call("operator", "PUT", `${ADMIN}/member_levels`, {
        json: { deposit: 0, withdraw: 1, trading: 4 },
      });
      assertEquals(levels.status, 200);
      MEMBER_LEVELS.parse(levels.body);
      assertEquals((await venue.get("operator", `${ADMIN}/member_levels`)).body, levels.body);
      assertError(await venue.order("alice"), 403, "market.trade.not_permitted");
    }));

  it("reject invalid fields", () =>
    withVenue(async (venue) => {
      const fee = (json: unknown) => venue.post("operator", `${ADMIN}/trading_fees`, json);
      assertError(
        await fee({}),
        422,
        "admin.trading_fee.missing_maker",
        "admin.trading_fee.missing_taker",
      );
      for (const maker of ["0.6", "-0.1", "0.0000001", "1e-07", "1e99", "x"]) {
        assertError(await fee({ maker, taker: "0" }), 422, "admin.trading_fee.invalid_rate");
      }
      const market = await fee({ market_id: "x", maker: "0", taker: "0" });
      assertError(market, 422, "market.market.doesnt_exist_or_not_enabled");
      assertEquals(market.body.details.field, "market_id");
      const levels = await venue.call("operator", "PUT", `${ADMIN}/member_levels`, {
        json: { deposit: 100, trading: "x" },
      });
      assertError(
        levels,
        422,
        "admin.member_levels.invalid_deposit",
        "admin.member_levels.missing_withdraw",
        "admin.member_levels.non_integer_trading",
      );
    }));

  it("are only for operators", () =>
    withVenue(async (venue) => {
      const answer = await venue.get("alice", `${ADMIN}/members`);
      assertError(answer, 401, "authz.invalid_permission");
      assertError(await venue.get(null, `${ADMIN}/members`), 401, "authz.invalid_session");
    }));
});
