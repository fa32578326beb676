import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MEMBER_CLASSES } from "../../../../src/edge/schemas/admin/admin_classes.ts";
import { assertError } from "../../../support/assert_error.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const CLASSES = `${ADMIN}/member_classes`;
const ALICE = "IDA11CE00001";
const VIP = { groups: ["vip", "maker"], level_max: 5 };

function call(venue: TestVenue, method: string, path: string, json: unknown): Promise<Answer> {
  return venue.call("operator", method, `${ADMIN}/${path}`, { json });
}

/** Calls that name a group and a level, by the prefix of their errors. */
function naming(venue: TestVenue, group: string, level: number): Promise<Answer>[] {
  const limits = { limit_24_hour: "5", limit_1_month: "50" };
  return [
    call(venue, "PATCH", `members/${ALICE}`, { group, level, reason: "a test" }),
    call(venue, "POST", "members", { email: `${group}.${level}@example.org`, group, level }),
    call(venue, "POST", "withdraw_limits", { group, kyc_level: level, ...limits }),
  ];
}

describe("the groups and levels of a venue", () => {
  it("are defined by an operator, which is an act", () =>
    withVenue(async (venue) => {
      const before = await venue.get("operator", CLASSES);
      assertEquals([before.status, before.body], [200, { groups: [], level_max: 3 }]);
      const json = { ...VIP, groups: "vip,maker,any,vip", reason: "two programmes" };
      const set = await call(venue, "PUT", "member_classes", json);
      assertEquals([set.status, MEMBER_CLASSES.parse(set.body)], [200, VIP]);
      assertEquals((await venue.get("operator", CLASSES)).body, VIP);
      const [act] = (await venue.get("operator", `${ADMIN}/acts?limit=1`)).body;
      assertEquals([act.action, act.reason], ["setMemberClasses", "two programmes"]);
      assertEquals([act.before, act.after], [{ groups: [], level_max: 3 }, VIP]);
    }));

  it("are all that members, fees and limits may have", () =>
    withVenue(async (venue) => {
      await call(venue, "PUT", "member_classes", VIP);
      const prefixes = ["admin.member", "admin.member", "admin.withdraw_limit"];
      for (const [place, answer] of (await Promise.all(naming(venue, "vpi", 1))).entries()) {
        assertError(answer, 422, `${prefixes[place]}.invalid_group`);
        const details = { field: "group", value: "vpi", rule: "known", nearest: "vip" };
        assertEquals(answer.body.details, details);
      }
      for (const [place, answer] of (await Promise.all(naming(venue, "vip", 33))).entries()) {
        const field = place === 2 ? "kyc_level" : "level";
        assertError(answer, 422, `${prefixes[place]}.invalid_${field}`);
        assertEquals(answer.body.details, { field, value: "33", rule: "known", nearest: "5" });
      }
      const fee = await call(venue, "POST", "trading_fees", {
        group: "Marker",
        maker: 0,
        taker: 0,
      });
      assertError(fee, 422, "admin.trading_fee.invalid_group");
      assertEquals(fee.body.details.nearest, "maker");
      const far = await call(venue, "POST", "trading_fees", { group: "x9", maker: 0, taker: 0 });
      assertEquals(far.body.details, { field: "group", value: "x9", rule: "known" });
      assertEquals(venue.engine.venue.holderByUid.get(ALICE)?.member.group, "any");

      for (const answer of await Promise.all(naming(venue, "vip", 5))) {
        assertEquals(answer.status < 300, true, JSON.stringify(answer.body));
      }
    }));

  it("can't be left out while a member, a fee or a limit has them", () =>
    withVenue(async (venue) => {
      await call(venue, "PUT", "member_classes", { groups: ["a", "b", "c", "d"], level_max: 4 });
      await call(venue, "PATCH", `members/${ALICE}`, { group: "a", level: 4, reason: "a test" });
      await call(venue, "POST", "trading_fees", { group: "b", maker: 0, taker: 0 });
      const limits = { limit_24_hour: "5", limit_1_month: "50" };
      await call(venue, "POST", "withdraw_limits", { group: "c", ...limits });
      const set = (groups: string[], level_max = 4) =>
        call(venue, "PUT", "member_classes", { groups, level_max });
      for (const group of ["a", "b", "c"]) {
        const answer = await set(["a", "b", "c"].filter((one) => one !== group));
        assertError(answer, 422, "admin.member_classes.in_use");
        assertEquals(answer.body.details, { field: "groups", value: group, rule: "state" });
      }
      const lower = await set(["a", "b", "c"], 3);
      assertEquals(lower.body.details, { field: "level_max", value: "4", rule: "state" });
      assertEquals((await set(["a", "b", "c"])).status, 200);
    }));

  it("are those in use where none were ever defined", () =>
    withVenue(async (venue) => {
      const changes = { group: "old", level: 7 };
      await venue.engine.submit({ kind: "change_member", uid: ALICE, changes }, null);
      const { body } = await venue.get("operator", CLASSES);
      assertEquals(body, { groups: ["old"], level_max: 7 });
      for (const answer of await Promise.all(naming(venue, "old", 7))) {
        assertEquals(answer.status < 300, true, JSON.stringify(answer.body));
      }
    }));

  it("are refused with names that no group may have, or too many", () =>
    withVenue(async (venue) => {
      const words = "admin.member_classes";
      const set = (json: unknown) => call(venue, "PUT", "member_classes", json);
      const many = Array.from({ length: 101 }, (_, i) => `g${i}`);
      for (const groups of [["a b"], ["x".repeat(33)], many]) {
        assertError(await set({ ...VIP, groups }), 422, `${words}.invalid_groups`);
      }
      assertError(await set({ groups: [] }), 422, `${words}.missing_level_max`);
      assertError(await set({ groups: [], level_max: 0 }), 422, `${words}.invalid_level_max`);
    }));
});

describe("a currency's fee", () => {
  it("is less than the smallest amount that it is taken from", () =>
    withVenue(async (venue) => {
      const change = (json: unknown) => call(venue, "PATCH", "currencies/btc", json);
      for (
        const [fee, minimum] of [["deposit_fee", "min_deposit_amount"], [
          "withdraw_fee",
          "min_withdraw_amount",
        ]] as const
      ) {
        assertEquals((await change({ [fee]: "0", [minimum]: "0.001" })).status, 200);
        for (const amount of ["0.001", "0.002"]) {
          const answer = await change({ [fee]: amount });
          assertError(answer, 422, "admin.currency.fee_above_minimum");
          assertEquals(answer.body.details, { field: fee, limit: "0.001", rule: "below" });
        }
        assertEquals((await change({ [fee]: "0.0009" })).status, 200);
        assertError(await change({ [minimum]: "0.0009" }), 422, "admin.currency.fee_above_minimum");
        assertEquals((await change({ [fee]: "0.5", [minimum]: "0" })).status, 200, "none is set");
      }
      const json = { id: "xmr", precision: 8, withdraw_fee: "1", min_withdraw_amount: "0.5" };
      const created = await call(venue, "POST", "currencies", json);
      assertError(created, 422, "admin.currency.fee_above_minimum");
    }));
});
