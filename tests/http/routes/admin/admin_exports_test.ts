import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { units } from "../../../support/domain_venue.ts";
import { write } from "../../../support/operator_writes.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";

const ADMIN = "/api/v2/admin";
const ACCOUNT = "/api/v2/backend/account";

async function lines(venue: TestVenue, path: string): Promise<string[][]> {
  const { status, text } = await venue.get("operator", ADMIN + path);
  assertEquals(status, 200, text);
  return text.split("\r\n").slice(0, -1).map((line) => line.split(","));
}

/** Enters and accepts a deposit of btc. */
async function deposit(venue: TestVenue, uid: string, amount: string): Promise<void> {
  const { body } = await write(venue, "POST", "/deposits", { uid, currency: "btc", amount });
  assertEquals((await write(venue, "POST", `/deposits/${body.id}/accept`)).status, 200);
}

describe("operators' exports", () => {
  it("hold a member's statements as the member downloads them", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("bob", { side: "sell" });
      await deposit(venue, UIDS.alice, "2");
      for (const name of ["trades", "orders", "transactions"]) {
        const own = await venue.get("alice", `${ACCOUNT}/statements/${name}.csv`);
        const path = `${ADMIN}/members/${UIDS.alice}/statements/${name}.csv`;
        const seen = await venue.get("operator", path);
        assertEquals([seen.status, seen.text], [200, own.text]);
        assertEquals(seen.text.split("\r\n").length, 3, name);
      }
      const nobody = await venue.get("operator", `${ADMIN}/members/ID-none/statements/trades.csv`);
      assertError(nobody, 404, "record.not_found");
      const stranger = `${ADMIN}/members/${UIDS.bob}/statements/trades.csv`;
      assertError(await venue.get("alice", stranger), 401, "authz.invalid_permission");
    }));

  it("hold all members' deposits and withdrawals of a time, gross and net", () =>
    withVenue(async (venue) => {
      await deposit(venue, UIDS.alice, "2");
      venue.clock.now += 60_000;
      const since = Math.floor(venue.clock.now / 1000);
      await write(venue, "PATCH", "/currencies/btc", {
        withdraw_fee: "0.5",
        min_withdraw_amount: "0",
      });
      await deposit(venue, UIDS.bob, "3");
      const alice = await Withdrawer.of(venue, "alice");
      await alice.must("1");
      const [names = [], ...all] = await lines(venue, "/statements/transactions.csv");
      const shown = (rows: string[][]) =>
        rows.map((row) =>
          ["uid", "type", "currency", "gross", "fee", "net"].map((name) => row[names.indexOf(name)])
        );
      assertEquals(shown(all), [
        [UIDS.alice, "Deposit", "btc", "2.0", "0.0", "2.0"],
        [UIDS.bob, "Deposit", "btc", "3.0", "0.0", "3.0"],
        [UIDS.alice, "Withdraw", "btc", "1.0", "0.5", "0.5"],
      ]);
      const [, ...late] = await lines(venue, `/statements/transactions.csv?time_from=${since}`);
      assertEquals(late, all.slice(1));
      const [, ...early] = await lines(venue, `/statements/transactions.csv?time_to=${since}`);
      assertEquals(early, all.slice(0, 1));
    }));
});

describe("adjustments", () => {
  it("are listed for their member with the reason, and for operators", () =>
    withVenue(async (venue) => {
      const adjust = (uid: string, amount: string, reason: string) =>
        write(venue, "POST", "/adjustments", { uid, currency: "btc", amount, reason });
      const made = await adjust(UIDS.alice, "1.50", "a gift");
      await adjust(UIDS.bob, "9", "not hers");
      await adjust(UIDS.alice, "-0.25", "taken back");
      await write(venue, "PATCH", `/members/${UIDS.alice}`, { level: 2 });
      const { status, body, headers } = await venue.get("alice", `${ACCOUNT}/adjustments`);
      // Before them, what the demo gave her of each currency, which nobody has signed.
      const given = venue.engine.venue.currencies.length;
      assertEquals([status, headers.get("total")], [200, String(2 + given)]);
      const [second, first, ...demo] = body;
      assertEquals(demo.map(({ reason }: { reason: string }) => reason), demo.map(() => ""));
      assertEquals(
        [second, first].map(({ amount, currency, reason }) => [amount, currency, reason]),
        [["-0.25", "btc", "taken back"], ["1.5", "btc", "a gift"]],
      );
      assertEquals(first.id, made.body.id);
      const seen = await venue.get("operator", `${ADMIN}/members/${UIDS.alice}/adjustments`);
      assertEquals(seen.body, body);
      const page = await venue.get("alice", `${ACCOUNT}/adjustments?limit=1&page=2`);
      assertEquals(page.body, [first]);
    }));
});

describe("liabilities", () => {
  it("are what members have, and what the venue has earned, by currency", () =>
    withVenue(async (venue) => {
      await write(venue, "POST", "/trading_fees", { maker: "0.001", taker: "0.002" });
      await venue.order("alice");
      await venue.order("bob", { side: "sell" });
      await venue.order("bob", { side: "sell", price: "200" });
      const { status, body } = await venue.get("operator", `${ADMIN}/liabilities`);
      assertEquals(status, 200);
      const { venue: state } = venue.engine;
      for (const { currency, members, locked, fees, holders } of body) {
        const { index } = state.currencyById.get(currency) ?? { index: -1 };
        const of = (uid: string) => state.holderByUid.get(uid)?.accounts[index];
        const accounts = [UIDS.alice, UIDS.bob].map(of).filter((one) => one !== undefined);
        const sum = accounts.reduce((total, one) => total + one.available + one.locked, 0n);
        assertEquals(units(members), sum, currency);
        assertEquals(units(locked), accounts.reduce((total, one) => total + one.locked, 0n));
        assertEquals(units(fees), state.holder(0).accounts[index]?.available ?? 0n);
        const outside = state.holder(1).accounts[index]?.available ?? 0n;
        assertEquals(units(members) + units(fees) + outside, 0n, "all that came in is owed");
        assertEquals(holders, accounts.filter((one) => one.available + one.locked > 0n).length);
      }
      const btc = body.find(({ currency }: { currency: string }) => currency === "btc");
      assertEquals([btc.locked, btc.fees > "0", btc.holders], ["1.0", true, 2]);
    }));
});
