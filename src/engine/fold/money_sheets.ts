/** Sheets of deposits, withdrawals, and what limits them. */
import type { Beneficiary } from "../../domain/people/beneficiary.ts";
import type { Deposit, DepositName } from "../../domain/money/deposit.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { WithdrawLimit, WithdrawLimitName } from "../../domain/money/withdraw_limits.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import { LIMIT_RENEWALS } from "../../store/older_records.ts";
import { BENEFICIARIES_PER_ROW, MONEY_RECORDS_PER_ROW } from "../../store/rows/row_codec.ts";
import { blockLayout, indexedSheet, placedSheet, Sheet } from "./row_sheets.ts";
import type { RowSource } from "./row_source.ts";

/** Names a row by the lowest id that may be in it, so that readers of histories find it. */
function recordsPlace(id: number): readonly [number] {
  return [id - id % MONEY_RECORDS_PER_ROW];
}

/** A sheet of deposits that can still change. */
export function openDepositsSheet(rows: RowSource): Sheet<number, Deposit> {
  return new Sheet(rows, blockLayout("open_deposits", recordsPlace, DEPOSIT_CODEC));
}

/** A sheet of ended deposits of all members. */
export function endedDepositsSheet(rows: RowSource): Sheet<number, Deposit> {
  return new Sheet(rows, blockLayout("ended_deposits", recordsPlace, DEPOSIT_CODEC));
}

/** A sheet of withdrawals that can still change. */
export function openWithdrawsSheet(rows: RowSource): Sheet<number, Withdraw> {
  return new Sheet(rows, blockLayout("open_withdraws", recordsPlace, WITHDRAW_CODEC));
}

/** A sheet of ended withdrawals of all members. */
export function endedWithdrawsSheet(rows: RowSource): Sheet<number, Withdraw> {
  return new Sheet(rows, blockLayout("ended_withdraws", recordsPlace, WITHDRAW_CODEC));
}

/** A sheet of beneficiaries, by id. */
export function beneficiariesSheet(rows: RowSource): Sheet<number, Beneficiary> {
  return indexedSheet(rows, "beneficiaries", BENEFICIARIES_PER_ROW, ({ id }) => id);
}

/** A sheet of limits of withdrawals, by level and group. */
export function withdrawLimitsSheet(rows: RowSource): Sheet<WithdrawLimitName, WithdrawLimit> {
  const place = ({ level, group }: WithdrawLimitName) => [level, group];
  return placedSheet(rows, "withdraw_limits", place, LIMIT_RENEWALS);
}

/** Returns the place of a deposit's name. */
export function depositNamePlace(
  { currency, transaction, output }: DepositName,
): readonly [number, string, number] {
  return [currency, transaction, output];
}
