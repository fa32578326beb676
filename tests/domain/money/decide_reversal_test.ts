import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_OUTPUT } from "../../../src/domain/money/deposit.ts";
import type { Reverse } from "../../../src/domain/money_command.ts";
import { units } from "../../support/domain_venue.ts";
import {
  depositOf,
  type MoneyVenue,
  moneyVenue,
  refusalOf,
  withdrawOf,
} from "../../support/money_venue.ts";

function reverse(test: MoneyVenue, reversed: Reverse["reversed"], more: Partial<Reverse> = {}) {
  const lookup = { knownId: 0, checkedAt: test.venue.sequence };
  return test.do({ kind: "reverse", reversed, ...lookup, ...more });
}

/** Credits a deposit of ben's; returns it. */
function credited(test: MoneyVenue, currency: "btc" | "eur", amount: string) {
  const { id } = test.deposit("ben", currency, amount);
  test.moveDeposit(id, "accept");
  if (currency === "btc") {
    test.moveDeposit(id, "process");
    test.moveDeposit(id, "collect");
  }
  const record = test.venue.endedDeposits.find((one) => one.id === id);
  if (record === undefined) throw new Error("The deposit has not ended");
  return { type: "deposit", record } as const;
}

/** Pays a withdrawal of ann's; returns it. */
function paid(test: MoneyVenue) {
  const to = test.activeBeneficiary("ann", "btc", `ann's ${test.venue.counters.beneficiaries}`);
  const { id } = test.withdraw("ann", "btc", "2", to);
  for (const action of ["claim", "send"] as const) test.moveWithdraw(id, action, { txid: "t" });
  return { type: "withdraw", record: withdrawOf(test.moveWithdraw(id, "succeed")) } as const;
}

describe("a reversal", () => {
  it("takes a deposit back, with its fee, once", () => {
    for (const currency of ["btc", "eur"] as const) {
      const test = moneyVenue();
      const { venue } = test;
      test.must({ kind: "change_currency", id: currency, changes: { depositFee: units("0.01") } });
      const index = venue.currencyById.get(currency)?.index ?? -1;
      const fees = () => venue.holder(0).accounts[index]?.available ?? 0n;
      const before = [test.balance("ben", currency), fees()];
      const deposit = credited(test, currency, "3");
      assertEquals(refusalOf(reverse(test, deposit, { knownId: 9 })), "reversal_made");
      const outcome = reverse(test, deposit);
      assertEquals(refusalOf(outcome), null);
      const reversal = venue.endedDeposits.at(-1);
      assertEquals(
        [reversal?.amount, reversal?.fee, reversal?.reverses, reversal?.state],
        [
          -units("3"),
          -units("0.01"),
          { type: "deposit", id: deposit.record.id },
          deposit.record.state,
        ],
      );
      assertEquals([test.balance("ben", currency), fees()], before);
      assertEquals(refusalOf(reverse(test, deposit)), "reversal_made");
      if (reversal === undefined) throw new Error("There is no reversal");
      const again = reverse(test, { type: "deposit", record: reversal });
      assertEquals(refusalOf(again), "deposit_state_invalid");
      venue.checkInvariants();
    }
  });

  it("takes no more than its member has available, whose balance is never negative", () => {
    const test = moneyVenue();
    const deposit = credited(test, "btc", "3");
    test.must({ kind: "adjust_balance", uid: "ben", currency: "btc", amount: -units("1") });
    assertEquals(reverse(test, deposit), {
      rejected: "balance_insufficient",
      field: "id",
      needed: "3",
      available: "2",
    });
    test.must({ kind: "adjust_balance", uid: "ben", currency: "btc", amount: units("1") });
    assertEquals(refusalOf(reverse(test, deposit)), null);
    assertEquals(test.balance("ben", "btc"), "0/0");
  });

  it("is only of what has been credited or paid", () => {
    const test = moneyVenue();
    const { id } = test.deposit("ben", "btc", "3");
    const record = test.venue.deposits.get(id);
    if (record === undefined) throw new Error("The deposit is not open");
    const open = reverse(test, { type: "deposit", record });
    assertEquals(refusalOf(open), "deposit_state_invalid");
    const withdraw = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const unpaid = reverse(test, { type: "withdraw", record: withdraw });
    assertEquals(refusalOf(unpaid), "withdraw_state_invalid");
  });

  it("gives back what was sent of a withdrawal that came back, once, and keeps its fee", () => {
    const test = moneyVenue();
    const returned = paid(test);
    const { id } = returned.record;
    const fees = test.venue.holder(0).accounts[0]?.available;
    const payment = { txid: "R1", knownId: 0, checkedAt: test.venue.sequence };
    assertEquals(refusalOf(reverse(test, returned, { payment })), null);
    const deposit = test.venue.endedDeposits.at(-1);
    assertEquals(
      [deposit?.amount, deposit?.fee, deposit?.txid, deposit?.reverses],
      [units("1.999"), 0n, "R1", { type: "withdraw", id }],
    );
    assertEquals(test.balance("ann", "btc"), "9.999/0");
    assertEquals(test.venue.holder(0).accounts[0]?.available, fees);
    assertEquals(refusalOf(reverse(test, returned)), "reversal_made");
    test.venue.checkInvariants();
  });

  it("books no payment that a deposit has, and no deposit is of a payment that it has booked", () => {
    const test = moneyVenue();
    const [first, second] = [paid(test), paid(test)];
    const lookup = { knownId: 0, checkedAt: test.venue.sequence };
    const of = (txid: string, more: { knownId?: number; freedId?: number } = {}) => ({
      payment: { txid, ...lookup, ...more },
    });
    const { id } = depositOf(test.observe("ben", "btc", "1", { txid: "ab".repeat(32), output: 3 }));
    assertEquals(refusalOf(reverse(test, first, of("AB".repeat(32)))), "payment_known");
    const whole = depositOf(test.observe("ben", "btc", "1", { txid: "bb22", output: ANY_OUTPUT }));
    test.moveDeposit(whole.id, "reject");
    assertEquals(refusalOf(reverse(test, first, of("bb22"))), "payment_known");
    assertEquals(refusalOf(reverse(test, first, of("cc33", { knownId: id }))), "payment_known");
    const mark = test.sink.mark();
    assertEquals(refusalOf(reverse(test, first, of("bb22", { freedId: whole.id }))), null);
    const booked = test.venue.counters.deposits;
    assertEquals(refusalOf(reverse(test, second, of("bb22"))), "payment_known");
    for (const output of [0, ANY_OUTPUT]) {
      const known = test.observe("ben", "btc", "1", { txid: "bb22", output });
      assertEquals(known, { kind: "deposit_known", id: booked });
    }
    test.sink.rollback(mark);
    const known = test.observe("ben", "btc", "1", { txid: "bb22", output: ANY_OUTPUT });
    assertEquals(
      known,
      { kind: "deposit_known", id: whole.id },
      "the name is the first one's again",
    );
    test.venue.depositNames.knownSince = test.venue.sequence;
    const stale = { payment: { ...of("dd44").payment, checkedAt: test.venue.sequence - 1 } };
    const made = { knownId: 0, checkedAt: test.venue.sequence };
    assertEquals(refusalOf(reverse(test, first, { ...made, ...stale })), "deposit_check_stale");
  });

  it("books a payment that came back once, however its transaction is spelled", () => {
    const test = moneyVenue();
    const [first, second] = [paid(test), paid(test)];
    const of = (txid: string) => ({
      payment: { txid, knownId: 0, checkedAt: test.venue.sequence },
    });
    assertEquals(refusalOf(reverse(test, first, of(`0x${"aB".repeat(32)}`))), null);
    for (const other of [`0x${"Ab".repeat(32)}`, "ab".repeat(32)]) {
      assertEquals(refusalOf(reverse(test, second, of(other))), "payment_known");
      const known = test.observe("ben", "btc", "1", { txid: other });
      assertEquals(known, { kind: "deposit_known", id: test.venue.counters.deposits });
    }
  });

  it("has to look its name up again if that may have been forgotten", () => {
    const test = moneyVenue();
    const deposit = credited(test, "btc", "3");
    test.venue.depositNames.knownSince = 5;
    assertEquals(refusalOf(reverse(test, deposit, { checkedAt: 4 })), "deposit_check_stale");
    assertEquals(refusalOf(reverse(test, deposit, { checkedAt: 5 })), null);
  });
});

