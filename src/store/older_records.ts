/** What records of older formats mean to this program. */
import type { Currency } from "../domain/money/currency.ts";
import type { WithdrawLimit } from "../domain/money/withdraw_limits.ts";

/** Since these formats a limit of 0 is one of nothing, and null is none. */
const NULL_LIMITS = { log: 5, row: 4 };

/** Makes a record what it means now. */
export type Renewal<T> = (record: T) => T;

/** Returns a currency of an older format: each of its limits was none if it was 0. */
export function renewedCurrency(currency: Currency): Currency {
  const { withdrawLimit24h, withdrawLimit72h } = currency;
  return {
    ...currency,
    withdrawLimit24h: withdrawLimit24h === 0n ? null : withdrawLimit24h,
    withdrawLimit72h: withdrawLimit72h === 0n ? null : withdrawLimit72h,
  };
}

/** Returns a limit of an older format: it was none if both of its sums were 0. */
export function renewedLimit(row: WithdrawLimit): WithdrawLimit {
  const isNone = row.limit24h === 0n && row.limit1m === 0n;
  return isNone ? { ...row, limit24h: null, limit1m: null } : row;
}

/** Returns a record of an entry of this format as it is meant now. */
export function renewedFrom<T>(format: number, record: T, renewal: Renewal<T>): T {
  return format < NULL_LIMITS.log ? renewal(record) : record;
}

/** Whether a row of this format has limits of which 0 is none. */
export function isOlderRow(format: number): boolean {
  return format < NULL_LIMITS.row;
}
