import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { rejectionError } from "../../../../src/edge/errors.ts";
import { isRejection } from "../../../../src/domain/command.ts";
import { reject } from "../../../../src/domain/rejection.ts";
import type { WithdrawAction } from "../../../../src/domain/money/withdraw.ts";
import { ADMIN_DEPOSIT, ADMIN_WITHDRAW } from "../../../../src/edge/schemas/admin/admin_money.ts";
import { assertError } from "../../../support/assert_error.ts";
import { createFiat, UIDS } from "../../../support/beneficiaries.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const DEPOSITS = `${ADMIN}/deposits`;
const WITHDRAWS = `${ADMIN}/withdraws`;
const REASON = { reason: "asked for" };
const BANK = { full_name: "Alice Liddell", account_number: "DE02120300000000202051" };

function enter(venue: TestVenue, fields: Record<string, unknown> = {}): Promise<Answer> {
  return venue.post("operator", DEPOSITS, {
    uid: UIDS.alice,
    currency: "btc",
    amount: "1",
    ...fields,
  });
}

async function balanceOf(venue: TestVenue, currency: string): Promise<[string, string]> {
  const { body } = await venue.get("alice", `/api/v2/backend/account/balances/${currency}`);
  return [body.balance, body.locked];
}

async function idsOf(venue: TestVenue, path: string): Promise<number[]> {
  const { status, body } = await venue.get("operator", path);
  assertEquals(status, 200, path);
  return body.map(({ id }: { id: number }) => id);
}

function change(venue: TestVenue, id: number, action: string): Promise<Answer> {
  return venue.post("operator", `${WITHDRAWS}/${id}/${action}`);
}

/** Changes a withdrawal's state as the rail would. */
async function rail(venue: TestVenue, id: number, action: WithdrawAction): Promise<void> {
  const claims = venue.engine.venue.withdraws.get(id)?.claims ?? 0;
  const txid = action === "send" ? { txid: `tx-${id}` } : {};
  const command = { kind: "change_withdraw", id, action, claims, ...txid } as const;
  const outcome = await venue.engine.submit(command, null);
  assert(!isRejection(outcome), action);
}

