import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createEndpoints } from "../../src/api/endpoints.ts";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { ACTS, acts, write, writeEverything } from "../support/operator_writes.ts";
import { withVenue } from "../support/with_venue.ts";

describe("an act that touches a member", () => {
  it("needs a reason", () =>
    withVenue(async (venue) => {
      const { endpoints, refused } = { endpoints: createEndpoints(), refused: [] as string[] };
      for (const { id, method, paths: [path], needsReason } of endpoints) {
        if (needsReason !== true) continue;
        const fields = id === "changeMemberEmail" ? { email: "x@y.example" } : {};
        for (const isBlank of [false, true]) {
          const text = JSON.stringify(isBlank ? { ...fields, reason: " " } : fields);
          const made = path.replace("{uid}", UIDS.alice).replace("{kid}", "demo-alice").replace(
            "{id}",
            "1",
          );
          const headers = { "Content-Type": "application/json" };
          const answer = await venue.call("operator", method, made, { text, headers });
          assertError(answer, 422, `admin.act.${isBlank ? "invalid" : "missing"}_reason`);
        }
        refused.push(id);
      }
      assertEquals(refused.sort(), [
        "cancelMemberOrders",
        "changeApiKey",
        "changeMember",
        "changeMemberEmail",
        "createApiKey",
        "deleteApiKey",
        "disableBeneficiary",
        "endMemberSession",
        "endMemberSessions",
        "failWithdraw",
        "rejectDeposit",
        "rejectWithdraw",
        "reverseDeposit",
        "unlockMember",
      ]);
      const { body } = await venue.get("operator", ACTS);
      assertEquals(body, []);
    }));
});

describe("an act in the audit trail", () => {
  it("filters by the member that was touched, and by time", () =>
    withVenue(async (venue) => {
      const start = Math.floor(venue.clock.now / 1000);
      await write(venue, "PATCH", `/members/${UIDS.bob}`, { level: 1 });
      venue.clock.now += 60_000;
      await write(venue, "PATCH", `/members/${UIDS.alice}`, { level: 1 });
      const gift = { uid: UIDS.bob, currency: "btc", amount: "1", reason: "gift" };
      await write(venue, "POST", "/adjustments", gift);
      const ids = async (query: string) => (await acts(venue, query)).map(({ id }) => id);
      assertEquals(await ids(`?member=${UIDS.bob}`), [3, 1]);
      assertEquals(await ids(`?member=${UIDS.bob}&action=changeMember`), [1]);
      assertEquals(await ids(`?time_from=${start + 30}`), [3, 2]);
      assertEquals(await ids(`?time_to=${start + 30}&member=${UIDS.bob}`), [1]);
    }));

  it("tells what was before and since, and what was made", () =>
    withVenue(async (venue) => {
      await writeEverything(venue);
      const trail = new Map((await acts(venue)).toReversed().map((act) => [act.action, act]));
      const changed = (action: string) => {
        const act = trail.get(action);
        return [act?.before, act?.after];
      };
      assertEquals(changed("changeMarket"), [{ state: "enabled" }, { state: "halted" }]);
      assertEquals(changed("changeCurrency"), [{ visible: true }, { visible: false }]);
      assertEquals(changed("changeMember"), [{ level: 0 }, { level: 2 }]);
      assertEquals(changed("rejectWithdraw"), [{ state: "accepted" }, { state: "rejected" }]);
      assertEquals(changed("acceptDeposit"), [{ state: "submitted" }, { state: "accepted" }]);
      assertEquals(changed("deleteApiKey"), [{ state: "active" }, { state: "deleted" }]);
      assertEquals(changed("setSwitches"), [null, null], "nothing changed");
      assertEquals(changed("setTradingFee"), [{ maker: "0.002" }, { maker: "0.001" }]);
      assertEquals(changed("setMemberClasses"), [{ groups: [] }, { groups: ["vip"] }]);
      assertEquals(changed("handOverWithdraw"), [{ is_by_hand: true }, { is_by_hand: false }]);
      assertEquals(changed("disableBeneficiary"), [{ state: "active" }, { state: "archived" }]);
      const made = (action: string) => trail.get(action)?.made;
      assertEquals([made("createCurrency"), made("createMarket")], ["xyz", "xyzusdt"]);
      assertEquals(made("enterDeposit"), "3");
      const { counters } = venue.engine.venue;
      assertEquals(made("createAdjustment"), String(counters.adjustments));
      assertEquals(made("createApiKey"), trail.get("changeApiKey")?.target["kid"]);
      assertEquals(trail.get("acceptDeposit")?.member, UIDS.alice);
      assertEquals(trail.get("rejectWithdraw")?.member, UIDS.alice);
    }));

  it("tells of settings only what differs, in the terms in which they are given", () =>
    withVenue(async (venue) => {
      await write(venue, "PATCH", "/settings", { price_band: "7.50", session_hours: 24 });
      await write(venue, "PATCH", "/settings", { price_band: "off", pnl_currencies: "btc" });
      await write(venue, "PATCH", "/settings", { price_band: "off" });
      const changes = (await acts(venue)).map(({ before, after }) => [before, after]);
      assertEquals(changes.toReversed(), [
        [{ price_band: "off" }, { price_band: "7.5" }],
        [
          { price_band: "7.5", pnl_currencies: ["usdt", "btc"] },
          { price_band: "off", pnl_currencies: ["btc"] },
        ],
        [null, null],
      ]);
    }));

  it("is told to the member where it was touched, with the reason", () =>
    withVenue(async (venue) => {
      await write(venue, "PATCH", `/members/${UIDS.alice}`, { level: 2, reason: "papers seen" });
      await write(venue, "PATCH", `/members/${UIDS.bob}`, { level: 2, reason: "other papers" });
      const path = "/api/v2/auth/resource/users/acts";
      const { status, body, headers } = await venue.get("alice", path);
      assertEquals([status, headers.get("total")], [200, "1"]);
      assertEquals(body.length, 1);
      const [{ id, action, reason }] = body;
      assertEquals([id, action, reason], [1, "changeMember", "papers seen"]);
    }));
});
