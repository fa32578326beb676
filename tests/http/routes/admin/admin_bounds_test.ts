import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SWITCHES, WITHDRAW_LIMIT } from "../../../../src/edge/schemas/admin/admin_bounds.ts";
import { CURRENCY } from "../../../../src/edge/schemas/market_answers.ts";
import { assertError } from "../../../support/assert_error.ts";
import { defineGroups } from "../../../support/define_groups.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";

describe("withdrawal limits", () => {
  const LIMITS = `${ADMIN}/withdraw_limits`;

  it("are of one level: two names of it that differ are refused, those that agree are not", () =>
    withVenue(async (venue) => {
      const limits = { limit_24_hour: "7", limit_1_month: "70" };
      const before = (await venue.get("operator", LIMITS)).body;
      for (const levels of [{ level: 1, kyc_level: 3 }, { level: "any", kyc_level: 2 }]) {
        const refused = await venue.post("operator", LIMITS, { ...levels, ...limits });
        assertError(refused, 422, "admin.withdraw_limit.invalid_level");
        assertEquals(refused.body.details, { field: "level", rule: "unique" });
      }
      assertEquals((await venue.get("operator", LIMITS)).body, before);
      const { status, body } = await venue.post("operator", LIMITS, {
        level: "3",
        kyc_level: 3,
        ...limits,
      });
      assertEquals([status, body.kyc_level], [201, "3"]);
    }));

  it("are set, replaced, and readable by all", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const set = (json: unknown) => venue.post("operator", LIMITS, json);
      const { body: before } = await venue.get("operator", LIMITS);
      const row = await set({
        level: 3,
        group: "vip",
        limit_24_hour: "10",
        limit_1_month: 20.5,
        reason: "asked for",
      });
      assertEquals(row.status, 201);
      WITHDRAW_LIMIT.parse(row.body);
      const { kyc_level, group, limit_24_hour, limit_1_month } = row.body;
      assertEquals([kyc_level, group, limit_24_hour, limit_1_month], ["3", "vip", "10.0", "20.5"]);
      const again = { level: "3", group: "vip", limit_24_hour: "11", limit_1_month: "20" };
      const { body: replaced } = await set(again);
      await set({ level: "any", limit_24_hour: "1", limit_1_month: "2" });
      const { body } = await venue.get("operator", LIMITS);
      const own = body.filter((one: { group: string }) => one.group === "vip");
      assertEquals([own, replaced.limit_24_hour], [[replaced], "11.0"]);
      const isReplaced = before.some((one: { kyc_level: string; group: string }) =>
        one.kyc_level === "any" && one.group === "any"
      );
      assertEquals(body.length, before.length + (isReplaced ? 1 : 2));
      for (const prefix of ["backend", "peatio"]) {
        const answer = await venue.get(null, `/api/v2/${prefix}/public/withdraw_limits`);
        assertEquals([answer.status, answer.body], [200, body]);
        assertEquals(answer.headers.get("total"), String(body.length));
      }
      const page = await venue.get(null, "/api/v2/backend/public/withdraw_limits?limit=1&page=2");
      assertEquals(page.body, body.slice(1, 2));
    }));

  it("are set with the fields they are read as", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const limits = { limit_24_hour: "10.0", limit_1_month: "20.0" };
      for (const kyc_level of ["3", "any"]) {
        const row = { group: "vip", kyc_level, ...limits };
        const { body: { id: _id, ...read } } = await venue.post("operator", LIMITS, row);
        assertEquals(read, row);
      }
    }));

  it("may be none, and then are null, of a level and of a currency", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const none = { level: 3, group: "vip", limit_24_hour: null, limit_1_month: "5" };
      const { status, body } = await venue.post("operator", LIMITS, none);
      assertEquals([status, body.limit_24_hour, body.limit_1_month], [201, null, "5.0"]);
      const path = `${ADMIN}/currencies/btc`;
      const change = async (json: unknown) => {
        const { status, body } = await venue.call("operator", "PATCH", path, { json });
        return [status, body.withdraw_limit_24h, body.withdraw_limit_72h];
      };
      assertEquals(await change({ withdraw_limit_24h: "0" }), [200, "0.0", null]);
      const other = { withdraw_limit_24h: null, withdraw_limit_72h: "7" };
      assertEquals(await change(other), [200, null, "7.0"]);
      assertEquals(await change({ name: "Bitcoin" }), [200, null, "7.0"], "others stay");
      const shown = await venue.get(null, "/api/v2/backend/public/currencies/btc");
      CURRENCY.parse(shown.body);
      assertEquals(shown.body.withdraw_limit_24h, null);
    }));

  it("of zero stop all that no operator approves", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      await venue.post("operator", LIMITS, { limit_24_hour: "0", limit_1_month: "0" });
      const waiting = await alice.must("0.1");
      assertEquals([waiting.isApproved, waiting.approvalReason], [false, "member_limit"]);
      await venue.call("operator", "DELETE", `${LIMITS}/any/any`);
      assertEquals((await alice.must("0.1")).isApproved, true);
    }));

  it("that contradict each other are refused with their rule", () =>
    withVenue(async (venue) => {
      const contradicting = "admin.venue.contradicting_limits";
      const month = await venue.post("operator", LIMITS, { limit_24_hour: 2, limit_1_month: 1 });
      assertError(month, 422, contradicting);
      const details = { field: "limit_1_month", rule: "minimum", limit: "2" };
      assertEquals(month.body.details, details);
      const path = `${ADMIN}/currencies/btc`;
      const json = { withdraw_limit_24h: 2, withdraw_limit_72h: 1 };
      const days = await venue.call("operator", "PATCH", path, { json });
      assertError(days, 422, contradicting);
      assertEquals(days.body.details, { ...details, field: "withdraw_limit_72h" });
    }));

  it("are deleted by level and group, as rows of the fee table are by market and group", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const rows = {
        withdraw_limits: [
          { kyc_level: "3", group: "vip", limit_24_hour: "1", limit_1_month: null },
          "3/vip",
          ["4/vip", "03/vip", "3/any", "x/vip", "-1/vip", "3/VIP"],
        ],
        trading_fees: [
          { market_id: "btcusdt", group: "vip", maker: "0.1", taker: "0.2" },
          "btcusdt/vip",
          ["ethusdt/vip", "any/vip", "btcusdt/any", "nothing/vip"],
        ],
      } as const;
      for (const [table, [row, name, others]] of Object.entries(rows)) {
        const path = `${ADMIN}/${table}`;
        const { body: before } = await venue.get("operator", path);
        const { body: set } = await venue.post("operator", path, row);
        const remove = (name: string) => {
          const json = { reason: "no longer needed" };
          return venue.call("operator", "DELETE", `${path}/${name}`, { json });
        };
        for (const other of others) assertError(await remove(other), 404, "record.not_found");
        const removed = await remove(name);
        assertEquals([removed.status, removed.body], [200, set], table);
        assertEquals((await venue.get("operator", path)).body, before);
        assertError(await remove(name), 404, "record.not_found");
        const [act] = (await venue.get("operator", `${ADMIN}/acts?limit=1`)).body;
        const target = Object.values(act.target).join("/");
        assertEquals([target, act.reason], [name, "no longer needed"]);
      }
      assertError(
        await venue.call("alice", "DELETE", `${LIMITS}/any/any`),
        401,
        "authz.invalid_permission",
      );
    }));

  it("keep their ids while rows before them come and go, as do those of the fee table", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip", "maker");
      const limits = { limit_24_hour: "1", limit_1_month: "2" };
      const rates = { maker: "0.1", taker: "0.2" };
      const tables = {
        withdraw_limits: [{ kyc_level: "0", ...limits }, { kyc_level: "3", ...limits }, "0"],
        trading_fees: [{ market_id: "any", ...rates }, { market_id: "btcusdt", ...rates }, "any"],
      } as const;
      for (const [table, [first, last, name]] of Object.entries(tables)) {
        const path = `${ADMIN}/${table}`;
        const set = async (row: object) => (await venue.post("operator", path, row)).body.id;
        const ids = async () =>
          (await venue.get("operator", path)).body.map((row: { id: number }) => row.id);
        const [before, after] = [await set({ ...first, group: "maker" }), await set(last)];
        const all: number[] = await ids();
        assertEquals([all.includes(before), all.includes(after)], [true, true], table);
        assertEquals(new Set(all).size, all.length);
        const gone = await venue.call("operator", "DELETE", `${path}/${name}/maker`);
        assertEquals([gone.status, gone.body.id], [200, before]);
        assertEquals(await ids(), all.filter((id) => id !== before));
        assertEquals(await set({ ...last, group: "vip" }) === after, false);
        assertEquals([await set(last), await set({ ...first, group: "maker" })], [after, before]);
      }
    }));

  it("may be zero, as may a currency's amounts", () =>
    withVenue(async (venue) => {
      await defineGroups(venue, "vip");
      const nothing = { level: 3, group: "vip", limit_24_hour: "0", limit_1_month: 0 };
      const { status, body } = await venue.post("operator", LIMITS, nothing);
      assertEquals([status, body.limit_24_hour, body.limit_1_month], [201, "0.0", "0.0"]);
      const json = { withdraw_fee: "0", min_deposit_amount: 0 };
      const free = await venue.call("operator", "PATCH", `${ADMIN}/currencies/btc`, { json });
      assertEquals([free.status, free.body.withdraw_fee], [200, "0.0"]);
      assertEquals(free.body.min_deposit_amount, "0.0");
    }));

  it("reject invalid fields", () =>
    withVenue(async (venue) => {
      const words = "admin.withdraw_limit";
      const whole = { limit_24_hour: "1", limit_1_month: "1" };
      const refused = async (json: Record<string, unknown>, ...errors: string[]) =>
        assertError(await venue.post("operator", LIMITS, json), 422, ...errors);
      await refused({}, `${words}.missing_limit_24_hour`, `${words}.missing_limit_1_month`);
      await refused({ ...whole, level: "high" }, `${words}.invalid_level`);
      await refused({ ...whole, level: 100 }, `${words}.invalid_level`);
      await refused({ ...whole, level: -1 }, `${words}.invalid_level`);
      await refused({ ...whole, kyc_level: "high" }, `${words}.invalid_kyc_level`);
      await refused({ ...whole, kyc_level: 100 }, `${words}.invalid_kyc_level`);
      await refused({ ...whole, group: "a b" }, `${words}.invalid_group`);
      await refused({ ...whole, group: "x".repeat(33) }, `${words}.too_long_group`);
      await refused({ ...whole, limit_24_hour: "-1" }, `${words}.invalid_limit_24_hour`);
      await refused({ ...whole, limit_1_month: "x" }, `${words}.non_decimal_limit_1_month`);
      assertError(
        await venue.get(null, "/api/v2/backend/public/withdraw_limits?limit=0"),
        422,
        "pagination.invalid_limit",
      );
    }));
});

