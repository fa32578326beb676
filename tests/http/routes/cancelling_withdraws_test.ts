import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { createFiat, UIDS } from "../../support/beneficiaries.ts";
import { Withdrawer } from "../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const WITHDRAWS = "/api/v2/backend/account/withdraws";
const ADMIN = "/api/v2/admin";
const CANNOT = "account.withdraw.cant_cancel";

/** Makes every withdrawal of a currency wait for the operator. */
async function limit(venue: TestVenue): Promise<void> {
  const json = { withdraw_limit_24h: "0.01" };
  const answer = await venue.call("operator", "PATCH", `${ADMIN}/currencies/btc`, { json });
  assertEquals(answer.status, 200);
}

async function balance(venue: TestVenue): Promise<[string, string]> {
  const { body } = await venue.get("alice", "/api/v2/backend/account/balances/btc");
  return [body.balance, body.locked];
}

describe("a withdrawal above the limits", () => {
  it("tells its member that it waits, and why", () =>
    withVenue(async (venue) => {
      await limit(venue);
      const withdrawer = await Withdrawer.of(venue, "alice");
      const { id } = await withdrawer.must("1");
      const { status, body } = await venue.get("alice", `${WITHDRAWS}/${id}`);
      assertEquals([status, body.state, body.waits_for, body.approval_reason], [
        200,
        "accepted",
        "approval",
        "currency_limit",
      ]);
      assertEquals((await venue.get("alice", WITHDRAWS)).body, [body]);
      assertEquals((await venue.get("alice", `/api/v2/peatio/account/withdraws/${id}`)).body, body);
      await venue.post("operator", `${ADMIN}/withdraws/${id}/reject`);
      const ended = (await venue.get("alice", `${WITHDRAWS}/${id}`)).body;
      assertEquals([ended.state, ended.waits_for, ended.approval_reason], ["rejected", null, null]);
    }));

  it("is taken back by its member: its funds are free, no limit counts it, a message tells", () =>
    withVenue(async (venue) => {
      await limit(venue);
      const withdrawer = await Withdrawer.of(venue, "alice");
      const before = await balance(venue);
      const { id } = await withdrawer.must("1");
      assertEquals(await balance(venue), ["99.0", "1.0"]);
      const answer = await venue.call("alice", "DELETE", `${WITHDRAWS}/${id}`);
      const { state, waits_for, done_at } = answer.body;
      assertEquals([answer.status, state, waits_for, done_at === null], [
        200,
        "canceled",
        null,
        false,
      ]);
      assertEquals(await balance(venue), before);
      const sums = (await venue.get("alice", `${WITHDRAWS}/sums`)).body;
      assertEquals(sums.last_24_hours, "0.0");
      const [told] = await venue.outbox.list(UIDS.alice);
      assertEquals(told?.kind, "withdraw_canceled");
      assertError(await venue.call("alice", "DELETE", `${WITHDRAWS}/${id}`), 422, CANNOT);
      const approved = await venue.post("operator", `${ADMIN}/withdraws/${id}/approve`);
      assertError(approved, 422, "admin.withdraw.invalid_state");
      venue.engine.venue.checkInvariants();
    }));

  it("is either approved or taken back when both come at once", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      await venue.post("operator", `${ADMIN}/adjustments`, {
        uid: UIDS.alice,
        currency: "eur",
        amount: "100",
        reason: "funds",
      });
      const bank = { full_name: "Alice Liddell", account_number: "DE02120300000000202051" };
      const withdrawer = await Withdrawer.of(venue, "alice", "eur", bank);
      for (let round = 0; round < 6; round++) {
        const { id } = await withdrawer.must("10");
        assertEquals((await venue.get("alice", `${WITHDRAWS}/${id}`)).body.approval_reason, "fiat");
        const calls = [
          () => venue.post("operator", `${ADMIN}/withdraws/${id}/approve`),
          () => venue.call("alice", "DELETE", `${WITHDRAWS}/${id}`),
        ];
        if (round % 2 === 1) calls.reverse();
        const answers = await Promise.all(calls.map((call) => call()));
        assertEquals(answers.map(({ status }) => status).sort(), [200, 422]);
      }
      venue.engine.venue.checkInvariants();
    }));

  it("is not another member's to see or to take back", () =>
    withVenue(async (venue) => {
      await limit(venue);
      const { id } = await (await Withdrawer.of(venue, "alice")).must("1");
      for (const method of ["GET", "DELETE"] as const) {
        for (const name of [id, 999, "x"]) {
          const answer = await venue.call("bob", method, `${WITHDRAWS}/${name}`);
          assertError(answer, 404, "record.not_found");
        }
      }
      assertEquals(venue.engine.venue.withdraws.get(id)?.state, "accepted");
    }));
});

describe("a withdrawal within the limits", () => {
  it("waits for its payout, and is taken back while no process has claimed it", () =>
    withVenue(async (venue) => {
      const { id } = await (await Withdrawer.of(venue, "alice")).must("1");
      const { body } = await venue.get("alice", `${WITHDRAWS}/${id}`);
      assertEquals([body.waits_for, body.approval_reason], ["payout", null]);
      assertEquals((await venue.call("alice", "DELETE", `${WITHDRAWS}/${id}`)).status, 200);
    }));

  it("is not taken back once it is on its way", () =>
    withVenue(async (venue) => {
      const { id } = await (await Withdrawer.of(venue, "alice")).must("1");
      await venue.engine.submit({ kind: "change_withdraw", id, action: "claim", claims: 0 }, null);
      const { body } = await venue.get("alice", `${WITHDRAWS}/${id}`);
      assertEquals([body.state, body.waits_for], ["processing", null]);
      assertError(await venue.call("alice", "DELETE", `${WITHDRAWS}/${id}`), 422, CANNOT);
    }));
});
