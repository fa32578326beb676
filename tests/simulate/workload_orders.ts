/** Generates orders and cancels. */
import type { Command, OrderName, OrderRequest } from "../../src/domain/command.ts";
import {
  type OrderType,
  SELF_TRADE_PREVENTIONS,
  type Side,
  TIMES_IN_FORCE,
} from "../../src/domain/trading/order.ts";
import type { Prng } from "../support/prng.ts";
import type { OracleMarket } from "./oracle/market.ts";
import type { OracleState } from "./oracle/state.ts";
import { BULK_ORDERS_MAX } from "./workload_setup.ts";

const TYPES: readonly OrderType[] = [
  "limit",
  "limit",
  "limit",
  "limit",
  "limit",
  "limit",
  "market",
  "post_only",
  "stop",
  "stop_limit",
];
const NAMES = 300;

/** Generates orders and cancels that fit the oracle's state. */
export class WorkloadOrders {
  readonly #random: Prng;
  readonly #state: OracleState;
  /** The last requests with a client order id, for repeating them. */
  readonly #named: OrderRequest[] = [];

  constructor(random: Prng, state: OracleState) {
    this.#random = random;
    this.#state = state;
  }

  /** Places usually one order; `market` restricts the choice. */
  place(member: number, market?: number): Command {
    const random = this.#random;
    const count = random.chance(0.03) ? 2 + random.below(5) : 1;
    return { kind: "place_orders", member, orders: this.#orders(count, market) };
  }

  /** Places many orders at once, occasionally too many. */
  bulk(member: number, market?: number): Command {
    const random = this.#random;
    const count = random.chance(0.03)
      ? BULK_ORDERS_MAX + 1 + random.below(4)
      : 5 + random.below(12);
    return { kind: "place_orders", member, orders: this.#orders(count, market) };
  }

  /** Cancels one order by id, usually one of the member's open ones. */
  cancel(member: number): Command {
    return this.#cancelled(member, [this.#id(member)], this.#random.chance(0.8));
  }

  /** Cancels several orders, some by client order id, some that do not exist. */
  cancelSome(member: number): Command {
    const random = this.#random;
    const names: OrderName[] = [];
    for (let count = random.below(6); count > 0; count--) {
      const id = this.#id(member);
      if (random.chance(0.3)) names.push({ clientOrderId: this.#name() });
      else names.push(id);
      if (random.chance(0.1)) names.push(id);
    }
    return this.#cancelled(member, names, random.chance(0.3));
  }

  /** Cancels all orders, or those of one market or side. */
  cancelAll(member: number): Command {
    const random = this.#random;
    return {
      kind: "cancel_all_orders",
      member,
      market: random.chance(0.4) ? -1 : random.below(this.#state.markets.length),
      side: random.chance(0.5) ? null : this.#side(),
    };
  }

  #cancelled(member: number, names: readonly OrderName[], strict: boolean): Command {
    const isKnown = this.#random.chance(0.1);
    return { kind: "cancel_orders", member, names, strict, isKnown };
  }

  #id(member: number): OrderName {
    const random = this.#random;
    const { open } = this.#state.member(member);
    if (open.length > 0 && !random.chance(0.08)) return { id: random.pick(open).id };
    return { id: random.below(this.#state.counters.orders + 2) };
  }

  #name(): string {
    return `c${this.#random.below(NAMES)}`;
  }

  #side(): Side {
    return this.#random.chance(0.5) ? "buy" : "sell";
  }

  #orders(count: number, market?: number): OrderRequest[] {
    const orders = Array.from({ length: count }, () => this.#order(market));
    const first = orders.find(({ clientOrderId }) => clientOrderId !== "");
    if (first !== undefined && count > 1 && this.#random.chance(0.1)) orders.push(first);
    return orders;
  }

  #order(index?: number): OrderRequest {
    const random = this.#random;
    const isAgain = this.#named.length > 0 && random.chance(0.01);
    if (isAgain) return random.pick(this.#named);
    const chosen = index ?? random.below(this.#state.markets.length);
    const market = this.#state.markets[chosen] as OracleMarket;
    const request = random.chance(0.015)
      ? this.#spoiled(this.#regular(chosen, market), market)
      : this.#regular(chosen, market);
    if (request.clientOrderId !== "") {
      this.#named.push(request);
      if (this.#named.length > 40) this.#named.shift();
    }
    return request;
  }

  #regular(index: number, market: OracleMarket): OrderRequest {
    const random = this.#random;
    const type = random.pick(TYPES);
    const isPriced = type !== "market" && type !== "stop";
    const isStop = type === "stop" || type === "stop_limit";
    const side = this.#side();
    // Most buy prices are below most sell prices, so that books fill up; enough overlap to trade.
    const price = BigInt(random.below(12) + (side === "buy" ? 2 : 6));
    const lots = random.chance(0.15) ? random.below(60) : random.below(8);
    const isPatient = type !== "limit" || random.chance(0.75);
    return {
      market: index,
      side,
      type,
      timeInForce: isPatient ? "gtc" : random.pick(TIMES_IN_FORCE),
      selfTrade: random.pick(SELF_TRADE_PREVENTIONS),
      amount: BigInt(lots + 1) * market.lot,
      price: isPriced ? price * market.tick : 0n,
      triggerPrice: isStop ? BigInt(random.below(16) + 2) * market.tick : 0n,
      clientOrderId: random.chance(0.06) ? this.#name() : "",
    };
  }

  /** Makes one thing about a request wrong, or enormous. */
  #spoiled(request: OrderRequest, market: OracleMarket): OrderRequest {
    const random = this.#random;
    switch (random.below(10)) {
      case 0:
        return { ...request, market: this.#state.markets.length + 1 };
      case 1:
        return { ...request, price: request.price === 0n ? market.tick : 0n };
      case 2:
        return { ...request, triggerPrice: request.triggerPrice === 0n ? market.tick : 0n };
      case 3:
        return { ...request, timeInForce: "fok" };
      case 4:
        return { ...request, amount: request.amount + 1n };
      case 5:
        return { ...request, amount: 0n };
      case 6:
        return { ...request, amount: market.lot * 10n ** BigInt(8 + random.below(7)) };
      case 7:
        return { ...request, price: request.price + 1n };
      case 8:
        return { ...request, triggerPrice: request.triggerPrice + 1n };
      default:
        return { ...request, price: market.tick * 10n ** BigInt(random.below(15)) };
    }
  }
}
