/** How much may be withdrawn without the operator's approval, by level and group. */
import { ANY_GROUP } from "./fees.ts";

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
export class WithdrawLimits {
  readonly #rows = new Map<string, WithdrawLimit>();

  /** Sets the row of a level and group; returns the one that it replaces. */
  set(row: WithdrawLimit): WithdrawLimit | undefined {
    const key = rowKey(row.level, row.group);
    const old = this.#rows.get(key);
    this.#rows.set(key, row);
    return old;
  }

  /** Removes a row. */
  delete(row: WithdrawLimit): void {
    this.#rows.delete(rowKey(row.level, row.group));
  }

  /** Returns the limit of a member; null if there is none: no row, or both sums zero. */
  choose(level: number, group: string): WithdrawLimit | null {
    const row = this.#rows.get(rowKey(level, group)) ??
      this.#rows.get(rowKey(level, ANY_GROUP)) ??
      this.#rows.get(rowKey(ANY_LEVEL, group)) ??
      this.#rows.get(rowKey(ANY_LEVEL, ANY_GROUP));
    return row === undefined || (row.limit24h === 0n && row.limit1m === 0n) ? null : row;
  }

  /** Returns all rows, by level, then group. */
  rows(): WithdrawLimit[] {
    return [...this.#rows.values()].sort((a, b) =>
      a.level - b.level || (a.group < b.group ? -1 : a.group > b.group ? 1 : 0)
    );
  }
}

function rowKey(level: number, group: string): string {
  return `${level}:${group}`;
}
