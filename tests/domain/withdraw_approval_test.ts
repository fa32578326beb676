import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_GROUP } from "../../src/domain/group_table.ts";
import { ANY_LEVEL } from "../../src/domain/withdraw_limits.ts";
import { type MoneyVenue, moneyVenue } from "../support/money_venue.ts";
import { units } from "../support/domain_venue.ts";

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
