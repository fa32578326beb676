import { OUTSIDE_MEMBER } from "../../../src/domain/people/member.ts";
import { must } from "./same.ts";

/** Balance of one member in one currency. */
export interface Balance {
  available: bigint;
  locked: bigint;
}

/** All balances, and the sum over each currency, which is always zero. */
export class Ledger {
  readonly accounts: Balance[][] = [];
  readonly #sums: bigint[] = [];

  /** Returns a member's balance. */
  of(member: number, currency: number): Balance {
    const accounts = this.accounts[member] ??= [];
    return accounts[currency] ??= { available: 0n, locked: 0n };
  }

  /** Adds to a member's balance; either part may be negative. */
  add(member: number, currency: number, available: bigint, locked: bigint): Balance {
    const account = this.of(member, currency);
    account.available += available;
    account.locked += locked;
    if (available + locked !== 0n) {
      this.#sums[currency] = (this.#sums[currency] ?? 0n) + available + locked;
    }
    must(
      member === OUTSIDE_MEMBER || (account.available >= 0n && account.locked >= 0n),
      () => `member ${member} owes in currency ${currency}: ${account.available}/${account.locked}`,
    );
    return account;
  }

  /** Asserts that every currency sums to zero. */
  checkSums(): void {
    for (let currency = 0; currency < this.#sums.length; currency++) {
      const sum = this.#sums[currency] ?? 0n;
      must(sum === 0n, () => `currency ${currency} sums to ${sum}`);
    }
  }
}