const STATUS = "/api/v2/backend/public/status";
const BALANCES = "/api/v2/backend/account/balances";

describe("stops", () => {
  const SWITCH_PATH = `${ADMIN}/switches`;

  it("are told as they are, without what a restore notes of its copy", () =>
    withVenue(async (venue) => {
      const restored = { epoch: "lost", sequence: 7, at: 1, reached: 9 };
      const switches = { trading: false, withdrawals: false, restored };
      await venue.engine.submit({ kind: "set_switches", switches }, null);
      const { body } = await venue.get("operator", SWITCH_PATH);
      assertEquals(body, { trading: false, withdrawals: false });
      const opened = await venue.call("operator", "PATCH", SWITCH_PATH, {
        json: { trading: true, reason: "the books are right" },
      });
      assertEquals(opened.body, { trading: true, withdrawals: false });
      assertEquals(venue.engine.venue.switches.restored, restored);
      const { body: [act] } = await venue.get("operator", `${ADMIN}/acts`);
      assertEquals([act.before, act.after], [{ trading: false }, { trading: true }]);
    }));
  const patch = (venue: TestVenue, path: string, json: unknown) =>
    venue.call("operator", "PATCH", path, { json });

  it("of all trading take effect at once, and leave cancels alone", () =>
    withVenue(async (venue) => {
      const { body: order } = await venue.order("alice");
      const stopped = await patch(venue, SWITCH_PATH, { trading: false, reason: "maintenance" });
      assertEquals([stopped.status, stopped.body], [200, { trading: false, withdrawals: true }]);
      SWITCHES.parse(stopped.body);
      assertEquals((await venue.get("operator", SWITCH_PATH)).body, stopped.body);
      const refused = await venue.order("alice");
      assertError(refused, 422, "market.trade.disabled_api");
      assertEquals(refused.body.details, { field: "market", rule: "state", type: "limit" });
      const { body: status } = await venue.get(null, STATUS);
      assertEquals([status.trading, status.markets.btcusdt], [false, "cancel_only"]);
      const cancel = `/api/v2/trading/market/orders/cancel/${order.id}`;
      assertEquals((await venue.post("alice", cancel)).status, 201);
      await patch(venue, SWITCH_PATH, { trading: true });
      assertEquals((await venue.order("alice")).status, 201);
    }));

  it("of all withdrawals take effect at once, and leave trading alone", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      await patch(venue, SWITCH_PATH, { withdrawals: "false" });
      assertEquals(await alice.request("1"), { rejected: "withdrawals_stopped" });
      assertEquals((await venue.order("alice")).status, 201);
      await patch(venue, SWITCH_PATH, { withdrawals: true });
      assertEquals((await alice.must("1")).state, "accepted");
    }));

  it("of one currency leave the others alone", () =>
    withVenue(async (venue) => {
      const path = `${ADMIN}/currencies/btc`;
      const alice = await Withdrawer.of(venue, "alice");
      const stopped = await patch(venue, path, { trading_enabled: false });
      assertEquals([stopped.status, stopped.body.trading_enabled], [200, false]);
      const { body: all } = await venue.get("operator", `${ADMIN}/currencies`);
      const halted = all.filter((one: { trading_enabled: boolean }) => !one.trading_enabled);
      assertEquals(halted.map((one: { id: string }) => one.id), ["btc"]);
      const shown = await venue.get(null, "/api/v2/backend/public/currencies/btc");
      assertEquals("trading_enabled" in shown.body, false, "members see M9's fields alone");
      const halt = await venue.order("alice");
      assertError(halt, 422, "market.market.doesnt_exist_or_not_enabled");
      assertEquals(halt.body.details, {
        field: "market",
        value: "cancel_only",
        rule: "state",
        type: "limit",
      });
      const { body: status } = await venue.get(null, STATUS);
      assertEquals([status.markets.btcusdt, status.markets.ethusdt], ["cancel_only", "enabled"]);
      assertEquals((await venue.order("alice", { market: "ethusdt", price: "10" })).status, 201);
      await patch(venue, path, { trading_enabled: true, withdrawal_enabled: false });
      assertEquals((await venue.order("alice")).status, 201);
      const refused = await alice.request("1");
      assertEquals("rejected" in refused && refused.rejected, "withdrawal_disabled");
      const made = await venue.post("operator", `${ADMIN}/currencies`, {
        id: "xyz",
        trading_enabled: false,
      });
      assertEquals([made.status, made.body.trading_enabled], [201, false]);
    }));

  it("of one market, and of one member", () =>
    withVenue(async (venue) => {
      for (const state of ["halted", "cancel_only", "disabled"]) {
        await patch(venue, `${ADMIN}/markets/btcusdt`, { state });
        const refused = await venue.order("alice");
        assertError(refused, 422, "market.market.doesnt_exist_or_not_enabled");
        assertEquals(refused.body.details, {
          field: "market",
          value: state,
          rule: "state",
          type: "limit",
        });
      }
      await patch(venue, `${ADMIN}/markets/btcusdt`, { state: "enabled" });
      await patch(venue, `${ADMIN}/members/${UIDS.alice}`, { state: "locked", reason: "asked" });
      for (const answer of [await venue.order("alice"), await venue.get("alice", BALANCES)]) {
        assertError(answer, 401, "authz.invalid_session");
        assertEquals(answer.body.details, { field: "state", value: "locked", rule: "state" });
      }
      assertEquals((await venue.order("bob")).status, 201);
    }));

  it("reject invalid fields, and are only for operators", () =>
    withVenue(async (venue) => {
      const wrong = await patch(venue, SWITCH_PATH, { trading: "no", withdrawals: 2 });
      assertError(
        wrong,
        422,
        "admin.switches.invalid_trading",
        "admin.switches.invalid_withdrawals",
      );
      const flag = await patch(venue, `${ADMIN}/currencies/btc`, { trading_enabled: "x" });
      assertError(flag, 422, "admin.currency.invalid_trading_enabled");
      const own = await venue.call("alice", "PATCH", SWITCH_PATH, { json: { trading: false } });
      assertError(own, 401, "authz.invalid_permission");
      assertError(await venue.get("alice", SWITCH_PATH), 401, "authz.invalid_permission");
      assertEquals(venue.engine.venue.switches, { trading: true, withdrawals: true });
    }));
});
