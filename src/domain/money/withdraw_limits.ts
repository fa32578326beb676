/** How much may be withdrawn without the operator's approval, by level and group. */
import { ANY_GROUP, GroupTable } from "../group_table.ts";

/** Level that stands for every level. */
export const ANY_LEVEL = -1;

/** What a row is for. */
export interface WithdrawLimitName {
  /** Member level, or {@linkcode ANY_LEVEL}. */
  readonly level: number;
  readonly group: string;
}

/**
 * One row of the table; amounts in the platform's currency, in ledger units. 0 lets nothing leave,
 * null is no limit.
 */
export interface WithdrawLimit extends WithdrawLimitName {
  readonly limit24h: bigint | null;
  readonly limit1m: bigint | null;
}

/** Whether a sum of withdrawals, with the one asked for, is within a limit. */
export function isWithin(sum: bigint, limit: bigint | null): boolean {
  // A sum may be rounded down to nothing, of which a limit of 0 lets none pass either.
  return limit === null || (limit > 0n && sum <= limit);
}

/** Whether a limit of a longer time is below one of a shorter time within it. */
export function isContradicted(shorter: bigint | null, longer: bigint | null): boolean {
  return shorter !== null && longer !== null && longer < shorter;
}

/** Rows by level and group; a level outweighs a group. */
export class WithdrawLimits extends GroupTable<WithdrawLimitName, WithdrawLimit> {
  constructor() {
    super(({ level }) => level);
  }

  /** Returns the limit of a member; null if there is none: no row, or neither sum. */
  choose(level: number, group: string): WithdrawLimit | null {
    const row = this.get(level, group) ?? this.get(level, ANY_GROUP) ??
      this.get(ANY_LEVEL, group) ?? this.get(ANY_LEVEL, ANY_GROUP);
    return row === undefined || (row.limit24h === null && row.limit1m === null) ? null : row;
  }
}
