import type { IdRange, PageRequest } from "../../src/engine/engine.ts";
import type { Prng } from "./prng.ts";
import { START } from "./domain_venue.ts";

const DAY_MS = 86_400_000;

/** A time range in ms, from inclusive, to exclusive. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

/** Returns a page of `last` records, which may start beyond their end. */
export function randomPage(prng: Prng, last: number): PageRequest {
  return {
    offset: prng.chance(0.5) ? 0 : prng.below(last * 1.1),
    limit: prng.pick([0, 1, 25, 100, 1000]),
    direction: prng.pick(["asc", "desc"]),
  };
}

/** Returns a range, perhaps open, between the start and a day after `end`. */
export function randomTimes(prng: Prng, end: number): Times {
  const time = () => START + prng.below(end - START + DAY_MS);
  return {
    ...(prng.chance(0.4) ? { from: time() } : {}),
    ...(prng.chance(0.4) ? { to: time() } : {}),
  };
}

/** Returns a range of ids among those of records, perhaps open, perhaps empty. */
export function randomIds(prng: Prng, records: readonly { readonly id: number }[]): IdRange {
  const id = () => Math.max(0, prng.pick(records).id + prng.pick([-1, 0, 0, 1]));
  return {
    ...(prng.chance(0.3) ? { fromId: id() } : {}),
    ...(prng.chance(0.3) ? { toId: prng.chance(0.1) ? Number.MAX_SAFE_INTEGER : id() } : {}),
  };
}

export function isInRange(id: number, { fromId = 0, toId = Infinity }: IdRange): boolean {
  return id >= fromId && id <= toId;
}

/** Returns about half of the items. */
export function some<T>(prng: Prng, items: readonly T[]): ReadonlySet<T> {
  return new Set(items.filter(() => prng.chance(0.5)));
}

export function isWithin(at: number, { from, to }: Times): boolean {
  return at >= (from ?? 0) && at < (to ?? Infinity);
}

/** Returns a page of records that are given in ascending order. */
export function pageOf<T>(records: readonly T[], { offset, limit, direction }: PageRequest): T[] {
  const ordered = direction === "asc" ? records : [...records].reverse();
  return ordered.slice(offset, offset + limit);
}
