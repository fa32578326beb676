/** Finds the trades of one order among its member's. */
import type { Order } from "../../domain/trading/order.ts";
import { type MemberTrade, ownTakerTradeOf, sidesOf } from "../../domain/trading/trade_record.ts";

/**
 * Picks the trades of an order, as of construction, from those of its member. A trade that the
 * member made with itself is stored once, with both sides, but until row format 3 it was stored as
 * the maker's alone. An order takes before it makes, and no other order takes on its market
 * meanwhile. So the trades missing under the order's own id are the first of the member's others on
 * that market, from the order's first trade on.
 */
export class OrderTrades {
  /** Ids of the order's first and last trade. */
  readonly first: number;
  readonly last: number;
  readonly #order: Order;
  readonly #count: number;
  readonly #own = new Map<number, MemberTrade>();
  /** The first of the others on its market, at most as many as the order has trades. */
  readonly #others = new Map<number, MemberTrade>();

  constructor(order: Order) {
    this.#order = order;
    // An open order goes on trading while its past is read.
    this.#count = order.tradesCount;
    this.first = order.firstTrade;
    this.last = order.lastTrade;
  }

  /** Adds a trade of the member's; oldest first, the same one possibly more than once. */
  add(trade: MemberTrade): void {
    if (trade.id < this.first || trade.id > this.last) return;
    const { id, market } = this.#order;
    const own = sidesOf(trade).find(({ orderId }) => orderId === id);
    if (own !== undefined) this.#own.set(trade.id, own);
    else if (trade.ownTaker !== undefined) return;
    else if (trade.market === market && this.#others.size < this.#count) {
      this.#others.set(trade.id, trade);
    }
  }

  /** Adds several, as {@linkcode add}; returns itself. */
  addAll(trades: Iterable<MemberTrade>): this {
    for (const trade of trades) this.add(trade);
    return this;
  }

  /** Returns the order's trades, oldest first. */
  all(): MemberTrade[] {
    const taken = [...this.#others.values()].slice(0, this.#count - this.#own.size);
    const { id: orderId, takerFee: feeRate } = this.#order;
    const sides = taken.map((one) => ownTakerTradeOf(one, { orderId, feeRate }));
    return [...this.#own.values(), ...sides]
      .sort((a, b) => a.id - b.id);
  }
}
