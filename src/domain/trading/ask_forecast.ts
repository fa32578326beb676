/**
 * Forecasts what buys will take from a market's asks, before any of them matches. Orders accepted
 * together match one after another, so a market buy pays for what those before it leave.
 */
import { asksWithin, limitOf } from "./asks_within.ts";
import { isFillable } from "./fill_or_kill.ts";
import type { MarketBook } from "./market_book.ts";
import { canRest, limitPrice, type Order } from "./order.ts";
import type { Gone, Taker } from "./own_makers.ts";
import type { Venue } from "../venue.ts";

/** The first ask that is left, and how many of its lots are left. */
interface Front {
  readonly ask: Order | null;
  readonly lots: number;
}

/** What a market buy will pay, in ledger units of the quote. */
export interface Cost {
  /** For the asks that it takes. */
  readonly asks: bigint;
  /** At most, for what these do not fill: asks that pending orders may add or leave. */
  readonly spare: bigint;
}

/** What a buy takes. */
interface Taken {
  /** What it leaves of its money. */
  readonly left: bigint;
  /** Price of the last ask that it takes from or cancels; 0 if there is none. */
  readonly reachedPrice: number;
  /** The asks that it leaves, and how many lots it takes or cancels before them. */
  readonly front: Front;
  readonly passed: number;
}

/**
 * Looks at each ask that the pending orders take once: at as many as will be matched. A market buy
 * that its member can't pay for costs nothing, so what it takes goes by the sums of the levels.
 * Valid while orders are accepted and none matches.
 */
export class AskForecast {
  readonly #venue: Venue;
  readonly #book: MarketBook;
  /** Where the asks begin that the pending orders leave, and how many lots are before that. */
  #front: Front;
  #passed = 0;
  /** What pending stops spend beyond their locks: all that is pending is of one member. */
  #freeSpent = 0n;
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
   * Returns what a market buy will pay when its turn comes, if its money suffices. Counts the
   * member's own asks only if the buy takes them. Behind a pending sell, lots that it would not get
   * otherwise count at the highest price they may have.
   */
  costOf(buy: Taker): Cost {
    this.#passWaiting();
    const { worth, lots } = asksWithin(this.#venue, this.#book, buy, this.#gone());
    const sparePrice = Math.min(this.#sparePrice, limitOf(buy));
    return {
      asks: worth * this.#book.totalUnit,
      spare: this.#book.total(sparePrice, buy.remaining - lots),
    };
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
    const money = this.#moneyOf(order);
    const { left, reachedPrice, front, passed } = this.#take(order, money);
    const more = money - left - order.locked;
    if (more > 0n) this.#freeSpent += more;
    this.#front = front;
    this.#passed += passed;
    if (this.#sparePrice > 0) this.#sparePrice = Math.max(this.#sparePrice, reachedPrice);
  }

  /** At its turn a stop has what its member has free as well. */
  #moneyOf({ locked, member, type }: Order): bigint {
    if (type !== "stop") return locked;
    const { available } = this.#venue.account(member, this.#book.market.quote);
    return locked + available - this.#freeSpent;
  }

  #gone(): Gone {
    const { ask, lots } = this.#front;
    return { lots: this.#passed, front: ask, taken: ask === null ? 0 : ask.remaining - lots };
  }

  /** Matches a buy with the asks that are left, as far as the money goes. */
  #take(buy: Taker, money: bigint): Taken {
    const limit = limitOf(buy);
    let front = this.#front;
    let wanted = buy.remaining;
    let left = money;
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
      const lots = Math.min(meant, Number(left / this.#book.total(ask.price, 1)));
      left -= this.#book.total(ask.price, lots);
      wanted -= lots;
      passed += lots;
      if (lots > 0) reachedPrice = ask.price;
      front = lots < front.lots
        ? { ask, lots: front.lots - lots }
        : frontAt(this.#book.asks.after(ask));
      if (lots < meant) break;
    }
    return { left, reachedPrice, front, passed };
  }
}

function frontAt(ask: Order | null): Front {
  return { ask, lots: ask?.remaining ?? 0 };
}
