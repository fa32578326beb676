import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { units } from "../support/domain_venue.ts";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../support/money_venue.ts";

/** Requests a withdrawal that no rail serves; returns its id. */
function requested(test: MoneyVenue, currency: string): number {
  const beneficiary = test.activeBeneficiary("ann", currency);
  const asked = { beneficiary, holdMs: 0, otp: test.otp("ann"), member: test.member("ann") };
  const command = { kind: "request_withdraw", ...asked, currency, amount: units("1") } as const;
  return withdrawOf(test.do({ ...command, isByHand: true })).id;
}

describe("a withdrawal that no rail serves when it is approved", () => {
  it("is claimed for a later rail only once the operator has handed it over", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const command = { kind: "change_withdraw", id, action: "approve", isByHand: true } as const;
    assertEquals(withdrawOf(test.must(command)).isByHand, true);
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "withdraw_state_invalid");
    test.moveWithdraw(id, "hand_over");
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).state, "processing");
  });
});

describe("a withdrawal that no rail served when it was requested", () => {
  it("is claimed for a later rail only once the operator has handed it over", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    const { venue } = test;
    assertEquals(venue.withdraws.get(id)?.isByHand, true);
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "withdraw_state_invalid");
    const cancel = { kind: "cancel_withdraw", member: test.member("ann"), id } as const;
    assertEquals(refusalOf(test.do({ ...cancel, isServed: true })), "withdraw_state_invalid");
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(refusalOf(test.moveWithdraw(id, "hand_over")), "withdrawals_stopped");
    test.must({ kind: "set_switches", switches: { withdrawals: true } });
    assertEquals(withdrawOf(test.moveWithdraw(id, "hand_over")).isByHand, undefined);
    assertEquals(refusalOf(test.moveWithdraw(id, "hand_over")), "withdraw_state_invalid");
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).state, "processing");
  });

  it("is still paid by hand", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });

  it("is not taken back by its member after a lock, since it may have been paid before that", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    const set = (state: "locked" | "active") =>
      test.must({ kind: "change_member", uid: "ann", changes: { state } });
    set("locked");
    set("active");
    assertEquals(test.venue.withdraws.get(id)?.isApproved, false);
    const cancel = { kind: "cancel_withdraw", member: test.member("ann"), id } as const;
    for (const isServed of [true, false]) {
      assertEquals(refusalOf(test.do({ ...cancel, isServed })), "withdraw_state_invalid");
    }
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });

  it("is not marked if it goes to a bank, where none ever is", () => {
    const test = moneyVenue();
    assertEquals(test.venue.withdraws.get(requested(test, "eur"))?.isByHand, undefined);
  });
});
