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

/** Gives turns to readings, each member's by themselves. */
export class ReadingTurns {
  /** Those who wait, by a member who reads now; undefined for who reads everybody's. */
  readonly #waiting = new Map<number | undefined, (() => void)[]>();

  /**
   * Reads when no other reading of the member is under way.
   *
   * @throws {UnavailableError} too many of the member's own wait
   */
  async run<T>(member: number | undefined, read: () => Promise<T>): Promise<T> {
    const others = this.#waiting.get(member);
    if (others === undefined) this.#waiting.set(member, []);
    else await waitBehind(others);
    try {
      return await read();
    } finally {
      // Who ends hands the place on: nobody who comes now gets in between.
      const next = this.#waiting.get(member)?.shift();
      if (next === undefined) this.#waiting.delete(member);
      else next();
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

async function waitBehind(others: (() => void)[]): Promise<void> {
  if (others.length >= READINGS_WAITING_MAX) {
    throw new UnavailableError("Too many readings of one member wait");
  }
  await new Promise<void>((resolve) => others.push(resolve));
}
