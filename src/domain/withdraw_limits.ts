/** How much may be withdrawn without the operator's approval, by level and group. */
import { ANY_GROUP, GroupTable } from "./group_table.ts";

/** Level that stands for every level. */
export const ANY_LEVEL = -1;

/** One row of the table; amounts in the platform's currency, in ledger units. */
export interface WithdrawLimit {
  readonly level: number;
  readonly group: string;
  readonly limit24h: bigint;
  readonly limit1m: bigint;
}

/** Rows by level and group; a level outweighs a group. */
export class WithdrawLimits extends GroupTable<WithdrawLimit> {
  constructor() {
    super((row) => row.level);
  }

  /** Returns the limit of a member; null if there is none: no row, or both sums zero. */
  choose(level: number, group: string): WithdrawLimit | null {
    const row = this.get(level, group) ?? this.get(level, ANY_GROUP) ??
      this.get(ANY_LEVEL, group) ?? this.get(ANY_LEVEL, ANY_GROUP);
    return row === undefined || (row.limit24h === 0n && row.limit1m === 0n) ? null : row;
  }
}
