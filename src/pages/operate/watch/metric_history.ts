/** Figures of the last ten minutes, made of the venue's counters; numbers for charts, no money. */

/** Values in ranges, as the venue counts them. */
export interface Distribution {
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** The counters that figures are made of. */
export interface Counters {
  readonly orders: number;
  readonly trades: number;
  readonly open_orders: number;
  readonly commit_ms: Distribution;
  readonly queue: number;
  readonly sockets: number;
  readonly lag_ms: number;
  readonly unfolded_events: number;
  readonly rss: number;
}

/** What is drawn. */
export const FIGURES = [
  "orders",
  "trades",
  "commit",
  "slowest",
  "queue",
  "sockets",
  "lag",
  "unfolded",
  "memory",
  "open",
] as const;
export type Figure = typeof FIGURES[number];

/** Figures at a time; null where none can be told. */
export interface Sample {
  /** In seconds since 1970. */
  readonly at: number;
  readonly figures: Readonly<Record<Figure, number | null>>;
}

/** How long figures are kept, in seconds. */
export const KEPT_SECONDS = 600;
const BYTES_PER_MB = 1_048_576;
/** The share of commits that are at most as slow as the "slowest" that is drawn. */
const SLOWEST = 0.99;

/**
 * Returns the figures of the time between two readings.
 *
 * @param before null if there is none; counters that have fallen are another process's
 * @param at when they were read, in seconds since 1970
 */
export function sampleOf(
  before: { readonly at: number; readonly counters: Counters } | null,
  counters: Counters,
  at: number,
): Sample {
  const seconds = before === null ? 0 : at - before.at;
  const rate = (of: (all: Counters) => number) => {
    if (before === null || seconds <= 0) return null;
    const more = of(counters) - of(before.counters);
    return more < 0 ? null : more / seconds;
  };
  const commits = before === null ? null : between(before.counters.commit_ms, counters.commit_ms);
  return {
    at,
    figures: {
      orders: rate(({ orders }) => orders),
      trades: rate(({ trades }) => trades),
      commit: commits === null || commits.count === 0 ? null : commits.sum / commits.count,
      slowest: commits === null ? null : boundAt(commits, SLOWEST),
      queue: counters.queue,
      sockets: counters.sockets,
      lag: counters.lag_ms,
      unfolded: counters.unfolded_events,
      memory: counters.rss / BYTES_PER_MB,
      open: counters.open_orders,
    },
  };
}

/** Returns the samples with a new one, without those that are too old. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => at > sample.at - KEPT_SECONDS), sample];
}

/** Returns the values that came between two counts; null if the latter is not of the same process. */
function between(before: Distribution, after: Distribution): Distribution | null {
  const counts = after.counts.map((count, at) => count - (before.counts[at] ?? 0));
  if (counts.some((count) => count < 0)) return null;
  return {
    count: after.count - before.count,
    sum: after.sum - before.sum,
    bounds: after.bounds,
    counts,
  };
}

/** Returns the bound of the range that a share of all values reaches; null if there are none. */
function boundAt({ count, bounds, counts }: Distribution, share: number): number | null {
  if (count === 0) return null;
  let sum = 0;
  const at = counts.findIndex((one) => (sum += one) >= share * count);
  return bounds[Math.min(at < 0 ? bounds.length : at, bounds.length - 1)] ?? null;
}
