import type { Market } from "../../../src/domain/market.ts";
import type { OrderTerms, Side } from "../../../src/domain/order.ts";
import { times, unitOf } from "./amounts.ts";
import { must } from "./same.ts";

/** An order as the oracle sees it. */
export interface OracleOrder extends OrderTerms {
  readonly id: number;
  readonly member: number;
  readonly makerFee: number;
  readonly takerFee: number;
  /** Lots not yet filled. */
  remaining: number;
  locked: bigint;
  trades: number;
  place: "stops" | "queue" | "book" | "gone";
  /** Where it stands among its member's open orders. */
  index: number;
}

/** Orders in the order in which they are served: the last of the array is the next. */
export class ServedOrders {
  readonly orders: OracleOrder[] = [];
  readonly #sign: 1 | -1;
  readonly #field: "price" | "triggerPrice";

  constructor(highestFirst: boolean, field: "price" | "triggerPrice") {
    this.#sign = highestFirst ? 1 : -1;
    this.#field = field;
  }

  /** The order that is served next. */
  next(): OracleOrder | undefined {
    return this.orders[this.orders.length - 1];
  }

  /** Puts an order behind all of its price. */
  add(order: OracleOrder): void {
    this.orders.splice(this.#firstOf(order[this.#field]), 0, order);
  }

  /** Takes an order out. */
  remove(order: OracleOrder): void {
    if (this.next() === order) {
      this.orders.pop();
      return;
    }
    const index = this.orders.indexOf(order, this.#firstOf(order[this.#field]));
    must(index >= 0, () => `order ${order.id} stands nowhere`);
    this.orders.splice(index, 1);
  }

  /** Remaining lots at a price. */
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

/** One market as the oracle sees it. */
export class OracleMarket {
  readonly bids = new ServedOrders(true, "price");
  readonly asks = new ServedOrders(false, "price");
  readonly buyStops = new ServedOrders(false, "triggerPrice");
  readonly sellStops = new ServedOrders(true, "triggerPrice");
  /** Orders that still have to match, oldest first. */
  readonly queue: OracleOrder[] = [];
  /** Price of the last trade; 0 before the first. */
  last = 0;
  /** Lowest and highest price since the last new order. */
  low = 0;
  high = 0;
  trades = 0;
  /** Orders ever accepted. */
  orders = 0;
  /** The smallest price and amount. */
  tick: bigint;
  lot: bigint;

  constructor(public definition: Market) {
    this.tick = unitOf(definition.pricePrecision);
    this.lot = unitOf(definition.amountPrecision);
  }

  /** Takes a new definition. */
  define(definition: Market): void {
    this.definition = definition;
    this.tick = unitOf(definition.pricePrecision);
    this.lot = unitOf(definition.amountPrecision);
  }

  /** What so many lots cost at a price. */
  cost(price: number, lots: number): bigint {
    return times(BigInt(price) * this.tick, BigInt(lots) * this.lot);
  }

  /** So many lots as an amount. */
  amount(lots: number): bigint {
    return BigInt(lots) * this.lot;
  }

  /** Those who buy, or those who sell. */
  side(side: Side): ServedOrders {
    return side === "buy" ? this.bids : this.asks;
  }

  /** Those who wait for a price. */
  stops(side: Side): ServedOrders {
    return side === "buy" ? this.buyStops : this.sellStops;
  }

  /** The currency that an order of this side locks. */
  locks(side: Side): number {
    return side === "buy" ? this.definition.quote : this.definition.base;
  }

  /** The stop that the price has reached: of the buys the lowest, else of the sells the highest. */
  reached(): OracleOrder | undefined {
    if (this.definition.state !== "enabled" || this.last === 0) return undefined;
    const buy = this.buyStops.next();
    if (buy !== undefined && buy.triggerPrice <= this.high) return buy;
    const sell = this.sellStops.next();
    return sell !== undefined && sell.triggerPrice >= this.low ? sell : undefined;
  }

  /** A price was traded at. */
  see(price: number): void {
    this.last = price;
    this.low = this.low === 0 ? price : Math.min(this.low, price);
    this.high = Math.max(this.high, price);
    this.trades += 1;
  }
}
