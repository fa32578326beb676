import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { activeBeneficiary, UIDS } from "../../support/beneficiaries.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { nextCode } from "../../support/one_time_codes.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";
import { outcome } from "../../support/withdraws.ts";

const TRANSACTIONS = "/api/v2/backend/account/transactions";

async function withdraw(
  venue: TestVenue,
  beneficiary_id: number,
  fields: Record<string, unknown> = {},
): Promise<void> {
  const otp = await nextCode(venue, "alice");
  const answer = await venue.post("alice", "/api/v2/backend/account/withdraws", {
    otp,
    beneficiary_id,
    currency: "btc",
    amount: "1",
    ...fields,
  });
  assertEquals(answer.status, 201, answer.text);
}

/** Returns listed transactions as `D` with the txid, or `W` with the amount. */
async function listed(venue: TestVenue, query: string): Promise<string[]> {
  const { body } = await venue.get("alice", `${TRANSACTIONS}?${query}`);
  return body.map(({ type, txid, amount }: Record<string, string>) =>
    type === "Deposit" ? `D ${txid}` : `W ${amount}`
  );
}

/** Creates the deposits a and c (of ether), and withdrawals of 1 and 2 between and after them. */
async function fill(venue: TestVenue): Promise<void> {
  const id = await activeBeneficiary(venue, "alice");
  await observeDeposit(venue, { txid: "a" });
  await withdraw(venue, id);
  venue.clock.now += 10_000;
  await observeDeposit(venue, { txid: "c", currency: "eth" });
  await withdraw(venue, id, { amount: "2" });
  await observeDeposit(venue, { txid: "others", uid: UIDS.bob });
}