describe("deposits entered by the operator", () => {
  it("of fiat are credited less the fee once accepted", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const json = { deposit_fee: "2" };
      await venue.call("operator", "PATCH", `${ADMIN}/currencies/eur`, { json });
      const entered = await enter(venue, { currency: "eur", amount: "100", txid: "SEPA-1" });
      assertEquals(entered.status, 201);
      ADMIN_DEPOSIT.parse(entered.body);
      const { state, uid, amount, received, fee, transfer_type } = entered.body;
      assertEquals([state, uid, amount, received, fee, transfer_type], [
        "submitted",
        UIDS.alice,
        "98.0",
        "100.0",
        "2.0",
        "fiat",
      ]);
      assertEquals(await balanceOf(venue, "eur"), ["0.0", "0.0"]);
      const path = `${DEPOSITS}/${entered.body.id}`;
      const accepted = await venue.post("operator", `${path}/accept`, { reason: "arrived" });
      assertEquals([accepted.status, accepted.body.state], [200, "accepted"]);
      assertEquals(await balanceOf(venue, "eur"), ["98.0", "0.0"]);
      assertEquals((await venue.get("operator", path)).body, accepted.body);
      for (const action of ["accept", "reject"]) {
        const again = await venue.post("operator", `${path}/${action}`);
        assertError(again, 422, "admin.deposit.invalid_state");
      }
      venue.engine.venue.checkInvariants();
    }));

  it("of a coin are locked once accepted", () =>
    withVenue(async (venue) => {
      const [before] = await balanceOf(venue, "btc");
      const { body } = await enter(venue);
      await venue.post("operator", `${DEPOSITS}/${body.id}/accept`);
      assertEquals(await balanceOf(venue, "btc"), [before, "1.0"]);
    }));

  it("can be rejected until they are accepted", () =>
    withVenue(async (venue) => {
      const before = await balanceOf(venue, "btc");
      const { body } = await enter(venue);
      const json = { reason: "not ours" };
      const rejected = await venue.post("operator", `${DEPOSITS}/${body.id}/reject`, json);
      assertEquals([rejected.status, rejected.body.state], [200, "rejected"]);
      assertEquals(await balanceOf(venue, "btc"), before);
      assertEquals(await idsOf(venue, `${DEPOSITS}?state=rejected`), [body.id]);
    }));

  it("are entered once per transaction, whether or not the rows have it", () =>
    withVenue(async (venue) => {
      const actsBefore = venue.engine.venue.counters.acts;
      const { body } = await enter(venue, { txid: "tx-1" });
      assertError(await enter(venue, { txid: "tx-1" }), 422, "admin.deposit.duplicate_txid");
      await venue.engine.folded();
      const again = await enter(venue, { txid: "tx-1", uid: UIDS.bob, amount: "3" });
      assertError(again, 422, "admin.deposit.duplicate_txid");
      assertEquals(again.body.details, { field: "txid", value: "tx-1" });
      await venue.post("operator", `${DEPOSITS}/${body.id}/reject`, REASON);
      await venue.engine.folded();
      const right = await enter(venue, { txid: "tx-1", uid: UIDS.bob, amount: "3" });
      assertEquals([right.status, right.body.uid], [201, UIDS.bob]);
      assertError(await enter(venue, { txid: "tx-1" }), 422, "admin.deposit.duplicate_txid");
      assertEquals((await enter(venue, { txid: "tx-1", currency: "eth" })).status, 201);
      assertEquals((await enter(venue)).status, 201);
      assertEquals((await enter(venue)).status, 201, "without a name each is a new one");
      assertEquals(venue.engine.venue.counters.deposits, 5);
      const { acts } = venue.engine.venue.counters;
      assertEquals(acts - actsBefore, 6, "what is refused is no act");
    }));

  it("ask for a retry if the rows lag behind what memory knows", () =>
    withVenue(async (venue) => {
      const { depositNames } = venue.engine.venue;
      const { knownSince } = depositNames;
      depositNames.knownSince = Infinity;
      const refused = await enter(venue, { txid: "tx-1" });
      assertError(refused, 503, "server.unavailable");
      assertEquals(refused.headers.get("retry-after"), "1");
      assertEquals((await enter(venue)).status, 201, "without a name there is nothing to ask");
      depositNames.knownSince = knownSince;
      assertEquals((await enter(venue, { txid: "tx-1" })).status, 201);
      const late = rejectionError(reject("deposit_check_stale"));
      assertEquals([late.status, late.errors], [503, ["server.unavailable"]]);
      assertEquals(late.extras.headers, { "Retry-After": "1" });
    }));

  it("name what is missing, unknown or wrong", () =>
    withVenue(async (venue) => {
      assertError(
        await venue.post("operator", DEPOSITS, {}),
        422,
        "admin.deposit.missing_uid",
        "admin.deposit.missing_currency",
        "admin.deposit.missing_amount",
      );
      const wrong: [Record<string, unknown>, string][] = [
        [{ uid: "IDX" }, "admin.member.doesnt_exist"],
        [{ currency: "xyz" }, "admin.currency.doesnt_exist"],
        [{ amount: "x" }, "admin.deposit.non_decimal_amount"],
        [{ amount: "0" }, "admin.deposit.non_positive_amount"],
        [{ amount: "-1" }, "admin.deposit.non_positive_amount"],
        [{ amount: "0.00000000000000001" }, "admin.deposit.invalid_amount"],
        [{ amount: "0.000000001" }, "admin.deposit.invalid_amount"],
        [{ txid: "a b" }, "admin.deposit.invalid_txid"],
        [{ txid: "x".repeat(257) }, "admin.deposit.too_long_txid"],
        [{ reason: "x".repeat(501) }, "admin.act.too_long_reason"],
        [{ reason: true }, "admin.act.invalid_reason"],
      ];
      for (const [fields, error] of wrong) {
        assertError(await enter(venue, fields), 422, error);
      }
      await venue.call("operator", "PATCH", `${ADMIN}/currencies/btc`, {
        json: { deposit_fee: "0.5", min_deposit_amount: "0.75" },
      });
      const bounds = [["1.000000001", "precision", "8"], ["0.5", "fee", "0.5"]];
      for (const [amount, rule, limit] of bounds) {
        const { body } = await enter(venue, { amount });
        assertEquals(body.details, { field: "amount", rule, limit });
      }
      assertEquals(venue.engine.venue.counters.deposits, 0);
      assertEquals(venue.engine.venue.counters.acts, 1, "the change of the currency");
    }));

  it("answer 404 if unknown, and are only for operators", () =>
    withVenue(async (venue) => {
      for (const id of ["1", "0", "-1", "x", "1e3", "9999999999999999"]) {
        assertError(await venue.get("operator", `${DEPOSITS}/${id}`), 404, "record.not_found");
        for (const action of ["accept", "reject"]) {
          const answer = await venue.post("operator", `${DEPOSITS}/${id}/${action}`, REASON);
          assertError(answer, 404, "record.not_found");
        }
      }
      assertError(await venue.get("alice", DEPOSITS), 401, "authz.invalid_permission");
      const json = { uid: UIDS.alice, currency: "btc", amount: "1" };
      const own = await venue.post("alice", DEPOSITS, json);
      assertError(own, 401, "authz.invalid_permission");
    }));
});

