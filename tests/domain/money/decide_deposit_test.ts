import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ANY_OUTPUT,
  DEPOSIT_ACTIONS,
  type DepositAction,
} from "../../../src/domain/money/deposit.ts";
import { DEPOSIT_NAMES_MAX } from "../../../src/domain/limits.ts";
import { depositOf, moneyVenue, refusalOf } from "../../support/money_venue.ts";
import { stateText } from "../../support/state_text.ts";
import { units } from "../../support/domain_venue.ts";

describe("a deposit", () => {
  it("of a coin is locked when accepted and free when collected", () => {
    const test = moneyVenue();
    const { id, state } = test.deposit("ben", "btc", "1.5");
    assertEquals([state, test.balance("ben", "btc")], ["submitted", "0/0"]);
    assertEquals(depositOf(test.moveDeposit(id, "confirm", 1)).completedAt, 0);
    test.sink.at += 1000;
    const accepted = depositOf(test.moveDeposit(id, "accept", 2));
    assertEquals([accepted.confirmations, accepted.completedAt], [2, test.sink.at]);
    assertEquals(test.balance("ben", "btc"), "0/1.5");
    test.venue.checkInvariants();
    test.moveDeposit(id, "process");
    assertEquals(depositOf(test.moveDeposit(id, "collect")).state, "collected");
    assertEquals(test.balance("ben", "btc"), "1.5/0");
    assertEquals(test.venue.deposits.size, 0);
    test.venue.checkInvariants();
  });

  it("of a coin with a fee is locked in full and freed less the fee", () => {
    const test = moneyVenue();
    test.must({ kind: "change_currency", id: "btc", changes: { depositFee: units("0.1") } });
    const kept = test.deposit("ben", "btc", "1.5");
    const dropped = test.deposit("ben", "btc", "2");
    for (const { id } of [kept, dropped]) test.moveDeposit(id, "accept");
    assertEquals(test.balance("ben", "btc"), "0/3.5");
    assertEquals(test.venue.holder(test.member("ben")).depositsCount, 2);
    test.moveDeposit(dropped.id, "drop");
    test.venue.checkInvariants();
    test.moveDeposit(kept.id, "process");
    test.moveDeposit(kept.id, "collect");
    assertEquals(test.balance("ben", "btc"), "1.4/0");
    assertEquals(test.venue.holder(0).accounts[0]?.available, units("0.1"));
    test.venue.checkInvariants();
  });

  it("of fiat is free when accepted, less its fee", () => {
    const test = moneyVenue();
    const { id } = test.deposit("ben", "eur", "20");
    assertEquals(depositOf(test.moveDeposit(id, "accept")).state, "accepted");
    assertEquals(test.balance("ben", "eur"), "19.9/0");
    assertEquals(test.venue.holder(0).accounts[2]?.available, units("0.1"));
    assertEquals(refusalOf(test.moveDeposit(id, "process")), "deposit_state_invalid");
    test.venue.checkInvariants();
  });

  it("that the chain drops is taken back while it is locked", () => {
    for (const way of [["accept"], ["accept", "process"]] as DepositAction[][]) {
      const test = moneyVenue();
      const { id } = test.deposit("ben", "btc", "1");
      for (const action of way) test.moveDeposit(id, action);
      assertEquals(depositOf(test.moveDeposit(id, "drop")).state, "errored");
      assertEquals(test.balance("ben", "btc"), "0/0");
      test.venue.checkInvariants();
    }
  });

  it("is not moved by actions that its state does not allow", () => {
    const test = moneyVenue();
    const { id } = test.deposit("ben", "btc", "1");
    const refused = (action: DepositAction) => refusalOf(test.moveDeposit(id, action));
    for (const action of ["process", "collect", "drop"] as const) {
      assertEquals(refused(action), "deposit_state_invalid", action);
    }
    test.moveDeposit(id, "reject");
    for (const action of ["accept", "cancel", "confirm", "process", "collect", "drop"] as const) {
      assertEquals(refused(action), "deposit_state_invalid", action);
    }
    assertEquals(refusalOf(test.moveDeposit(77, "accept")), "deposit_not_found");
    assertEquals(test.balance("ben", "btc"), "0/0");
  });

  it("is moved by exactly the actions of its state", () => {
    const ways: readonly [DepositAction[], DepositAction[]][] = [
      [[], ["confirm", "accept", "cancel", "reject"]],
      [["accept"], ["process", "drop"]],
      [["accept", "process"], ["collect", "drop"]],
    ];
    for (const [way, allowed] of ways) {
      const moving = (Object.keys(DEPOSIT_ACTIONS) as DepositAction[]).filter((action) => {
        const test = moneyVenue();
        const { id } = test.deposit("ben", "btc", "1");
        for (const earlier of way) depositOf(test.moveDeposit(id, earlier));
        return !("rejected" in test.moveDeposit(id, action));
      });
      assertEquals(moving, allowed, way.join());
    }
  });

  it("is identified by its output, which counts only once", () => {
    const test = moneyVenue();
    const first = depositOf(test.observe("ben", "btc", "1", { txid: "t", output: 3 }));
    const again = test.observe("ben", "btc", "1", { txid: "t", output: 3 });
    assertEquals(again, { kind: "deposit_known", id: first.id });
    assertEquals(depositOf(test.observe("ben", "btc", "1", { txid: "t", output: 4 })).id, 2);
    assertEquals(depositOf(test.observe("ben", "usdt", "1", { txid: "t", output: 3 })).id, 3);
  });

  it("is identified by a transaction if any of its outputs is known, and vice versa", () => {
    const test = moneyVenue();
    const known = (output: number) => test.observe("ben", "btc", "1", { txid: "t", output });
    depositOf(known(3));
    assertEquals(known(ANY_OUTPUT), { kind: "deposit_known", id: 1 });
    depositOf(known(4));
    assertEquals(known(ANY_OUTPUT), { kind: "deposit_known", id: 1 }, "the first of them");
    const whole = { txid: "u", output: ANY_OUTPUT };
    assertEquals(depositOf(test.observe("ben", "btc", "1", whole)).output, ANY_OUTPUT);
    for (const output of [0, 1, ANY_OUTPUT]) {
      const again = test.observe("ann", "btc", "2", { txid: "u", output });
      assertEquals(again, { kind: "deposit_known", id: 3 }, `${output}`);
    }
    assertEquals(depositOf(test.observe("ben", "usdt", "1", whole)).id, 4);
  });

  it("is forgotten when undone, and never known without a transaction", () => {
    const test = moneyVenue();
    const mark = test.sink.mark();
    test.observe("ben", "btc", "1", { txid: "t" });
    test.sink.rollback(mark);
    const { depositNames } = test.venue;
    for (const output of [0, ANY_OUTPUT]) {
      assertEquals(depositNames.get({ currency: 0, transactions: ["t"], output }), undefined);
    }
    assertEquals(depositOf(test.observe("ben", "btc", "1", { txid: "t" })).id, 1);
    assertEquals(depositOf(test.observe("ben", "eur", "1", { txid: "" })).id, 2);
    assertEquals(
      test.venue.depositNames.get({ currency: 2, transactions: [""], output: 0 }),
      undefined,
    );
    assertEquals(depositOf(test.observe("ben", "eur", "1", { txid: "" })).id, 3);
  });

  it("is known if the rows say so", () => {
    const test = moneyVenue();
    const outcome = test.observe("ben", "btc", "1", { txid: "old", knownId: 1 });
    assertEquals(outcome, { kind: "deposit_known", id: 1 });
  });

  it("is refused if it was checked against rows too old to know its name", () => {
    const test = moneyVenue();
    const checkedAt = test.venue.sequence;
    for (let i = 0; i <= DEPOSIT_NAMES_MAX; i++) test.observe("ben", "btc", "1", { txid: `t${i}` });
    assertEquals(
      refusalOf(test.observe("ben", "btc", "1", { txid: "t0", checkedAt })),
      "deposit_check_stale",
    );
    const whole = { txid: "t0", output: ANY_OUTPUT, checkedAt };
    assertEquals(refusalOf(test.observe("ben", "btc", "1", whole)), "deposit_check_stale");
    const { knownSince } = test.venue.depositNames;
    const output = (output: number, checkedAt: number) =>
      test.observe("ben", "btc", "1", { txid: `t${DEPOSIT_NAMES_MAX}`, output, checkedAt });
    const last = { kind: "deposit_known", id: DEPOSIT_NAMES_MAX + 1 } as const;
    assertEquals(output(0, knownSince - 1), last);
    assertEquals(output(ANY_OUTPUT, knownSince), last);
    const first = refusalOf(output(ANY_OUTPUT, knownSince - 1));
    assertEquals(first, "deposit_check_stale", "an earlier one may be forgotten");
    const observe = (txid: string, checkedAt: number) =>
      refusalOf(test.observe("ben", "btc", "1", { txid, checkedAt }));
    assertEquals(observe("behind", knownSince - 1), "deposit_check_stale");
    assertEquals(observe("level", knownSince), null);
    assertEquals(depositOf(test.observe("ben", "btc", "1", { txid: "new" })).state, "submitted");
  });

  it("must have an amount that suits its currency and exceeds the fee", () => {
    const test = moneyVenue();
    const bounds = [
      ["0.001", "2", "precision"],
      ["1.001", "2", "precision"],
      ["0.1", "0.1", "fee"],
      ["0", "0.1", "fee"],
    ] as const;
    for (const [amount, limit, rule] of bounds) {
      assertEquals(test.observe("ben", "eur", amount), {
        rejected: "deposit_amount_invalid",
        field: "amount",
        limit,
        rule,
      });
    }
    assertEquals(refusalOf(test.observe("nobody", "eur", "1")), "member_not_found");
    assertEquals(refusalOf(test.observe("ben", "xyz", "1")), "currency_not_found");
  });
});

