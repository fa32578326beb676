/**
 * The totals of one member's credits and debits in one currency, valued in another. All amounts are
 * in ledger units; divisions and products with a price are rounded to the nearest unit, halves up.
 */
import { LEDGER_ONE } from "../money/money.ts";
import { divideNearest, type Price, worth } from "./pnl_price.ts";

/** The running totals. All values are linear in the price. */
export interface PnlAccumulator {
  totalCredit: bigint;
  totalDebit: bigint;
  totalDebitFees: bigint;
  totalCreditValue: bigint;
  totalDebitValue: bigint;
  /** Cost of one whole coin of what is left. */
  averageBalancePrice: bigint;
  totalBalanceValue: bigint;
  /** Whether no trade had given a price by the last contribution: values are as if it were 1. */
  isUnpriced: boolean;
}

/** What one event adds: a credit, or a debit with its fee. */
export interface PnlContribution {
  readonly credit: bigint;
  readonly debit: bigint;
  readonly debitFees: bigint;
}

/** What was known of the price when an event happened. */
export interface PnlPrices {
  /** Whether both currencies are the same. */
  readonly isSame: boolean;
  /** The price at the event; null if there was none yet. */
  readonly current: Price | null;
  /** The first price ever, for everything before it. */
  readonly first: Price | null;
}

/** Returns an accumulator without contributions. */
export function emptyAccumulator(): PnlAccumulator {
  return {
    totalCredit: 0n,
    totalDebit: 0n,
    totalDebitFees: 0n,
    totalCreditValue: 0n,
    totalDebitValue: 0n,
    averageBalancePrice: 0n,
    totalBalanceValue: 0n,
    isUnpriced: false,
  };
}

/** Adds the contribution of an event. */
export function addContribution(
  accumulator: PnlAccumulator,
  contribution: PnlContribution,
  { isSame, current, first }: PnlPrices,
): void {
  if (accumulator.isUnpriced && first !== null) applyPrice(accumulator, first);
  const { credit, debit, debitFees } = contribution;
  if (current === null) accumulator.isUnpriced = true;
  if (debit > 0n || debitFees > 0n) addDebit(accumulator, debit, debitFees, current);
  if (credit > 0n) addCredit(accumulator, credit, current);
  if (isSame) accumulator.averageBalancePrice = LEDGER_ONE;
}

function addCredit(accumulator: PnlAccumulator, credit: bigint, price: Price | null): void {
  const value = price === null ? credit : worth(credit, price);
  accumulator.totalCredit += credit;
  accumulator.totalCreditValue += value;
  accumulator.totalBalanceValue += value;
  const balance = accumulator.totalCredit - accumulator.totalDebit - accumulator.totalDebitFees;
  if (balance <= 0n) return;
  accumulator.averageBalancePrice = averageOf(accumulator.totalBalanceValue, balance);
}

function addDebit(
  accumulator: PnlAccumulator,
  debit: bigint,
  fees: bigint,
  price: Price | null,
): void {
  const gross = debit + fees;
  accumulator.totalDebit += debit;
  accumulator.totalDebitFees += fees;
  accumulator.totalDebitValue += price === null ? gross : worth(gross, price);
  const cost = divideNearest(gross * accumulator.averageBalancePrice, LEDGER_ONE);
  const left = accumulator.totalBalanceValue - cost;
  accumulator.totalBalanceValue = left > 0n ? left : 0n;
}

/** Gives a price to an accumulator without one, whose values are linear in it. */
export function applyPrice(accumulator: PnlAccumulator, price: Price): void {
  accumulator.totalCreditValue = worth(accumulator.totalCreditValue, price);
  accumulator.totalDebitValue = worth(accumulator.totalDebitValue, price);
  accumulator.averageBalancePrice = worth(accumulator.averageBalancePrice, price);
  accumulator.totalBalanceValue = worth(accumulator.totalBalanceValue, price);
  accumulator.isUnpriced = false;
}

/** Returns the value of one whole coin if `amount` is worth `value`. */
export function averageOf(value: bigint, amount: bigint): bigint {
  return divideNearest(value * LEDGER_ONE, amount);
}
