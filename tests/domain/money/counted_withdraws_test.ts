import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WITHDRAW_SUMS_MS } from "../../../src/domain/limits.ts";
import { type MoneyVenue, moneyVenue } from "../../support/money_venue.ts";

function countedOf(test: MoneyVenue, uid: string): number {
  return test.venue.holder(test.member(uid)).countedWithdraws.size;
}

describe("what a member has withdrawn", () => {
  it("is forgotten once it no longer counts, as other members withdraw", () => {
    const test = moneyVenue().withWithdrawer("cid", { btc: "1000" });
    const cids = test.activeBeneficiary("cid", "btc");
    const everybodysTurn = () => {
      for (const _ of test.venue.holders) test.withdraw("cid", "btc", "0.1", cids);
    };
    test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.sink.at += WITHDRAW_SUMS_MS;
    everybodysTurn();
    assertEquals(countedOf(test, "ann"), 1);
    test.sink.at += 1;
    test.sink.forget();
    everybodysTurn();
    assertEquals(countedOf(test, "ann"), 1, "whatever is not durable yet may be undone");
    test.sink.forget();
    everybodysTurn();
    assertEquals(countedOf(test, "ann"), 0);
  });

  it("is forgotten when it withdraws again, even out of turn", () => {
    const test = moneyVenue();
    for (let i = 0; i < 20; i++) test.withMember(`idle-${i}`);
    test.withWithdrawer("cid", { btc: "10" });
    const beneficiary = test.activeBeneficiary("cid", "btc");
    test.withdraw("cid", "btc", "1", beneficiary);
    test.sink.at += WITHDRAW_SUMS_MS + 1;
    test.withdraw("cid", "btc", "1", beneficiary);
    assertEquals(countedOf(test, "cid"), 2);
    test.sink.forget();
    test.withdraw("cid", "btc", "1", beneficiary);
    assertEquals(countedOf(test, "cid"), 2);
  });
});
