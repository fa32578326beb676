/**
 * One reading of a member's history at a time. One that seeks little in much looks at all the records
 * that it may, and so does the next: however many are asked for, they take a share of the process,
 * not all of it.
 */
import { UnavailableError } from "./engine.ts";

/** Readings of one member that may wait for the one that is under way. */
export const READINGS_WAITING_MAX = 200;
/** Rows that one reading asks for at once: a commit waits behind all that the store was asked before. */
export const ROWS_AT_ONCE = 32;

/** How many readings of one member there may be. */
export interface TurnBounds {
  readonly atOnce: number;
  readonly waitingMax: number;
}

const ONE_BY_ONE: TurnBounds = { atOnce: 1, waitingMax: READINGS_WAITING_MAX };

/** The readings of one member. */
interface MemberTurns {
  /** How many more may begin. */
  free: number;
  readonly waiting: (() => void)[];
}

/** Gives turns to readings, each member's by themselves. */
export class ReadingTurns {
  readonly #bounds: TurnBounds;
  /** By a member who reads now; undefined for who reads everybody's. */
  readonly #turns = new Map<number | undefined, MemberTurns>();

  constructor(bounds: TurnBounds = ONE_BY_ONE) {
    this.#bounds = bounds;
  }

  /**
   * Reads when no other reading of the member is under way, or few are.
   *
   * @throws {UnavailableError} too many of the member's own wait
   */
  async run<T>(member: number | undefined, read: () => Promise<T>): Promise<T> {
    const { atOnce, waitingMax } = this.#bounds;
    const own = this.#turns.get(member) ?? { free: atOnce, waiting: [] };
    this.#turns.set(member, own);
    if (own.free > 0) own.free -= 1;
    else await waitBehind(own.waiting, waitingMax);
    try {
      return await read();
    } finally {
      // Who ends hands the place on: nobody who comes now gets in between.
      const next = own.waiting.shift();
      if (next === undefined) own.free += 1;
      else next();
      if (own.free === atOnce) this.#turns.delete(member);
    }
  }

  /**
   * Reads a row for each item: a few at once and without a turn, since an answer to a write has one;
   * more of them in portions, when no other reading of the member is under way.
   *
   * @throws {UnavailableError} too many of the member's own wait
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

async function waitBehind(others: (() => void)[], waitingMax: number): Promise<void> {
  if (others.length >= waitingMax) {
    throw new UnavailableError("Too many readings of one member wait");
  }
  await new Promise<void>((resolve) => others.push(resolve));
}