describe("the operator's list of deposits", () => {
  it("is filtered and paged, newest first", () =>
    withVenue(async (venue) => {
      await enter(venue, { txid: "t1" });
      await enter(venue, { uid: UIDS.bob, currency: "eth", txid: "t2" });
      await enter(venue, { uid: UIDS.bob, txid: "t3" });
      await enter(venue, { currency: "usdt", txid: "t2" });
      await venue.post("operator", `${DEPOSITS}/3/reject`);
      await venue.post("operator", `${DEPOSITS}/2/accept`);
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        assertEquals(await idsOf(venue, DEPOSITS), [4, 3, 2, 1]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?uid=${UIDS.bob}`), [3, 2]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?currency=BTC`), [3, 1]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?state=rejected,accepted`), [3, 2]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?state[]=rejected&state[]=submitted`), [
          4,
          3,
          1,
        ]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?txid=t2`), [4, 2]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?uid=${UIDS.bob}&txid=t2`), [2]);
        assertEquals(await idsOf(venue, `${DEPOSITS}?limit=3&page=2`), [1]);
      }
      const { headers } = await venue.get("operator", `${DEPOSITS}?limit=3`);
      assertEquals(["page", "per-page", "total"].map((name) => headers.get(name)), ["1", "3", "4"]);
    }));

  it("rejects invalid filters", () =>
    withVenue(async (venue) => {
      for (const [path, words] of [[DEPOSITS, "admin.deposit"], [WITHDRAWS, "admin.withdraw"]]) {
        const refused = async (query: string, error: string) =>
          assertError(await venue.get("operator", `${path}?${query}`), 422, error);
        await refused("uid=IDX", "admin.member.doesnt_exist");
        await refused("uid=", `${words}.empty_uid`);
        await refused(`uid=${"x".repeat(65)}`, `${words}.too_long_uid`);
        await refused("currency=xyz", "admin.currency.doesnt_exist");
        await refused("currency=", `${words}.empty_currency`);
        await refused("state=lost", `${words}.invalid_state`);
        await refused("txid=", `${words}.empty_txid`);
        await refused("limit=0", `${words}.invalid_limit`);
        await refused("limit=1001", `${words}.invalid_limit`);
        await refused("limit=x", `${words}.non_integer_limit`);
        await refused("page=0", `${words}.non_positive_page`);
        await refused("page=x", `${words}.non_integer_page`);
        await refused("page=1000&limit=1000", `${words}.invalid_page`);
      }
    }));
});

