/** What a maker's orders on a market should become: a ladder around a price, moved rung by rung. */
import type { Random } from "./price_walk.ts";
import { normal } from "./price_walk.ts";

/** Rungs on each side. */
export const RUNGS = 14;
/** Ticks from the middle to the best rung, at most; the least is 1. */
export const BEST_TICKS_MAX = 3;
/** Of the price: from one rung to the next, in millionths; rungs farther out are farther apart. */
const GAP = 200;
const WIDENING = 0.1;
/** How far out orders are let be, measured by the outermost rung. */
const OUT_MAX = 1.3;
/** Orders of a side that are taken back at once since others stand on their rung. */
const SURPLUS_MAX = 1;
/** Value of the best rung, in the currency of values; how much more each further one has. */
const [VALUE, VALUE_MORE] = [800, 0.6];

export type Side = "buy" | "sell";

/** An order that is there, by its price in ticks. */
export interface Rung {
  readonly id: number;
  readonly price: bigint;
}

/** An order that should be there. */
export interface NewRung {
  readonly price: bigint;
  /** In the currency of values. */
  readonly value: number;
}

/** What to do on a side. */
export interface LadderChanges {
  readonly cancelled: readonly number[];
  /** Best first. */
  readonly placed: readonly NewRung[];
}

/**
 * Finds what to change on one side. Few orders change at a time: the best ones follow the price, and
 * those that it leaves behind are the next rungs.
 *
 * @param orders the side's own orders
 * @param middle the price, in ticks
 */
export function ladderChanges(
  side: Side,
  orders: readonly Rung[],
  middle: bigint,
  random: Random,
): LadderChanges {
  const distances = distancesOf(middle);
  const outermost = (distances.at(-1) ?? 0) * OUT_MAX;
  const away = (price: bigint) => Number(side === "buy" ? middle - price : price - middle);
  const cancelled: number[] = [];
  /** By rung, the ids of the orders that stand there, farthest out first. */
  const standing = distances.map((): number[] => []);
  const sorted = [...orders].sort((one, other) => away(other.price) - away(one.price));
  for (const { id, price } of sorted) {
    const distance = away(price);
    if (distance < 1 || distance > outermost) cancelled.push(id);
    else standing[rungAt(distances, distance)]?.push(id);
  }
  const surplus = standing.flatMap((ids) => ids.slice(1));
  cancelled.push(...surplus.reverse().slice(0, SURPLUS_MAX));
  const placed = distances.flatMap((distance, rung): NewRung[] => {
    if ((standing[rung]?.length ?? 0) > 0) return [];
    const gap = (distances[rung + 1] ?? outermost) - distance;
    const shift = rung === 0
      ? Math.floor(random() * BEST_TICKS_MAX)
      : Math.floor((random() - 0.5) * 0.6 * gap);
    const least = rung === 0 ? 1 : BEST_TICKS_MAX + 1;
    const ticks = BigInt(Math.max(least, distance + shift));
    const price = side === "buy" ? middle - ticks : middle + ticks;
    const value = VALUE * (1 + VALUE_MORE * rung) * Math.exp(0.6 * normal(random));
    return price > 0n ? [{ price, value }] : [];
  });
  return { cancelled, placed };
}

/** Returns how many ticks from the middle the rungs are, each at least one more than the one before. */
function distancesOf(middle: bigint): number[] {
  const distances: number[] = [];
  for (let rung = 0; rung < RUNGS; rung++) {
    const share = GAP * rung * (1 + WIDENING * rung) / 1_000_000;
    const ticks = 1 + Math.round(Number(middle) * share);
    const before = distances.at(-1);
    distances.push(before === undefined ? ticks : Math.max(before + BEST_TICKS_MAX, ticks));
  }
  return distances;
}

/** Returns the rung that an order so many ticks from the middle stands on. */
function rungAt(distances: readonly number[], ticks: number): number {
  if (ticks <= BEST_TICKS_MAX) return 0;
  const next = distances.findIndex((distance, rung) =>
    rung > 0 && ticks < (distance + (distances[rung + 1] ?? Infinity)) / 2
  );
  return next < 0 ? distances.length - 1 : next;
}
