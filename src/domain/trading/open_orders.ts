/** The open orders: the venue's by id, a member's in order of arrival. */
import { assert, present } from "../assert.ts";
import type { Order } from "./order.ts";

/** Ids per page: enough for few pages, few enough that a long-lived order wastes little memory. */
const PAGE_IDS = 16;

interface Page {
  readonly orders: (Order | undefined)[];
  count: number;
}

/**
 * All open orders by id. Ids are consecutive, so orders that arrive together share a page. A single
 * map would be rebuilt whenever it has grown or shrunk enough, which takes longer the larger it is.
 */
export class OpenOrders {
  readonly #pages = new Map<number, Page>();
  /** The page asked for last; placing orders asks for the same one again. */
  #recent: Page | undefined;
  #recentNumber = -1;
  #size = 0;

  /** Number of open orders. */
  get size(): number {
    return this.#size;
  }

  /** Returns the open order with this id. */
  get(id: number): Order | undefined {
    return this.#page(Math.floor(id / PAGE_IDS))?.orders[id % PAGE_IDS];
  }

  /** Adds an order that is not there. */
  add(order: Order): void {
    const number = Math.floor(order.id / PAGE_IDS);
    const page = this.#page(number) ?? this.#open(number);
    page.orders[order.id % PAGE_IDS] = order;
    page.count += 1;
    this.#size += 1;
  }

  /** Removes an order that is there. */
  remove(order: Order): void {
    const number = Math.floor(order.id / PAGE_IDS);
    const page = present(this.#page(number), "an order that is removed is open");
    assert(page.orders[order.id % PAGE_IDS] === order, "an order that is removed is open");
    page.orders[order.id % PAGE_IDS] = undefined;
    page.count -= 1;
    this.#size -= 1;
    if (page.count === 0) this.#close(number);
  }

  /** Yields all of them, in no particular order. */
  *values(): Generator<Order> {
    for (const { orders } of this.#pages.values()) {
      for (const order of orders) if (order !== undefined) yield order;
    }
  }

  #page(number: number): Page | undefined {
    if (number !== this.#recentNumber) this.#recent = this.#pages.get(number);
    this.#recentNumber = number;
    return this.#recent;
  }

  #open(number: number): Page {
    const page = { orders: Array<Order | undefined>(PAGE_IDS).fill(undefined), count: 0 };
    this.#pages.set(number, page);
    this.#recent = page;
    return page;
  }

  #close(number: number): void {
    this.#pages.delete(number);
    this.#recent = undefined;
  }
}

/** A member's open orders. */
export class MemberOrders {
  #first: Order | null = null;
  #last: Order | null = null;

  /** Adds an order that is not there. */
  add(order: Order): void {
    order.memberPrevious = this.#last;
    if (this.#last === null) this.#first = order;
    else this.#last.memberNext = order;
    this.#last = order;
  }

  /** Removes an order that is there. */
  remove(order: Order): void {
    const { memberPrevious, memberNext } = order;
    if (memberPrevious === null) this.#first = memberNext;
    else memberPrevious.memberNext = memberNext;
    if (memberNext === null) this.#last = memberPrevious;
    else memberNext.memberPrevious = memberPrevious;
    order.memberPrevious = order.memberNext = null;
  }

  /** Yields the orders in order of arrival; the last one yielded may be removed meanwhile. */
  *values(): Generator<Order> {
    for (let order = this.#first; order !== null;) {
      const next: Order | null = order.memberNext;
      yield order;
      order = next;
    }
  }

  /** Yields the orders, newest first. */
  *newestFirst(): Generator<Order> {
    for (let order = this.#last; order !== null; order = order.memberPrevious) yield order;
  }
}
