/** The order of deposits and withdrawals in one list. */
import type { Transaction } from "./engine.ts";
import type { DatedRecord } from "./history_queries.ts";

/** Compares by creation time, then id; of two that share both, the deposit comes first. */
export function compareTransactions(a: Transaction, b: Transaction): number {
  const [one, other] = [recordOf(a), recordOf(b)];
  return one.createdAt - other.createdAt || one.id - other.id ||
    Number("withdraw" in a) - Number("withdraw" in b);
}

function recordOf(transaction: Transaction): DatedRecord {
  return "deposit" in transaction ? transaction.deposit : transaction.withdraw;
}
