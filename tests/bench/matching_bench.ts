// deno-lint-ignore-file no-console
/**
 * The matching core on its own: books, locks and settlement with exact money, in one thread,
 * without events or store. Then, for information, the whole of decide and apply.
 */
import { MarketBook } from "../../src/domain/trading/market_book.ts";
import type { Account } from "../../src/domain/money/account.ts";
import type { OrderRequest } from "../../src/domain/command.ts";
import type { OrderAccepted } from "../../src/domain/event.ts";
import type { Order, Side } from "../../src/domain/trading/order.ts";
import { settle } from "../../src/domain/money/settlement.ts";
import { Prng } from "../support/prng.ts";
import { DomainVenue, units } from "../support/domain_venue.ts";
import { taskArguments } from "../support/task_arguments.ts";
import { createOrder } from "../../src/domain/trading/order_changes.ts";

const ROUNDS = 15;
const ORDERS = 200_000;
const DECIDED_ORDERS = 20_000;
const MEMBERS = 1000;
const RESTING_SHARE = 0.7;
const MID = 6_500_000;
const DEPTH = 200;
const FEE_PPM = 2000;
const ORDERS_PER_SECOND_MIN = 2_000_000;

interface Intent {
  readonly member: number;
  readonly side: Side;
  readonly price: number;
  readonly volume: number;
}

interface Purse {
  readonly base: Account;
  readonly quote: Account;
}

/**
 * Seven in ten orders rest near the middle price; the others take, with `takerSize` times the
 * volume. At 1 the book grows, at 7/3 takers take everything that rests.
 */
function intents(count: number, seed: number, takerSize: number): Intent[] {
  const prng = new Prng(seed);
  return Array.from({ length: count }, () => {
    const side: Side = prng.chance(0.5) ? "buy" : "sell";
    const rests = prng.chance(RESTING_SHARE);
    const away = 1 + Math.floor(prng.below(DEPTH) * prng.below(DEPTH) / DEPTH);
    const offset = (side === "buy") === rests ? -away : away;
    const volume = prng.between(1, 2_000_000);
    return {
      member: prng.below(MEMBERS),
      side,
      price: MID + (rests ? offset : Math.sign(offset) * DEPTH),
      volume: rests ? volume : Math.ceil(volume * takerSize),
    };
  });
}

class MatchingCore {
  readonly book: MarketBook;
  readonly purses: Purse[];
  readonly fees: Purse = { base: purse(0n), quote: purse(0n) };
  fills = 0;

  constructor(template: MarketBook) {
    this.book = new MarketBook(template.market);
    this.purses = Array.from({ length: MEMBERS }, () => ({
      base: purse(units("1000000")),
      quote: purse(units("100000000000")),
    }));
  }

  place(order: Order): void {
    const { book } = this;
    const own = this.purses[order.member] as Purse;
    const account = order.side === "buy" ? own.quote : own.base;
    order.locked = order.side === "buy"
      ? book.total(order.price, order.volume)
      : book.base(order.volume);
    if (order.locked > account.available) throw new Error("A member has run out of money");
    account.available -= order.locked;
    account.locked += order.locked;
    const makers = book.oppositeOf(order.side);
    while (order.remaining > 0) {
      const level = makers.best();
      if (level === undefined) break;
      if (order.side === "buy" ? level.price > order.price : level.price < order.price) break;
      const maker = level.first as Order;
      const lots = Math.min(maker.remaining, order.remaining);
      this.#fill(maker, order, lots);
      level.lots -= lots;
      if (maker.remaining === 0) makers.remove(maker);
    }
    if (order.remaining > 0) book.sideOf(order.side).add(order);
  }

  #fill(maker: Order, taker: Order, lots: number): void {
    const takerBuys = taker.side === "buy";
    const buy = takerBuys ? taker : maker;
    const sell = takerBuys ? maker : taker;
    const buyRate = takerBuys ? taker.takerFee : maker.makerFee;
    const sellRate = takerBuys ? maker.makerFee : taker.takerFee;
    const money = settle(this.book, buy, sell, maker.price, lots, buyRate, sellRate);
    const buyer = this.purses[buy.member] as Purse;
    const seller = this.purses[sell.member] as Purse;
    buyer.quote.locked -= money.total;
    if (money.released !== 0n) {
      buyer.quote.locked -= money.released;
      buyer.quote.available += money.released;
    }
    buyer.base.available += money.base - money.buyerFee;
    seller.base.locked -= money.base;
    seller.quote.available += money.total - money.sellerFee;
    this.fees.base.available += money.buyerFee;
    this.fees.quote.available += money.sellerFee;
    buy.locked = money.buyLocked;
    sell.locked = money.sellLocked;
    maker.remaining -= lots;
    taker.remaining -= lots;
    this.fills += 1;
  }

  /** Asserts that every currency sums to the members' initial funds. */
  check(): void {
    const sum = (of: (one: Purse) => Account) =>
      [...this.purses, this.fees].reduce(
        (all, one) => all + of(one).available + of(one).locked,
        0n,
      );
    const isWhole = sum((one) => one.base) === BigInt(MEMBERS) * units("1000000") &&
      sum((one) => one.quote) === BigInt(MEMBERS) * units("100000000000");
    if (!isWhole) throw new Error("Money was made or lost");
    this.book.checkInvariants();
  }
}

