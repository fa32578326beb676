/** Profit and loss of one member in one currency, valued in another. */
import { applyPrice, averageOf, type PnlAccumulator } from "./pnl_accumulator.ts";
import type { Price } from "./pnl_price.ts";

/** One row of profit and loss, in ledger units. */
export interface PnlRow {
  /** Currency codes. */
  readonly currency: string;
  readonly pnlCurrency: string;
  readonly totalCredit: bigint;
  readonly totalDebit: bigint;
  readonly totalCreditValue: bigint;
  readonly totalDebitValue: bigint;
  /** Null if nothing was credited. */
  readonly averageBuyPrice: bigint | null;
  /** Null if nothing was debited. */
  readonly averageSellPrice: bigint | null;
  readonly averageBalancePrice: bigint;
  readonly totalBalanceValue: bigint;
}

/**
 * Returns the row of an accumulator.
 *
 * @param price what its values are multiplied by if no trade has given it a price
 */
export function pnlRowOf(
  names: Pick<PnlRow, "currency" | "pnlCurrency">,
  accumulator: Readonly<PnlAccumulator>,
  price: Price,
): PnlRow {
  const priced = { ...accumulator };
  if (priced.isUnpriced) applyPrice(priced, price);
  const { totalCredit, totalDebit, totalCreditValue, totalDebitValue } = priced;
  return {
    ...names,
    totalCredit,
    totalDebit,
    totalCreditValue,
    totalDebitValue,
    averageBuyPrice: totalCredit === 0n ? null : averageOf(totalCreditValue, totalCredit),
    averageSellPrice: totalDebit === 0n ? null : averageOf(totalDebitValue, totalDebit),
    averageBalancePrice: priced.averageBalancePrice,
    totalBalanceValue: priced.totalBalanceValue,
  };
}