describe("the name of a deposit", () => {
  it("is back with the first if a second entry is undone, and its transaction with it", () => {
    const test = moneyVenue();
    const outputOf = (output: number, freed: { freedId?: number } = {}) =>
      test.observe("ben", "btc", "1", { txid: "tx", output, ...freed });
    for (const output of [0, 1]) outputOf(output);
    test.moveDeposit(1, "reject");
    const ids = () =>
      [0, 1, ANY_OUTPUT].map((output) =>
        test.venue.depositNames.get({ currency: 0, transactions: ["tx"], output })
      );
    const mark = test.sink.mark();
    outputOf(0, { freedId: 1 });
    assertEquals(ids(), [3, 2, 2]);
    test.sink.rollback(mark);
    assertEquals(ids(), [1, 2, 1]);
  });

  it("is free for another once that is turned down, or reversed", () => {
    const test = moneyVenue();
    const observe = (uid: string, freedId?: number) =>
      test.do({
        kind: "observe_deposit",
        uid,
        currency: "btc",
        amount: units("1"),
        txid: "tx",
        output: ANY_OUTPUT,
        confirmations: 0,
        knownId: 0,
        checkedAt: test.venue.sequence,
        ...(freedId === undefined ? {} : { freedId }),
      });
    assertEquals(refusalOf(observe("ben")), null);
    const first = test.venue.counters.deposits;
    test.moveDeposit(first, "reject");
    const known = observe("ann");
    assertEquals("kind" in known && known.kind, "deposit_known");
    const freed = observe("ann", first);
    assertEquals("kind" in freed && freed.kind, "deposit_set");
    const later = observe("ben", first);
    assertEquals("kind" in later && later.kind, "deposit_known", "it is another's now");
  });
});
