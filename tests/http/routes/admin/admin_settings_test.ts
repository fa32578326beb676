import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { VENUE_SETTINGS_ANSWER } from "../../../../src/edge/schemas/admin/admin_settings.ts";
import { VENUE_SETTINGS } from "../../../../src/edge/venue_settings.ts";
import { assertError } from "../../../support/assert_error.ts";
import { bodySignature } from "../../../support/signed_headers.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const PATH = "/api/v2/admin/settings";

/** Changes settings by a call that has a body signature too. */
function patch(venue: TestVenue, json: unknown) {
  const usual = venue.sign("operator");
  const text = JSON.stringify(json);
  const asked = { method: "PATCH", path: PATH, body: text };
  const signature = bodySignature("demo-operator-secret", usual, asked);
  const headers = { ...usual, ...signature, "Content-Type": "application/json" };
  return venue.call("operator", "PATCH", PATH, { text, headers });
}

describe("the venue's settings", () => {
  it("are shown and changed in the terms in which they are given", () =>
    withVenue(async (venue) => {
      const { body: before } = await venue.get("operator", PATH);
      VENUE_SETTINGS_ANSWER.parse(before);
      const names = Object.values(VENUE_SETTINGS).map(({ name }) => name.toLowerCase());
      assertEquals(Object.keys(before).sort(), names.sort());
      const changes = {
        nonce_window_ms: 4000,
        body_signatures: "withdraw",
        orders_per_bulk_max: "50",
        open_orders_max: 60,
        untraded_orders_max: 70,
        adjustment_max: 80,
        price_band: "7.50",
        withdraw_ip_lists: "Required",
        wallet_rail: "none",
        pnl_currencies: ["BTC", "eth"],
        beneficiary_hold_hours: 3,
        credential_hold_hours: 5,
        session_hours: 7,
        session_idle_minutes: 11,
      };
      const { status, body } = await patch(venue, { ...changes, reason: "stricter" });
      assertEquals([status, body], [200, {
        ...changes,
        orders_per_bulk_max: 50,
        untraded_orders_max: "70",
        adjustment_max: "80",
        price_band: "7.5",
        withdraw_ip_lists: "required",
        pnl_currencies: ["btc", "eth"],
      }]);
      VENUE_SETTINGS_ANSWER.parse(body);
    }));

  it("stay as they are where a change does not name them, and every change is an act", () =>
    withVenue(async (venue) => {
      const { body: before } = await venue.get("operator", PATH);
      const changed = await patch(venue, { price_band: 5, reason: "a volatile market" });
      assertEquals(changed.body, { ...before, price_band: "5" });
      assertEquals((await patch(venue, { price_band: "off" })).body, before);
      const { body: [, act] } = await venue.get("operator", "/api/v2/admin/acts");
      const { action, changes, reason } = act;
      assertEquals([action, changes, reason], [
        "setSettings",
        { price_band: "5" },
        "a volatile market",
      ]);
    }));

  it("count at once", () =>
    withVenue(async (venue) => {
      await patch(venue, { open_orders_max: 1, price_band: "1" });
      assertEquals((await venue.order("alice")).status, 201);
      assertError(await venue.order("alice"), 422, "market.order.open_orders_limit");
      await patch(venue, { body_signatures: "all" });
      assertError(await venue.order("alice"), 401, "authz.body_signature_required");
    }));

  it("demand body signatures of operators only if the call that says so has one", () =>
    withVenue(async (venue) => {
      const unsigned = (json: unknown) => venue.call("operator", "PATCH", PATH, { json });
      for (const word of ["withdraw", "all"]) {
        const refused = await unsigned({ body_signatures: word });
        assertError(refused, 401, "authz.body_signature_required");
        assertEquals((await venue.get("operator", PATH)).body.body_signatures, "off");
      }
      assertEquals((await unsigned({ body_signatures: "off", price_band: "5" })).status, 200);
      assertEquals((await patch(venue, { body_signatures: "all" })).status, 200);
      const later = await unsigned({ body_signatures: "off" });
      assertError(later, 401, "authz.body_signature_required");
      assertEquals((await patch(venue, { body_signatures: "off" })).status, 200);
      assertEquals((await unsigned({ price_band: "6" })).status, 200);
    }));

  it("refuse what is wrong, unknown or null, and whoever does not operate the venue", () =>
    withVenue(async (venue) => {
      for (
        const [name, value, broken] of [
          ["nonce_window_ms", 0, { rule: "minimum", limit: "1" }],
          ["body_signatures", "withdrawal", { rule: "known", nearest: "withdraw" }],
          ["open_orders_max", 1001, { rule: "maximum", limit: "1000" }],
          ["untraded_orders_max", "none", { rule: "format" }],
          ["price_band", "101", { rule: "format" }],
          ["pnl_currencies", "btc,btc", { rule: "format" }],
          ["pnl_currencies", null, { rule: "format" }],
          ["session_hours", 1.5, { rule: "format" }],
          ["wallet_rail", {}, { rule: "format" }],
        ] as const
      ) {
        const { status, body } = await patch(venue, { [name]: value });
        assertEquals([status, body.errors], [422, [`admin.settings.invalid_${name}`]]);
        const { value: _, ...details } = body.details;
        assertEquals(details, { field: name, ...broken });
      }
      assertError(
        await patch(venue, { pnl_currencies: ["doge"] }),
        422,
        "admin.currency.doesnt_exist",
      );
      assertError(await patch(venue, { price_bond: "5" }), 422, "server.unknown_field");
      const own = await venue.call("alice", "PATCH", PATH, { json: { price_band: "5" } });
      assertError(own, 401, "authz.invalid_permission");
      assertError(await venue.get("alice", PATH), 401, "authz.invalid_permission");
    }));

  it("are left as they are by an empty value or a list, which is no word for none", () =>
    withVenue(async (venue) => {
      const limits = { untraded_orders_max: 70, adjustment_max: 80, price_band: "7.5" };
      const { body: before } = await patch(venue, { ...limits, body_signatures: "all" });
      const { settings } = venue.engine.venue;
      for (const name of Object.keys(before).filter((name) => name !== "pnl_currencies")) {
        for (const value of ["", " ", [], [""], [String(before[name])]]) {
          const { status, body } = await patch(venue, { [name]: value });
          assertEquals([status, body.errors], [422, [`admin.settings.invalid_${name}`]]);
        }
      }
      assertEquals(venue.engine.venue.settings, settings);
    }));

  it("name no currencies for profit and loss if the list is empty", () =>
    withVenue(async (venue) => {
      for (const none of [[], "", "off"]) {
        await patch(venue, { pnl_currencies: ["btc"] });
        assertEquals((await patch(venue, { pnl_currencies: none })).body.pnl_currencies, []);
      }
    }));

  it("hide and show profit and loss without emptying it", () =>
    withVenue(async (venue) => {
      const path = "/api/v2/backend/account/stats/pnl?pnl_currency=usdt";
      const shown = async () => (await venue.get("alice", path)).body;
      const before = await shown();
      assertEquals(before.length > 0, true);
      await patch(venue, { pnl_currencies: "off" });
      assertEquals((await venue.get("alice", path)).status, 422);
      // What happens meanwhile is not missing later.
      const amount = { uid: "", currency: "btc", amount: "1", reason: "a test" };
      const uid = venue.engine.venue.holder(
        venue.engine.venue.keyByKid.get("demo-alice")?.key.member ?? -1,
      ).member.uid;
      await venue.post("operator", "/api/v2/admin/adjustments", { ...amount, uid });
      await venue.engine.folded();
      await patch(venue, { pnl_currencies: ["usdt"] });
      const credit = (rows: { currency: string; total_credit: string }[]) =>
        Number(rows.find(({ currency }) => currency === "btc")?.total_credit);
      assertEquals(credit(await shown()), credit(before) + 1);
    }));
});