describe("a deposit address", () => {
  it("is noted with an event that changes nothing else", () => {
    const test = moneyVenue();
    const before = stateText(test.venue, [], test.sink.at);
    const sequence = test.venue.sequence;
    const note = { kind: "note_deposit_address", uid: "ben", currency: "btc" } as const;
    assertEquals(test.must(note), { kind: "deposit_address_made" });
    assertEquals(test.sink.events.at(-1)?.event, {
      kind: "deposit_address_made",
      member: test.member("ben"),
      currency: 0,
    });
    assertEquals(test.venue.sequence, sequence + 1);
    test.venue.sequence = sequence;
    assertEquals(stateText(test.venue, [], test.sink.at), before);
  });

  it("is refused for an unknown member or currency", () => {
    const test = moneyVenue();
    const note = (uid: string, currency: string) =>
      test.do({ kind: "note_deposit_address", uid, currency });
    assertEquals(note("nobody", "btc"), { rejected: "member_not_found", field: "uid" });
    assertEquals(note("ben", "nothing"), { rejected: "currency_not_found", field: "currency" });
  });

  it("cannot be noted by a member", () => {
    const test = moneyVenue();
    const key = test.addKey("ben", "key-1");
    const note = { kind: "note_deposit_address", uid: "ben", currency: "btc" } as const;
    const signature = { key, nonce: test.sink.at, digest: 0 };
    assertEquals(refusalOf(test.do(note, signature)), "operator_only");
  });
});
