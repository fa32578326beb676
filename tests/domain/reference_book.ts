/**
 * A simple and slow reference venue: one list of orders, searched linearly in every step, with
 * amounts in units of 10⁻¹⁶ and without ticks. It shares only the terms of orders with the code it
 * judges.
 */
import type { Side } from "../../src/domain/trading/order.ts";
import { exact, max, min, ONE, times } from "./reference_amounts.ts";
import {
  costOf,
  crosses,
  endState,
  fillsWhole,
  isReached,
  isSame,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceRequest,
  type ReferenceTrade,
} from "./reference_order.ts";

/** Balance of one member in one currency. */
export interface Balance {
  available: bigint;
  locked: bigint;
}

/** An answer of the reference venue. */
export type ReferenceAnswer = { readonly ids: number[] } | { readonly rejected: string };

/** The reference venue. */
export class ReferenceVenue {
  readonly markets: ReferenceMarket[] = [];
  /** All orders ever placed; the index is id - 1. */
  readonly orders: ReferenceOrder[] = [];
  /** All orders that have not ended. */
  open: ReferenceOrder[] = [];
  readonly trades: ReferenceTrade[] = [];
  now = 0;
  /** How many orders have ended without a trade, by member and day. */
  readonly #untraded = new Map<string, number>();
  #balances = new Map<string, Balance>();
  readonly #clientOrders = new Map<string, { order: ReferenceOrder; at: number }>();
  #arrivals = 0;

  constructor(readonly openOrdersMax: number, readonly untradedOrdersMax: number) {}

  /** Returns a member's balance; `FEES` receives the fees. */
  balance(member: string, currency: string): Balance {
    const key = `${member} ${currency}`;
    const balance = this.#balances.get(key) ?? { available: 0n, locked: 0n };
    this.#balances.set(key, balance);
    return balance;
  }

  /** Adjusts a balance. */
  adjust(member: string, currency: string, amount: bigint): ReferenceAnswer {
    const balance = this.balance(member, currency);
    if (balance.available + amount < 0n) return { rejected: "balance_insufficient" };
    balance.available += amount;
    return { ids: [] };
  }

