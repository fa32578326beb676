import type { Market } from "../../../src/domain/trading/market.ts";
import type { OrderTerms, Side } from "../../../src/domain/trading/order.ts";
import { times, unitOf } from "./amounts.ts";
import type { Ledger } from "./ledger.ts";
import { must } from "./same.ts";

/** An order in the oracle's state. */
export interface OracleOrder extends OrderTerms {
  readonly id: number;
  readonly member: number;
  /** When it was placed, in ms. */
  readonly createdAt: number;
  readonly makerFee: number;
  readonly takerFee: number;
  /** Lots not yet filled. */
  remaining: number;
  locked: bigint;
  trades: number;
  place: "stops" | "queue" | "book" | "gone";
  /** Position among its member's open orders. */
  index: number;
}

/** Orders in priority order; the last of the array is the next to match. */
export class ServedOrders {
  readonly orders: OracleOrder[] = [];
  readonly #sign: 1 | -1;
  readonly #field: "price" | "triggerPrice";

  constructor(highestFirst: boolean, field: "price" | "triggerPrice") {
    this.#sign = highestFirst ? 1 : -1;
    this.#field = field;
  }

  /** The next order to match. */
  next(): OracleOrder | undefined {
    return this.orders[this.orders.length - 1];
  }

  /** Inserts an order after all others at its price. */
  add(order: OracleOrder): void {
    this.orders.splice(this.#firstOf(order[this.#field]), 0, order);
  }

  /** Removes an order. */
  remove(order: OracleOrder): void {
    if (this.next() === order) {
      this.orders.pop();
      return;
    }
    const index = this.orders.indexOf(order, this.#firstOf(order[this.#field]));
    must(index >= 0, () => `order ${order.id} stands nowhere`);
    this.orders.splice(index, 1);
  }

  /** Returns the remaining lots at a price. */
  lotsAt(price: number): number {
    let lots = 0;
    for (let i = this.#firstOf(price); this.orders[i]?.[this.#field] === price; i++) {
      lots += this.orders[i]?.remaining ?? 0;
    }
    return lots;
  }

  #firstOf(price: number): number {
    let low = 0;
    let high = this.orders.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = (this.orders[middle] as OracleOrder)[this.#field];
      if (other * this.#sign < price * this.#sign) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A market in the oracle's state. */
export class OracleMarket {
  readonly bids = new ServedOrders(true, "price");
  readonly asks = new ServedOrders(false, "price");
  readonly buyStops = new ServedOrders(false, "triggerPrice");
  readonly sellStops = new ServedOrders(true, "triggerPrice");
  /** Orders that have yet to match, oldest first. */
  readonly queue: OracleOrder[] = [];
  /** Price of the last trade; 0 before the first. */
  last = 0;
  /** Lowest and highest price since the last new order. */
  low = 0;
  high = 0;
  trades = 0;
  /** Number of orders ever accepted. */
  orders = 0;
  /** The price and volume steps. */
  tick: bigint;
  lot: bigint;

  constructor(public definition: Market) {
    this.tick = unitOf(definition.pricePrecision);
    this.lot = unitOf(definition.amountPrecision);
  }

  /** Replaces the definition. */
  define(definition: Market): void {
    this.definition = definition;
    this.tick = unitOf(definition.pricePrecision);
    this.lot = unitOf(definition.amountPrecision);
  }

  /** Returns the cost of lots at a price. */
  cost(price: number, lots: number): bigint {
    return times(BigInt(price) * this.tick, BigInt(lots) * this.lot);
  }

  /** Returns the amount of lots. */
  amount(lots: number): bigint {
    return BigInt(lots) * this.lot;
  }

  /** Returns the resting orders of a side. */
  side(side: Side): ServedOrders {
    return side === "buy" ? this.bids : this.asks;
  }

  /** Returns the stop orders of a side. */
  stops(side: Side): ServedOrders {
    return side === "buy" ? this.buyStops : this.sellStops;
  }

  /** Returns the currency that an order of this side locks. */
  locks(side: Side): number {
    return side === "buy" ? this.definition.quote : this.definition.base;
  }

  /** Returns what a member has free to buy with. */
  freeQuote(ledger: Ledger, member: number): bigint {
    return ledger.of(member, this.definition.quote).available;
  }

  /** Returns the next triggered stop: the lowest buy stop, otherwise the highest sell stop. */
  reached(): OracleOrder | undefined {
    if (this.definition.state !== "enabled" || this.last === 0) return undefined;
    const buy = this.buyStops.next();
    if (buy !== undefined && buy.triggerPrice <= this.high) return buy;
    const sell = this.sellStops.next();
    return sell !== undefined && sell.triggerPrice >= this.low ? sell : undefined;
  }

  /** Records a trade at a price. */
  see(price: number): void {
    this.last = price;
    this.low = this.low === 0 ? price : Math.min(this.low, price);
    this.high = Math.max(this.high, price);
    this.trades += 1;
  }
}
