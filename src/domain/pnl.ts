/** Profit and loss of one member in one currency, valued in another (api-conventions §9). */

/** One row of A1, in ledger units. */
export interface PnlRow {
  /** Currency codes. */
  readonly currency: string;
  readonly pnlCurrency: string;
  readonly totalCredit: bigint;
  readonly totalDebit: bigint;
  readonly totalCreditValue: bigint;
  readonly totalDebitValue: bigint;
  /** Null where nothing was credited. */
  readonly averageBuyPrice: bigint | null;
  /** Null where nothing was debited. */
  readonly averageSellPrice: bigint | null;
  readonly averageBalancePrice: bigint;
  readonly totalBalanceValue: bigint;
}