  /** Places all orders or none, then does all the work that follows. */
  place(member: string, requests: readonly ReferenceRequest[], now: number): ReferenceAnswer {
    const balances = new Map([...this.#balances].map(([key, balance]) => [key, { ...balance }]));
    const { open } = this;
    const known = this.orders.length;
    const ids: number[] = [];
    const names = new Set<string>();
    for (const request of requests) {
      const answer = this.#accept(member, request, now, names);
      if (typeof answer === "string") {
        this.#balances = balances;
        this.open = open;
        this.orders.length = known;
        return { rejected: answer };
      }
      if (request.clientOrderId !== "") names.add(request.clientOrderId);
      ids.push(answer);
    }
    for (const order of this.orders.slice(known)) {
      const market = this.market(order);
      market.seen = market.last === null ? [] : [market.last];
      if (order.clientOrderId !== "") {
        this.#clientOrders.set(`${member} ${order.clientOrderId}`, { order, at: now });
      }
    }
    this.markets.forEach((_, index) => this.#work(index));
    return { ids };
  }

  /** Cancels one order. */
  cancel(member: string, id: number): ReferenceAnswer {
    const order = this.open.find((one) => one.id === id && one.member === member);
    if (order === undefined) return { rejected: "order_not_found" };
    if (this.market(order).state === "halted") return { rejected: "market_halted" };
    this.#end(order, "cancel", "requested");
    return { ids: [id] };
  }

  /** Cancels a member's orders, optionally only those of one market or side. */
  cancelAll(member: string, market: number | null, side: Side | null): ReferenceAnswer {
    const named = market === null ? undefined : this.markets[market];
    if (named?.state === "halted") return { rejected: "market_halted" };
    const meant = this.open.filter((order) =>
      order.member === member && (market === null || order.market === market) &&
      (side === null || order.side === side) && this.market(order).state !== "halted"
    );
    for (const order of meant) this.#end(order, "cancel", "requested");
    return { ids: meant.map((order) => order.id) };
  }

  /** Returns the market of an order. */
  market(order: { readonly market: number }): ReferenceMarket {
    return this.markets[order.market] as ReferenceMarket;
  }

  /** Returns the resting orders of one side, best first. */
  resting(market: number, side: Side): ReferenceOrder[] {
    const sign = side === "buy" ? -1n : 1n;
    return this.open
      .filter((one) => one.place === "book" && one.market === market && one.side === side)
      .sort((a, b) => Number(sign * (a.price - b.price)) || a.arrival - b.arrival);
  }

  #accept(
    member: string,
    request: ReferenceRequest,
    now: number,
    names: ReadonlySet<string>,
  ): ReferenceOrder["id"] | string {
    if (names.has(request.clientOrderId)) return "client_order_id_repeated";
    const market = this.market(request);
    const earlier = this.#clientOrders.get(`${member} ${request.clientOrderId}`);
    if (request.clientOrderId !== "" && earlier !== undefined && now - earlier.at < 86_400_000) {
      return isSame(request, earlier.order) ? earlier.order.id : "client_order_id_taken";
    }
    if (market.state !== "enabled") return "market_not_enabled";
    const refusal = refuseNumbers(market, request);
    if (refusal !== null) return refusal;
    const stays = request.type !== "market" && request.timeInForce === "gtc";
    const opened = this.open.filter((one) =>
      one.member === member && one.market === request.market
    );
    const untraded = this.#untraded.get(this.#dayOf(member)) ?? 0;
    if (untraded >= this.untradedOrdersMax) return "untraded_orders_exceeded";
    if (stays && opened.length >= this.openOrdersMax) return "open_orders_exceeded";
    const currency = request.side === "buy" ? market.quote : market.base;
    const balance = this.balance(member, currency);
    const locked = this.#lock(market, member, request, balance.available);
    if (locked === null) return "balance_insufficient";
    balance.available -= locked;
    balance.locked += locked;
    const stops = request.triggerPrice > 0n && !isReached(market, request);
    const order: ReferenceOrder = {
      ...request,
      id: this.orders.length + 1,
      member,
      makerFee: market.makerFee,
      takerFee: market.takerFee,
      remaining: request.amount,
      locked,
      quoteMoved: 0n,
      tradesCount: 0,
      state: stops ? "trigger_wait" : "wait",
      reason: "",
      place: stops ? "stops" : stays && this.#isAlone(request) ? "book" : "queue",
      arrival: ++this.#arrivals,
    };
    this.orders.push(order);
    this.open = [...this.open, order];
    return order.id;
  }

  /** Returns whether the order rests at once: the queue is empty, and it matches nothing. */
  #isAlone(request: ReferenceRequest): boolean {
    return request.triggerPrice === 0n && this.open.every((one) =>
      one.market !== request.market ||
      (one.place !== "queue" && !(one.place === "book" && crosses(request, one)))
    );
  }

  #lock(
    market: ReferenceMarket,
    member: string,
    order: ReferenceRequest,
    available: bigint,
  ): bigint | null {
    if (order.side === "sell") return order.amount <= available ? order.amount : null;
    if (order.type !== "market" && order.type !== "stop") {
      const cost = times(order.price, order.amount);
      return cost <= available ? cost : null;
    }
    if (available === 0n) return null;
    if (order.type === "stop") {
      return min(times(order.triggerPrice, order.amount) * 11n / 10n, available);
    }
    const { asks, spare } = this.#rehearse(market, member, order);
    return asks <= available ? min((asks + spare) * 11n / 10n, available) : null;
  }

