/** Which of a member's trades are those of one order. */
import type { Order } from "../domain/order.ts";
import { type MemberTrade, ownTakerTradeOf } from "../domain/trade_record.ts";

/**
 * Picks the trades of an order, as it stands now, from its member's. A trade that the member made
 * with itself is kept once, under the maker's order. What an order takes comes before what it
 * makes, and no other order takes on its market meanwhile: as many as are missing under its own
 * name are the first of the member's others there, from its first trade on.
 */
export class OrderTrades {
  /** Ids of its first and last trade. */
  readonly first: number;
  readonly last: number;
  readonly #order: Order;
  readonly #count: number;
  readonly #own = new Map<number, MemberTrade>();
  /** The first of the others on its market, as many as it has trades at most. */
  readonly #others = new Map<number, MemberTrade>();

  constructor(order: Order) {
    this.#order = order;
    // An open order trades on while its past is read.
    this.#count = order.tradesCount;
    this.first = order.firstTrade;
    this.last = order.lastTrade;
  }

  /** Looks at a trade of the member's; oldest first, one and the same more than once if need be. */
  add(trade: MemberTrade): void {
    if (trade.id < this.first || trade.id > this.last) return;
    const { id, market } = this.#order;
    if (trade.orderId === id) this.#own.set(trade.id, trade);
    else if (trade.market === market && this.#others.size < this.#count) {
      this.#others.set(trade.id, trade);
    }
  }

  /** Its trades, oldest first. */
  all(): MemberTrade[] {
    const taken = [...this.#others.values()].slice(0, this.#count - this.#own.size);
    return [...this.#own.values(), ...taken.map((one) => ownTakerTradeOf(one, this.#order))]
      .sort((a, b) => a.id - b.id);
  }
}
