import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { createFiat, UIDS } from "../../../support/beneficiaries.ts";
import { operate } from "../../../support/withdraws.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const FEE_INCOME = `${ADMIN}/fee_income`;

/** Returns the income as `amount currency`, in the order of the answer. */
async function incomeOf(venue: TestVenue): Promise<string[]> {
  const { status, body } = await venue.get("operator", FEE_INCOME);
  assertEquals(status, 200);
  return body.map((row: Record<string, string>) => `${row["amount"]} ${row["currency"]}`);
}

describe("the venue's income from fees", () => {
  it("is what trades, deposits and withdrawals have paid, in every currency", () =>
    withVenue(async (venue) => {
      assertEquals(await incomeOf(venue), ["0.0 btc", "0.0 eth", "0.0 usdt", "0.0 bch"]);
      await venue.order("bob", { side: "sell", amount: "1", price: "100" });
      await venue.order("alice", { side: "buy", amount: "1", price: "100" });
      assertEquals(await incomeOf(venue), ["0.002 btc", "0.0 eth", "0.2 usdt", "0.0 bch"]);

      await createFiat(venue);
      await operate(venue, "PATCH", "currencies/eur", { deposit_fee: "2" });
      const deposit = { uid: UIDS.alice, currency: "eur", amount: "100" };
      const entered = await venue.post("operator", `${ADMIN}/deposits`, deposit);
      assertEquals((await incomeOf(venue))[0], "0.0 eur");
      await operate(venue, "POST", `deposits/${entered.body.id}/accept`, {});
      assertEquals((await incomeOf(venue))[0], "2.0 eur");

      await operate(venue, "PATCH", "currencies/eur", { withdraw_fee: "0.5" });
      const alice = await Withdrawer.of(venue, "alice", "eur", { full_name: "Alice Liddell" });
      const { id } = await alice.must("20");
      await operate(venue, "POST", `withdraws/${id}/approve`, {});
      assertEquals((await incomeOf(venue))[0], "2.0 eur");
      await operate(venue, "POST", `withdraws/${id}/succeed`, {});
      assertEquals(await incomeOf(venue), [
        "2.5 eur",
        "0.002 btc",
        "0.0 eth",
        "0.2 usdt",
        "0.0 bch",
      ]);
    }));

  it("has hidden currencies too, by position and in pages", () =>
    withVenue(async (venue) => {
      await operate(venue, "PATCH", "currencies/btc", { visible: false, position: 1000 });
      assertEquals(await incomeOf(venue), ["0.0 eth", "0.0 usdt", "0.0 bch", "0.0 btc"]);
      const page = await venue.get("operator", `${FEE_INCOME}?limit=3&page=2`);
      assertEquals(page.body, [{ currency: "btc", amount: "0.0" }]);
      assertEquals(page.headers.get("total"), "4");
    }));

  it("is only for operators", () =>
    withVenue(async (venue) => {
      assertError(await venue.get("alice", FEE_INCOME), 401, "authz.invalid_permission");
      assertError(await venue.get(null, FEE_INCOME), 401, "authz.invalid_session");
    }));
});
