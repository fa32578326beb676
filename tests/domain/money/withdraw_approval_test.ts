import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import { ANY_GROUP } from "../../../src/domain/group_table.ts";
import { ANY_LEVEL } from "../../../src/domain/money/withdraw_limits.ts";
import { type MoneyVenue, moneyVenue, refusalOf } from "../../support/money_venue.ts";
import { units } from "../../support/domain_venue.ts";

const DAY_MS = 86_400_000;

function limit(test: MoneyVenue, day: string, month: string): void {
  const row = { level: ANY_LEVEL, group: ANY_GROUP };
  test.must({
    kind: "set_withdraw_limit",
    row: { ...row, limit24h: units(day), limit1m: units(month) },
  });
}

describe("a withdrawal", () => {
  it("waits for the operator above the limit per day or month", () => {
    const test = moneyVenue();
    limit(test, "60000", "80000");
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const isApproved = (amount: string) =>
      test.withdraw("ann", "btc", amount, beneficiary).isApproved;
    assertEquals(isApproved("3"), true);
    assertEquals(isApproved("0.01"), false);
    test.moveWithdraw(2, "reject");
    test.sink.at += DAY_MS;
    assertEquals(isApproved("1.001"), false);
    test.moveWithdraw(3, "reject");
    assertEquals(isApproved("1"), true);
    test.sink.at += 31 * DAY_MS;
    assertEquals(isApproved("3"), true);
  });

  it("in a currency without a price waits for the operator if there is a limit", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const isApproved = () => test.withdraw("ann", "btc", "1", beneficiary).isApproved;
    const price = (text: string) =>
      test.must({ kind: "change_currency", id: "btc", changes: { price: units(text) } });
    price("0");
    assertEquals(isApproved(), true);
    limit(test, "60000", "80000");
    assertEquals(isApproved(), false);
    price("0.01");
    assertEquals(isApproved(), true);
  });

  it("waits for the operator above its currency's limit for one day or three", () => {
    const test = moneyVenue();
    const change = (daily: string | null, longer: string | null) => {
      const changes = {
        withdrawLimit24h: daily === null ? null : units(daily),
        withdrawLimit72h: longer === null ? null : units(longer),
      };
      test.must({ kind: "change_currency", id: "btc", changes });
    };
    const [btc, usdt] = [
      test.activeBeneficiary("ann", "btc"),
      test.activeBeneficiary("ann", "usdt"),
    ];
    const isApproved = (amount: string) => test.withdraw("ann", "btc", amount, btc).isApproved;
    change("1", "1.5");
    assertEquals(test.withdraw("ann", "usdt", "90", usdt).isApproved, true);
    assertEquals([isApproved("0.6"), isApproved("0.41")], [true, false]);
    test.moveWithdraw(3, "reject");
    assertEquals(isApproved("0.4"), true);
    test.sink.at += DAY_MS;
    assertEquals(isApproved("0.51"), false);
    test.moveWithdraw(5, "reject");
    assertEquals(isApproved("0.5"), true);
    test.sink.at += 2 * DAY_MS;
    assertEquals(isApproved("1"), true);
    test.sink.at += 3 * DAY_MS;
    change(null, "1");
    assertEquals([isApproved("0.9"), isApproved("0.2")], [true, false]);
    change("2", null);
    assertEquals([isApproved("0.9"), isApproved("0.9")], [true, false]);
    test.sink.at += 3 * DAY_MS;
    change("0", null);
    assertEquals(isApproved("0.01"), false);
  });

  it("waits for the operator, however small, under a limit of zero, and has none under null", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { price: 1n } });
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const reasonOf = (limit24h: bigint | null, limit1m: bigint | null) => {
      const row = { level: ANY_LEVEL, group: "any", limit24h, limit1m };
      test.must({ kind: "set_withdraw_limit", row });
      return test.withdraw("ann", "btc", "0.01", beneficiary).approvalReason ?? null;
    };
    assertEquals(reasonOf(0n, null), "member_limit", "of a value that is rounded down to nothing");
    assertEquals(reasonOf(null, 0n), "member_limit");
    assertEquals(reasonOf(null, null), null);
  });
});

