/** What the expert venue has in memory: balances, books and nonces. Amounts are in ledger units. */
import { feeOf, formatInteger, parseDecimal } from "../../../src/domain/money/money.ts";
import type { BookOrder, BookSide } from "./expert_book.ts";
import type { AskedOrder, PlacedOrder } from "./signed_orders.ts";

/** Fractional digits of prices and amounts, as the venue's benchmark has them. */
const PRICE_DIGITS = 2;
const AMOUNT_DIGITS = 6;
/** Ledger units of a lot, and of a tick times a lot. */
const LOT_UNITS = 10n ** BigInt(16 - AMOUNT_DIGITS);
const TICK_LOT_UNITS = 10n ** BigInt(16 - PRICE_DIGITS - AMOUNT_DIGITS);

/** A market and its book. */
export interface ExpertMarket {
  readonly id: number;
  readonly base: string;
  readonly quote: string;
  readonly feePpm: number;
  readonly bids: BookSide;
  readonly asks: BookSide;
}

/** A member's balance of a currency. */
export interface ExpertAccount {
  /** Its row. */
  readonly id: number;
  available: bigint;
  locked: bigint;
}

/** An order that is not in the tables yet. */
export interface NewOrder extends BookOrder {
  readonly market: number;
  readonly price: string;
  readonly amount: string;
  readonly nonce: string;
  readonly createdAt: Date;
}

/** A trade that is not in the tables yet. */
export interface NewTrade {
  readonly id: number;
  readonly market: number;
  readonly ticks: number;
  readonly lots: number;
  readonly total: bigint;
  readonly buyOrder: number;
  readonly sellOrder: number;
  readonly buyer: number;
  readonly seller: number;
  readonly buyerFee: bigint;
  readonly sellerFee: bigint;
  readonly createdAt: Date;
}

/** What has changed since the last flush. */
export class Changes {
  readonly orders: NewOrder[] = [];
  /** Orders that are in the tables, with other contents. */
  readonly filled = new Set<BookOrder>();
  readonly trades: NewTrade[] = [];
  readonly accounts = new Set<ExpertAccount>();
}

/** What a start reads. */
export interface StoredState {
  readonly markets: ReadonlyMap<string, ExpertMarket>;
  /** By member and currency, see {@linkcode accountKey}. */
  readonly accounts: ReadonlyMap<string, ExpertAccount>;
  readonly nonces: NonceMemory;
  readonly lastOrder: number;
  readonly lastTrade: number;
}

/** Returns the key of an account. */
export function accountKey(member: number, currency: string): string {
  return `${member} ${currency}`;
}

/** Formats lots. */
export function lotsText(lots: number): string {
  return formatInteger(lots, AMOUNT_DIGITS);
}

/** Formats ticks. */
export function ticksText(ticks: number): string {
  return formatInteger(ticks, PRICE_DIGITS);
}

/** Returns a price in ticks; null if it is off the grid. */
export function ticksOf(price: string): number | null {
  return gridUnits(price, PRICE_DIGITS);
}

/** Returns an amount in lots; null if it is off the grid. */
export function lotsOf(amount: string): number | null {
  return gridUnits(amount, AMOUNT_DIGITS);
}

function gridUnits(text: string, digits: number): number | null {
  const units = parseDecimal(text, digits);
  return units === null || units > Number.MAX_SAFE_INTEGER ? null : Number(units);
}

/** The nonces of accepted orders, for as long as they could be used again. */
export class NonceMemory {
  readonly #lifeMs: number;
  #young = new Set<string>();
  #old = new Set<string>();
  #youngSince = Date.now();

  /** @param windowMs how far a nonce may be from the present, before and after */
  constructor(windowMs: number) {
    this.#lifeMs = 2 * windowMs;
  }

  has(member: number, nonce: string): boolean {
    const key = `${member} ${nonce}`;
    return this.#young.has(key) || this.#old.has(key);
  }

  add(member: number, nonce: string): void {
    const now = Date.now();
    if (now - this.#youngSince > this.#lifeMs) {
      this.#old = this.#young;
      this.#young = new Set();
      this.#youngSince = now;
    }
    this.#young.add(`${member} ${nonce}`);
  }
}

/** Places orders in memory. */
export class ExpertState {
  #changes = new Changes();
  #lastOrder: number;
  #lastTrade: number;

  constructor(readonly stored: StoredState) {
    this.#lastOrder = stored.lastOrder;
    this.#lastTrade = stored.lastTrade;
  }

