import type { OtpProof } from "../../src/domain/identity_command.ts";
import { isRejection, type Outcome } from "../../src/domain/command.ts";
import type { RequestWithdraw } from "../../src/domain/money_command.ts";
import { LEDGER_DIGITS, parseDecimal } from "../../src/domain/money/money.ts";
import type { Withdraw } from "../../src/domain/money/withdraw.ts";
import { activeBeneficiary, UIDS } from "./beneficiaries.ts";
import type { TestVenue } from "./with_venue.ts";

/** A demo member with two-factor on, whose codes are always right. */
export class Withdrawer {
  #step = 1;

  private constructor(
    readonly venue: TestVenue,
    readonly index: number,
    readonly currency: string,
    readonly beneficiary: number,
  ) {}

  /** Turns on two-factor if it is off, and creates a beneficiary. */
  static async of(
    venue: TestVenue,
    name: "alice" | "bob",
    currency = "btc",
    data: Record<string, string> = { address: "sandbox-btc-1" },
  ): Promise<Withdrawer> {
    const holder = venue.engine.venue.holderByUid.get(UIDS[name]);
    if (holder === undefined) throw new Error(`No member ${name}`);
    const { index, hasTwoFactor } = holder.member;
    const beneficiary = await activeBeneficiary(venue, name, { currency, data });
    const withdrawer = new Withdrawer(venue, index, currency, beneficiary);
    if (!hasTwoFactor) {
      const otp = withdrawer.#proof();
      await venue.engine.submit({ kind: "set_two_factor", ...otp, isOn: true }, null);
    }
    return withdrawer;
  }

  /** Requests a withdrawal. */
  request(
    amount: string,
    terms: Partial<Pick<RequestWithdraw, "isByHand">> = {},
  ): Promise<Outcome> {
    return this.venue.engine.submit({
      kind: "request_withdraw",
      member: this.index,
      otp: this.#proof(),
      beneficiary: this.beneficiary,
      currency: this.currency,
      amount: parseDecimal(amount, LEDGER_DIGITS) ?? 0n,
      ...terms,
    }, null);
  }

  /** Requests a withdrawal, which must be accepted. */
  async must(
    amount: string,
    terms: Partial<Pick<RequestWithdraw, "isByHand">> = {},
  ): Promise<Withdraw> {
    const outcome = await this.request(amount, terms);
    if (isRejection(outcome) || outcome.kind !== "withdraw_set") {
      throw new Error(JSON.stringify(outcome));
    }
    return outcome.withdraw;
  }

  #proof(): OtpProof {
    const { otpStep, generation = 0 } = this.venue.engine.venue.holder(this.index).member;
    this.#step = Math.max(this.#step, otpStep) + 1;
    return { member: this.index, step: this.#step, generation };
  }
}