describe("withdrawals above the limits", () => {
  it("wait for the operator, and go to the rail when they are approved", () =>
    withVenue(async (venue) => {
      const limits = { limit_24_hour: "100000", limit_1_month: "1000000" };
      assertEquals((await venue.post("operator", `${ADMIN}/withdraw_limits`, limits)).status, 201);
      const alice = await Withdrawer.of(venue, "alice");
      const within = await alice.must("5");
      const above = await alice.must("0.1");
      assertEquals([within.isApproved, above.isApproved], [true, false]);
      const read = await venue.get("operator", `${WITHDRAWS}/${above.id}`);
      assertEquals(read.status, 200);
      ADMIN_WITHDRAW.parse(read.body);
      const { uid, beneficiary_id, is_approved, claims, state, rid } = read.body;
      assertEquals([uid, beneficiary_id, is_approved, claims, state, rid], [
        UIDS.alice,
        alice.beneficiary,
        false,
        0,
        "accepted",
        "sandbox-btc-1",
      ]);
      const waiting = `${WITHDRAWS}?state=accepted&is_approved=`;
      assertEquals(await idsOf(venue, `${waiting}false`), [above.id]);
      assertEquals(await idsOf(venue, `${waiting}true`), [within.id]);
      assertError(await change(venue, within.id, "approve"), 422, "admin.withdraw.invalid_state");
      const approved = await change(venue, above.id, "approve");
      assertEquals([approved.status, approved.body.is_approved], [200, true]);
      assertEquals(approved.body.state, "accepted");
      assertEquals(await idsOf(venue, `${waiting}false`), []);
      await rail(venue, above.id, "claim");
      assertEquals((await venue.get("operator", `${WITHDRAWS}/${above.id}`)).body.claims, 1);
    }));

  it("free their amount when rejected", () =>
    withVenue(async (venue) => {
      const before = await balanceOf(venue, "btc");
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("5");
      assertEquals(await balanceOf(venue, "btc"), [`${Number(before[0]) - 5}.0`, "5.0"]);
      const rejected = await change(venue, id, "reject");
      assertEquals([rejected.status, rejected.body.state], [200, "rejected"]);
      assertEquals(await balanceOf(venue, "btc"), before);
      for (const action of ["approve", "reject", "retry", "succeed", "fail"]) {
        assertError(await change(venue, id, action), 422, "admin.withdraw.invalid_state");
      }
    }));
});

describe("withdrawals of fiat", () => {
  it("are approved, and succeed or fail by the operator's word", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const { body } = await enter(venue, { currency: "eur", amount: "100" });
      await venue.post("operator", `${DEPOSITS}/${body.id}/accept`);
      const alice = await Withdrawer.of(venue, "alice", "eur", BANK);
      const [paid, returned] = [await alice.must("30"), await alice.must("20")];
      assertError(await change(venue, paid.id, "succeed"), 422, "admin.withdraw.invalid_state");
      for (const { id } of [paid, returned]) {
        assertEquals((await change(venue, id, "approve")).body.state, "processing");
      }
      assertEquals((await change(venue, paid.id, "succeed")).body.state, "succeed");
      assertEquals((await change(venue, returned.id, "fail")).body.state, "failed");
      assertEquals(await balanceOf(venue, "eur"), ["70.0", "0.0"]);
      const read = await venue.get("operator", `${WITHDRAWS}/${paid.id}`);
      assert(read.body.done_at !== null && read.body.rid.startsWith("alice-liddell-eur-"));
      venue.engine.venue.checkInvariants();
    }));
});

