/** Batches of a clock that is ahead, which are undone: by their time nothing has expired. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CLIENT_ORDER_ID_LIFE_MS, WITHDRAW_SUMS_MS } from "../../src/domain/limits.ts";
import { DomainVenue } from "../support/domain_venue.ts";
import { moneyVenue } from "../support/money_venue.ts";

const ORDER = { amount: "1", price: "10", clientOrderId: "mine" } as const;

describe("the client order ids of a member", () => {
  it("stay taken if the batch in which they had expired is undone", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "1000" });
    const first = test.buy("ann", "1", "10", ORDER);
    test.sink.at += CLIENT_ORDER_ID_LIFE_MS - 1;
    test.buy("ann", "1", "10");
    test.sink.forget();
    const mark = test.sink.mark();
    // A clock that is two seconds ahead.
    test.sink.at += 2000;
    for (const clientOrderId of ["a", "b"]) test.buy("ann", "1", "10", { clientOrderId });
    for (const _ of test.venue.holders) test.buy("ann", "1", "10");
    test.sink.rollback(mark);
    test.sink.at -= 2000;
    const repeat = { kind: "orders_placed", orders: [{ repeats: first.id }] } as const;
    assertEquals(test.place("ann", ORDER), repeat);
  });
});

describe("the withdrawals that count against a limit", () => {
  it("still count if the batch in which they no longer did is undone", () => {
    const test = moneyVenue().withWithdrawer("cid", { btc: "10" });
    const beneficiary = test.activeBeneficiary("cid", "btc");
    const counted = () => test.venue.holder(test.member("cid")).countedWithdraws.size;
    test.withdraw("cid", "btc", "1", beneficiary);
    test.sink.forget();
    const mark = test.sink.mark();
    test.sink.at += WITHDRAW_SUMS_MS + 1;
    test.withdraw("cid", "btc", "1", beneficiary);
    test.sink.rollback(mark);
    assertEquals(counted(), 1);
  });
});