  /** Returns what has changed since this was asked last. */
  takeChanges(): Changes {
    const changes = this.#changes;
    this.#changes = new Changes();
    return changes;
  }

  /** Places an order and matches it; returns it as it is then, or why it is refused. */
  place({ member, nonce, market: code, isBuy, price, amount }: AskedOrder): PlacedOrder | string {
    const { markets, nonces } = this.stored;
    const market = markets.get(code);
    if (market === undefined) return "market_doesnt_exist";
    if (nonces.has(member, nonce)) return "nonce_already_used";
    const ticks = ticksOf(price);
    const lots = lotsOf(amount);
    if (ticks === null || lots === null || ticks === 0 || lots === 0) return "market.order.invalid";
    const needed = isBuy ? totalOf(ticks, lots) : BigInt(lots) * LOT_UNITS;
    const account = this.#account(member, isBuy ? market.quote : market.base);
    if (account.available < needed) return "insufficient_balance";
    nonces.add(member, nonce);
    account.available -= needed;
    account.locked += needed;
    this.#changes.accounts.add(account);
    const createdAt = new Date();
    const order: NewOrder = {
      id: ++this.#lastOrder,
      market: market.id,
      member,
      isBuy,
      ticks,
      price,
      amount,
      remaining: lots,
      state: "wait",
      nonce,
      createdAt,
    };
    this.#changes.orders.push(order);
    this.#match(market, order);
    const remaining = lotsText(order.remaining);
    const { id, state } = order;
    return { id, is_buy: isBuy, price, amount, remaining, state, created_at: createdAt };
  }

  #match(market: ExpertMarket, taker: NewOrder): void {
    const { isBuy, ticks } = taker;
    const side = isBuy ? market.asks : market.bids;
    while (taker.remaining > 0) {
      const maker = side.best;
      if (maker === undefined || (isBuy ? maker.ticks > ticks : maker.ticks < ticks)) break;
      // Self-trades are prevented by cancelling the newer order.
      if (maker.member === taker.member) return this.#cancel(market, taker);
      this.#trade(market, maker, taker);
      if (maker.state === "done") side.removeBest();
    }
    if (taker.remaining > 0) (isBuy ? market.bids : market.asks).add(taker);
  }

  #trade(market: ExpertMarket, maker: BookOrder, taker: NewOrder): void {
    const lots = Math.min(maker.remaining, taker.remaining);
    for (const order of [maker, taker]) {
      order.remaining -= lots;
      if (order.remaining === 0) order.state = "done";
    }
    // Of a maker of this very flush the insert writes the last state.
    this.#changes.filled.add(maker);
    const [buy, sell] = taker.isBuy ? [taker, maker] : [maker, taker];
    const total = totalOf(maker.ticks, lots);
    const base = BigInt(lots) * LOT_UNITS;
    const buyerFee = feeOf(base, market.feePpm);
    const sellerFee = feeOf(total, market.feePpm);
    const released = totalOf(buy.ticks, lots);
    this.#change(buy.member, market.quote, released - total, -released);
    this.#change(buy.member, market.base, base - buyerFee, 0n);
    this.#change(sell.member, market.base, 0n, -base);
    this.#change(sell.member, market.quote, total - sellerFee, 0n);
    this.#changes.trades.push({
      id: ++this.#lastTrade,
      market: market.id,
      ticks: maker.ticks,
      lots,
      total,
      buyOrder: buy.id,
      sellOrder: sell.id,
      buyer: buy.member,
      seller: sell.member,
      buyerFee,
      sellerFee,
      createdAt: taker.createdAt,
    });
  }

  #cancel(market: ExpertMarket, order: NewOrder): void {
    const { member, isBuy, ticks, remaining } = order;
    order.state = "cancel";
    const left = isBuy ? totalOf(ticks, remaining) : BigInt(remaining) * LOT_UNITS;
    this.#change(member, isBuy ? market.quote : market.base, left, -left);
  }

  #change(member: number, currency: string, available: bigint, locked: bigint): void {
    const account = this.#account(member, currency);
    account.available += available;
    account.locked += locked;
    this.#changes.accounts.add(account);
  }

  #account(member: number, currency: string): ExpertAccount {
    const account = this.stored.accounts.get(accountKey(member, currency));
    if (account === undefined) throw new Error(`Member ${member} has no account in ${currency}`);
    return account;
  }
}

function totalOf(ticks: number, lots: number): bigint {
  return BigInt(ticks) * BigInt(lots) * TICK_LOT_UNITS;
}
