import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ADMIN_DEPOSIT,
  ADMIN_WITHDRAW_DETAIL,
} from "../../../../src/edge/schemas/admin/admin_money.ts";
import { isRejection } from "../../../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../../../src/domain/limits.ts";
import { UnreadableError } from "../../../../src/engine/engine.ts";
import { assertError } from "../../../support/assert_error.ts";
import {
  activeBeneficiary,
  BENEFICIARIES,
  createFiat,
  UIDS,
} from "../../../support/beneficiaries.ts";
import { operate, withdraw, WITHDRAWS as MEMBERS_WITHDRAWS } from "../../../support/withdraws.ts";
import { Withdrawer } from "../../../support/withdrawals.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const WITHDRAWS = "/api/v2/admin/withdraws";

function enter(venue: TestVenue, fields: Record<string, unknown>): Promise<Answer> {
  const deposit = { uid: UIDS.alice, currency: "btc", amount: "1", ...fields };
  return venue.post("operator", "/api/v2/admin/deposits", deposit);
}

describe("deposits entered by the operator", () => {
  it("are of a whole transaction, or of a named output", () =>
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

  it("name an output only together with its transaction", () =>
    withVenue(async (venue) => {
      const refused = await enter(venue, { output: 0 });
      assertError(refused, 422, "admin.deposit.missing_txid");
      assertEquals(refused.body.details, { field: "txid" });
      assertEquals(venue.engine.venue.counters.deposits, 0);
    }));

  it("name outputs only by number", () =>
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

describe("withdrawals of a coin", () => {
  const succeed = (venue: TestVenue, id: number, txid?: string) =>
    venue.post("operator", `${WITHDRAWS}/${id}/succeed`, txid === undefined ? {} : { txid });

  it("are listed with what they wait for, and a later rail pays them only if told to", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1", { isByHand: true });
      const list = async (words: string) => {
        const path = `${WITHDRAWS}?waiting_for=${words}`;
        const { body, headers } = await venue.get("operator", path);
        assertEquals(headers.get("total"), String(body.length));
        return body.map((one: Record<string, unknown>) => [one["id"], one["waiting_for"]]);
      };
      assertEquals(await list("rail,payment_by_hand"), [[id, "payment_by_hand"]]);
      assertEquals(await list("approval,rail,decision,hold"), []);
      const wrong = await venue.get("operator", `${WITHDRAWS}?waiting_for=nothing`);
      assertError(wrong, 422, "admin.withdraw.invalid_waiting_for");
      const { status, body } = await venue.post("operator", `${WITHDRAWS}/${id}/hand_over`);
      assertEquals([status, body.waiting_for, body.is_by_hand], [200, "rail", false]);
      const again = await venue.post("operator", `${WITHDRAWS}/${id}/hand_over`);
      assertError(again, 422, "admin.withdraw.invalid_state");
    }));

  it("are marked when they are requested without a rail, and handed over to none", () =>
    withVenue(async (venue) => {
      const { body } = await withdraw(venue, await activeBeneficiary(venue, "alice"));
      const { body: read } = await venue.get("operator", `${WITHDRAWS}/${body.id}`);
      assertEquals([read.is_by_hand, read.waiting_for], [true, "payment_by_hand"]);
      const over = await venue.post("operator", `${WITHDRAWS}/${body.id}/hand_over`);
      assertError(over, 422, "admin.withdraw.invalid_state");
    }, { walletRail: "none" }));

  it("succeed by the operator's word if no rail serves it", () =>
    withVenue(async (venue) => {
      const limits = { limit_24_hour: "100000", limit_1_month: "1000000" };
      await venue.post("operator", "/api/v2/admin/withdraw_limits", limits);
      const alice = await Withdrawer.of(venue, "alice");
      const [within, above] = [await alice.must("5", { isByHand: true }), await alice.must("5")];
      const unnamed = await succeed(venue, within.id);
      assertError(unnamed, 422, "admin.withdraw.missing_txid");
      assertEquals(unnamed.body.details, { field: "txid", rule: "required" });
      assertError(await succeed(venue, above.id, "0xb"), 422, "admin.withdraw.invalid_state");
      const approved = await venue.post("operator", `${WITHDRAWS}/${above.id}/approve`);
      assertEquals([approved.body.is_by_hand, approved.body.waiting_for], [
        true,
        "payment_by_hand",
      ]);
      for (const { id } of [within, above]) {
        const { status, body } = await succeed(venue, id, `0x${id}`);
        assertEquals([status, body.state, body.blockchain_txid], [200, "succeed", `0x${id}`]);
      }
      assertError(await succeed(venue, 99, "0xc"), 404, "record.not_found");
      venue.engine.venue.checkInvariants();
    }, { walletRail: "none" }));

  it("do not if a rail is about to send it", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1");
      assertError(await succeed(venue, id, "0xa"), 422, "admin.withdraw.invalid_state");
      assertEquals(venue.engine.venue.withdraws.get(id)?.state, "accepted");
    }));

  it("do not fail if the rail has sent it, or can't say", () =>
    withVenue(async (venue) => {
      const payouts = (outcome: string) =>
        venue.post("operator", "/api/v2/admin/sandbox/payouts", { currency: "btc", outcome });
      const fail = (id: number) => venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1");
      await venue.wallet.tick();
      assertEquals(venue.engine.venue.withdraws.get(id)?.state, "confirming");
      for (const [outcome, value] of [["confirm", "sent"], ["hide", "unknown"]] as const) {
        await payouts(outcome);
        const refused = await fail(id);
        assertError(refused, 422, "admin.withdraw.invalid_state");
        assertEquals(refused.body.details, { field: "state", value, rule: "state" });
      }
      assertEquals(venue.engine.venue.withdraws.get(id)?.state, "confirming");
      await payouts("fail");
      const given = await alice.must("2");
      await venue.wallet.tick();
      assertError(await fail(given.id), 422, "admin.withdraw.invalid_state");
      venue.clock.now += 60_000;
      const { status, body } = await fail(given.id);
      assertEquals([status, body.state], [200, "failed"], "its chain has given it up");
      venue.engine.venue.checkInvariants();
    }));

  it("do not fail if a process took them over since the rail was asked", () =>
    withVenue(async (venue) => {
      const id = await claimedWithdraw(venue);
      venue.clock.now += CLAIM_LIFE_MS + 1;
      whenFailed(venue, () => venue.wallet.tick());
      const answer = await venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      assertError(answer, 422, "admin.withdraw.invalid_state");
      assertEquals(venue.engine.venue.withdraws.get(id)?.state, "confirming");
    }));

  it("do not fail if the rail was asked while a process could still send them", () =>
    withVenue(async (venue) => {
      const id = await claimedWithdraw(venue);
      venue.clock.now += CLAIM_LIFE_MS - 10;
      whenFailed(venue, () => {
        venue.clock.now += 20;
        return Promise.resolve();
      });
      const refused = await venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      assertError(refused, 422, "admin.withdraw.invalid_state");
      assertEquals(refused.body.details, { field: "state", value: "processing", rule: "state" });
      venue.clock.now += 20;
      const { status, body } = await venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      assertEquals([status, body.state], [200, "failed"]);
    }));
});

