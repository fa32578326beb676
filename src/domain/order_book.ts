/**
 * One side of a book: price levels, each a queue in time priority. Prices are
 * ticks, volumes lots. The best price is the last of a sorted array, so that
 * the busy end of the book is the cheap one.
 */
import { assert, present } from "./assert.ts";
import type { Order } from "./order.ts";

/** The orders at one price, oldest first. */
export class Level {
  /** Remaining lots of all orders in the queue. */
  lots = 0;
  count = 0;
  first: Order | null = null;
  last: Order | null = null;

  constructor(readonly price: number) {}
}

/** Which end of the side is served first. */
export type BestEnd = "highest" | "lowest";

/** Price levels of one side, best first. */
export class BookSide {
  readonly #levels = new Map<number, Level>();
  /** Sorted ascending; a side that serves the lowest price first keeps negated prices. */
  readonly #keys: number[] = [];
  readonly #sign: 1 | -1;
  readonly #priceOf: "price" | "triggerPrice";

  constructor(best: BestEnd, priceOf: "price" | "triggerPrice" = "price") {
    this.#sign = best === "highest" ? 1 : -1;
    this.#priceOf = priceOf;
  }

  /** Number of price levels. */
  get size(): number {
    return this.#keys.length;
  }

  /** The level that is served first. */
  best(): Level | undefined {
    const key = this.#keys[this.#keys.length - 1];
    return key === undefined ? undefined : this.#levels.get(key * this.#sign);
  }

  /** The level at a price. */
  at(price: number): Level | undefined {
    return this.#levels.get(price);
  }

  /** Levels from the best on. */
  *levels(): Generator<Level> {
    for (let i = this.#keys.length - 1; i >= 0; i--) {
      const key = present(this.#keys[i], "a book side has no holes");
      yield present(this.#levels.get(key * this.#sign), "every price has a level");
    }
  }

  /** Puts an order at the end of its price's queue. */
  add(order: Order): void {
    const price = order[this.#priceOf];
    const level = this.#levels.get(price) ?? this.#open(price);
    this.#link(order, level, level.last, null);
  }

  /** Takes an order out of its queue; answers where it stood, for {@linkcode BookSide.restore}. */
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
    this.#keys.splice(this.#position(price * this.#sign), 0, price * this.#sign);
    return level;
  }

  #close(level: Level): void {
    this.#levels.delete(level.price);
    const position = this.#position(level.price * this.#sign);
    if (position === this.#keys.length - 1) this.#keys.pop();
    else this.#keys.splice(position, 1);
  }

  /** Index of the first key that is not below `key`. */
  #position(key: number): number {
    const keys = this.#keys;
    let low = 0;
    let high = keys.length;
    // The touched price is nearly always the best one or beyond it.
    if (high > 0) {
      const last = keys[high - 1] as number;
      if (key > last) return high;
      if (key === last) return high - 1;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
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
