import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type MoneyVenue, moneyVenue, refusalOf } from "../../support/money_venue.ts";

const HELD = "beneficiary_on_hold";

/** Returns ann's beneficiary, just activated, long after her last change of credentials. */
function activated() {
  const test = moneyVenue();
  test.sink.at += 10_000;
  const beneficiary = test.activeBeneficiary("ann", "btc");
  const change = () => test.must({ kind: "note_password_change", uid: "ann" });
  return { test, beneficiary, activatedAt: test.sink.at, change };
}

/** Returns why a withdrawal is refused at a venue with a hold of 2 s after a change. */
function ask(test: MoneyVenue, beneficiary: number, beneficiaryHoldMs = 0) {
  test.set({ beneficiaryHoldMs, credentialHoldMs: 2000 });
  return refusalOf(test.requestWithdraw("ann", "btc", "0.1", { beneficiary }));
}

describe("the hold after a change of credentials", () => {
  it("applies to a beneficiary newer than the credentials", () => {
    const changes: ((test: MoneyVenue) => void)[] = [
      (test) => test.must({ kind: "note_password_change", uid: "ann" }),
      (test) => {
        test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: false });
        test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: true });
      },
      (test) => {
        for (const hasTwoFactor of [false, true]) {
          test.must({ kind: "change_member", uid: "ann", changes: { hasTwoFactor } });
        }
      },
    ];
    for (const change of changes) {
      const test = moneyVenue();
      test.sink.at += 1000;
      const older = test.activeBeneficiary("ann", "btc", "a");
      test.sink.at += 2001;
      change(test);
      test.must({ kind: "change_member", uid: "ann", changes: { level: 4, hasTwoFactor: true } });
      const sameTime = test.activeBeneficiary("ann", "btc", "b");
      test.sink.at += 500;
      const newer = test.activeBeneficiary("ann", "btc", "c");
      test.sink.at += 1499;
      assertEquals(ask(test, older), null);
      assertEquals([ask(test, sameTime), ask(test, newer)], [HELD, HELD]);
      test.sink.at += 1;
      assertEquals([ask(test, sameTime), ask(test, newer)], [null, null]);
      assertEquals([ask(test, newer, 1501), ask(test, newer, 1500)], [HELD, null]);
    }
    const never = moneyVenue();
    assertEquals(
      refusalOf(never.do({ kind: "note_password_change", uid: "nobody" })),
      "member_not_found",
    );
  });

  it("applies as long to a beneficiary made shortly before the change", () => {
    // Time of the change after the activation, and when withdrawals become possible.
    const times = [[0, 2000], [1, 2001], [1999, 3999], [2000, 4000], [2001, 4000], [3999, 4000]];
    for (const [changed = 0, free = 0] of times) {
      const { test, beneficiary, activatedAt, change } = activated();
      test.sink.at = activatedAt + changed;
      change();
      test.sink.at = activatedAt + free - 1;
      assertEquals(ask(test, beneficiary), HELD, `${changed}`);
      test.sink.at += 1;
      assertEquals(ask(test, beneficiary), null, `${changed}`);
    }
    const { test, beneficiary, change } = activated();
    test.sink.at += 4000;
    change();
    assertEquals(ask(test, beneficiary), null);
  });

  it("starts only if the old password was checked against current credentials", () => {
    const test = moneyVenue();
    const change = (knownGeneration?: number) =>
      refusalOf(test.do({
        kind: "note_password_change",
        uid: "ann",
        ...(knownGeneration === undefined ? {} : { knownGeneration }),
      }));
    const first = test.generation("ann");
    assertEquals([change(first + 1), change(first), change(first)], [
      "credentials_changed",
      null,
      "credentials_changed",
    ]);
    assertEquals([change(first + 1), change(), change(first + 3)], [null, null, null]);
  });

  it("is not ended by a later change", () => {
    for (const later of [1600, 2500, 3400]) {
      const { test, beneficiary, activatedAt, change } = activated();
      for (const after of [1500, later]) {
        test.sink.at = activatedAt + after;
        change();
      }
      test.sink.at = activatedAt + 1500 + 1999;
      assertEquals(ask(test, beneficiary), HELD);
    }
  });
});