describe("approving a withdrawal", () => {
  const stops: readonly [string, Command, Command][] = [
    [
      "member_locked",
      { kind: "change_member", uid: "ann", changes: { state: "banned" } },
      { kind: "change_member", uid: "ann", changes: { state: "active" } },
    ],
    [
      "withdrawals_stopped",
      { kind: "set_switches", switches: { withdrawals: false } },
      { kind: "set_switches", switches: { withdrawals: true } },
    ],
    [
      "withdrawal_disabled",
      { kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } },
      { kind: "change_currency", id: "btc", changes: { withdrawalEnabled: true } },
    ],
  ];
  for (const [rejected, stop, resume] of stops) {
    it(`or retrying it is refused while it may not be paid: ${rejected}`, () => {
      const test = moneyVenue();
      limit(test, "1", "1");
      const beneficiary = test.activeBeneficiary("ann", "btc");
      const [waiting, parked] = ["1", "2"].map((amount) =>
        test.withdraw("ann", "btc", amount, beneficiary)
      );
      const [first, second] = [waiting?.id ?? 0, parked?.id ?? 0];
      for (const action of ["approve", "claim", "park"] as const) test.moveWithdraw(second, action);
      test.must(stop);
      assertEquals(refusalOf(test.moveWithdraw(first, "approve")), rejected);
      assertEquals(refusalOf(test.moveWithdraw(second, "retry")), rejected);
      test.must(resume);
      assertEquals(refusalOf(test.moveWithdraw(first, "approve")), null);
      assertEquals(refusalOf(test.moveWithdraw(second, "retry")), null);
    });
  }

  it("is taken back by a lock of its member, from all that nobody has begun to pay", () => {
    const test = moneyVenue();
    const [ann, ben] = ["ann", "ben"].map((uid) => test.activeBeneficiary(uid, "btc"));
    const within = test.withdraw("ann", "btc", "1", ann ?? 0);
    const claimed = test.withdraw("ann", "btc", "1", ann ?? 0);
    test.moveWithdraw(claimed.id, "claim");
    limit(test, "1", "1");
    const above = test.withdraw("ann", "btc", "1", ann ?? 0);
    test.moveWithdraw(above.id, "approve");
    const waiting = test.withdraw("ann", "btc", "1", ann ?? 0);
    test.fund("ben", "btc", "1");
    const others = test.withdraw("ben", "btc", "1", ben ?? 0);
    test.moveWithdraw(others.id, "approve");
    const before = test.balance("ann", "btc");

    test.sink.at += 5;
    test.must({ kind: "change_member", uid: "ann", changes: { state: "locked" } });
    const after = [within, claimed, above, waiting, others].map(({ id }) => {
      const { isApproved, approvalReason = null } = test.venue.withdraws.get(id) ?? {};
      return [isApproved, approvalReason];
    });
    assertEquals(after, [
      [false, "member_locked"],
      [true, null],
      [false, "member_locked"],
      [false, "member_limit"],
      [true, "member_limit"],
    ]);
    assertEquals(test.venue.withdraws.get(within.id)?.updatedAt, test.sink.at);
    assertEquals(test.balance("ann", "btc"), before);
    test.must({ kind: "change_member", uid: "ann", changes: { state: "active" } });
    assertEquals(refusalOf(test.moveWithdraw(within.id, "claim")), "withdraw_state_invalid");
    assertEquals(refusalOf(test.moveWithdraw(within.id, "approve")), null);
    assertEquals(refusalOf(test.moveWithdraw(within.id, "claim")), null);
    test.venue.checkInvariants();
  });

  it("is not needed again to record what was paid by hand before the lock", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.moveWithdraw(id, "leave_to_hand");
    test.must({ kind: "change_member", uid: "ann", changes: { state: "locked" } });
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed")), "txid_missing");
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "by hand" })), null);
  });
});
