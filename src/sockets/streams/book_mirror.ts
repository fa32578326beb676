/** The levels of one side of a book that readers know: those nearest the spread. */
import type { BookLevel } from "../../edge/wire/book_checksum.ts";

/** Levels per side that readers know. */
export const BOOK_LEVELS_MAX = 300;

/** The parts of a book's side that are read. */
export interface MirroredSide {
  readonly size: number;
  at(price: number): { readonly lots: number } | undefined;
  /** Best first. */
  levels(): Iterable<{ readonly price: number; readonly lots: number }>;
}

/** One side as its readers know it, and how it differs from the book. */
export class BookMirror {
  readonly #side: MirroredSide;
  /** 1 when higher prices come first. */
  readonly #sign: 1 | -1;
  readonly #known = new Map<number, number>();
  readonly #touched = new Set<number>();
  /** The book has more levels than are known, which can replace a known one. */
  #isCut = false;
  /** The last round did not send all changes. */
  #isBehind = false;

  constructor(side: MirroredSide, first: "highest" | "lowest") {
    this.#side = side;
    this.#sign = first === "highest" ? 1 : -1;
    for (const [price, lots] of this.#nearest()) this.#known.set(price, lots);
    this.#isCut = side.size > BOOK_LEVELS_MAX;
  }

  /** Notes that the level at a price may have changed. */
  touch(price: number): void {
    this.#touched.add(price);
  }

  /**
   * Returns the changes that bring readers up to date; 0 lots remove a level. Levels that were touched
   * are among them even if they are as readers know them, or unknown and gone: a book that was read
   * elsewhere meanwhile may have them otherwise.
   */
  changes(): BookLevel[] {
    const touched = [...this.#touched];
    this.#touched.clear();
    const isCut = this.#side.size > BOOK_LEVELS_MAX;
    const isBounded = isCut || this.#isCut;
    const isOther = this.#isBehind || touched.some((price) => this.#isMembership(price));
    const moved = isBounded && isOther ? this.#difference() : [];
    const told = new Set(moved.map(([price]) => price));
    const changes = this.#changesAt(touched.filter((price) => !told.has(price)));
    this.#isCut = isCut;
    this.#isBehind = false;
    return [...moved, ...changes];
  }

  /** Applies a change to the known levels. */
  apply([price, lots]: BookLevel): void {
    if (lots === 0) this.#known.delete(price);
    else this.#known.set(price, lots);
  }

  /** Levels that can be added before another one has to go. */
  get room(): number {
    return BOOK_LEVELS_MAX - this.#known.size;
  }

  /** Returns whether readers know a level. */
  knows(price: number): boolean {
    return this.#known.has(price);
  }

  /** Postpones a change to the next round. */
  postpone([price]: BookLevel): void {
    this.#touched.add(price);
    this.#isBehind = true;
  }

  /** Returns the known levels, best first. */
  levels(): BookLevel[] {
    return [...this.#known].sort(([a], [b]) => (b - a) * this.#sign);
  }

  /** Returns whether a price is about to join or leave the known levels. */
  #isMembership(price: number): boolean {
    return this.#known.has(price) !== (this.#side.at(price) !== undefined);
  }

  #changesAt(prices: readonly number[]): BookLevel[] {
    const isCut = this.#side.size > BOOK_LEVELS_MAX;
    let worst: number | undefined;
    // Of levels that readers don't know: whether they are, or would be, among the nearest.
    const isNear = (price: number, lots: number) => {
      if (!isCut) return true;
      if (lots > 0) return false;
      worst ??= this.#nearest().at(-1)?.[0] ?? 0;
      return (worst - price) * this.#sign < 0;
    };
    return prices
      .map((price) => [price, this.#side.at(price)?.lots ?? 0] as const)
      .filter(([price, lots]) => this.#known.has(price) || isNear(price, lots));
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
