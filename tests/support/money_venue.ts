import { type Effect, isRejection, type Outcome } from "../../src/domain/command.ts";
import type { Deposit, DepositAction } from "../../src/domain/money/deposit.ts";
import type { OtpProof } from "../../src/domain/identity_command.ts";
import type { RejectionCode } from "../../src/domain/rejection.ts";
import type { Withdraw, WithdrawAction } from "../../src/domain/money/withdraw.ts";
import { DomainVenue, units } from "./domain_venue.ts";

/** A venue for deposits and withdrawals; members are at level 3 with a second factor. */
export class MoneyVenue extends DomainVenue {
  #step = 100;
  #txid = 0;

  /** Adds a member that may withdraw. */
  withWithdrawer(uid: string, funds: Record<string, string> = {}): this {
    this.withMember(uid, funds);
    this.must({ kind: "set_two_factor", ...this.otp(uid), isOn: true });
    return this;
  }

  /** Returns the proof of an unused code. */
  otp(uid: string): OtpProof & { readonly step: number } {
    return { member: this.member(uid), step: this.#step++, generation: this.generation(uid) };
  }

  /** Creates a beneficiary; returns its id. */
  beneficiary(uid: string, currency: string, address: string): number {
    const { venue } = this;
    const receipt = this.must({
      kind: "create_beneficiary",
      member: this.member(uid),
      currency,
      addressDigest: address,
    });
    if (receipt.kind !== "beneficiary_set") throw new Error(receipt.kind);
    if (venue.counters.beneficiaries !== receipt.beneficiary.id) {
      throw new Error("A gap in the ids");
    }
    return receipt.beneficiary.id;
  }

  /** Creates a beneficiary and activates it; returns its id. */
  activeBeneficiary(uid: string, currency: string, address: string = `${uid}'s`): number {
    const id = this.beneficiary(uid, currency, address);
    this.must({ kind: "try_pin", member: this.member(uid), id, pin: 1, isRight: true });
    return id;
  }

  /** Requests a withdrawal. */
  requestWithdraw(
    uid: string,
    currency: string,
    amount: string,
    options: { beneficiary: number; step?: number | null },
  ): Outcome {
    const { beneficiary, step } = options;
    const otp = step === undefined ? this.otp(uid) : { ...this.otp(uid), step };
    return this.do({
      kind: "request_withdraw",
      member: this.member(uid),
      otp,
      beneficiary,
      currency,
      amount: units(amount),
    });
  }

  /** Requests a withdrawal, which must be accepted. */
  withdraw(uid: string, currency: string, amount: string, beneficiary: number): Withdraw {
    return withdrawOf(this.requestWithdraw(uid, currency, amount, { beneficiary }));
  }

  /** Changes a withdrawal's state, knowing its current number of claims. */
  moveWithdraw(id: number, action: WithdrawAction, more: { txid?: string } = {}): Outcome {
    const claims = this.venue.withdraws.get(id)?.claims ?? 0;
    return this.do({ kind: "change_withdraw", id, action, claims, ...more });
  }

  /** Observes a deposit. */
  observe(
    uid: string,
    currency: string,
    amount: string,
    more: {
      txid?: string;
      output?: number;
      knownId?: number;
      checkedAt?: number;
      freedId?: number;
    } = {},
  ): Outcome {
    const { txid = `tx${this.#txid++}`, output = 0, knownId = 0, freedId = 0 } = more;
    return this.do({
      kind: "observe_deposit",
      uid,
      currency,
      amount: units(amount),
      txid,
      output,
      confirmations: 0,
      knownId,
      checkedAt: more.checkedAt ?? this.venue.sequence,
      freedId,
    });
  }

  /** Observes a deposit, which must be accepted. */
  deposit(uid: string, currency: string, amount: string): Deposit {
    return depositOf(this.observe(uid, currency, amount));
  }

  /** Changes a deposit's state. */
  moveDeposit(id: number, action: DepositAction, confirmations?: number): Outcome {
    const more = confirmations === undefined ? {} : { confirmations };
    return this.do({ kind: "change_deposit", id, action, ...more });
  }
}

/** Returns a venue with two coins, a fiat currency, and the members ann and ben. */
export function moneyVenue(): MoneyVenue {
  const test = new MoneyVenue().withCurrencies("btc", "usdt");
  const usdt = test.venue.currencyById.get("usdt");
  if (usdt === undefined) throw new Error("The currency was not made");
  const { index: _, ...definition } = usdt;
  test.must({
    kind: "create_currency",
    currency: { ...definition, id: "eur", type: "fiat", precision: 2, depositFee: units("0.1") },
  });
  test.must({
    kind: "change_currency",
    id: "btc",
    changes: {
      price: units("20000"),
      withdrawFee: units("0.001"),
      minWithdrawAmount: units("0.01"),
    },
  });
  return test.withWithdrawer("ann", { btc: "10", usdt: "1000", eur: "500" }).withWithdrawer("ben");
}

/** Returns the withdrawal in a receipt. */
export function withdrawOf(outcome: Outcome): Withdraw {
  const effect = effectOf(outcome);
  if (effect.kind !== "withdraw_set") throw new Error(effect.kind);
  return effect.withdraw;
}

/** Returns the deposit in a receipt. */
export function depositOf(outcome: Outcome): Deposit {
  const effect = effectOf(outcome);
  if (effect.kind !== "deposit_set") throw new Error(effect.kind);
  return effect.deposit;
}

/** Returns the code of a refusal, if it is one. */
export function refusalOf(outcome: Outcome): RejectionCode | null {
  return isRejection(outcome) ? outcome.rejected : null;
}

function effectOf(outcome: Outcome): Effect {
  if (isRejection(outcome)) throw new Error(`Refused: ${outcome.rejected}`);
  return outcome;
}
