/** Approvals that a lock of a member, or the disabling of a beneficiary, takes back. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { waitingFor } from "../../../src/wallet/waiting_withdraws.ts";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../../support/money_venue.ts";

const DISABLED = "beneficiary_disabled";

const disable = (test: MoneyVenue, id: number, uid = "ann") =>
  test.do({ kind: "disable_beneficiary", uid, id });

const setMember = (test: MoneyVenue, state: "locked" | "active") =>
  test.must({ kind: "change_member", uid: "ann", changes: { state } });

/** Returns how a withdrawal stands, and what it waits for. */
function standing(test: MoneyVenue, id: number) {
  const withdraw = test.venue.withdraws.get(id);
  if (withdraw === undefined) throw new Error(`${id} is not open`);
  const { state, isApproved, approvalReason = null } = withdraw;
  return [state, isApproved, approvalReason, waitingFor(test.venue, withdraw)];
}

describe("a lock of a member", () => {
  it("takes back the approval of what is paid to a bank, as of a coin that is paid by hand", () => {
    const test = moneyVenue();
    const to = test.activeBeneficiary("ann", "eur");
    const [paid, unpaid, waiting] = ["1", "2", "3"].map((amount) =>
      test.withdraw("ann", "eur", amount, to).id
    ) as [number, number, number];
    const parked = test.withdraw("ann", "eur", "1", to).id;
    for (const id of [paid, unpaid, parked]) test.moveWithdraw(id, "approve");
    test.moveWithdraw(parked, "park");
    assertEquals(standing(test, paid), ["processing", true, "fiat", "payment_by_hand"]);
    const before = test.balance("ann", "eur");

    setMember(test, "locked");

    assertEquals(standing(test, paid), ["accepted", false, "member_locked", "hold"]);
    assertEquals(standing(test, waiting), ["accepted", false, "fiat", "hold"]);
    assertEquals(standing(test, parked), ["errored", true, "fiat", "decision"]);
    assertEquals(test.balance("ann", "eur"), before);
    assertEquals(refusalOf(test.moveWithdraw(unpaid, "approve")), "member_locked");
    assertEquals(withdrawOf(test.moveWithdraw(paid, "succeed")).state, "succeed");
    assertEquals(refusalOf(test.moveWithdraw(waiting, "succeed")), "withdraw_state_invalid");
    setMember(test, "active");
    assertEquals(standing(test, unpaid), ["accepted", false, "member_locked", "approval"]);
    const taken = test.do({ kind: "cancel_withdraw", member: test.member("ann"), id: unpaid });
    assertEquals(refusalOf(taken), "withdraw_state_invalid", "it may have been paid");
    assertEquals(withdrawOf(test.moveWithdraw(unpaid, "approve")).state, "processing");
    assertEquals(withdrawOf(test.moveWithdraw(waiting, "reject")).state, "rejected");
  });
});

describe("a beneficiary that an operator disables", () => {
  it("gets nothing any more that no process pays it yet", () => {
    const test = moneyVenue();
    const [own, thiefs] = [
      test.activeBeneficiary("ann", "btc"),
      test.activeBeneficiary("ann", "btc", "a thief's"),
    ] as const;
    const [within, claimed, parked] = ["1", "2", "3"].map((amount) =>
      test.withdraw("ann", "btc", amount, thiefs).id
    ) as [number, number, number];
    const other = test.withdraw("ann", "btc", "1", own).id;
    test.moveWithdraw(claimed, "claim");
    for (const action of ["claim", "park"] as const) test.moveWithdraw(parked, action);
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const [above, byHand] = ["1", "1"].map((amount) =>
      test.withdraw("ann", "btc", amount, thiefs).id
    ) as [number, number];
    for (const action of ["approve", "leave_to_hand"] as const) test.moveWithdraw(byHand, action);

    assertEquals(refusalOf(disable(test, thiefs)), null);

    assertEquals(standing(test, within), ["accepted", false, DISABLED, "decision"]);
    assertEquals(standing(test, above), ["accepted", false, "currency_limit", "decision"]);
    assertEquals(standing(test, byHand), ["accepted", false, DISABLED, "decision"]);
    assertEquals(standing(test, claimed), ["processing", true, null, "rail"]);
    assertEquals(standing(test, other), ["accepted", true, null, "rail"]);
    for (const id of [within, above, byHand]) {
      assertEquals(refusalOf(test.moveWithdraw(id, "approve")), DISABLED);
    }
    assertEquals(refusalOf(test.moveWithdraw(byHand, "hand_over")), DISABLED);
    assertEquals(refusalOf(test.moveWithdraw(parked, "retry")), DISABLED);
    assertEquals(refusalOf(test.moveWithdraw(claimed, "claim")), DISABLED);
    assertEquals(withdrawOf(test.moveWithdraw(byHand, "succeed", { txid: "x" })).state, "succeed");
    assertEquals(withdrawOf(test.moveWithdraw(within, "reject")).state, "rejected");
  });

  it("may be one that whoever made it has deleted, and is disabled once", () => {
    const test = moneyVenue();
    const id = test.activeBeneficiary("ann", "btc");
    const withdraw = test.withdraw("ann", "btc", "1", id).id;
    test.must({ kind: "archive_beneficiary", member: test.member("ann"), id });
    assertEquals(standing(test, withdraw), ["accepted", true, null, "rail"]);
    assertEquals(refusalOf(disable(test, id, "ben")), "beneficiary_not_found");
    assertEquals(refusalOf(disable(test, id)), null);
    assertEquals(standing(test, withdraw), ["accepted", false, DISABLED, "decision"]);
    assertEquals(refusalOf(disable(test, id)), "beneficiary_not_found");
    assertEquals(refusalOf(disable(test, 99)), "beneficiary_not_found");
  });
});
