/** Has the outputs that a chain shows take turns, so that one member's do not keep others waiting. */

/** Something that takes turns with others. */
export interface TurnTaker {
  readonly name: string;
  /** Whose it is: one of each has a turn before anybody has a second one. */
  readonly owner: string;
}

/** Knows when each had its last turn. */
export class WatchTurns {
  /** Turns so far. */
  #count = 0;
  #names = new Map<string, number>();
  #owners = new Map<string, number>();

  /** Returns all in their order, those first that have waited longest; forgets who is not there. */
  order<T extends TurnTaker>(all: readonly T[]): T[] {
    this.#names = kept(this.#names, all.map(({ name }) => name));
    this.#owners = kept(this.#owners, all.map(({ owner }) => owner));
    const lastOf = ({ name }: T) => this.#names.get(name) ?? 0;
    const queues = [...Map.groupBy(all, ({ owner }) => owner)]
      .toSorted(([one], [other]) => this.#ownersLast(one) - this.#ownersLast(other));
    return inRounds(
      queues.map(([, queue]) => queue.toSorted((one, other) => lastOf(one) - lastOf(other))),
    );
  }

  /** Takes note that one has its turn. */
  took({ name, owner }: TurnTaker): void {
    this.#count += 1;
    this.#names.set(name, this.#count);
    this.#owners.set(owner, this.#count);
  }

  #ownersLast(owner: string): number {
    return this.#owners.get(owner) ?? 0;
  }
}

/** Returns the first of each queue, then the second of each, and so on. */
export function inRounds<T>(queues: Iterable<readonly T[]>): T[] {
  const rounds: T[][] = [];
  for (const queue of queues) queue.forEach((one, round) => (rounds[round] ??= []).push(one));
  return rounds.flat();
}

/** Returns what is known of these names. */
function kept(known: ReadonlyMap<string, number>, names: readonly string[]): Map<string, number> {
  const present = new Set(names);
  return new Map([...known].filter(([name]) => present.has(name)));
}
