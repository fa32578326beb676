/** The levels of one side of a book that readers know of: those nearest the spread. */
import type { BookLevel } from "./book_content.ts";

/** Levels of a side that readers know of. */
export const BOOK_LEVELS_MAX = 300;

/** What of a side of a book is looked at. */
export interface MirroredSide {
  readonly size: number;
  at(price: number): { readonly lots: number } | undefined;
  /** Best first. */
  levels(): Iterable<{ readonly price: number; readonly lots: number }>;
}

/** One side as its readers have been told it, and how that differs from the book. */
export class BookMirror {
  readonly #side: MirroredSide;
  /** 1 where higher prices come first. */
  readonly #sign: 1 | -1;
  readonly #known = new Map<number, number>();
  readonly #touched = new Set<number>();
  /** Levels beyond those that are known can take the place of one that goes. */
  #isCut = false;
  /** Not all changes were told in the last round. */
  #isBehind = false;

  constructor(side: MirroredSide, first: "highest" | "lowest") {
    this.#side = side;
    this.#sign = first === "highest" ? 1 : -1;
    for (const [price, lots] of this.#nearest()) this.#known.set(price, lots);
    this.#isCut = side.size > BOOK_LEVELS_MAX;
  }

  /** Notes that a price's level may have changed. */
  touch(price: number): void {
    this.#touched.add(price);
  }

  /** Changes that make what is known what there is; those that take away have no lots. */
  changes(): BookLevel[] {
    const touched = [...this.#touched];
    this.#touched.clear();
    const isCut = this.#side.size > BOOK_LEVELS_MAX;
    const isBounded = isCut || this.#isCut;
    const isOther = this.#isBehind || touched.some((price) => this.#isMembership(price));
    const changes = isBounded && isOther ? this.#difference() : this.#changesAt(touched);
    this.#isCut = isCut;
    this.#isBehind = false;
    return changes;
  }

  /** Takes a change into what is known. */
  apply([price, lots]: BookLevel): void {
    if (lots === 0) this.#known.delete(price);
    else this.#known.set(price, lots);
  }

  /** Levels that can be made known before another one goes. */
  get room(): number {
    return BOOK_LEVELS_MAX - this.#known.size;
  }

  /** Whether readers know of a level. */
  knows(price: number): boolean {
    return this.#known.has(price);
  }

  /** Takes back a change that is not made known now: it will be among the next ones. */
  postpone([price]: BookLevel): void {
    this.#touched.add(price);
    this.#isBehind = true;
  }

  /** What is known, best first. */
  levels(): BookLevel[] {
    return [...this.#known].sort(([a], [b]) => (b - a) * this.#sign);
  }

  /** Whether a price comes to or goes from what is known. */
  #isMembership(price: number): boolean {
    return this.#known.has(price) !== (this.#side.at(price) !== undefined);
  }

  #changesAt(prices: readonly number[]): BookLevel[] {
    return prices.flatMap((price) => {
      const lots = this.#side.at(price)?.lots ?? 0;
      const isBeyond = lots > 0 && this.#side.size > BOOK_LEVELS_MAX && !this.#known.has(price);
      return isBeyond || lots === (this.#known.get(price) ?? 0) ? [] : [[price, lots] as const];
    });
  }

  #difference(): BookLevel[] {
    const nearest = new Map(this.#nearest());
    const gone = [...this.#known.keys()].filter((price) => !nearest.has(price));
    const changed = [...nearest].filter(([price, lots]) => this.#known.get(price) !== lots);
    return [...gone.map((price) => [price, 0] as const), ...changed];
  }

  #nearest(): BookLevel[] {
    const levels: BookLevel[] = [];
    for (const { price, lots } of this.#side.levels()) {
      if (levels.length === BOOK_LEVELS_MAX) break;
      levels.push([price, lots]);
    }
    return levels;
  }
}
