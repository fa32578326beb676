/** Rows of a book: levels put together by steps of price, with their sums. */
import type { Level } from "../../client/client.ts";
import { DIGITS, percentOf, stepOf, toldUnits, unitsText } from "../shared/amounts.ts";

/** A row of a book. */
export interface BookRow {
  readonly price: string;
  readonly amount: string;
  /** All amounts from the best price to this one. */
  readonly sum: string;
  /** The sum as a share of the longest one shown, in percent. */
  readonly share: number;
  /** Whether one's own orders are among it. */
  readonly isOwn: boolean;
}

/** Which side of a book; asks are rounded up to steps, bids down: never better than they are. */
export type BookSide = "asks" | "bids";

/** The steps of price that a market's book can be grouped by: the finest, and powers of ten of it. */
export function groupings(pricePrecision: number, lastPrice: string): readonly string[] {
  const last = toldUnits(lastPrice);
  const steps: string[] = [];
  for (let digits = pricePrecision; digits > -DIGITS && steps.length < 6; digits--) {
    const step = digits >= 0 ? stepOf(digits) : stepOf(0) * 10n ** BigInt(-digits);
    if (steps.length > 0 && step * 50n > last) break;
    steps.push(unitsText(step));
  }
  return steps;
}

interface Group {
  readonly price: bigint;
  amount: bigint;
  isOwn: boolean;
}

/**
 * Returns the rows nearest to the spread, best first.
 *
 * @param step decimal by which prices are grouped
 * @param own prices of one's own orders on this side
 * @param rowsMax how many there may be
 */
export function bookRows(
  levels: readonly Level[],
  side: BookSide,
  step: string,
  own: ReadonlySet<string>,
  rowsMax: number,
): readonly BookRow[] {
  const groups = grouped(levels, side, toldUnits(step), own, rowsMax);
  let sum = 0n;
  const summed = groups.map((group) => ({ ...group, sum: sum += group.amount }));
  return summed.map((row) => ({
    price: unitsText(row.price),
    amount: unitsText(row.amount),
    sum: unitsText(row.sum),
    share: percentOf(row.sum, sum),
    isOwn: row.isOwn,
  }));
}

function grouped(
  levels: readonly Level[],
  side: BookSide,
  step: bigint,
  own: ReadonlySet<string>,
  rowsMax: number,
): readonly Group[] {
  const groups: Group[] = [];
  for (const [price, volume] of levels) {
    const units = toldUnits(price);
    const below = units - units % step;
    const at = side === "bids" || below === units ? below : below + step;
    let group = groups.at(-1);
    if (group?.price !== at) {
      if (groups.length === rowsMax) break;
      groups.push(group = { price: at, amount: 0n, isOwn: false });
    }
    group.amount += toldUnits(volume);
    group.isOwn ||= own.has(unitsText(units));
  }
  return groups;
}
