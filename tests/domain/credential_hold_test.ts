import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type MoneyVenue, moneyVenue, refusalOf } from "../support/money_venue.ts";

describe("a withdrawal", () => {
  it("waits longer to a beneficiary that is newer than the member's credentials", () => {
    const changes: ((test: MoneyVenue) => void)[] = [
      (test) => test.must({ kind: "note_password_change", uid: "ann" }),
      (test) => {
        const member = test.member("ann");
        test.must({ kind: "set_two_factor", member, otp: test.otp("ann"), isOn: false });
        test.must({ kind: "set_two_factor", member, otp: test.otp("ann"), isOn: true });
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
      test.sink.at += 1;
      change(test);
      test.must({ kind: "change_member", uid: "ann", changes: { level: 4, hasTwoFactor: true } });
      const sameTime = test.activeBeneficiary("ann", "btc", "b");
      test.sink.at += 500;
      const newer = test.activeBeneficiary("ann", "btc", "c");
      const ask = (beneficiary: number, holdMs: number) =>
        refusalOf(
          test.requestWithdraw("ann", "btc", "0.1", {
            beneficiary,
            holdMs,
            credentialHoldMs: 2000,
          }),
        );
      test.sink.at += 1499;
      assertEquals(ask(older, 0), null);
      assertEquals([ask(sameTime, 0), ask(newer, 0)], Array(2).fill("beneficiary_on_hold"));
      test.sink.at += 1;
      assertEquals([ask(sameTime, 0), ask(newer, 0)], [null, null]);
      assertEquals([ask(newer, 1501), ask(newer, 1500)], ["beneficiary_on_hold", null]);
    }
    const never = moneyVenue();
    assertEquals(
      refusalOf(never.do({ kind: "note_password_change", uid: "nobody" })),
      "member_not_found",
    );
  });
});