describe("a parked withdrawal", () => {
  const park = async (venue: TestVenue) => {
    const alice = await Withdrawer.of(venue, "alice");
    const { id } = await alice.must("1");
    await rail(venue, id, "claim");
    await rail(venue, id, "park");
    const answer = await venue.get("operator", `${WITHDRAWS}?state=errored`);
    assertEquals(answer.body.map((one: { id: number }) => one.id), [id]);
    return id;
  };

  it("can be retried", () =>
    withVenue(async (venue) => {
      const id = await park(venue);
      assertError(await change(venue, id, "approve"), 422, "admin.withdraw.invalid_state");
      const retried = await change(venue, id, "retry");
      assertEquals([retried.status, retried.body.state], [200, "processing"]);
      assertError(await change(venue, id, "retry"), 422, "admin.withdraw.invalid_state");
      await rail(venue, id, "send");
      assertEquals(await idsOf(venue, `${WITHDRAWS}?txid=tx-${id}`), [id]);
    }));

  it("can be made to succeed", () =>
    withVenue(async (venue) => {
      const [before] = await balanceOf(venue, "btc");
      const id = await park(venue);
      assertEquals((await change(venue, id, "succeed")).body.state, "succeed");
      assertEquals(await balanceOf(venue, "btc"), [`${Number(before) - 1}.0`, "0.0"]);
      venue.engine.venue.checkInvariants();
    }));

  it("can be made to succeed with a transaction that the member sees", () =>
    withVenue(async (venue) => {
      const id = await park(venue);
      const succeed = (txid: unknown) =>
        venue.post("operator", `${WITHDRAWS}/${id}/succeed`, { txid });
      for (const txid of ["", "a b", "a\u0000", {}]) {
        assertError(await succeed(txid), 422, "admin.withdraw.invalid_txid");
      }
      assertError(await succeed("x".repeat(257)), 422, "admin.withdraw.too_long_txid");
      const { body } = await succeed("0xpaid-by-hand");
      assertEquals([body.state, body.blockchain_txid], ["succeed", "0xpaid-by-hand"]);
      assertEquals(await idsOf(venue, `${WITHDRAWS}?txid=0xpaid-by-hand`), [id]);
      const list = await venue.get("alice", "/api/v2/backend/account/withdraws");
      assertEquals(list.body[0].blockchain_txid, "0xpaid-by-hand");
    }));

  it("that was sent keeps its transaction when it succeeds", () =>
    withVenue(async (venue) => {
      const id = await park(venue);
      await rail(venue, id, "send");
      const { body } = await change(venue, id, "succeed");
      assertEquals([body.state, body.blockchain_txid], ["succeed", `tx-${id}`]);
    }));

  it("can be made to fail", () =>
    withVenue(async (venue) => {
      const before = await balanceOf(venue, "btc");
      const id = await park(venue);
      assertEquals((await change(venue, id, "fail")).body.state, "failed");
      assertEquals(await balanceOf(venue, "btc"), before);
    }));
});

describe("the operator's list of withdrawals", () => {
  it("is filtered and paged, newest first", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const bob = await Withdrawer.of(venue, "bob", "usdt", { address: "sandbox-usdt-1" });
      for (const one of [alice, bob, alice]) await one.must("1");
      await change(venue, 1, "reject");
      for (const isFolded of [false, true]) {
        if (isFolded) await venue.engine.folded();
        assertEquals(await idsOf(venue, WITHDRAWS), [3, 2, 1]);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?uid=${UIDS.alice}`), [3, 1]);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?currency=usdt`), [2]);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?state=accepted`), [3, 2]);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?state=accepted,rejected`), [3, 2, 1]);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?state=to_reject`), []);
        assertEquals(await idsOf(venue, `${WITHDRAWS}?limit=2&page=2`), [1]);
      }
      const { headers } = await venue.get("operator", `${WITHDRAWS}?limit=2`);
      assertEquals(["page", "per-page", "total"].map((name) => headers.get(name)), ["1", "2", "3"]);
    }));

  it("answers 404 if unknown, and is only for operators", () =>
    withVenue(async (venue) => {
      for (const id of ["1", "0", "x"]) {
        assertError(await venue.get("operator", `${WITHDRAWS}/${id}`), 404, "record.not_found");
        for (const action of ["approve", "reject", "retry", "succeed", "fail"]) {
          const answer = await venue.post("operator", `${WITHDRAWS}/${id}/${action}`, REASON);
          assertError(answer, 404, "record.not_found");
        }
      }
      assertError(await venue.get("bob", WITHDRAWS), 401, "authz.invalid_permission");
    }));
});