describe("the destination of a withdrawal", () => {
  const read = (venue: TestVenue, id: number) => venue.get("operator", `${WITHDRAWS}/${id}`);

  it("is shown to operators whole, even once it is deleted, and in no list", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const funds = { uid: UIDS.alice, currency: "eur", amount: "50" };
      await operate(venue, "POST", "adjustments", funds);
      const data = { full_name: "Alice Liddell", account_number: "DE02120300000000202051" };
      const alice = await Withdrawer.of(venue, "alice", "eur", data);
      const { id } = await alice.must("20");
      const { acts } = venue.engine.venue.counters;
      const shown = { id: alice.beneficiary, name: "Cold wallet", data };
      const first = await read(venue, id);
      ADMIN_WITHDRAW_DETAIL.parse(first.body);
      assertEquals(first.body.beneficiary, { ...shown, state: "active" });
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${alice.beneficiary}`);
      const { body } = await read(venue, id);
      assertEquals(body.beneficiary, { ...shown, state: "archived" });
      assertEquals("beneficiary" in (await venue.get("operator", WITHDRAWS)).body[0], false);
      assertEquals("beneficiary" in (await venue.get("alice", MEMBERS_WITHDRAWS)).body[0], false);
      assertEquals(venue.engine.venue.counters.acts, acts);
    }));

  it("is null if its row is missing or has another address", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1");
      const { body: { beneficiary } } = await read(venue, id);
      assertEquals(beneficiary.data, { address: "sandbox-btc-1" });
      const other = await activeBeneficiary(venue, "alice", { data: { address: "elsewhere" } });
      for (const value of [await venue.engine.readSidecar(["beneficiaries", other]), null]) {
        const key = ["beneficiaries", alice.beneficiary];
        await venue.engine.writeSidecar({ key, value });
        const { status, body } = await read(venue, id);
        assertEquals([status, body.beneficiary, body.rid], [200, null, ""]);
      }
      assertEquals(venue.unexpected, []);
    }));

  it("is unavailable, not null, while the store cannot be read", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const { id } = await alice.must("1");
      const readSidecar = venue.engine.readSidecar.bind(venue.engine);
      venue.engine.readSidecar = (key) =>
        key[0] === "beneficiaries"
          ? Promise.reject(new UnreadableError("The row cannot be read"))
          : readSidecar(key);
      assertError(await read(venue, id), 503, "server.unavailable");
    }));
});

/** Requests a withdrawal for alice, and claims it for a process that then does nothing. */
async function claimedWithdraw(venue: TestVenue): Promise<number> {
  const alice = await Withdrawer.of(venue, "alice");
  const { id } = await alice.must("1");
  const claim = { kind: "change_withdraw", id, action: "claim", claims: 0 } as const;
  assertEquals(isRejection(await venue.engine.submit(claim, null)), false);
  return id;
}

/** Runs `act` between the rail's answer and the operator's command that fails a withdrawal. */
function whenFailed({ engine }: TestVenue, act: () => Promise<void>): void {
  const submit = engine.submit.bind(engine);
  engine.submit = async (command, signature, ...more) => {
    const isByHand = command.kind === "change_withdraw" && command.action === "fail";
    if (isByHand && signature !== null) await act();
    return await submit(command, signature, ...more);
  };
}

describe("processes that were started with another rail than the venue has", () => {
  const setRail = (venue: TestVenue, walletRail: "none" | "sandbox") =>
    venue.engine.submit({ kind: "set_settings", changes: { walletRail } }, null);
  const payer = async (venue: TestVenue, id: number) => {
    const { body } = await venue.get("operator", `${WITHDRAWS}/${id}`);
    return [body.is_by_hand, body.waiting_for];
  };
  const refused = async (venue: TestVenue, path: string, body?: Record<string, unknown>) =>
    assertError(
      await venue.post("operator", `${WITHDRAWS}/${path}`, body),
      422,
      "admin.withdraw.invalid_state",
    );

  it("leave to the rail what the venue has one for, though they have none", () =>
    withVenue(async (venue) => {
      await setRail(venue, "sandbox");
      const to = await activeBeneficiary(venue, "alice");
      const { body: { id } } = await withdraw(venue, to);
      assertEquals(await payer(venue, id), [false, "rail"]);
      await venue.wallet.tick();
      await refused(venue, `${id}/succeed`, { txid: "0xa" });
      assertEquals(await payer(venue, id), [false, "rail"]);
      const { status } = await venue.call("alice", "DELETE", `${MEMBERS_WITHDRAWS}/${id}`);
      assertEquals(status, 200);
    }, { walletRail: "none" }));

  it("don't fail what another process may have sent, as they can't ask the rail", () =>
    withVenue(async (venue) => {
      await setRail(venue, "sandbox");
      const id = await claimedWithdraw(venue);
      venue.clock.now += CLAIM_LIFE_MS + 1;
      const { body } = await venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      assertEquals(body.details, { field: "state", value: "unknown", rule: "state" });
      await setRail(venue, "none");
      const failed = await venue.post("operator", `${WITHDRAWS}/${id}/fail`);
      assertEquals([failed.status, failed.body.state], [200, "failed"]);
    }, { walletRail: "none" }));

  it("leave to payment by hand what the venue has no rail for, though they have one", () =>
    withVenue(async (venue) => {
      const alice = await Withdrawer.of(venue, "alice");
      const limits = { limit_24_hour: "100000", limit_1_month: "1000000" };
      await venue.post("operator", "/api/v2/admin/withdraw_limits", limits);
      const [before, waiting] = [await alice.must("1"), await alice.must("9")];
      const raised = { limit_24_hour: "1000000", limit_1_month: "1000000" };
      await venue.post("operator", "/api/v2/admin/withdraw_limits", raised);
      await setRail(venue, "none");
      const approved = await venue.post("operator", `${WITHDRAWS}/${waiting.id}/approve`);
      assertEquals([approved.status, approved.body.waiting_for], [200, "payment_by_hand"]);
      const { body: { id } } = await withdraw(venue, alice.beneficiary, { amount: "0.5" });
      assertEquals(await payer(venue, id), [true, "payment_by_hand"]);
      await refused(venue, `${id}/hand_over`);
      assertEquals(await payer(venue, before.id), [false, "rail"]);
      await venue.wallet.tick();
      assertEquals(await payer(venue, before.id), [true, "payment_by_hand"]);
      await setRail(venue, "sandbox");
      await venue.wallet.tick();
      for (const one of [before.id, waiting.id, id]) {
        assertEquals(await payer(venue, one), [true, "payment_by_hand"]);
      }
    }));

  it("retry no payout that nobody would send", () =>
    withVenue(async (venue) => {
      const id = await claimedWithdraw(venue);
      await setRail(venue, "none");
      venue.clock.now += CLAIM_LIFE_MS + 1;
      await venue.wallet.tick();
      assertEquals(await payer(venue, id), [false, "decision"]);
      await refused(venue, `${id}/retry`);
      await setRail(venue, "sandbox");
      const { status, body } = await venue.post("operator", `${WITHDRAWS}/${id}/retry`);
      assertEquals([status, body.waiting_for], [200, "rail"]);
    }));
});
