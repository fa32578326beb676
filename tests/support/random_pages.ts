import type { PageRequest } from "../../src/engine/engine.ts";
import type { Prng } from "./prng.ts";
import { START } from "./test_venue.ts";

const DAY_MS = 86_400_000;

/** Bounds of time, in ms: from the first on, and before the second. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

/** A page that begins before or behind the last of so many records. */
export function randomPage(prng: Prng, last: number): PageRequest {
  return {
    offset: prng.chance(0.5) ? 0 : prng.below(last * 1.1),
    limit: prng.pick([0, 1, 25, 100, 1000]),
    direction: prng.pick(["asc", "desc"]),
  };
}

/** Bounds, each or none, from the start to a day behind the end. */
export function randomTimes(prng: Prng, end: number): Times {
  const time = () => START + prng.below(end - START + DAY_MS);
  return {
    ...(prng.chance(0.4) ? { from: time() } : {}),
    ...(prng.chance(0.4) ? { to: time() } : {}),
  };
}

/** Half of them, or so. */
export function some<T>(prng: Prng, items: readonly T[]): ReadonlySet<T> {
  return new Set(items.filter(() => prng.chance(0.5)));
}

export function isWithin(at: number, { from, to }: Times): boolean {
  return at >= (from ?? 0) && at < (to ?? Infinity);
}

/** A page of records that are in ascending order. */
export function pageOf<T>(records: readonly T[], { offset, limit, direction }: PageRequest): T[] {
  const ordered = direction === "asc" ? records : [...records].reverse();
  return ordered.slice(offset, offset + limit);
}
