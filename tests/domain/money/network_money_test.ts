/** Money of a coin that lives on two networks. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_OUTPUT, depositNamesOf, soughtDeposit } from "../../../src/domain/money/deposit.ts";
import { withdrawNetwork } from "../../../src/domain/money/withdraw_network.ts";
import type { CreateBeneficiary, ObserveDeposit } from "../../../src/domain/money_command.ts";
import { currencyDefinition, units } from "../../support/domain_venue.ts";
import {
  depositOf,
  type MoneyVenue,
  moneyVenue,
  refusalOf,
  withdrawOf,
} from "../../support/money_venue.ts";

/** Returns a venue whose dollars live on `one`, the default, and on `two`. */
function networkVenue(): MoneyVenue {
  const test = moneyVenue();
  for (const name of ["one", "two"]) {
    test.must({ kind: "add_network", id: "usdt", network: { name, digits: 6 } });
  }
  return test;
}

function observe(test: MoneyVenue, txid: string, more: Partial<ObserveDeposit> = {}) {
  return test.do({
    kind: "observe_deposit",
    uid: "ben",
    currency: "usdt",
    amount: units("5"),
    txid,
    output: 0,
    confirmations: 0,
    knownId: 0,
    checkedAt: test.venue.sequence,
    ...more,
  });
}

function enter(test: MoneyVenue, digest: string, network?: string) {
  const command: CreateBeneficiary = {
    kind: "create_beneficiary",
    member: test.member("ann"),
    currency: "usdt",
    addressDigest: digest,
    ...network === undefined ? {} : { network },
  };
  return test.do(command);
}

/** Returns the id of ann's new, active beneficiary on a network. */
function payee(test: MoneyVenue, network: string): number {
  assertEquals(refusalOf(enter(test, "digest", network)), null);
  const id = test.venue.counters.beneficiaries;
  test.must({ kind: "try_pin", member: test.member("ann"), id, pin: 1, isRight: true });
  return id;
}

describe("a deposit on a network", () => {
  it("is another than one of the same transaction elsewhere, and once itself", () => {
    const test = networkVenue();
    const txid = `0x${"AB".repeat(32)}`;
    const first = depositOf(observe(test, txid));
    const second = depositOf(observe(test, txid, { network: "two" }));
    assertEquals([first.network, second.network], [undefined, "two"]);
    assertEquals([first.id, second.id], [1, 2]);
    const again = [{}, { network: "one" }, { network: "two" }].map((on) =>
      observe(test, "ab".repeat(32), on)
    );
    const known = again.map((outcome) => "kind" in outcome && "id" in outcome ? outcome.id : null);
    assertEquals(known, [1, 1, 2]);
    const whole = { network: "two", output: ANY_OUTPUT };
    assertEquals(observe(test, txid, whole), { kind: "deposit_known", id: 2 });
    const accepted = depositOf(test.moveDeposit(2, "accept"));
    assertEquals(accepted.network, "two");
    const unnamed = [{}, { network: "two" }].map((on) => depositOf(observe(test, "", on)).id);
    assertEquals(unnamed, [3, 4], "what has no name is always new");
    const nameless = { currency: 1, transactions: ["two "], output: 0 };
    assertEquals(test.venue.depositNames.get(nameless), undefined, "and gets none");
  });

  it("leaves what is below its currency's precision to the venue", () => {
    const test = moneyVenue();
    const networks = [{ name: "one", digits: 18 }];
    const eth = { ...currencyDefinition("eth", 8), depositFee: units("0.1"), networks };
    test.must({ kind: "create_currency", currency: eth });
    const pay = (amount: string) => observe(test, "a", { currency: "eth", amount: units(amount) });
    for (const amount of ["0.1", "0.1000000099999999", "0.0000000099999999"]) {
      assertEquals(pay(amount), {
        rejected: "deposit_amount_invalid",
        field: "amount",
        limit: "0.1",
        rule: "fee",
      });
    }
    const deposit = depositOf(pay("5.1234567890123456"));
    assertEquals(deposit.fee, units("0.1000000090123456"));
    for (const action of ["accept", "process", "collect"] as const) {
      test.moveDeposit(deposit.id, action);
      test.venue.checkInvariants();
    }
    assertEquals(test.balance("ben", "eth"), "5.02345678/0");
    const [venue] = test.venue.holders;
    assertEquals(venue?.accounts.at(-1)?.available, units("0.1000000090123456"));
  });

  it("is by its currency's networks alone", () => {
    const test = networkVenue();
    assertEquals(
      refusalOf(observe(test, "tx", { network: "three" })),
      "currency_network_not_found",
    );
    assertEquals(
      refusalOf(observe(test, "tx", { currency: "btc", network: "one" })),
      "currency_network_not_found",
    );
    for (const [network, refusal] of [["two", null], ["three", "currency_network_not_found"]]) {
      const note = { kind: "note_deposit_address", uid: "ben", currency: "usdt" } as const;
      const outcome = test.do({ ...note, network: network ?? "" });
      assertEquals(refusalOf(outcome), refusal);
    }
    const { sink: { events } } = test;
    const made = events.map(({ event }) => event).findLast(({ kind }) =>
      kind === "deposit_address_made"
    );
    assertEquals(made, {
      kind: "deposit_address_made",
      member: test.member("ben"),
      currency: 1,
      network: "two",
    });
  });
});

