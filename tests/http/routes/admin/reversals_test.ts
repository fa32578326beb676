import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ADMIN_DEPOSIT } from "../../../../src/edge/schemas/admin/admin_money.ts";
import { DEPOSIT } from "../../../../src/edge/schemas/deposits.ts";
import { TRANSACTION } from "../../../../src/edge/schemas/transactions.ts";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ACCOUNT = "/api/v2/backend/account";

/** Returns `gross`, `net` and `reverses` of the lines of alice's statement. */
async function statement(venue: TestVenue): Promise<string[][]> {
  const { text } = await venue.get("alice", `${ACCOUNT}/statements/transactions.csv`);
  const [names = [], ...lines] = text.split("\r\n").slice(0, -1).map((line) => line.split(","));
  return lines.map((line) =>
    ["gross", "net", "reverses"].map((name) => line[names.indexOf(name)] ?? "")
  );
}

describe("a reversal", () => {
  it("frees its transaction at once, as often as it is entered, and so does a rejection", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "usdt", amount: "2", txid: "t" };
      const enter = () => venue.post("operator", `${ADMIN}/deposits`, json);
      for (const ending of ["reverse", "reject", "reverse", "reject"]) {
        const { status, text, body: { id } } = await enter();
        assertEquals(status, 201, text);
        assertError(await enter(), 422, "admin.deposit.duplicate_txid");
        for (
          const action of ending === "reverse" ? ["accept", "process", "collect"] as const : []
        ) {
          await venue.engine.submit({ kind: "change_deposit", id, action }, null);
        }
        const reason = { reason: "a mistake" };
        const ended = await venue.post("operator", `${ADMIN}/deposits/${id}/${ending}`, reason);
        assertEquals(ended.body.errors, undefined, ended.text);
      }
    }));

  it("of a deposit is linked, in its member's history and statement, and frees its transaction", () =>
    withVenue(async (venue) => {
      const enter = (uid: string) =>
        venue.post("operator", `${ADMIN}/deposits`, {
          uid,
          currency: "btc",
          amount: "2",
          txid: "t",
        });
      const { body: { id } } = await enter(UIDS.alice);
      await venue.post("operator", `${ADMIN}/deposits/${id}/accept`);
      for (const action of ["process", "collect"] as const) {
        await venue.engine.submit({ kind: "change_deposit", id, action }, null);
      }
      assertError(await enter(UIDS.bob), 422, "admin.deposit.duplicate_txid");
      const json = { reason: "it was bob's" };
      const reverse = () => venue.post("operator", `${ADMIN}/deposits/${id}/reverse`, json);
      const reversal = await reverse();
      assertEquals(reversal.status, 201, reversal.text);
      ADMIN_DEPOSIT.parse(reversal.body);
      const { amount, received, reverses, txid } = reversal.body;
      assertEquals([amount, received, reverses, txid], [
        "-2.0",
        "-2.0",
        { type: "deposit", id },
        "t",
      ]);
      assertError(await reverse(), 422, "admin.deposit.already_reversed");
      const { body: own } = await venue.get("alice", `${ACCOUNT}/deposits`);
      assertEquals(
        own.map((one: Record<string, unknown>) => [one["amount"], one["reverses"]]),
        [["-2.0", { type: "deposit", id }], ["2.0", undefined]],
      );
      own.forEach((one: unknown) => DEPOSIT.parse(one));
      const { body: [listed, first] } = await venue.get("alice", `${ACCOUNT}/transactions`);
      assertEquals([listed.reverses, first.reverses], [{ type: "deposit", id }, undefined]);
      TRANSACTION.parse(listed);
      assertEquals(await statement(venue), [["2.0", "2.0", ""], ["-2.0", "-2.0", `Deposit ${id}`]]);
      const { body: balance } = await venue.get("alice", `${ACCOUNT}/balances/btc`);
      assertEquals(balance.balance, "100.0");
      await venue.engine.folded();
      assertError(await reverse(), 422, "admin.deposit.already_reversed");
      const again = await enter(UIDS.bob);
      assertEquals([again.status, again.body.uid], [201, UIDS.bob]);
      assertError(await enter(UIDS.bob), 422, "admin.deposit.duplicate_txid");
      venue.engine.venue.checkInvariants();
    }));

  it("of a rail's deposit frees its output, which a call means that names no other", () =>
    withVenue(async (venue) => {
      const seen = async (txid: string, output: number) => {
        const lookup = { knownId: 0, checkedAt: venue.engine.venue.sequence, confirmations: 1 };
        const named = { uid: UIDS.alice, currency: "btc", amount: 2n * 10n ** 16n, txid, output };
        await venue.engine.submit({ kind: "observe_deposit", ...named, ...lookup }, null);
        const id = venue.engine.venue.counters.deposits;
        for (const action of ["accept", "process", "collect"] as const) {
          await venue.engine.submit({ kind: "change_deposit", id, action }, null);
        }
        return id;
      };
      const reverse = (id: number) =>
        venue.post("operator", `${ADMIN}/deposits/${id}/reverse`, { reason: "it was bob's" });
      const enter = (txid: string, more: Record<string, unknown> = {}) => {
        const json = { uid: UIDS.bob, currency: "btc", amount: "2", txid, ...more };
        return venue.post("operator", `${ADMIN}/deposits`, json);
      };
      const id = await seen("a", 3);
      assertError(await enter("a"), 422, "admin.deposit.duplicate_txid");
      assertEquals((await reverse(id)).status, 201);
      const again = await enter("a");
      assertEquals([again.status, again.body.uid, again.body.output], [201, UIDS.bob, 3]);
      assertError(await enter("a"), 422, "admin.deposit.duplicate_txid");

      const [first] = [await seen("b", 0), await seen("b", 1)];
      await reverse(first ?? 0);
      const unclear = await enter("b");
      assertError(unclear, 422, "admin.deposit.duplicate_txid");
      assertEquals(unclear.body.details, { field: "output", rule: "required" });
      assertEquals((await enter("b", { output: 0 })).status, 201);
      assertError(await enter("b", { output: 1 }), 422, "admin.deposit.duplicate_txid");
    }));

  it("of a deposit that is spent is refused, and says what is missing", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "2" };
      const { body: { id } } = await venue.post("operator", `${ADMIN}/deposits`, json);
      for (const action of ["accept", "process", "collect"] as const) {
        await venue.engine.submit({ kind: "change_deposit", id, action }, null);
      }
      const amount = -101n * 10n ** 16n;
      const gone = { kind: "adjust_balance", uid: UIDS.alice, currency: "btc", amount } as const;
      await venue.engine.submit(gone, null);
      const reason = { reason: "a mistake" };
      const refused = await venue.post("operator", `${ADMIN}/deposits/${id}/reverse`, reason);
      assertError(refused, 422, "market.account.insufficient_balance");
      assertEquals([refused.body.details.needed, refused.body.details.available], ["2", "1"]);
    }));

  it("of a payment gives back what was sent", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1", { isByHand: true });
      const path = `${ADMIN}/withdraws/${id}`;
      const returned = () => venue.post("operator", `${path}/return`, { txid: "R1" });
      assertError(await returned(), 422, "admin.withdraw.invalid_state");
      await venue.post("operator", `${path}/succeed`, { txid: "by-hand" });
      const credited = { uid: UIDS.alice, currency: "btc", amount: "1", txid: "R1", reason: "r" };
      const { body: entered } = await venue.post("operator", `${ADMIN}/deposits`, credited);
      assertError(await returned(), 422, "admin.deposit.duplicate_txid");
      await venue.post("operator", `${ADMIN}/deposits/${entered.id}/reject`, { reason: "r" });
      const { status, body } = await returned();
      assertEquals([status, body.txid, body.reverses], [201, "R1", { type: "withdraw", id }]);
      assertError(await returned(), 422, "admin.deposit.already_reversed");
      assertEquals((await statement(venue)).at(-1)?.at(-1), `Withdraw ${id}`);
      for (const output of [{}, { output: 0 }, { output: 7 }]) {
        for (const isFolded of [false, true]) {
          if (isFolded) await venue.engine.folded();
          const again = await venue.post("operator", `${ADMIN}/deposits`, {
            ...credited,
            ...output,
          });
          assertError(again, 422, "admin.deposit.duplicate_txid");
        }
      }
      const { id: other } = await alice.must("1", { isByHand: true });
      await venue.post("operator", `${ADMIN}/withdraws/${other}/succeed`, { txid: "by-hand-2" });
      const twice = await venue.post("operator", `${ADMIN}/withdraws/${other}/return`, {
        txid: "R1",
      });
      assertError(twice, 422, "admin.deposit.duplicate_txid");
      venue.engine.venue.checkInvariants();
    }));
});
