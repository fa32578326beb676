/** How the worth of an account has changed over a time, and how much of that is profit. */

/** A change of a balance. */
export interface Change {
  /** In ms since 1970. */
  readonly at: number;
  readonly currency: string;
  /** In units of amounts.ts. */
  readonly units: bigint;
  /** Whether it came from outside, or went there: neither is a profit or a loss. */
  readonly isFlow: boolean;
}

/** What is known of an account over a time. */
export interface Account {
  /** What there is now, by currency. */
  readonly now: ReadonlyMap<string, bigint>;
  /** All changes since the first of the times, oldest first. */
  readonly changes: readonly Change[];
  /** When the curve has points, in ms since 1970, in their order; the last is now. */
  readonly times: readonly number[];
  /** What an amount was worth at a time; null if that is not known. */
  readonly valueAt: (currency: string, units: bigint, at: number) => bigint | null;
}

/** A point of the curve. */
export interface Point {
  readonly at: number;
  readonly value: bigint;
  /** Since the first point, without what came from outside or went there. */
  readonly profit: bigint;
}

/** Returns the curve. What is worth nobody knows what counts nothing. */
export function equityCurve({ now, changes, times, valueAt }: Account): readonly Point[] {
  const held = new Map(now);
  for (const { currency, units } of changes) {
    held.set(currency, (held.get(currency) ?? 0n) - units);
  }
  let next = 0;
  let flows = 0n;
  let first: bigint | null = null;
  return times.map((at) => {
    for (; next < changes.length; next++) {
      const change = changes[next];
      if (change === undefined || change.at > at) break;
      const { currency, units, isFlow } = change;
      held.set(currency, (held.get(currency) ?? 0n) + units);
      if (isFlow && first !== null) flows += valueAt(currency, units, change.at) ?? 0n;
    }
    let value = 0n;
    for (const [currency, units] of held) value += valueAt(currency, units, at) ?? 0n;
    first ??= value;
    return { at, value, profit: value - first - flows };
  });
}

/** A price at a time: when, in ms since 1970, and a decimal. */
export type PricePoint = readonly [at: number, price: string];

/** Returns the last price before a time, else the first; undefined if there is none. */
export function priceAt(points: readonly PricePoint[], at: number): string | undefined {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return points[Math.max(0, low - 1)]?.[1];
}
