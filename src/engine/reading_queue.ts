/**
 * Limits the reads of a member's history to one at a time. A read with few matches scans all the
 * records it may, and so does the next: however many are asked for, they take only a share of the
 * process.
 */
import { UnavailableError } from "./engine.ts";

/** The most reads of one member that may wait for the current one. */
export const READINGS_WAITING_MAX = 200;
/** Rows that a read asks for at once: a commit waits for all that the store was asked before. */
export const ROWS_AT_ONCE = 32;

/** A member asks for more readings of its history than may wait; others are not affected. */
export class TooManyReadingsError extends UnavailableError {
  override name = "TooManyReadingsError";
}

/** How many reads of one member may run, and wait. */
export interface ReadingBounds {
  readonly atOnce: number;
  readonly waitingMax: number;
}

const ONE_BY_ONE: ReadingBounds = { atOnce: 1, waitingMax: READINGS_WAITING_MAX };

/** The reads of one member. */
interface MemberReads {
  /** How many more may begin. */
  free: number;
  readonly waiting: (() => void)[];
}

/** Lets reads wait for each other, separately for each member. */
export class ReadingQueue {
  readonly #bounds: ReadingBounds;
  /** By member with reads in progress; undefined stands for reads of everybody's records. */
  readonly #byMember = new Map<number | undefined, MemberReads>();

  constructor(bounds: ReadingBounds = ONE_BY_ONE) {
    this.#bounds = bounds;
  }

  /**
   * Runs a read when the member has no other.
   *
   * @throws {TooManyReadingsError} if too many of the member's reads are waiting
   * @throws {UnavailableError} if too many of everybody's are
   */
  async run<T>(member: number | undefined, read: () => Promise<T>): Promise<T> {
    const { atOnce, waitingMax } = this.#bounds;
    const own = this.#byMember.get(member) ?? { free: atOnce, waiting: [] };
    this.#byMember.set(member, own);
    if (own.free > 0) own.free -= 1;
    else await waitBehind(own.waiting, waitingMax, member);
    try {
      return await read();
    } finally {
      // The place is handed on directly, so that no newcomer gets in between.
      const next = own.waiting.shift();
      if (next === undefined) own.free += 1;
      else next();
      if (own.free === atOnce) this.#byMember.delete(member);
    }
  }

  /**
   * Reads a row for each item: a few at once and without waiting, since the answer to a write may
   * need one; more of them in portions, when the member has no other.
   *
   * @throws {UnavailableError} as for {@linkcode ReadingQueue.run}
   */
  each<I, T>(
    member: number | undefined,
    items: readonly I[],
    read: (item: I) => Promise<T>,
  ): Promise<T[]> {
    if (items.length <= ROWS_AT_ONCE) return Promise.all(items.map(read));
    return this.run(member, () => inPortions(items, read));
  }
}

/** Reads a row for each item, a few at once. */
export async function inPortions<I, T>(
  items: readonly I[],
  read: (item: I) => Promise<T>,
): Promise<T[]> {
  const rows: T[] = [];
  for (let at = 0; at < items.length; at += ROWS_AT_ONCE) {
    rows.push(...await Promise.all(items.slice(at, at + ROWS_AT_ONCE).map(read)));
  }
  return rows;
}

async function waitBehind(
  others: (() => void)[],
  waitingMax: number,
  member: number | undefined,
): Promise<void> {
  if (others.length >= waitingMax) {
    if (member === undefined) throw new UnavailableError("Too many readings wait");
    throw new TooManyReadingsError("Too many readings of one member wait");
  }
  await new Promise<void>((resolve) => others.push(resolve));
}
