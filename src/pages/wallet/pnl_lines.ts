/** Profit and loss by currency, of what the venue keeps account of. */
import type { Records } from "../../client/client.ts";
import { toldUnits } from "../shared/amounts.ts";

/** Profit and loss in one currency; all amounts in units of amounts.ts. */
export interface PnlLine {
  readonly currency: string;
  /** What there is now. */
  readonly held: bigint;
  /** What that has cost. */
  readonly cost: bigint;
  /** What it is worth; null if that is not known, as are the next then. */
  readonly value: bigint | null;
  readonly unrealised: bigint | null;
  /** What was gained by all that has gone out, whatever way it went. */
  readonly realised: bigint;
  /** Decimals; null if nothing has come in, or gone out. */
  readonly averageBuy: string | null;
  readonly averageSell: string | null;
}

/**
 * Returns the lines of one currency of values.
 *
 * @param heldOf what there is of a currency now
 * @param valueOf what so much of a currency is worth now
 */
export function pnlLines(
  rows: readonly Records["Pnl"][],
  quote: string,
  heldOf: (currency: string) => bigint,
  valueOf: (currency: string, units: bigint) => bigint | null,
): readonly PnlLine[] {
  return rows.filter((row) => row.pnl_currency === quote).map((row) => {
    const [creditValue, debitValue, cost] = [
      row.total_credit_value,
      row.total_debit_value,
      row.total_balance_value,
    ].map(toldUnits) as [bigint, bigint, bigint];
    const held = heldOf(row.currency);
    const value = valueOf(row.currency, held);
    return {
      currency: row.currency,
      held,
      cost,
      value,
      unrealised: value === null ? null : value - cost,
      realised: debitValue - (creditValue - cost),
      averageBuy: row.average_buy_price,
      averageSell: row.average_sell_price,
    };
  });
}

/** Returns the sums of all lines; what is not known counts nothing. */
export function pnlSums(
  lines: readonly PnlLine[],
): { readonly realised: bigint; readonly unrealised: bigint } {
  return lines.reduce((sums, { realised, unrealised }) => ({
    realised: sums.realised + realised,
    unrealised: sums.unrealised + (unrealised ?? 0n),
  }), { realised: 0n, unrealised: 0n });
}
