/** Generates deposits, withdrawals and related calls. */
import type { SoughtAct } from "../../src/domain/people/act_names.ts";
import type { OtpProof } from "../../src/domain/identity_command.ts";
import type { AdjustBalance, Command } from "../../src/domain/command.ts";
import type { Deposit, DepositAction } from "../../src/domain/money/deposit.ts";
import type {
  ChangeDeposit,
  ChangeWithdraw,
  ObserveDeposit,
  Reverse,
} from "../../src/domain/money_command.ts";
import type { Withdraw, WithdrawAction } from "../../src/domain/money/withdraw.ts";
import type { Prng } from "../support/prng.ts";
import { type OracleState, WHOLE } from "./oracle/state.ts";
import { COIN, FUNDS, uidOf } from "./workload_setup.ts";

const BENEFICIARIES_MAX = 6;
/** Number of deposits or withdrawals in progress above which only these are processed. */
const OPEN_MAX = 50;
/** Number of transactions named at a time. */
const TXIDS = 12;

const DEPOSIT_ACTIONS: readonly DepositAction[] = [
  "confirm",
  "accept",
  "process",
  "collect",
  "cancel",
  "reject",
  "drop",
];
const WITHDRAW_ACTIONS: readonly WithdrawAction[] = [
  "approve",
  "claim",
  "send",
  "confirm",
  "succeed",
  "fail",
  "park",
  "retry",
  "leave_to_hand",
  "hand_over",
  "reject",
  "cancel",
];
const DEPOSIT_PATH: Partial<Record<Deposit["state"], readonly DepositAction[]>> = {
  submitted: ["confirm", "accept", "accept", "accept", "cancel", "reject"],
  accepted: ["process", "process", "process", "drop"],
  processing: ["collect", "collect", "collect", "drop"],
};
const WITHDRAW_PATH: Partial<Record<Withdraw["state"], readonly WithdrawAction[]>> = {
  accepted: ["claim", "claim", "claim", "approve", "reject", "cancel", "park"],
  processing: ["send", "send", "send", "claim", "park", "fail", "succeed"],
  confirming: ["confirm", "succeed", "succeed", "fail"],
  errored: ["retry", "send", "succeed", "fail"],
};

type MoneyCommand = AdjustBalance | ObserveDeposit | ChangeDeposit | ChangeWithdraw | Reverse;

/** Generates calls about money that fit the oracle's state. */
export class WorkloadMoney {
  readonly #random: Prng;
  readonly #state: OracleState;

  constructor(random: Prng, state: OracleState) {
    this.#random = random;
    this.#state = state;
  }

