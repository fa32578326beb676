/** The order of deposits and withdrawals in one list. */
import type { Transaction } from "./engine.ts";

/** When a record was made, in ms: grows with its id. */
export function timeOf({ createdAt }: { readonly createdAt: number }): number {
  return createdAt;
}

/** By creation time, then id; of two that share both, the deposit is first. */
export function compareTransactions(a: Transaction, b: Transaction): number {
  const [one, other] = [recordOf(a), recordOf(b)];
  return one.createdAt - other.createdAt || one.id - other.id ||
    Number("withdraw" in a) - Number("withdraw" in b);
}

function recordOf(transaction: Transaction): { readonly id: number; readonly createdAt: number } {
  return "deposit" in transaction ? transaction.deposit : transaction.withdraw;
}
