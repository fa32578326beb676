/**
 * One side of a book: price levels, each a queue in time priority. Prices are in ticks, volumes in
 * lots. The best price is at the end of a sorted array, which makes the busy end of the book the
 * cheap one.
 */
import { assert, present } from "../assert.ts";
import { Level, type Order } from "./order.ts";
import { ProductSum } from "../whole_number.ts";

/** What some lots of a side are worth. */
export interface Worth {
  /** Ticks × lots. */
  readonly worth: bigint;
  readonly lots: number;
}

/** Which end of the side is served first. */
export type BestEnd = "highest" | "lowest";

/** Price levels of one side, best first. */
export class BookSide {
  readonly #levels = new Map<number, Level>();
  /** The same levels, worst first. */
  readonly #sorted: Level[] = [];
  readonly #sign: 1 | -1;
  readonly #priceOf: "price" | "triggerPrice";

  constructor(best: BestEnd, priceOf: "price" | "triggerPrice" = "price") {
    this.#sign = best === "highest" ? 1 : -1;
    this.#priceOf = priceOf;
  }

  /** Number of price levels. */
  get size(): number {
    return this.#sorted.length;
  }

  /** The level that is served first. */
  best(): Level | undefined {
    return this.#sorted[this.#sorted.length - 1];
  }

  /** The level at a price. */
  at(price: number): Level | undefined {
    return this.#levels.get(price);
  }

  /** Yields the levels, best first. */
  *levels(): Generator<Level> {
    for (let i = this.#sorted.length - 1; i >= 0; i--) {
      yield present(this.#sorted[i], "a book side has no holes");
    }
  }

  /** Yields the orders as they are served; the last one yielded may be removed meanwhile. */
  *orders(): Generator<Order> {
    for (let order = this.best()?.first ?? null; order !== null;) {
      const next = this.after(order);
      yield order;
      order = next;
    }
  }

  /**
   * Returns the lots at this price and better ones, less those in `without` at each price. Stops
   * counting at `enough`.
   */
  lotsWithin(price: number, enough: number, without?: ReadonlyMap<number, number>): number {
    const key = price * this.#sign;
    let lots = 0;
    for (let i = this.#sorted.length - 1; i >= 0 && lots < enough; i--) {
      const level = this.#sorted[i] as Level;
      if (level.price * this.#sign < key) break;
      lots += level.lots - (without?.get(level.price) ?? 0);
    }
    return lots;
  }

  /**
   * Returns what the next `most` lots at this price and better ones are worth, and how many of them
   * there are. Those are next that come after the first `passed`, and are not in `without`, which
   * has no passed ones.
   */
  worthWithin(
    price: number,
    most: number,
    passed: number,
    without?: ReadonlyMap<number, number>,
  ): Worth {
    const key = price * this.#sign;
    const sum = new ProductSum();
    let lots = 0;
    let ahead = passed;
    for (let i = this.#sorted.length - 1; i >= 0 && lots < most; i--) {
      const level = this.#sorted[i] as Level;
      if (level.price * this.#sign < key) break;
      const gone = Math.min(ahead, level.lots);
      ahead -= gone;
      const left = level.lots - gone - (without?.get(level.price) ?? 0);
      const taken = Math.min(left, most - lots);
      sum.add(level.price, taken);
      lots += taken;
    }
    return { worth: sum.total, lots };
  }

  /** Returns the lots served before an order that rests here. Stops counting at `enough`. */
  lotsBefore(order: Order, enough: number): number {
    let lots = this.lotsWithin(order[this.#priceOf] + this.#sign, enough);
    for (let one = order.previous; one !== null && lots < enough; one = one.previous) {
      lots += one.remaining;
    }
    return lots;
  }

  /** Whether the first of two orders that rest here is served before the second. */
  isBefore(one: Order, other: Order): boolean {
    const better = (one[this.#priceOf] - other[this.#priceOf]) * this.#sign;
    return better > 0 || (better === 0 && one.priority < other.priority);
  }

  /** Returns the order that is served after one that rests here. */
  after(order: Order): Order | null {
    return order.next ?? this.#sorted[this.#position(order[this.#priceOf]) - 1]?.first ?? null;
  }

  /** Adds an order at the end of its price's queue. */
  add(order: Order): void {
    const price = order[this.#priceOf];
    const level = this.#levels.get(price) ?? this.#open(price);
    this.#link(order, level, level.last, null);
  }

  /** Removes an order from its queue; returns its place, for {@linkcode BookSide.restore}. */
  remove(order: Order): { previous: Order | null; next: Order | null } {
    const level = present(order.level, "an order that is removed rests in the book");
    const place = { previous: order.previous, next: order.next };
    if (order.previous === null) level.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) level.last = order.previous;
    else order.next.previous = order.previous;
    order.previous = order.next = order.level = null;
    level.lots -= order.remaining;
    level.count -= 1;
    if (level.count === 0) this.#close(level);
    return place;
  }

  /** Undoes {@linkcode BookSide.remove}; calls must come in reverse order of the removals. */
  restore(order: Order, place: { previous: Order | null; next: Order | null }): void {
    const price = order[this.#priceOf];
    const level = this.#levels.get(price) ?? this.#open(price);
    this.#link(order, level, place.previous, place.next);
  }

  #link(order: Order, level: Level, previous: Order | null, next: Order | null): void {
    assert(order.level === null, "an order rests in one place");
    order.level = level;
    order.previous = previous;
    order.next = next;
    if (previous === null) level.first = order;
    else previous.next = order;
    if (next === null) level.last = order;
    else next.previous = order;
    level.lots += order.remaining;
    level.count += 1;
  }

  #open(price: number): Level {
    const level = new Level(price);
    this.#levels.set(price, level);
    const position = this.#position(price);
    if (position === this.#sorted.length) this.#sorted.push(level);
    else this.#sorted.splice(position, 0, level);
    return level;
  }

  #close(level: Level): void {
    this.#levels.delete(level.price);
    // The level that empties is nearly always the best one.
    if (this.best() === level) this.#sorted.pop();
    else this.#sorted.splice(this.#position(level.price), 1);
  }

  /** Returns the index of the first level that is not worse than `price`. */
  #position(price: number): number {
    const key = price * this.#sign;
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const level = this.#sorted[middle] as Level;
      if (level.price * this.#sign < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Walks the whole side and asserts that sums, links and order hold. */
  checkInvariants(): void {
    let worse = Infinity;
    let levels = 0;
    for (const level of this.levels()) {
      assert(level.price * this.#sign < worse, "prices are sorted and distinct");
      worse = level.price * this.#sign;
      levels += 1;
      checkLevel(level);
    }
    assert(levels === this.#levels.size, "every level has a price");
  }
}

function checkLevel(level: Level): void {
  let lots = 0;
  let count = 0;
  let previous: Order | null = null;
  for (let order = level.first; order !== null; order = order.next) {
    assert(order.level === level && order.previous === previous, "a queue is linked both ways");
    assert(previous === null || previous.priority < order.priority, "a queue is in time priority");
    assert(order.remaining > 0, "an order that rests has volume left");
    lots += order.remaining;
    count += 1;
    previous = order;
  }
  assert(count > 0 && level.last === previous, "a level is not empty");
  assert(lots === level.lots && count === level.count, "a level's sum is that of its orders");
}
