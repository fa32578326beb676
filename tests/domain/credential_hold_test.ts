import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
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

  it("waits for the change that its beneficiary is newer than, whatever changes afterwards", () => {
    const test = moneyVenue();
    const change = () => test.must({ kind: "note_password_change", uid: "ann" });
    const ask = (beneficiary: number) =>
      refusalOf(
        test.requestWithdraw("ann", "btc", "0.1", { beneficiary, credentialHoldMs: 2000 }),
      );
    test.sink.at += 1000;
    change();
    test.sink.at += 500;
    const newer = test.activeBeneficiary("ann", "btc", "a");
    test.sink.at += 500;
    change();
    test.sink.at += 999;
    assertEquals(ask(newer), "beneficiary_on_hold");
    test.sink.at += 1;
    assertEquals(ask(newer), null);
  });

  it("goes by the last change alone where an older program has activated the beneficiary", () => {
    const test = moneyVenue();
    const isHeld = (activatedAt: number) => {
      const id = test.activeBeneficiary("ann", "btc", `of ${activatedAt}`);
      const beneficiary = test.venue.holder(test.member("ann")).beneficiaries.get(id);
      const { credentialsChangedAt: _, ...older } = present(beneficiary, "it was made");
      test.sink.emit({ kind: "beneficiary_set", beneficiary: { ...older, activatedAt } });
      const options = { beneficiary: id, credentialHoldMs: 2000 };
      return refusalOf(test.requestWithdraw("ann", "btc", "0.1", options));
    };
    test.sink.at += 1000;
    test.must({ kind: "note_password_change", uid: "ann" });
    const changedAt = test.sink.at;
    test.sink.at += 1999;
    const held = "beneficiary_on_hold";
    assertEquals([-1, 0, 1].map((ms) => isHeld(changedAt + ms)), [null, held, held]);
  });
});
