import type { Deposit } from "../../../src/domain/money/deposit.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";

/** A deposit or a withdrawal that no longer changes. */
export type Ended =
  | { readonly type: "deposit"; readonly record: Deposit }
  | { readonly type: "withdraw"; readonly record: Withdraw };

/** Number of the latest ones of each kind that are remembered. */
const LATEST_MAX = 60;

/** Deposits and withdrawals that have ended, for calls that come back to them; oldest first. */
export class EndedMoney {
  /** All, whether they can be reversed or not. */
  readonly latest: Ended[] = [];
  /** What was credited or paid; some of it is reversed already. */
  readonly credited: Ended[] = [];
  /** Deposits that have given up their names: turned down, or reversed. */
  readonly freed: Deposit[] = [];

  /** Notes one that has just ended. */
  add(ended: Ended): void {
    remember(this.latest, ended);
    const { type, record } = ended;
    if (type === "withdraw") {
      if (record.state === "succeed") remember(this.credited, ended);
      return;
    }
    const { reverses, state } = record;
    if (state === "rejected") remember(this.freed, record);
    else if (reverses === undefined) {
      if (state === "collected" || state === "accepted") remember(this.credited, ended);
    } else if (reverses.type === "deposit") {
      const reversed = this.credited.find((one) =>
        one.type === "deposit" && one.record.id === reverses.id
      );
      if (reversed?.type === "deposit") remember(this.freed, reversed.record);
    }
  }

  /** Returns whether a deposit is known to have given up its name, which is that of this output. */
  isFreed(id: number, output: number): boolean {
    return this.freed.some((one) => one.id === id && one.output === output);
  }
}

function remember<T>(latest: T[], record: T): void {
  latest.push(record);
  if (latest.length > LATEST_MAX) latest.shift();
}
