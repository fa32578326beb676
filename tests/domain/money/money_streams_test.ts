import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import { checkedApply } from "../../../src/domain/checked_apply.ts";
import type { Command } from "../../../src/domain/command.ts";
import { DEPOSIT_ACTIONS, type DepositAction } from "../../../src/domain/money/deposit.ts";
import { Venue } from "../../../src/domain/venue.ts";
import { WITHDRAW_ACTIONS, type WithdrawAction } from "../../../src/domain/money/withdraw.ts";
import { Prng } from "../../support/prng.ts";
import { type MoneyVenue, moneyVenue } from "../../support/money_venue.ts";
import { stateText } from "../../support/state_text.ts";
import { units } from "../../support/domain_venue.ts";
import { TEST_SETTINGS } from "../../support/test_settings.ts";

const COMMANDS = 20_000;
/** … and the maximum, if deposits and withdrawals have not ended in every way before. */
const COMMANDS_MAX = 10 * COMMANDS;
const WITHDRAW_ENDS = ["canceled", "failed", "rejected", "succeed"];
const DEPOSIT_ENDS = ["accepted", "canceled", "collected", "errored", "rejected"];
const MEMBERS = ["ann", "ben"] as const;
const CURRENCIES = ["btc", "usdt", "eur"] as const;
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));

/** Returns a random command about money, often an impossible one. */
function randomMoneyCommand(prng: Prng, test: MoneyVenue): Command {
  const { venue } = test;
  const uid = oneOf(prng, MEMBERS);
  const member = test.member(uid);
  const currency = oneOf(prng, CURRENCIES);
  const amount = units((prng.between(1, 300) / 100).toFixed(2));
  const beneficiary = someBeneficiary(prng, venue, member, currency);
  switch (prng.below(10)) {
    case 0:
      return { kind: "create_beneficiary", member, currency, addressDigest: `${prng.below(9)}` };
    case 1:
      return { kind: "try_pin", member, id: beneficiary, pin: 1, isRight: prng.chance(0.7) };
    case 2:
      return prng.chance(0.7)
        ? { kind: "resend_pin", member, id: beneficiary }
        : { kind: "archive_beneficiary", member, id: beneficiary };
    case 3:
    case 4: {
      const otp = prng.chance(0.9) ? test.otp(uid) : { ...test.otp(uid), step: null };
      const base = { kind: "request_withdraw", member, otp, beneficiary, currency } as const;
      return { ...base, amount };
    }
    case 5:
    case 6:
      return changeWithdraw(prng, venue);
    case 7:
      return {
        kind: "observe_deposit",
        uid,
        currency,
        amount,
        txid: `t${prng.below(400)}`,
        output: prng.below(2),
        confirmations: 0,
        knownId: 0,
        checkedAt: venue.sequence,
      };
    case 8:
      return changeDeposit(prng, venue);
    default:
      return bound(prng);
  }
}

function changeWithdraw(prng: Prng, venue: Venue): Command {
  const id = someId(prng, venue.withdraws, venue.counters.withdraws);
  const action = oneOf(prng, Object.keys(WITHDRAW_ACTIONS) as WithdrawAction[]);
  const claims = venue.withdraws.get(id)?.claims ?? 0;
  return { kind: "change_withdraw", id, action, claims, txid: "t", confirmations: 1 };
}

function changeDeposit(prng: Prng, venue: Venue): Command {
  const id = someId(prng, venue.deposits, venue.counters.deposits);
  const action = oneOf(prng, Object.keys(DEPOSIT_ACTIONS) as DepositAction[]);
  return { kind: "change_deposit", id, action, confirmations: prng.below(6) };
}

function bound(prng: Prng): Command {
  if (prng.chance(0.5)) {
    const level = prng.between(2, 3);
    const limits = { limit24h: units("40000"), limit1m: units("90000") };
    return { kind: "set_withdraw_limit", row: { level, group: "any", ...limits } };
  }
  if (prng.chance(0.5)) {
    return { kind: "set_settings", changes: { beneficiaryHoldMs: prng.below(2) * 500 } };
  }
  return { kind: "set_switches", switches: { withdrawals: prng.chance(0.9) } };
}

/** Usually returns one of the member's visible beneficiaries for the currency. */
function someBeneficiary(prng: Prng, venue: Venue, member: number, currency: string): number {
  const index = venue.currencyById.get(currency)?.index;
  const visible = [...venue.holder(member).beneficiaries.values()]
    .filter((one) => one.state !== "archived" && one.currency === index);
  return visible.length > 0 && prng.chance(0.9)
    ? oneOf(prng, visible).id
    : prng.between(1, venue.counters.beneficiaries + 2);
}

/** Usually returns the id of an open record. */
function someId(prng: Prng, open: ReadonlyMap<number, unknown>, last: number): number {
  const ids = [...open.keys()];
  return ids.length > 0 && prng.chance(0.9) ? oneOf(prng, ids) : prng.between(1, last + 2);
}

function oneOf<T>(prng: Prng, items: readonly T[]): T {
  return items[prng.below(items.length)] as T;
}

function advance(test: MoneyVenue, prng: Prng, commands: number): void {
  for (let count = 0; count < commands; count++) {
    test.sink.at += prng.chance(0.01) ? prng.below(86_400_000) : prng.below(20_000);
    test.do(randomMoneyCommand(prng, test));
  }
}

describe(`random streams of money in and out, KVENUE_TEST_SEED=${SEED}`, () => {
  it("preserve every sum and every lock", () => {
    const test = moneyVenue();
    const prng = new Prng(SEED);
    const { endedWithdraws, endedDeposits } = test.venue;
    const missing = () => [
      ...WITHDRAW_ENDS.filter((end) => !endedWithdraws.some(({ state }) => state === end)),
      ...DEPOSIT_ENDS.filter((end) => !endedDeposits.some(({ state }) => state === end)),
    ];
    for (let done = 0; done < COMMANDS || (missing().length > 0 && done < COMMANDS_MAX);) {
      advance(test, prng, 100);
      done += 100;
      test.venue.checkInvariants();
    }
    assertEquals(missing(), []);
    assert(endedWithdraws.every(({ state }) => WITHDRAW_ENDS.includes(state)));
  });

  it("are undone without a trace", () => {
    const test = moneyVenue();
    const prng = new Prng(SEED);
    for (let round = 0; round < 200; round++) {
      test.sink.forget();
      const before = stateText(test.venue);
      const { at } = test.sink;
      const mark = test.sink.mark();
      advance(test, prng, prng.between(1, 30));
      test.sink.rollback(mark);
      test.sink.at = at;
      assertEquals(stateText(test.venue), before, `round ${round}`);
      advance(test, prng, prng.between(1, 30));
    }
  });

  it("are rebuilt from their events alone, each of which sums to zero", () => {
    const test = moneyVenue();
    advance(test, new Prng(SEED), 5000);
    const plain = new Venue({ nonceWindowMs: 5000, undo: null, settings: TEST_SETTINGS });
    const checked = new Venue({ nonceWindowMs: 5000, undo: null, settings: TEST_SETTINGS });
    for (const { event, at } of test.sink.events) {
      apply(plain, event, at);
      checkedApply(checked, event, at);
    }
    assertEquals(stateText(plain), stateText(test.venue));
    assertEquals(stateText(checked), stateText(test.venue));
  });
});
