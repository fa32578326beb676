/** A table with one row for each pair of a number (a market's index or a level) and a group. */

/** Group that stands for every group. */
export const ANY_GROUP = "any";

/** Rows by number and group, which name them. */
export class GroupTable<Name extends { readonly group: string }, Row extends Name> {
  readonly #rows = new Map<string, Row>();
  readonly #numberOf: (name: Name) => number;

  /** @param numberOf the number that a row is for */
  constructor(numberOf: (name: Name) => number) {
    this.#numberOf = numberOf;
  }

  /** The row for a number and group. */
  get(number: number, group: string): Row | undefined {
    return this.#rows.get(keyOf(number, group));
  }

  /** Sets the row of a number and group; returns the one that it replaces. */
  set(row: Row): Row | undefined {
    const key = this.#keyOf(row);
    const old = this.#rows.get(key);
    this.#rows.set(key, row);
    return old;
  }

  /** Removes a row; returns it if it was there. */
  delete(name: Name): Row | undefined {
    const key = this.#keyOf(name);
    const old = this.#rows.get(key);
    this.#rows.delete(key);
    return old;
  }

  /** Returns all rows, by number, then group. */
  rows(): Row[] {
    const numberOf = this.#numberOf;
    return [...this.#rows.values()].sort((a, b) =>
      numberOf(a) - numberOf(b) || (a.group < b.group ? -1 : a.group > b.group ? 1 : 0)
    );
  }

  #keyOf(name: Name): string {
    return keyOf(this.#numberOf(name), name.group);
  }
}

function keyOf(number: number, group: string): string {
  return `${number}:${group}`;
}
