import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { balancesAfter } from "../../../src/domain/money/money_balances.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";
import { units } from "../../support/domain_venue.ts";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../../support/money_venue.ts";

const INVALID = "withdraw_state_invalid";

/** Requests a withdrawal that no rail serves; returns its id. */
function requested(test: MoneyVenue, currency: string): number {
  const beneficiary = test.activeBeneficiary("ann", currency);
  const asked = { beneficiary, otp: test.otp("ann"), member: test.member("ann") };
  const command = { kind: "request_withdraw", ...asked, currency, amount: units("1") } as const;
  return withdrawOf(test.do({ ...command, isByHand: true })).id;
}

/** Requests a withdrawal for the rail; returns its id. */
function railed(test: MoneyVenue): number {
  return test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc")).id;
}

/** Has a withdrawal be one of a program that did not say who pays it. */
function makeOlder(test: MoneyVenue, id: number, changes: Partial<Withdraw> = {}): void {
  const withdraw = test.venue.withdraws.get(id);
  if (withdraw === undefined) throw new Error("It is not open");
  const { isByHand: _, ...older } = withdraw;
  const balances = balancesAfter(test.venue, older, {});
  test.sink.emit({ kind: "withdraw_set", withdraw: { ...older, ...changes }, ...balances });
}

const cancelled = (test: MoneyVenue, id: number) =>
  refusalOf(test.do({ kind: "cancel_withdraw", member: test.member("ann"), id }));

const approve = (test: MoneyVenue, id: number, isByHand: boolean) =>
  withdrawOf(test.must({
    kind: "change_withdraw",
    id,
    action: "approve",
    ...(isByHand ? { isByHand } : {}),
  })).isByHand;

const setLock = (test: MoneyVenue, state: "locked" | "active") =>
  test.must({ kind: "change_member", uid: "ann", changes: { state } });

describe("a withdrawal of its rail", () => {
  it("is not reported as paid by hand until it is left to that", () => {
    const test = moneyVenue();
    const id = railed(test);
    assertEquals(test.venue.withdraws.get(id)?.isByHand, false);
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), INVALID);
    assertEquals(withdrawOf(test.moveWithdraw(id, "leave_to_hand")).isByHand, true);
    assertEquals(refusalOf(test.moveWithdraw(id, "leave_to_hand")), INVALID);
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), INVALID);
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });

  it("is not left to payment by hand once a process has claimed it", () => {
    const test = moneyVenue();
    const id = railed(test);
    test.moveWithdraw(id, "claim");
    assertEquals(refusalOf(test.moveWithdraw(id, "leave_to_hand")), INVALID);
    test.moveWithdraw(id, "park");
    assertEquals(refusalOf(test.moveWithdraw(id, "leave_to_hand")), INVALID);
  });

  it("goes to a bank only by hand, without a word of it", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "eur", "1", test.activeBeneficiary("ann", "eur"));
    assertEquals(refusalOf(test.moveWithdraw(id, "leave_to_hand")), INVALID);
    assertEquals("isByHand" in withdrawOf(test.moveWithdraw(id, "approve")), false);
  });
});

describe("a withdrawal that no rail serves when it is approved", () => {
  it("is claimed for a later rail only once the operator has handed it over", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const id = railed(test);
    assertEquals(approve(test, id, true), true);
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), INVALID);
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
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), INVALID);
    assertEquals(cancelled(test, id), INVALID);
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(refusalOf(test.moveWithdraw(id, "hand_over")), "withdrawals_stopped");
    test.must({ kind: "set_switches", switches: { withdrawals: true } });
    assertEquals(withdrawOf(test.moveWithdraw(id, "hand_over")).isByHand, false);
    assertEquals(refusalOf(test.moveWithdraw(id, "hand_over")), INVALID);
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).state, "processing");
  });

  it("stays so when a rail serves it at its approval", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const id = requested(test, "btc");
    assertEquals(approve(test, id, false), true);
  });

  it("is still paid by hand", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });

  it("is not taken back by its member after a lock, since it may have been paid before that", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    setLock(test, "locked");
    setLock(test, "active");
    assertEquals(test.venue.withdraws.get(id)?.isApproved, false);
    assertEquals(cancelled(test, id), INVALID);
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });

  it("is not marked if it goes to a bank, where none ever is", () => {
    const test = moneyVenue();
    assertEquals(test.venue.withdraws.get(requested(test, "eur"))?.isByHand, undefined);
  });
});

describe("a withdrawal of an older program, which did not say who pays it", () => {
  it("is nobody's until it is left to payment by hand, or handed over", () => {
    const test = moneyVenue();
    const id = railed(test);
    makeOlder(test, id);
    for (const action of ["claim", "succeed", "hand_over"] as const) {
      assertEquals(refusalOf(test.moveWithdraw(id, action, { txid: "by hand" })), INVALID, action);
    }
    assertEquals(cancelled(test, id), INVALID);
    assertEquals(withdrawOf(test.moveWithdraw(id, "leave_to_hand")).isByHand, true);
    assertEquals(withdrawOf(test.moveWithdraw(id, "hand_over")).isByHand, false);
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).state, "processing");
  });

  it("is the rail's if it had never been approved, and paid by hand if a lock took that back", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const id = railed(test);
    makeOlder(test, id);
    assertEquals(approve(test, id, false), false);
    makeOlder(test, id);
    setLock(test, "locked");
    setLock(test, "active");
    assertEquals(approve(test, id, false), true);
  });

  it("is sent by a process only after an operator has decided, if one had begun", () => {
    const test = moneyVenue();
    const id = railed(test);
    makeOlder(test, id, { state: "processing", claims: 1 });
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), INVALID);
    test.moveWithdraw(id, "park");
    assertEquals(withdrawOf(test.moveWithdraw(id, "retry")).isByHand, false);
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).claims, 2);
  });
});
