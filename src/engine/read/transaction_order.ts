/** The order of deposits and withdrawals in one list. */
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { Transaction } from "../engine.ts";

/** Compares by creation time, then id; of two that share both, the deposit comes first. */
export function compareTransactions(a: Transaction, b: Transaction): number {
  const [one, other] = [recordOf(a), recordOf(b)];
  return one.createdAt - other.createdAt || one.id - other.id ||
    Number("withdraw" in a) - Number("withdraw" in b);
}

/** Returns the deposit or the withdrawal that a transaction is. */
export function recordOf(transaction: Transaction): Deposit | Withdraw {
  return "deposit" in transaction ? transaction.deposit : transaction.withdraw;
}
