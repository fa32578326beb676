/** Withdrawals in a venue that has gone on from a copy, after which they may have been paid. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CLAIM_LIFE_MS } from "../../../src/domain/limits.ts";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../../support/money_venue.ts";

const INVALID = "withdraw_state_invalid";
const STOPPED = "withdrawals_stopped";
const COPY = { epoch: "lost", sequence: 7, at: 1, reached: 9 };

function restore(test: MoneyVenue): void {
  const switches = { trading: false, withdrawals: false, restored: COPY };
  test.must({ kind: "set_switches", switches });
}

function open(test: MoneyVenue, isOpen = true): void {
  test.must({ kind: "set_switches", switches: { withdrawals: isOpen } });
}

function requested(test: MoneyVenue, currency: string): number {
  return test.withdraw("ann", currency, "1", test.activeBeneficiary("ann", currency)).id;
}

const settle = (test: MoneyVenue, id: number, txid?: string) =>
  test.do({
    kind: "change_withdraw",
    id,
    action: "succeed",
    ...(txid === undefined ? {} : { txid }),
  });

describe("a withdrawal that a restored copy has as accepted", () => {
  it("is settled by the transaction that paid it, approved or not, of a rail or of a bank", () => {
    const test = moneyVenue();
    const approved = requested(test, "btc");
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawLimit24h: 0n } });
    const waiting = test.withdraw("ann", "btc", "1", 1).id;
    const ofBank = requested(test, "eur");
    assertEquals(test.venue.withdraws.get(waiting)?.isApproved, false);
    restore(test);
    for (const id of [approved, waiting, ofBank]) {
      assertEquals(refusalOf(settle(test, id)), "txid_missing");
      assertEquals(refusalOf(settle(test, id, "")), "txid_missing");
      const { state, txid } = withdrawOf(settle(test, id, `tx${id}`));
      assertEquals([state, txid], ["succeed", `tx${id}`]);
    }
    open(test);
    assertEquals(refusalOf(test.moveWithdraw(approved, "claim")), INVALID);
  });

  it("is not settled so by a stop without a restore, nor once withdrawals were open", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    open(test, false);
    assertEquals(refusalOf(settle(test, id, "tx")), INVALID);
    restore(test);
    test.must({ kind: "set_switches", switches: { trading: true } });
    assertEquals(test.venue.switches.restored, COPY);
    open(test);
    assertEquals(test.venue.switches, { trading: true, withdrawals: true });
    open(test, false);
    assertEquals(refusalOf(settle(test, id, "tx")), INVALID);
  });

  it("is not taken back by its member, who may have it already", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    const member = test.member("ann");
    const take = () => refusalOf(test.do({ kind: "cancel_withdraw", member, id }));
    restore(test);
    assertEquals(take(), STOPPED);
    open(test);
    assertEquals(take(), null);
  });
});

describe("a withdrawal that a restored copy has as claimed", () => {
  it("is settled so once its claim is over", () => {
    const test = moneyVenue();
    const id = requested(test, "btc");
    test.moveWithdraw(id, "claim");
    restore(test);
    assertEquals(refusalOf(settle(test, id, "tx")), INVALID);
    test.sink.at += CLAIM_LIFE_MS + 1;
    assertEquals(refusalOf(settle(test, id)), "txid_missing");
    assertEquals(withdrawOf(settle(test, id, "tx")).state, "succeed");
  });
});
