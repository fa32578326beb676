import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_GROUP } from "../../../src/domain/group_table.ts";
import { CLAIM_LIFE_MS } from "../../../src/domain/limits.ts";
import { ANY_LEVEL } from "../../../src/domain/money/withdraw_limits.ts";
import { WITHDRAW_ACTIONS, type WithdrawAction } from "../../../src/domain/money/withdraw.ts";
import { type MoneyVenue, moneyVenue, refusalOf, withdrawOf } from "../../support/money_venue.ts";
import { units } from "../../support/domain_venue.ts";

const INVALID = "withdraw_state_invalid";

function limit(test: MoneyVenue, day: string, month: string): void {
  const row = { level: ANY_LEVEL, group: ANY_GROUP };
  test.must({
    kind: "set_withdraw_limit",
    row: { ...row, limit24h: units(day), limit1m: units(month) },
  });
}

/** Applies actions to a withdrawal; returns the last refusal. */
function through(test: MoneyVenue, id: number, ...actions: WithdrawAction[]) {
  let refusal = null;
  for (const action of actions) refusal = refusalOf(test.moveWithdraw(id, action, { txid: "t" }));
  return refusal;
}

describe("a withdrawal", () => {
  it("locks its amount, and debits it with its fee on success", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const { id, state, isApproved, fee } = test.withdraw("ann", "btc", "2", beneficiary);
    assertEquals([state, isApproved, fee], ["accepted", true, units("0.001")]);
    assertEquals(test.balance("ann", "btc"), "8/2");

    assertEquals(through(test, id, "claim", "send", "confirm", "succeed"), null);
    assertEquals(test.balance("ann", "btc"), "8/0");
    assertEquals(test.venue.holder(0).accounts[0]?.available, units("0.001"));
    assertEquals(test.venue.withdraws.size, 0);
    assertEquals(test.venue.endedWithdraws.map(({ state }) => state), ["succeed"]);
    test.venue.checkInvariants();
  });

  it("leaves each of its states in the log", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const { id } = test.withdraw("ann", "btc", "2", beneficiary);
    through(test, id, "claim", "send", "succeed");
    const states = test.sink.events.flatMap(({ event }) =>
      event.kind === "withdraw_set" ? [event.withdraw.state] : []
    );
    assertEquals(states, ["prepared", "accepted", "processing", "confirming", "succeed"]);
  });

  it("releases its amount when it fails, is rejected or cancelled", () => {
    const ways: WithdrawAction[][] = [
      ["cancel"],
      ["reject"],
      ["claim", "fail"],
      ["claim", "park", "fail"],
      ["claim", "send", "fail"],
    ];
    for (const actions of ways) {
      const test = moneyVenue();
      const { id } = test.withdraw("ann", "btc", "2", test.activeBeneficiary("ann", "btc"));
      assertEquals(through(test, id, ...actions), null, actions.join());
      assertEquals(test.balance("ann", "btc"), "10/0", actions.join());
      const { countedWithdraws, withdrawsCount } = test.venue.holder(test.member("ann"));
      assertEquals([countedWithdraws.size, withdrawsCount], [0, 1]);
      test.venue.checkInvariants();
    }
  });

  it("is refused for the first reason that applies", () => {
    const test = moneyVenue();
    const refused = (...args: Parameters<MoneyVenue["requestWithdraw"]>) =>
      refusalOf(test.requestWithdraw(...args));
    const active = test.activeBeneficiary("ann", "btc", "a");
    const pending = test.beneficiary("ann", "btc", "b");
    const bens = test.activeBeneficiary("ben", "btc");
    const deleted = test.activeBeneficiary("ann", "btc", "c");
    test.must({ kind: "archive_beneficiary", member: test.member("ann"), id: deleted });
    const wrong = { step: null };

    for (const beneficiary of [bens, deleted, 999]) {
      assertEquals(refused("ann", "btc", "1", { beneficiary }), "beneficiary_not_found");
    }
    assertEquals(refused("ann", "usdt", "1", { beneficiary: active }), "beneficiary_not_found");
    assertEquals(
      refused("ann", "btc", "1", { beneficiary: pending, ...wrong }),
      "beneficiary_not_active",
    );
    test.set({ beneficiaryHoldMs: 1000 });
    assertEquals(
      refused("ann", "btc", "1", { beneficiary: active, ...wrong }),
      "beneficiary_on_hold",
    );
    test.set({ beneficiaryHoldMs: 0 });
    assertEquals(refused("ann", "btc", "99", { beneficiary: active, ...wrong }), "otp_invalid");
    const request = {
      kind: "request_withdraw",
      member: test.member("ann"),
      beneficiary: active,
      currency: "btc",
      amount: units("1"),
    } as const;
    assertEquals(refusalOf(test.do({ ...request, otp: test.otp("ben") })), "otp_invalid");
    assertEquals(
      refused("ann", "btc", "99", { beneficiary: active }),
      "withdraw_balance_insufficient",
    );
    for (const amount of ["0.001", "0.009", "0.0"]) {
      assertEquals(
        refused("ann", "btc", amount, { beneficiary: active }),
        "withdraw_amount_invalid",
      );
    }
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    assertEquals(refused("ann", "btc", "1", { beneficiary: active }), "withdrawal_disabled");
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(refused("ann", "btc", "1", { beneficiary: 999 }), "withdrawals_stopped");
    test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 4, trading: 1 } });
    assertEquals(refused("ann", "btc", "1", { beneficiary: active }), "withdraw_level_too_low");
    assertEquals(test.balance("ann", "btc"), "10/0");
  });

  it("of a coin is moved by exactly the actions of its state", () => {
    const ways: readonly [WithdrawAction[], WithdrawAction[]][] = [
      [[], ["leave_to_hand", "claim", "park", "reject", "cancel"]],
      [["park"], ["send", "succeed", "fail", "retry"]],
      [["leave_to_hand"], ["hand_over", "succeed", "reject", "cancel"]],
      [["claim"], ["claim", "send", "fail", "park"]],
      [["claim", "park"], ["send", "succeed", "fail", "retry"]],
      [["claim", "send"], ["confirm", "succeed", "fail", "park"]],
    ];
    for (const [way, allowed] of ways) {
      const moving = (Object.keys(WITHDRAW_ACTIONS) as WithdrawAction[]).filter((action) => {
        const test = moneyVenue();
        const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
        for (const earlier of way) withdrawOf(test.moveWithdraw(id, earlier, { txid: "t" }));
        return !("rejected" in test.moveWithdraw(id, action, { txid: "t" }));
      });
      assertEquals(moving, allowed, way.join());
    }
  });

  it("may take the whole balance, but must exceed the fee and fit the precision", () => {
    const test = moneyVenue();
    test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading: 1 } });
    const coin = test.activeBeneficiary("ann", "btc");
    const fiat = test.activeBeneficiary("ann", "eur", "");
    const ask = (currency: string, amount: string, beneficiary: number) =>
      refusalOf(test.requestWithdraw("ann", currency, amount, { beneficiary }));
    const tooLittle = (currency: string, amount: string, beneficiary: number) => {
      const outcome = test.requestWithdraw("ann", currency, amount, { beneficiary });
      return "limit" in outcome ? [outcome.rejected, outcome.limit, outcome.rule] : outcome;
    };
    const wrong = "withdraw_amount_invalid";
    assertEquals(
      tooLittle("btc", "0.0099", coin),
      [wrong, "0.01", "minimum"],
      "below the least amount",
    );
    assertEquals(tooLittle("btc", "0.001", coin), [wrong, "0.001", "fee"], "the fee alone");
    assertEquals(tooLittle("eur", "1.001", fiat), [wrong, "2", "precision"], "not whole cents");
    assertEquals(ask("btc", "0.01", coin), null, "the least amount");
    test.must({ kind: "change_currency", id: "btc", changes: { minWithdrawAmount: 0n } });
    assertEquals(ask("btc", "0.001", coin), wrong, "the fee alone");
    assertEquals(ask("btc", "0.0010000000000001", coin), null);
    assertEquals(ask("eur", "500.01", fiat), "withdraw_balance_insufficient");
    assertEquals(ask("eur", "500", fiat), null);
    assertEquals(test.balance("ann", "eur"), "0/500");
  });

  it("of a whole balance leaves no dust: what is too small to leave is booked as a fee", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const { venue } = test;
    test.withdraw("ann", "btc", "10", beneficiary);
    test.moveWithdraw(1, "reject");
    const coarse = { ...venue.currency(0), precision: 6 };
    test.sink.emit({ kind: "currency_set", currency: coarse });
    test.must({ kind: "adjust_balance", uid: "ann", currency: "btc", amount: -units("9") });
    // As a trade of a finer market leaves it.
    test.sink.emit({ kind: "currency_set", currency: { ...coarse, precision: 16 } });
    const dust = -units("0.00000022756");
    test.must({ kind: "adjust_balance", uid: "ann", currency: "btc", amount: dust });
    test.sink.emit({ kind: "currency_set", currency: coarse });

    const ask = (amount: string) =>
      refusalOf(test.requestWithdraw("ann", "btc", amount, {
        beneficiary,
      }));
    assertEquals(ask("0.99999977"), "withdraw_amount_invalid", "a part has to be whole");
    const fees = venue.holder(0).accounts[0]?.available ?? 0n;
    const { id, fee, amount } = test.withdraw("ann", "btc", "0.99999977244", beneficiary);
    assertEquals(amount - fee, units("0.998999"));
    assertEquals(fee, units("0.00100077244"));
    through(test, id, "claim", "send", "succeed");
    assertEquals(test.balance("ann", "btc"), "0/0");
    assertEquals((venue.holder(0).accounts[0]?.available ?? 0n) - fees, fee);
    venue.checkInvariants();
  });

  it("of a whole balance of which only the fee and dust would be taken is refused", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const left = "0.0010000999999999";
    const taken = -units("9.9989999000000001");
    test.must({ kind: "adjust_balance", uid: "ann", currency: "btc", amount: taken });
    const coarse = { ...test.venue.currency(0), precision: 6, minWithdrawAmount: 0n };
    test.sink.emit({ kind: "currency_set", currency: coarse });
    assertEquals(test.balance("ann", "btc"), `${left}/0`);
    assertEquals(test.requestWithdraw("ann", "btc", left, { beneficiary }), {
      rejected: "withdraw_amount_invalid",
      field: "amount",
      limit: "0.001",
      rule: "fee",
    });
  });

  it("uses up its code once accepted, but not when refused", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const step = 5000;
    const ask = (amount: string) =>
      test.requestWithdraw("ann", "btc", amount, { beneficiary, step });
    assertEquals(refusalOf(ask("99")), "withdraw_balance_insufficient");
    assertEquals(withdrawOf(ask("1")).state, "accepted");
    assertEquals(refusalOf(ask("1")), "otp_invalid");
    const otp = { ...test.otp("ann"), step };
    assertEquals(refusalOf(test.do({ kind: "spend_otp", otp })), "otp_invalid");
  });

  it("above the limit is claimed by no rail before the operator approves it", () => {
    const test = moneyVenue();
    limit(test, "1", "1");
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "withdraw_state_invalid");
    assertEquals(withdrawOf(test.moveWithdraw(id, "approve")).isApproved, true);
    assertEquals(refusalOf(test.moveWithdraw(id, "approve")), "withdraw_state_invalid");
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).state, "processing");
  });

  it("is claimed by one process; the next must know of that claim", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const claim = (claims: number) =>
      refusalOf(test.do({ kind: "change_withdraw", id, action: "claim", claims }));
    assertEquals([claim(0), claim(0), claim(1)], [null, "withdraw_state_invalid", null]);
    const blind = test.do({ kind: "change_withdraw", id, action: "claim" });
    assertEquals(refusalOf(blind), INVALID, "it names no claim");
  });

  it("is ended only by the process with the latest claim", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const change = (action: "claim" | "fail" | "park", claims: number) =>
      refusalOf(test.do({ kind: "change_withdraw", id, action, claims }));
    assertEquals([change("claim", 0), change("claim", 1)], [null, null]);
    assertEquals([change("fail", 1), change("park", 1)], Array(2).fill("withdraw_state_invalid"));
    assertEquals(change("park", 2), null);
  });

  it("of a coin cannot be failed by the operator while a process may be sending it", () => {
    const test = moneyVenue();
    const [btc, eur] = [test.activeBeneficiary("ann", "btc"), test.activeBeneficiary("ann", "eur")];
    const fail = (id: number) =>
      refusalOf(test.do({ kind: "change_withdraw", id, action: "fail" }));
    const { id } = test.withdraw("ann", "btc", "1", btc);
    test.moveWithdraw(id, "claim");
    assertEquals(fail(id), INVALID);
    test.sink.at += CLAIM_LIFE_MS;
    assertEquals([fail(id), test.balance("ann", "btc")], [INVALID, "9/1"]);
    test.sink.at += 1;
    assertEquals([fail(id), test.balance("ann", "btc")], [null, "10/0"]);
    const parked = test.withdraw("ann", "btc", "1", btc);
    through(test, parked.id, "claim", "park");
    assertEquals(fail(parked.id), null);
    const fiat = test.withdraw("ann", "eur", "5", eur);
    test.moveWithdraw(fiat.id, "approve");
    assertEquals(fail(fiat.id), null);
  });

  it("cannot be failed on an outdated view of it", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const fail = (updatedAt: number) =>
      refusalOf(test.do({ kind: "change_withdraw", id, action: "fail", updatedAt }));
    test.moveWithdraw(id, "claim");
    const before = test.sink.at;
    test.sink.at += CLAIM_LIFE_MS + 1;
    through(test, id, "claim", "send");
    assertEquals([fail(before), fail(before + 1), test.balance("ann", "btc")], [
      INVALID,
      INVALID,
      "9/1",
    ]);
    assertEquals([fail(test.sink.at), test.balance("ann", "btc")], [null, "10/0"]);
  });

  it("is not claimed while its member is locked or banned", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const freeze = (state: "locked" | "banned" | "active") =>
      test.must({ kind: "change_member", uid: "ann", changes: { state } });
    test.moveWithdraw(id, "claim");
    for (const state of ["locked", "banned"] as const) {
      freeze(state);
      assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "member_locked");
    }
    freeze("active");
    assertEquals(withdrawOf(test.moveWithdraw(id, "claim")).claims, 2);
  });

  it("is not claimed while withdrawals are stopped, everywhere or in its currency", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "withdrawals_stopped");
    test.must({ kind: "set_switches", switches: { withdrawals: true } });
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    assertEquals(refusalOf(test.moveWithdraw(id, "claim")), "withdrawal_disabled");
  });

  it("of fiat is approved and completed by the operator", () => {
    const test = moneyVenue();
    const { id, isApproved } = test.withdraw(
      "ann",
      "eur",
      "5",
      test.activeBeneficiary("ann", "eur"),
    );
    assertEquals(isApproved, false);
    assertEquals(withdrawOf(test.moveWithdraw(id, "approve")).state, "processing");
    assertEquals(withdrawOf(test.moveWithdraw(id, "succeed")).state, "succeed");
    assertEquals(test.balance("ann", "eur"), "495/0");
  });

  it("of a coin without a rail succeeds once approved, given its transaction", () => {
    const test = moneyVenue();
    limit(test, "1", "1");
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const succeed = (txid?: string) =>
      test.moveWithdraw(id, "succeed", txid === undefined ? {} : { txid });
    assertEquals(refusalOf(succeed("t")), INVALID, "nobody has approved it");
    test.moveWithdraw(id, "approve");
    assertEquals(refusalOf(succeed("t")), INVALID, "its rail pays it");
    test.moveWithdraw(id, "leave_to_hand");
    for (const txid of [undefined, ""]) assertEquals(refusalOf(succeed(txid)), "txid_missing");
    const done = withdrawOf(succeed("t"));
    assertEquals([done.state, done.txid, done.claims], ["succeed", "t", 0]);
    assertEquals(test.balance("ann", "btc"), "9/0");
    test.venue.checkInvariants();
  });

  it("of a coin that is paid by hand cannot succeed before it is approved", () => {
    const test = moneyVenue();
    limit(test, "1", "1");
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.moveWithdraw(id, "leave_to_hand");
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "t" })), INVALID);
    test.moveWithdraw(id, "approve");
    assertEquals(withdrawOf(test.moveWithdraw(id, "succeed", { txid: "t" })).state, "succeed");
  });

  it("of fiat cannot succeed before it is approved", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "eur", "5", test.activeBeneficiary("ann", "eur"));
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "t" })), INVALID);
  });

  it("of a coin cannot succeed before it is sent, nor be sent without a transaction", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.moveWithdraw(id, "claim");
    assertEquals(refusalOf(test.moveWithdraw(id, "succeed")), "withdraw_state_invalid");
    assertEquals(refusalOf(test.moveWithdraw(id, "send")), "withdraw_state_invalid");
  });

  it("keeps its transaction on success unless another is named", () => {
    const test = moneyVenue();
    const beneficiary = test.activeBeneficiary("ann", "btc");
    const cases = [[{}, "t"], [{ txid: "other" }, "other"]] as const;
    for (const [named, txid] of cases) {
      const { id } = test.withdraw("ann", "btc", "1", beneficiary);
      through(test, id, "claim", "send");
      assertEquals(refusalOf(test.moveWithdraw(id, "succeed", { txid: "" })), "txid_missing");
      assertEquals(withdrawOf(test.moveWithdraw(id, "succeed", named)).txid, txid);
    }
  });

  it("does not change once ended, and is not found if it never existed", () => {
    const test = moneyVenue();
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    test.moveWithdraw(id, "reject");
    for (const action of ["approve", "claim", "reject", "succeed", "fail"] as const) {
      assertEquals(refusalOf(test.moveWithdraw(id, action)), "withdraw_state_invalid");
    }
    assertEquals(refusalOf(test.moveWithdraw(99, "reject")), "withdraw_not_found");
  });
});
