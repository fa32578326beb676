import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBeneficiary, UIDS } from "../../../support/beneficiaries.ts";
import { operate, outcome } from "../../../support/withdraws.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type Signer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ACCOUNT = "/api/v2/backend/account";
const LISTS = ["deposits", "withdraws", "transactions", "beneficiaries"];
const STATEMENT = `${ACCOUNT}/statements/transactions.csv`;

/** Gives alice a deposit, a beneficiary and a withdrawal of btc, and hides it. */
async function hide(venue: TestVenue): Promise<void> {
  const deposit = { uid: UIDS.alice, currency: "btc", amount: "1" };
  await operate(venue, "POST", "deposits", deposit);
  await (await Withdrawer.of(venue, "alice")).must("1");
  await createBeneficiary(venue, "alice", { currency: "eth" });
  await operate(venue, "PATCH", "currencies/btc", { visible: false });
}

/** Returns the currencies in a member's list, filtered by one. */
async function listed(
  venue: TestVenue,
  signer: Signer,
  list: string,
  currency: string,
): Promise<string[]> {
  const { status, body } = await venue.get(signer, `${ACCOUNT}/${list}?currency=${currency}`);
  assertEquals(status, 200, list);
  return body.map((one: { currency: string }) => one.currency);
}

describe("a currency that is no longer listed", () => {
  it("still filters the records of those who have some, and is empty for others", () =>
    withVenue(async (venue) => {
      await hide(venue);
      for (const list of LISTS) {
        const own = list === "transactions" ? ["btc", "btc"] : ["btc"];
        assertEquals(await listed(venue, "alice", list, "BTC"), own, list);
        assertEquals(await listed(venue, "bob", list, "btc"), [], list);
      }
      for (const [signer, lines] of [["alice", 3], ["bob", 1]] as const) {
        const { status, text } = await venue.get(signer, `${STATEMENT}?currency=btc`);
        assertEquals([status, text.trimEnd().split("\r\n").length], [200, lines]);
      }
    }));

  it("is still unlike one that the venue does not have", () =>
    withVenue(async (venue) => {
      await hide(venue);
      for (const path of [...LISTS.map((list) => `${ACCOUNT}/${list}`), STATEMENT]) {
        const identifier = path.endsWith("/transactions")
          ? "account.transactions.currency_doesnt_exist"
          : "account.currency.doesnt_exist";
        const answer = await venue.get("alice", `${path}?currency=xyz`);
        assertEquals(outcome(answer), `422 ${identifier}`, path);
      }
    }));

  it("is in no public list", () =>
    withVenue(async (venue) => {
      await hide(venue);
      const path = "/api/v2/backend/public/currencies";
      const { body } = await venue.get(null, path);
      assertEquals(body.map(({ id }: { id: string }) => id), ["eth", "usdt", "bch"]);
      assertEquals((await venue.get(null, `${path}/btc`)).status, 422);
    }));
});