  /**
   * Returns the cost of a market buy with unlimited money after the queued buys have matched, and of
   * the lots that are not offered then: these count at the highest price of what queued sells may
   * add, and of what buys queued after such a sell may leave.
   */
  #rehearse(
    market: ReferenceMarket,
    member: string,
    request: ReferenceRequest,
  ): { readonly asks: bigint; readonly spare: bigint } {
    const copy = new ReferenceVenue(this.openOrdersMax, Infinity);
    copy.markets.push(...this.markets.map((one) => ({ ...one, seen: [] })));
    copy.open = this.open.map((one) => ({ ...one }));
    const waiting = copy.open
      .filter((one) => one.place === "queue" && one.market === request.market)
      .sort((a, b) => a.arrival - b.arrival);
    const order: ReferenceOrder = {
      ...request,
      id: 0,
      member,
      makerFee: market.makerFee,
      takerFee: market.takerFee,
      remaining: request.amount,
      locked: ONE * ONE,
      quoteMoved: 0n,
      tradesCount: 0,
      state: "wait",
      reason: "",
      place: "queue",
      arrival: 0,
    };
    let highest = 0n;
    let free = this.balance(member, market.quote).available;
    for (const taker of waiting) {
      if (taker.side === "sell") {
        const stays = taker.type !== "market" && taker.timeInForce === "gtc";
        if (stays) highest = max(highest, taker.price);
        continue;
      }
      const asks = copy.resting(request.market, "sell").map((ask) => ({ ...ask }));
      const { locked } = taker;
      copy.balance(member, market.quote).available = free;
      copy.#take(taker);
      free -= max(0n, taker.quoteMoved - locked);
      for (const { id, price, remaining } of highest > 0n ? asks : []) {
        const left = copy.open.find((one) => one.id === id);
        if (left?.remaining !== remaining) highest = max(highest, price);
      }
    }
    copy.#take(order);
    return { asks: order.quoteMoved, spare: times(highest, order.remaining) };
  }

  /** Matches the queued orders, oldest first, then triggers stops, until there is nothing to do. */
  #work(market: number): void {
    for (;;) {
      const taker = this.open
        .filter((one) => one.market === market && one.place === "queue")
        .sort((a, b) => a.arrival - b.arrival)[0];
      if (taker !== undefined) {
        this.#take(taker);
        continue;
      }
      const stop = this.#reached(market);
      if (stop === undefined) return;
      stop.state = "wait";
      stop.place = "queue";
      stop.arrival = ++this.#arrivals;
    }
  }

  /** Returns the next triggered stop: buys before sells, nearest trigger first, then the oldest. */
  #reached(market: number): ReferenceOrder | undefined {
    const { seen, last, state } = this.markets[market] as ReferenceMarket;
    if (last === null || state !== "enabled") return undefined;
    const stops = this.open.filter((one) => one.market === market && one.place === "stops");
    const buys = stops
      .filter((one) => one.side === "buy" && seen.some((price) => price >= one.triggerPrice))
      .sort((a, b) => Number(a.triggerPrice - b.triggerPrice) || a.arrival - b.arrival);
    const sells = stops
      .filter((one) => one.side === "sell" && seen.some((price) => price <= one.triggerPrice))
      .sort((a, b) => Number(b.triggerPrice - a.triggerPrice) || a.arrival - b.arrival);
    return [...buys, ...sells][0];
  }

  /** Matches one taker completely. */
  #take(taker: ReferenceOrder): void {
    const priceless = taker.type === "market" || taker.type === "stop";
    const reachable = this.resting(taker.market, taker.side === "buy" ? "sell" : "buy")
      .filter((maker) => priceless || crosses(taker, maker));
    if (taker.type === "post_only" && reachable.length > 0) {
      return this.#end(taker, "reject", "would_take");
    }
    if (taker.timeInForce === "fok" && !fillsWhole(taker, reachable)) {
      return this.#end(taker, "cancel", "not_fillable");
    }
    if (taker.type === "stop" && taker.side === "buy") this.#lockMore(taker, reachable);
    for (const maker of reachable) {
      if (taker.remaining === 0n) return;
      if (maker.member === taker.member && taker.selfTrade !== "none") {
        if (taker.selfTrade !== "cancel_newest") this.#end(maker, "cancel", "self_trade");
        if (taker.selfTrade !== "cancel_oldest") return this.#end(taker, "cancel", "self_trade");
        continue;
      }
      let volume = min(maker.remaining, taker.remaining);
      if (priceless && taker.side === "buy") {
        const { lot } = this.market(taker);
        const affordable = taker.locked * ONE / maker.price / lot * lot;
        volume = min(volume, affordable);
      }
      if (volume === 0n) return this.#end(taker, endState(taker), "insufficient_balance");
      this.#trade(maker, taker, volume);
      if (taker.remaining > 0n && maker.remaining > 0n) {
        return this.#end(taker, "cancel", "insufficient_balance");
      }
    }
    if (taker.remaining === 0n) return;
    if (priceless) return this.#end(taker, endState(taker), "insufficient_market_liquidity");
    if (taker.timeInForce !== "gtc") return this.#end(taker, "cancel", "time_in_force");
    taker.place = "book";
    taker.arrival = ++this.#arrivals;
  }

  /** Locks what a stop's asks cost, as far as its member has it. */
  #lockMore(stop: ReferenceOrder, asks: readonly ReferenceOrder[]): void {
    const { available } = this.balance(stop.member, this.market(stop).quote);
    const more = min(costOf(stop, asks) - stop.locked, available);
    if (more > 0n) this.#release(stop, -more);
  }

  #trade(maker: ReferenceOrder, taker: ReferenceOrder, volume: bigint): void {
    const market = this.market(taker);
    const buy = taker.side === "buy" ? taker : maker;
    const sell = taker.side === "buy" ? maker : taker;
    const cost = times(maker.price, volume);
    const buyFee = exact(volume * (buy === taker ? buy.takerFee : buy.makerFee), 1_000_000n);
    const sellFee = exact(cost * (sell === taker ? sell.takerFee : sell.makerFee), 1_000_000n);

    buy.locked -= cost;
    this.balance(buy.member, market.quote).locked -= cost;
    this.balance(buy.member, market.base).available += volume - buyFee;
    sell.locked -= volume;
    this.balance(sell.member, market.base).locked -= volume;
    this.balance(sell.member, market.quote).available += cost - sellFee;
    this.balance("FEES", market.base).available += buyFee;
    this.balance("FEES", market.quote).available += sellFee;

    for (const order of [buy, sell]) {
      order.remaining -= volume;
      order.quoteMoved += cost;
      order.tradesCount += 1;
      if (order.remaining === 0n) this.#end(order, "done", "");
    }
    if (buy.remaining > 0n && buy.type !== "market" && buy.type !== "stop") {
      this.#release(buy, buy.locked - times(buy.price, buy.remaining));
    }
    market.last = maker.price;
    market.seen.push(maker.price);
    this.trades.push({
      market: taker.market,
      price: maker.price,
      volume,
      maker: maker.id,
      taker: taker.id,
      takerSide: taker.side,
    });
  }

  #end(order: ReferenceOrder, state: string, reason: string): void {
    this.#release(order, order.locked);
    order.state = state;
    order.reason = reason;
    order.place = "gone";
    this.open = this.open.filter((one) => one !== order);
    const day = this.#dayOf(order.member);
    if (order.tradesCount === 0) this.#untraded.set(day, (this.#untraded.get(day) ?? 0) + 1);
  }

  #dayOf(member: string): string {
    return `${member} ${new Date(this.now).toDateString()}`;
  }

  #release(order: ReferenceOrder, amount: bigint): void {
    const market = this.market(order);
    const balance = this.balance(order.member, order.side === "buy" ? market.quote : market.base);
    order.locked -= amount;
    balance.locked -= amount;
    balance.available += amount;
  }
}

function refuseNumbers(market: ReferenceMarket, request: ReferenceRequest): string | null {
  if (request.amount === 0n || request.amount < market.minAmount) return "volume_too_small";
  const priced = request.type !== "market" && request.type !== "stop";
  if (priced && request.price < market.minPrice) return "price_too_low";
  if (request.triggerPrice > 0n && request.triggerPrice < market.minPrice) return "price_too_low";
  if (priced && times(request.price, request.amount) < market.minTotal) return "total_too_small";
  return null;
}