describe("a beneficiary on a network", () => {
  it("may have the address of one elsewhere, and once there", () => {
    const test = networkVenue();
    assertEquals(refusalOf(enter(test, "same")), null);
    assertEquals(refusalOf(enter(test, "same", "one")), "beneficiary_address_taken");
    assertEquals(refusalOf(enter(test, "same", "two")), null);
    assertEquals(refusalOf(enter(test, "same", "two")), "beneficiary_address_taken");
    assertEquals(refusalOf(enter(test, "same", "three")), "currency_network_not_found");
    const { beneficiaries } = test.venue.holder(test.member("ann"));
    assertEquals([...beneficiaries.values()].map(({ network }) => network), [undefined, "two"]);
    test.must({
      kind: "change_network",
      id: "usdt",
      network: "two",
      changes: { withdrawalEnabled: false },
    });
    assertEquals(refusalOf(enter(test, "other", "two")), "withdrawal_disabled");
    assertEquals(refusalOf(enter(test, "other")), null);
  });

  it("gives its withdrawals its network, with that network's fee and stops", () => {
    const test = networkVenue();
    test.must({
      kind: "change_network",
      id: "usdt",
      network: "two",
      changes: { withdrawFee: units("3") },
    });
    const [one, two] = [payee(test, "one"), payee(test, "two")];
    const withdraws = [one, two].map((to) => test.withdraw("ann", "usdt", "10", to));
    assertEquals(withdraws.map(({ fee }) => fee), [0n, units("3")]);
    const { venue } = test;
    assertEquals(withdraws.map((one) => withdrawNetwork(venue, one)), [undefined, "two"]);
    assertEquals(
      refusalOf(test.requestWithdraw("ann", "usdt", "3", { beneficiary: two })),
      "withdraw_amount_invalid",
    );
    const changes = { withdrawalEnabled: false };
    test.must({ kind: "change_network", id: "usdt", network: "two", changes });
    const [free, stopped] = withdraws.map(({ id }) => test.moveWithdraw(id, "claim"));
    assertEquals([free, stopped].map((outcome) => outcome && refusalOf(outcome)), [
      null,
      "withdrawal_disabled",
    ]);
    assertEquals(
      refusalOf(test.requestWithdraw("ann", "usdt", "9", { beneficiary: two })),
      "withdrawal_disabled",
    );
  });

  it("has a payment that came back be a deposit there", () => {
    const test = networkVenue();
    const { id } = test.withdraw("ann", "usdt", "10", payee(test, "two"));
    for (const action of ["claim", "send"] as const) test.moveWithdraw(id, action, { txid: "t" });
    const record = withdrawOf(test.moveWithdraw(id, "succeed"));
    const there = depositOf(observe(test, "back", { network: "two" }));
    const lookup = { knownId: 0, checkedAt: test.venue.sequence };
    const reversed = { type: "withdraw", record } as const;
    const reverse = (txid: string) =>
      test.do({ kind: "reverse", reversed, payment: { txid, ...lookup }, ...lookup });
    assertEquals(refusalOf(reverse("back")), "payment_known");
    depositOf(observe(test, "other"));
    const deposit = depositOf(reverse("other"));
    assertEquals([there.network, deposit.network], ["two", "two"]);
    const taken = observe(test, "other", { network: "two", output: ANY_OUTPUT });
    assertEquals(taken, { kind: "deposit_known", id: deposit.id });
  });
});

describe("a deposit's names", () => {
  it("are looked for where it is", () => {
    const test = networkVenue();
    const currency = test.venue.currency(1);
    const hex = "a".repeat(64);
    assertEquals(soughtDeposit(currency, hex, 3, "two").transactions[0], `two ${hex}`);
    assertEquals(soughtDeposit(currency, hex, 3).transactions[0], hex);
    assertEquals(depositNamesOf({ deposit: { currency: 1, output: 3, txid: "" } }), []);
  });
});
