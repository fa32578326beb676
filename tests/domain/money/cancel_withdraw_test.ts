import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../../support/money_venue.ts";

function cancel(test: MoneyVenue, uid: string, id: number) {
  return test.do({ kind: "cancel_withdraw", member: test.member(uid), id });
}

describe("taking back a withdrawal", () => {
  it("returns its funds while it waits for approval, or for its rail", () => {
    const test = moneyVenue();
    const { venue } = test;
    const account = venue.account(test.member("ann"), 0);
    const before = { ...account };
    const id = test.activeBeneficiary("ann", "btc");
    for (const isByHand of [true, false]) {
      test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 1n } });
      const waiting = test.withdraw("ann", "btc", "1", id);
      if (isByHand) test.moveWithdraw(waiting.id, "leave_to_hand");
      assertEquals([waiting.isApproved, waiting.approvalReason], [false, "currency_limit"]);
      const taken = withdrawOf(cancel(test, "ann", waiting.id));
      assertEquals([taken.state, taken.doneAt], ["canceled", test.sink.at]);
      assertEquals(account, before);
    }
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: null } });
    const approved = test.withdraw("ann", "btc", "1", id);
    assertEquals([approved.isApproved, approved.approvalReason], [true, undefined]);
    test.moveWithdraw(approved.id, "leave_to_hand");
    assertEquals(refusalOf(cancel(test, "ann", approved.id)), "withdraw_state_invalid");
    test.moveWithdraw(approved.id, "hand_over");
    assertEquals(refusalOf(cancel(test, "ann", approved.id)), null);
    assertEquals(account, before);
    venue.checkInvariants();
  });

  it("is refused for another's, an unknown one, one under way and one that has ended", () => {
    const test = moneyVenue();
    const id = test.activeBeneficiary("ann", "btc");
    const first = test.withdraw("ann", "btc", "1", id);
    assertEquals(refusalOf(cancel(test, "ben", first.id)), "withdraw_not_found");
    assertEquals(refusalOf(cancel(test, "ann", 0)), "withdraw_not_found");
    assertEquals(refusalOf(cancel(test, "ann", first.id + 1)), "withdraw_not_found");
    test.moveWithdraw(first.id, "claim");
    assertEquals(refusalOf(cancel(test, "ann", first.id)), "withdraw_state_invalid");
    test.moveWithdraw(first.id, "fail");
    assertEquals(refusalOf(cancel(test, "ann", first.id)), "withdraw_state_invalid");
  });
});
