import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ME } from "../../../src/edge/schemas/identity.ts";
import { assertError } from "../../support/assert_error.ts";
import { defineGroups } from "../../support/define_groups.ts";
import { TEST_SETTINGS } from "../../support/test_settings.ts";
import { Person } from "../../support/person.ts";
import { withVenue } from "../../support/with_venue.ts";

const PATHS = ["/api/v2/auth/resource/users/me", "/api/v2/barong/resource/users/me"];

describe("a member", () => {
  it("is read with a key that may read, without personal data", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ scope: ["read"] });
      const member = `/api/v2/admin/members/${carol.uid}`;
      const change = (json: Record<string, unknown>) =>
        venue.call("operator", "PATCH", member, { json });
      await defineGroups(venue, "vip");
      const bounds = { level: 2, group: "vip", open_orders_max: 7, bulk_orders_max: 9 };
      assertEquals((await change(bounds)).status, 200);
      const limit = async (json: Record<string, unknown>) => {
        const set = await venue.call("operator", "POST", "/api/v2/admin/withdraw_limits", { json });
        assertEquals(set.status, 201, set.text);
      };
      await limit({ kyc_level: "any", limit_24_hour: null, limit_1_month: null });
      const me = async () => (await venue.get(key, PATHS[0] ?? "")).body;
      const own = { open_orders_max: 7, bulk_orders_max: 9 };
      assertEquals((await me()).limits, {
        ...own,
        untraded_orders_max: TEST_SETTINGS.untradedOrdersMax || null,
        withdraw_24_hour: null,
        withdraw_1_month: null,
      });
      await limit({ kyc_level: "2", limit_24_hour: "500", limit_1_month: "5000" });
      for (const path of PATHS) {
        const { status, body } = await venue.get(key, path);
        assertEquals(status, 200);
        ME.strict().parse(body);
        assertEquals(Object.keys(body).sort(), ["group", "level", "limits", "state", "uid"]);
        const { uid, level, group, state } = body;
        assertEquals([uid, level, group, state], [carol.uid, 2, "vip", "active"]);
        assertEquals([body.limits.withdraw_24_hour, body.limits.withdraw_1_month], [
          "500.0",
          "5000.0",
        ]);
      }
    }));

  it("is not read with a key that may not, and in full in a session", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { body: key } = await carol.makeKey({ scope: ["trade"] });
      for (const path of PATHS) {
        assertError(await venue.get(key, path), 403, "authz.scope_not_permitted");
        assertError(await venue.get(null, path), 401, "authz.invalid_session");
      }
      const { body } = await carol.get("/resource/users/me");
      ME.strict().parse(body);
      assertEquals([body.uid, body.email, body.otp], [carol.uid, carol.email, true]);
      assertEquals([body.group, body.limits.open_orders_max > 0], ["any", true]);
    }));
});
