import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isActEndpoint } from "../../../../src/http/act_note.ts";
import type { Endpoint } from "../../../../src/http/contract.ts";
import { createEndpoints } from "../../../../src/http/endpoints.ts";
import { fieldNames } from "../../../../src/edge/reading/known_fields.ts";
import { createOpenApi } from "../../../../src/http/docs/openapi.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { ACTS, acts, write, writeEverything } from "../../../support/operator_writes.ts";
import { withVenue } from "../../../support/with_venue.ts";

/** Acts about a member of which it needs no reason, and why. */
const UNREASONED = new Map([
  ["addMemberNote", "the note is what operators tell each other"],
  ["createMember", "there was no member yet"],
  ["paySandboxDeposit", "it stands for somebody outside of the venue"],
]);

/** Whether an operator's write is about a member, its money or its orders, as its contract says. */
function isTouching({ paths: [path], body }: Endpoint): boolean {
  const fields = body === undefined ? [] : [...fieldNames(body.schema)];
  return path.includes("{uid}") || /\/(approvals|deposits|withdraws)\/\{id\}\//.test(path) ||
    path.endsWith("/orders/cancel") || fields.includes("uid");
}

const TOUCHING = createEndpoints().filter((one) =>
  isActEndpoint(one) && isTouching(one) && !UNREASONED.has(one.id)
);

describe("an act that touches a member", () => {
  it("needs a reason, whatever it does", () =>
    withVenue(async (venue) => {
      assert(TOUCHING.length > 20, String(TOUCHING.length));
      for (const { method, paths: [path], body } of TOUCHING) {
        const { reason: _, ...fields } = (body?.example ?? {}) as Record<string, unknown>;
        const made = path.replace("{uid}", UIDS.alice).replace("{kid}", "demo-alice")
          .replace("{id}", path.includes("/markets/") ? "btcusdt" : "1");
        for (const [word, given] of [["missing", {}], ["invalid", { reason: " " }]] as const) {
          const text = JSON.stringify({ ...fields, ...given });
          const headers = { "Content-Type": "application/json" };
          const { status, body } = await venue.call("operator", method, made, { text, headers });
          assertEquals([made, status, body.errors?.length], [made, 422, 1]);
          assertMatch(body.errors[0], new RegExp(`^admin\\.\\w+\\.${word}_reason$`));
        }
      }
      const { body } = await venue.get("operator", ACTS);
      assertEquals(body, []);
    }));

  it("is every one that the trail has a member for", () =>
    withVenue(async (venue) => {
      await writeEverything(venue);
      const touching = new Set([...TOUCHING.map(({ id }) => id), ...UNREASONED.keys()]);
      const left = (await acts(venue)).filter(({ member, action }) =>
        member !== null && !touching.has(action ?? "")
      );
      assertEquals(left, []);
    }));

  it("says in the contract that it needs one", () => {
    // deno-lint-ignore no-explicit-any -- JSON
    const document: any = createOpenApi(createEndpoints(), "1");
    for (const { method, paths: [path] } of TOUCHING) {
      const { requestBody } = document.paths[path][method.toLowerCase()];
      assertEquals([path, requestBody.required], [path, true]);
      const [{ schema, example }] = Object.values(requestBody.content) as [
        { schema: { $ref: string }; example?: { reason?: string } },
      ];
      const named = document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
      assert(named.required.includes("reason"), path);
      assert(example?.reason, path);
    }
  });
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
