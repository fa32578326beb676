import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ADJUSTMENT_DONE } from "../../../../src/edge/schemas/admin/admin_members.ts";
import { assertError } from "../../../support/assert_error.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADJUSTMENTS = "/api/v2/admin/adjustments";
const ALICE = "IDA11CE00001";

/** Moves bitcoins between alice and the outside. */
function adjust(venue: TestVenue, amount: unknown): Promise<Answer> {
  const json = { uid: ALICE, currency: "btc", amount, reason: "test" };
  return venue.post("operator", ADJUSTMENTS, json);
}

describe("adjustments", () => {
  it("move funds both ways", () =>
    withVenue(async (venue) => {
      const move = (amount: unknown) => adjust(venue, amount);
      const added = await move("1.5");
      assertEquals(added.status, 201);
      ADJUSTMENT_DONE.parse(added.body);
      assertEquals([added.body.amount, added.body.balance], ["1.5", "101.5"]);
      assertEquals((await move(-0.5)).body.balance, "101.0");
      const anything = { json: { adjustment_max: "off", reason: "a test" } };
      await venue.call("operator", "PATCH", "/api/v2/admin/settings", anything);
      const short = await move("-200");
      assertError(short, 422, "market.account.insufficient_balance");
      assertEquals(short.body.details, {
        field: "amount",
        rule: "funds",
        needed: "200",
        available: "101",
      });
      assertError(await move("0.000000001"), 422, "admin.venue.invalid_amount");
      assertError(await move("much"), 422, "admin.adjustment.non_decimal_amount");
    }));

  it("are refused with the number of digits if there are more, but not if there is no amount", () =>
    withVenue(async (venue) => {
      const fine = await adjust(venue, "0.000000001");
      assertError(fine, 422, "admin.venue.invalid_amount");
      assertEquals(fine.body.details, { field: "amount", limit: "8", rule: "precision" });
      for (const nothing of ["0", "-0", "0.000"]) {
        const refused = await adjust(venue, nothing);
        assertError(refused, 422, "admin.venue.invalid_amount");
        assertEquals(refused.body.details, { field: "amount", rule: "nonzero" });
      }
    }));

  it("above the most that one may be worth are refused with that limit, whichever way", () =>
    withVenue(async (venue) => {
      const set = (json: Record<string, unknown>) =>
        venue.call("operator", "PATCH", "/api/v2/admin/settings", { json });
      assertEquals((await adjust(venue, "999999999999")).status, 422, "by default");
      const price = { price: "20000", reason: "a test" };
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/btc", { json: price });
      assertEquals((await set({ adjustment_max: "30000", reason: "a test" })).status, 200);
      for (const amount of ["1.50000001", "-1.50000001"]) {
        const refused = await adjust(venue, amount);
        assertError(refused, 422, "admin.adjustment.above_maximum");
        assertEquals(refused.body.details, { field: "amount", limit: "30000", rule: "maximum" });
      }
      assertEquals((await adjust(venue, "1.5")).status, 201);
      assertEquals((await adjust(venue, "-1.5")).status, 201);
      await set({ adjustment_max: "off", reason: "a test" });
      assertEquals((await adjust(venue, "2")).status, 201);
    }));

  it("name what is missing or unknown", () =>
    withVenue(async (venue) => {
      assertError(
        await venue.post("operator", ADJUSTMENTS, {}),
        422,
        "admin.adjustment.missing_uid",
        "admin.adjustment.missing_currency",
        "admin.adjustment.missing_amount",
        "admin.adjustment.missing_reason",
      );
      const whole = { uid: ALICE, currency: "btc", amount: "1", reason: "test" };
      const member = await venue.post("operator", ADJUSTMENTS, { ...whole, uid: "x" });
      assertError(member, 422, "admin.member.doesnt_exist");
      const currency = await venue.post("operator", ADJUSTMENTS, { ...whole, currency: "x" });
      assertError(currency, 422, "admin.currency.doesnt_exist");
      for (const reason of ["", " ", " \n\u00a0"]) {
        const answer = await venue.post("operator", ADJUSTMENTS, { ...whole, reason });
        assertError(answer, 422, "admin.adjustment.invalid_reason");
      }
    }));
});
