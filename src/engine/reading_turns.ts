/**
 * One reading of a member's history at a time. One that seeks little in much looks at all the records
 * that it may, and so does the next: however many are asked for, they take a share of the process,
 * not all of it.
 */
import { UnavailableError } from "./engine.ts";

/** Readings of one member that may wait for the one that is under way. */
export const READINGS_WAITING_MAX = 200;

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
}

async function waitBehind(others: (() => void)[]): Promise<void> {
  if (others.length >= READINGS_WAITING_MAX) {
    throw new UnavailableError("Too many readings of one member wait");
  }
  await new Promise<void>((resolve) => others.push(resolve));
}
