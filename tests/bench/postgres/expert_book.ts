/** The book of a market of the expert venue, by price and time. */

/** An order; those in a book are open. */
export interface BookOrder {
  readonly id: number;
  readonly member: number;
  readonly isBuy: boolean;
  /** The price in ticks. */
  readonly ticks: number;
  /** Lots that are not filled. */
  remaining: number;
  state: "wait" | "done" | "cancel";
}

interface Level {
  readonly ticks: number;
  /** Oldest first; those before `first` are gone. */
  readonly orders: BookOrder[];
  first: number;
}

/** The buying or the selling orders. */
export class BookSide {
  /** The best one last. */
  readonly #levels: Level[] = [];
  readonly #sign: 1 | -1;

  constructor(isBuy: boolean) {
    this.#sign = isBuy ? 1 : -1;
  }

  /** The order that is next to trade. */
  get best(): BookOrder | undefined {
    const level = this.#levels.at(-1);
    return level?.orders[level.first];
  }

  /** Adds an order behind those of its price. */
  add(order: BookOrder): void {
    const place = this.#placeOf(order.ticks);
    const level = this.#levels[place];
    if (level?.ticks === order.ticks) level.orders.push(order);
    else this.#levels.splice(place, 0, { ticks: order.ticks, orders: [order], first: 0 });
  }

  /** Removes the order that was next to trade. */
  removeBest(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    level.first += 1;
    if (level.first === level.orders.length) this.#levels.pop();
  }

  /** Returns the first place of a level that is as good or better. */
  #placeOf(ticks: number): number {
    let start = 0;
    let end = this.#levels.length;
    while (start < end) {
      const middle = (start + end) >>> 1;
      const level = this.#levels[middle];
      if (level !== undefined && this.#sign * level.ticks < this.#sign * ticks) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}