  /** Returns a member's command. */
  ofMember(member: number): Command {
    const random = this.#random;
    const own = [...this.#state.member(member).beneficiaries.values()]
      .filter(({ state }) => state !== "archived");
    const kind = random.below(10);
    if (own.length === 0 || (kind === 0 && own.length < BENEFICIARIES_MAX)) {
      const addressDigest = random.chance(0.2) ? "" : `address ${random.below(12)}`;
      return { kind: "create_beneficiary", member, currency: this.#currency(), addressDigest };
    }
    const chosen = random.pick(own);
    const id = random.chance(0.06)
      ? random.between(0, this.#state.counters.beneficiaries + 1)
      : chosen.id;
    if (chosen.state === "pending" && kind < 6) {
      const pin = random.chance(0.9) ? chosen.pinsSent : random.between(1, chosen.pinsSent);
      const isRight = random.chance(0.5);
      return kind < 2
        ? { kind: "resend_pin", member, id }
        : { kind: "try_pin", member, id, pin, isRight };
    }
    const sent = [...this.#state.withdraws.values()].filter((one) => one.member === member);
    if (kind >= 8 && sent.length > 0) {
      const id = random.chance(0.1)
        ? random.below(this.#state.counters.withdraws + 2)
        : random.pick(sent).id;
      return { kind: "cancel_withdraw", member, id };
    }
    if (kind === 1 && random.chance(0.3)) return { kind: "archive_beneficiary", member, id };
    const currency = random.chance(0.95)
      ? this.#state.currencies[chosen.currency]?.id ?? ""
      : this.#currency();
    return {
      kind: "request_withdraw",
      member,
      otp: this.otp(member),
      beneficiary: id,
      currency,
      amount: random.chance(0.1) ? this.#whole(member, currency) : this.#amount(currency, 40),
      ...(random.chance(0.9) ? {} : { isByHand: true }),
    };
  }

  /** Returns all that a member has free, of which a part may be too small to leave. */
  #whole(member: number, code: string): bigint {
    const index = this.#state.currency(code)?.index ?? 0;
    return this.#state.ledger.of(member, index).available;
  }

  /** Returns an operator's or a rail's command on deposits and withdrawals, perhaps a named one. */
  ofRail(): Command {
    const command = this.#unnamed();
    return this.#random.chance(0.2) ? { ...command, once: this.#once() } : command;
  }

  /** Returns the name of a call with a lookup, as the edge does; occasionally with a stale one. */
  #once(): SoughtAct {
    const random = this.#random;
    const { acts, counters, sequence } = this.#state;
    const name = `n${Math.floor(counters.acts / 20) + random.below(4)}`;
    const checkedAt = Math.max(0, sequence - (random.chance(0.7) ? 0 : random.below(5000)));
    const named = acts.get(name);
    const known = named !== undefined && named.after < checkedAt
      ? { act: named.act, request: named.request }
      : null;
    return { name, request: random.chance(0.8) ? "this" : "that", known, checkedAt };
  }

  #unnamed(): MoneyCommand {
    const random = this.#random;
    const [deposits, withdraws] = [this.#state.deposits.size, this.#state.withdraws.size];
    if (deposits > OPEN_MAX) return this.#deposit();
    if (withdraws > OPEN_MAX) return this.#withdraw();
    if (this.#state.ended.latest.length > 0 && random.chance(0.06)) return this.#reverse();
    const kind = random.below(10);
    if (kind < 2 || (deposits === 0 && withdraws === 0)) return this.#observe();
    if (kind < 4) return this.#adjust();
    return deposits > 0 && (kind < 7 || withdraws === 0) ? this.#deposit() : this.#withdraw();
  }

  /** Returns a wallet's note of a new address, occasionally for an unknown member. */
  address(): Command {
    const uid = this.#random.chance(0.05) ? "ID-nobody" : this.#trader();
    return { kind: "note_deposit_address", uid, currency: this.#currency() };
  }

  /** Returns the proof of a one-time code, mostly an unused one of the credentials in force. */
  otp(member: number): OtpProof {
    const random = this.#random;
    const { otpStep, generation: current = 0 } = this.#state.member(member).record;
    const generation = random.chance(0.97) ? current : current - 1;
    if (random.chance(0.05)) return { member, step: null, generation };
    const step = otpStep + (random.chance(0.9) ? random.between(1, 3) : 0);
    return { member, step, generation };
  }

  #currency(): string {
    const { currencies } = this.#state;
    return this.#random.chance(0.02)
      ? "nothing"
      : currencies[this.#random.below(currencies.length)]?.id ?? "";
  }

  /** Draws up to a fraction of the initial funds, mostly within the currency's precision. */
  #amount(currency: string, parts: number): bigint {
    const random = this.#random;
    const most = (FUNDS[currency] ?? COIN) / BigInt(parts);
    const precision = this.#state.currency(currency)?.precision ?? 16;
    const unit = 10n ** BigInt(16 - precision);
    const amount = most * BigInt(random.between(1, 1000)) / 1000n / unit * unit;
    return random.chance(0.03) ? amount + 1n : amount;
  }

  #adjust(): MoneyCommand {
    const random = this.#random;
    const currency = this.#currency();
    const amount = this.#amount(currency, 4);
    const uid = random.chance(0.02) ? "ID-nobody" : this.#trader();
    return {
      kind: "adjust_balance",
      uid,
      currency,
      amount: random.chance(0.55) ? amount : -amount,
    };
  }

  #trader(): string {
    return uidOf(3 + this.#random.below(Math.max(1, this.#state.members.length - 3)));
  }

  /** Observes a deposit with a lookup, as the wallet does; occasionally with a stale one. */
  #observe(): MoneyCommand {
    const random = this.#random;
    const state = this.#state;
    const { freed: all } = state.ended;
    const freed = all.length > 0 && random.chance(0.2) ? random.pick(all) : undefined;
    const currency = state.currencies[freed?.currency ?? -1]?.id ?? this.#currency();
    const number = Math.floor(state.counters.deposits / 3) + random.below(TXIDS);
    const txid = freed?.txid ?? (random.chance(0.1) ? "" : this.#txid(number));
    const output = freed?.output ?? (random.chance(0.2) ? WHOLE : random.below(2));
    const index = state.currency(currency)?.index ?? -1;
    const lookup = this.#lookUp(index, txid, output);
    const isFreed = state.ended.isFreed(lookup.knownId, output);
    return {
      kind: "observe_deposit",
      uid: this.#trader(),
      currency,
      amount: this.#amount(currency, 10),
      txid,
      output,
      confirmations: random.below(3),
      ...lookup,
      ...(isFreed && random.chance(0.9) ? { freedId: lookup.knownId } : {}),
    };
  }

  #lookUp(currency: number, txid: string, output: number, checkedAt = this.#checkedAt()) {
    const state = this.#state;
    const named = state.depositOf(currency, txid, output);
    const knownId = named !== undefined && named.after < checkedAt ? named.id : 0;
    return { knownId, checkedAt };
  }

  /** Returns a sequence that a lookup in the rows has reached. */
  #checkedAt(): number {
    const random = this.#random;
    return Math.max(0, this.#state.sequence - (random.chance(0.6) ? 0 : random.below(5000)));
  }

  /** Reverses what has ended lately, mostly what can be reversed. */
  #reverse(): MoneyCommand {
    const random = this.#random;
    const { latest, credited } = this.#state.ended;
    const reversed = random.pick(credited.length > 0 && random.chance(0.8) ? credited : latest);
    const { type, record: { id, currency } } = reversed;
    const lookup = this.#lookUp(currency, `reversal of ${type} ${id}`, WHOLE);
    if (random.chance(0.5)) return { kind: "reverse", reversed, ...lookup };
    // One that came back, or which was credited as a deposit, or has been turned down.
    const { freed } = this.#state.ended;
    const one = freed.length > 0 && random.chance(0.2) ? random.pick(freed) : undefined;
    const number = Math.floor(this.#state.counters.deposits / 3) + random.below(TXIDS);
    const credits = credited.filter((ended) =>
      ended.type === "deposit" && ended.record.currency === currency
    );
    const taken = credits.length > 0 && random.chance(0.7) ? random.pick(credits) : undefined;
    const txid = one?.txid ?? taken?.record.txid ?? this.#txid(number);
    const sought = this.#lookUp(currency, txid, WHOLE, lookup.checkedAt);
    const isFreed = this.#state.ended.isFreed(sought.knownId, WHOLE);
    const freedId = isFreed && random.chance(0.9) ? { freedId: sought.knownId } : {};
    return { kind: "reverse", reversed, ...lookup, payment: { txid, ...sought, ...freedId } };
  }

  /** Returns a transaction in one of its spellings. */
  #txid(number: number): string {
    const random = this.#random;
    const digits = number.toString(16).padStart(40, "fa");
    const spelled = random.chance(0.2) ? digits.toUpperCase() : digits;
    return random.chance(0.2) ? `0x${spelled}` : spelled;
  }

  #deposit(): MoneyCommand {
    const random = this.#random;
    const deposit = someOf(random, this.#state.deposits);
    const id = random.chance(0.04) ? random.below(this.#state.counters.deposits + 2) : deposit.id;
    const usual = DEPOSIT_PATH[deposit.state] ?? DEPOSIT_ACTIONS;
    const action = random.pick(random.chance(0.9) ? usual : DEPOSIT_ACTIONS);
    const more = random.chance(0.5) ? { confirmations: random.below(9) } : {};
    return { kind: "change_deposit", id, action, ...more };
  }

  #withdraw(): MoneyCommand {
    const random = this.#random;
    const withdraw = someOf(random, this.#state.withdraws);
    const id = random.chance(0.04) ? random.below(this.#state.counters.withdraws + 2) : withdraw.id;
    const usual = WITHDRAW_PATH[withdraw.state] ?? WITHDRAW_ACTIONS;
    const action = random.pick(random.chance(0.9) ? usual : WITHDRAW_ACTIONS);
    const names = action === "send" || random.chance(0.1);
    return {
      kind: "change_withdraw",
      id,
      action,
      ...(action === "approve" && random.chance(0.3) ? { isByHand: true } : {}),
      ...(names ? { txid: random.chance(0.97) ? `out${id}` : "" } : {}),
      ...(random.chance(0.3) ? { confirmations: random.below(9) } : {}),
      ...(action === "claim" || random.chance(0.2)
        ? { claims: withdraw.claims + (random.chance(0.95) ? 0 : 1) }
        : {}),
    };
  }
}

function someOf<T>(random: Prng, records: ReadonlyMap<number, T>): T {
  return random.pick([...records.values()]);
}