describe("the list of transactions", () => {
  it("starts empty, despite operators' adjustments", () =>
    withVenue(async (venue) => {
      const { status, body, headers } = await venue.get("alice", TRANSACTIONS);
      assertEquals([status, body, headers.get("Total")], [200, [], "0"]);
    }));

  it("shows a withdrawal net, with its address and note", () =>
    withVenue(async (venue) => {
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/btc", {
        json: { withdraw_fee: "0.25", min_withdraw_amount: "0", reason: "a test" },
      });
      await withdraw(venue, await activeBeneficiary(venue, "alice"), { note: "rent" });
      const { body: [only] } = await venue.get("alice", TRANSACTIONS);
      assertEquals(only, {
        id: 1,
        address: "sandbox-btc-1",
        currency: "btc",
        amount: "0.75",
        fee: "0.25",
        txid: null,
        state: "accepted",
        note: "rent",
        confirmations: 0,
        created_at: only.created_at,
        updated_at: only.updated_at,
        type: "Withdraw",
      });
    }));

  it("shows a deposit with the address that it came to", () =>
    withVenue(async (venue) => {
      const address = await venue.get("alice", "/api/v2/backend/account/deposit_address/btc");
      await observeDeposit(venue, { txid: "a", amount: "0.5" });
      const { body: [only] } = await venue.get("alice", "/api/v2/peatio/account/transactions");
      assertEquals(only, {
        id: 1,
        address: address.body.address,
        currency: "btc",
        amount: "0.5",
        fee: "0.0",
        txid: "a",
        state: "submitted",
        note: null,
        confirmations: 0,
        created_at: only.created_at,
        updated_at: only.updated_at,
        type: "Deposit",
      });
    }));

  it("makes no address just to show it", () =>
    withVenue(async (venue) => {
      await observeDeposit(venue, { txid: "a" });
      const made: string[] = [];
      venue.engine.onEvent(({ kind }) => made.push(kind));
      const { body: [only] } = await venue.get("alice", TRANSACTIONS);
      assertEquals([only.txid, only.address], ["a", null]);
      const statement = "/api/v2/backend/account/statements/transactions.csv";
      assertEquals((await venue.get("alice", statement)).status, 200);
      assertEquals(made, []);
    }));

  it("is ordered by creation, newest first unless asked otherwise", () =>
    withVenue(async (venue) => {
      await fill(venue);
      assertEquals(await listed(venue, ""), ["W 2.0", "D c", "W 1.0", "D a"]);
      assertEquals(await listed(venue, "order_by=asc"), ["D a", "W 1.0", "D c", "W 2.0"]);
      assertEquals(await listed(venue, "limit=1&page=2"), ["D c"]);
      assertEquals(await listed(venue, "page=2"), []);
      const page = await venue.get("alice", `${TRANSACTIONS}?limit=3`);
      const headers = ["Page", "Per-Page", "Total"].map((name) => page.headers.get(name));
      assertEquals(headers, ["1", "3", "4"]);
    }));

  it("is filtered by currency, transaction and time", () =>
    withVenue(async (venue) => {
      await fill(venue);
      assertEquals(await listed(venue, "currency=ETH"), ["D c"]);
      assertEquals(await listed(venue, "txid=a"), ["D a"]);
      assertEquals(await listed(venue, "txid=others"), []);
      const { body } = await venue.get("alice", `${TRANSACTIONS}?order_by=asc`);
      const at = Date.parse(body[2].created_at) / 1000;
      assertEquals(await listed(venue, `time_from=${at}`), ["W 2.0", "D c"]);
      assertEquals(await listed(venue, `time_to=${at}`), ["W 1.0", "D a"]);
    }));

  it("is filtered by states of one kind, leaving the other whole", () =>
    withVenue(async (venue) => {
      await fill(venue);
      await venue.engine.submit({ kind: "change_deposit", id: 1, action: "accept" }, null);
      await venue.engine.submit({ kind: "change_withdraw", id: 1, action: "reject" }, null);
      assertEquals(await listed(venue, "deposit_state=accepted"), ["W 2.0", "W 1.0", "D a"]);
      assertEquals(await listed(venue, "withdraw_state=rejected"), ["D c", "W 1.0", "D a"]);
      const both = "deposit_state=submitted&withdraw_state=rejected";
      assertEquals(await listed(venue, both), ["D c", "W 1.0"]);
      for (const separator of [",", "%20", "|", ";", "%2C%20"]) {
        const states = `deposit_state=accepted${separator}submitted`;
        assertEquals((await listed(venue, states)).length, 4);
      }
    }));

  it("refuses invalid filters and pages", () =>
    withVenue(async (venue) => {
      const cases = {
        "currency=xyz": "currency_doesnt_exist",
        "order_by=up": "order_by_invalid",
        "time_from=": "empty_time_from",
        "time_from=x": "non_integer_time_from",
        "time_to=": "empty_time_to",
        "time_to=x": "non_integer_time_to",
        "deposit_state=open": "invalid_deposit_state",
        "deposit_state=": "invalid_deposit_state",
        "withdraw_state=accepted,open": "invalid_withdraw_state",
        "txid=": "empty_txid",
        "limit=0": "invalid_limit",
        "limit=1001": "invalid_limit",
        "limit=x": "non_integer_limit",
        "page=0": "non_positive_page",
        "page=x": "non_integer_page",
        "page=1001": "invalid_page",
      };
      for (const [query, reason] of Object.entries(cases)) {
        const answer = await venue.get("alice", `${TRANSACTIONS}?${query}`);
        assertEquals(outcome(answer), `422 account.transactions.${reason}`);
      }
    }));

  it("requires both levels", () =>
    withVenue(async (venue) => {
      const cases = [[0, "deposit"], [2, "withdraw"]] as const;
      for (const [level, name] of cases) {
        await venue.call("operator", "PATCH", `/api/v2/admin/members/${UIDS.alice}`, {
          json: { level, reason: "a test" },
        });
        const answer = await venue.get("alice", `${TRANSACTIONS}?limit=x`);
        assertEquals(outcome(answer), `403 account.${name}.not_permitted`);
      }
    }));
});
