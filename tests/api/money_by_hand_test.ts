import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ADMIN_DEPOSIT } from "../../src/api/schemas/admin_money.ts";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";

function enter(venue: TestVenue, fields: Record<string, unknown>): Promise<Answer> {
  const deposit = { uid: UIDS.alice, currency: "btc", amount: "1", ...fields };
  return venue.post("operator", "/api/v2/admin/deposits", deposit);
}

describe("deposits that the operator enters", () => {
  it("are of a whole transaction, or of the output that is named", () =>
    withVenue(async (venue) => {
      const whole = await enter(venue, { txid: "tx-1" });
      assertEquals([whole.status, whole.body.output], [201, null]);
      ADMIN_DEPOSIT.parse(whole.body);
      const named = await enter(venue, { txid: "tx-2", output: 3 });
      assertEquals([named.status, named.body.output], [201, 3]);
      assertEquals((await enter(venue, { txid: "tx-2", output: "4" })).status, 201);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        for (const fields of [{ txid: "tx-1", output: 0 }, { txid: "tx-2" }]) {
          assertError(await enter(venue, fields), 422, "admin.deposit.duplicate_txid");
        }
      }
      assertEquals(venue.engine.venue.counters.deposits, 3);
    }));

  it("name no output but by its number", () =>
    withVenue(async (venue) => {
      const wrong: [unknown, string][] = [
        ["first", "admin.deposit.non_integer_output"],
        [-1, "admin.deposit.invalid_output"],
        [4294967295, "admin.deposit.invalid_output"],
      ];
      for (const [output, error] of wrong) {
        assertError(await enter(venue, { txid: "x", output }), 422, error);
      }
      assertEquals(venue.engine.venue.counters.deposits, 0);
    }));
});
