/**
 * Forecasts what buys will take from a market's asks, before any of them matches. Orders accepted
 * together match one after another, so a market buy pays for what those before it leave.
 */
import { type Gone, isFillable } from "./fill_or_kill.ts";
import type { MarketBook } from "./market_book.ts";
import { canRest, limitPrice, type Order } from "./order.ts";
import type { Venue } from "./venue.ts";

/** The fields of a buy that decide what it takes. */
export type Buyer = Pick<Order, "member" | "selfTrade" | "price" | "remaining">;

/** The first ask that is left, and how many of its lots are left. */
interface Front {
  readonly ask: Order | null;
  readonly lots: number;
}

/** What a buy takes. */
interface Taken {
  /** Ledger units of the quote. */
  readonly cost: bigint;
  /** Lots that it did not get. */
  readonly wanted: number;
  /** Whether its money ran out. */
  readonly isShort: boolean;
  /** Price of the last ask that it takes from or cancels; 0 if there is none. */
  readonly reachedPrice: number;
  /** The asks that it leaves, and how many lots it takes or cancels before them. */
  readonly front: Front;
  readonly passed: number;
}

/**
 * Looks at each ask once for the pending orders and once for the order in question: at hardly more
 * asks than will be matched. Valid while orders are accepted and none matches.
 */
export class AskForecast {
  readonly #venue: Venue;
  readonly #book: MarketBook;
  /** Where the asks begin that the pending orders leave, and how many lots are before that. */
  #front: Front;
  #passed = 0;
  /** How many pending orders have been looked at. */
  #waitingSeen = 0;
  /**
   * Highest price of the asks that there may be besides: those that pending sells add, and those
   * that buys behind these leave because they meet such a sell instead. 0 if there are none.
   */
  #sparePrice = 0;

  constructor(venue: Venue, book: MarketBook) {
    this.#venue = venue;
    this.#book = book;
    this.#front = frontAt(book.asks.best()?.first ?? null);
  }

  /**
   * Returns what a market buy will pay when its turn comes, or `money` if that is too little, in
   * ledger units of the quote. Counts the member's own asks only if the buy takes them. Behind a
   * pending sell, lots that it would not get otherwise count at the highest price they may have.
   */
  costOf(buy: Buyer, money: bigint): bigint {
    this.#passWaiting();
    const { cost, wanted, isShort } = this.#take(buy, money);
    if (isShort) return money;
    return cost + this.#book.total(Math.min(this.#sparePrice, limitOf(buy)), wanted);
  }

  #passWaiting(): void {
    const { pending } = this.#book;
    for (; this.#waitingSeen < pending.length; this.#waitingSeen++) {
      const order = pending[this.#waitingSeen] as Order;
      if (order.side === "sell") {
        if (canRest(order)) this.#sparePrice = Math.max(this.#sparePrice, limitPrice(order));
      } else if (order.type !== "post_only") {
        this.#passBuy(order);
      }
    }
  }

  #passBuy(order: Order): void {
    // By the sums of the levels: those that can't fill leave all asks to be looked at again.
    if (order.timeInForce === "fok" && !isFillable(this.#venue, this.#book, order, this.#gone())) {
      return;
    }
    const { reachedPrice, front, passed } = this.#take(order, order.locked);
    this.#front = front;
    this.#passed += passed;
    if (this.#sparePrice > 0) this.#sparePrice = Math.max(this.#sparePrice, reachedPrice);
  }

  #gone(): Gone {
    return { lots: this.#passed, front: this.#front.ask };
  }

  /** Matches a buy with the asks that are left, as far as the money goes. */
  #take(buy: Buyer, money: bigint): Taken {
    const limit = limitOf(buy);
    let front = this.#front;
    let wanted = buy.remaining;
    let cost = 0n;
    let reachedPrice = 0;
    let passed = 0;
    while (front.ask !== null && wanted > 0 && front.ask.price <= limit) {
      const { ask } = front;
      if (ask.member === buy.member && buy.selfTrade !== "none") {
        if (buy.selfTrade === "cancel_newest") break;
        reachedPrice = ask.price;
        passed += front.lots;
        front = frontAt(this.#book.asks.after(ask));
        if (buy.selfTrade === "cancel_both") break;
        continue;
      }
      const meant = Math.min(front.lots, wanted);
      const lots = Math.min(meant, Number((money - cost) / this.#book.total(ask.price, 1)));
      cost += this.#book.total(ask.price, lots);
      wanted -= lots;
      passed += lots;
      if (lots > 0) reachedPrice = ask.price;
      front = lots < front.lots
        ? { ask, lots: front.lots - lots }
        : frontAt(this.#book.asks.after(ask));
      if (lots < meant) return { cost, wanted, isShort: true, reachedPrice, front, passed };
    }
    return { cost, wanted, isShort: false, reachedPrice, front, passed };
  }
}

/** Returns the highest price that a buy pays, in ticks. */
function limitOf({ price }: Buyer): number {
  return price === 0 ? Infinity : price;
}

function frontAt(ask: Order | null): Front {
  return { ask, lots: ask?.remaining ?? 0 };
}