function purse(available: bigint): Account {
  return { available, locked: 0n };
}

function acceptanceOf(intent: Intent, id: number): OrderAccepted {
  return {
    ...intent,
    kind: "order_accepted",
    id,
    market: 0,
    type: "limit",
    timeInForce: "gtc",
    selfTrade: "none",
    triggerPrice: 0,
    clientOrderId: "",
    makerFee: FEE_PPM,
    takerFee: FEE_PPM,
    orderLocked: 0n,
    keepsFees: true,
    available: 0n,
    locked: 0n,
    resting: false,
  };
}

function benchCore(template: MarketBook, takerSize: number): number {
  const rates: number[] = [];
  let core = new MatchingCore(template);
  for (let round = 0; round < ROUNDS; round++) {
    core = new MatchingCore(template);
    const accepted = intents(ORDERS, 1 + round, takerSize).map((intent, i) =>
      acceptanceOf(intent, i + 1)
    );
    collectGarbage();
    const started = performance.now();
    for (const event of accepted) core.place(createOrder(event, event.id, 0));
    rates.push(ORDERS / (performance.now() - started) * 1000);
    core.check();
  }
  const rate = median(rates);
  console.log(`matching core    ${perSecond(rate)} orders/s, ${fillsText(core.fills, ORDERS)}`);
  return rate;
}

/** Keeps garbage of creating the orders out of the measurement; the task's flags expose it. */
function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

function benchDecide(): void {
  const rates: number[] = [];
  let fills = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const test = benchVenue();
    const requests = intents(DECIDED_ORDERS, 1 + round, 1).map(requestOf);
    const started = performance.now();
    for (const { member, orders } of requests) {
      test.do({ kind: "place_orders", member, orders });
      if (test.sink.events.length > 500) {
        test.sink.forget();
        test.sink.events.length = 0;
        test.sink.forget();
      }
    }
    rates.push(DECIDED_ORDERS / (performance.now() - started) * 1000);
    fills = test.venue.counters.trades;
    test.venue.checkInvariants();
  }
  const rate = perSecond(median(rates));
  console.log(`decide and apply ${rate} orders/s, ${fillsText(fills, DECIDED_ORDERS)}`);
}

function requestOf(intent: Intent): { member: number; orders: readonly OrderRequest[] } {
  const order: OrderRequest = {
    market: 0,
    side: intent.side,
    type: "limit",
    timeInForce: "gtc",
    selfTrade: "none",
    amount: BigInt(intent.volume) * units("0.000001"),
    price: BigInt(intent.price) * units("0.01"),
    triggerPrice: 0n,
    clientOrderId: "",
  };
  return { member: intent.member + 2, orders: [order] };
}

function benchVenue(): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", FEE_PPM, FEE_PPM);
  for (let member = 0; member < MEMBERS; member++) {
    test.withMember(`m${member}`, { btc: "1000000", usdt: "100000000000" });
    test.change(`m${member}`, { openOrdersMax: 100_000 });
  }
  return test;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function perSecond(rate: number): string {
  return Math.round(rate).toLocaleString("en").padStart(9);
}

function fillsText(fills: number, orders: number): string {
  return `${(fills / orders).toFixed(2)} fills per order, median of ${ROUNDS} rounds`;
}

taskArguments("Usage: deno task bench:matching", () => {});
const template = new DomainVenue().withMarket("btc", "usdt").book();
const rate = benchCore(template, 1);
const verdict = rate >= ORDERS_PER_SECOND_MIN ? "reached" : "missed";
console.log(`                 aim of ${perSecond(ORDERS_PER_SECOND_MIN)} orders/s ${verdict}`);
benchCore(template, RESTING_SHARE / (1 - RESTING_SHARE));
benchDecide();
