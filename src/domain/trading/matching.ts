/** Matching: price-time priority, the maker's price, one step per fill. It only emits events. */
import { present } from "../assert.ts";
import type { Trade } from "../event.ts";
import { isFillable } from "./fill_or_kill.ts";
import { LEVEL_LOTS_MAX } from "../limits.ts";
import { lockedCurrency } from "./market.ts";
import type { MarketBook } from "./market_book.ts";
import { FEES_MEMBER } from "../people/member.ts";
import { type CloseReason, isPriceless, isRefusable, type Order, type Side } from "./order.ts";
import type { BookSide } from "./order_book.ts";
import { lockAtTurn, settle } from "../money/settlement.ts";
import type { EventSink } from "../event_sink.ts";
import { untradedOn } from "./untraded_orders.ts";
import type { Venue } from "../venue.ts";

/**
 * Matches the pending orders of a market, then the stops that their trades have reached, until
 * nothing is left to do or the batch is full.
 *
 * @returns whether nothing is left to do
 */
export function runMarket(venue: Venue, book: MarketBook, sink: EventSink): boolean {
  while (!sink.isFull()) {
    const taker = book.pending[0];
    if (taker !== undefined) {
      stepTaker(venue, book, taker, sink);
      continue;
    }
    const stop = book.reachedStop();
    if (stop === null) return true;
    sink.emit({ kind: "order_triggered", id: stop.id, member: stop.member });
  }
  return !book.hasWork();
}

/** Whether an order of this side and price would take from the book. */
export function wouldTake(book: MarketBook, side: Side, price: number): boolean {
  const best = book.oppositeOf(side).best();
  return best !== undefined && reaches(side, price, best.price);
}

function reaches(side: Side, limit: number, price: number): boolean {
  return side === "buy" ? price <= limit : price >= limit;
}

function stepTaker(venue: Venue, book: MarketBook, taker: Order, sink: EventSink): void {
  const maker = makerOf(book, taker);
  if (taker.tradesCount === 0) {
    const refusal = refusalAtStart(venue, book, taker, maker !== null);
    if (refusal !== null) {
      // A fill-or-kill order ends as its terms say: filled completely, or cancelled completely.
      const state = refusal === "not_fillable" ? "cancel" : "reject";
      return close(venue, book, taker, state, refusal, sink);
    }
  }
  if (maker === null) return finishTaker(venue, book, taker, sink);
  if (isPrevented(maker, taker)) return preventSelfTrade(venue, book, maker, taker, sink);
  const lock = lockAtTurn(venue, book, taker);
  const lots = fillableLots(book, maker, taker, lock);
  if (lots === 0) {
    const state = taker.tradesCount === 0 ? "reject" : "cancel";
    return close(venue, book, taker, state, "insufficient_balance", sink);
  }
  sink.emit(tradeOf(venue, book, maker, taker, lots, lock));
}

/** Returns the order that a taker meets first; null if it meets none. */
function makerOf(book: MarketBook, taker: Order): Order | null {
  const level = book.oppositeOf(taker.side).best();
  if (level === undefined) return null;
  const meets = taker.price === 0 || reaches(taker.side, taker.price, level.price);
  return meets ? present(level.first, "a level is not empty") : null;
}

/** Whether self-trade prevention keeps these two from trading. */
function isPrevented(maker: Order, taker: Order): boolean {
  return maker.member === taker.member && taker.selfTrade !== "none";
}

/** Returns why an order that has not traded yet ends untouched, or null if it doesn't. */
function refusalAtStart(
  venue: Venue,
  book: MarketBook,
  taker: Order,
  meets: boolean,
): CloseReason | null {
  if (taker.type === "post_only" && meets) return "would_take";
  if (taker.timeInForce === "fok" && !isFillable(venue, book, taker)) return "not_fillable";
  if (isPriceless(taker) && !meets) return "insufficient_market_liquidity";
  return null;
}

/** Returns the lots that both orders have and that the lock of a market buy pays for. */
function fillableLots(book: MarketBook, maker: Order, taker: Order, lock: bigint): number {
  const lots = Math.min(maker.remaining, taker.remaining);
  if (!isPriceless(taker) || taker.side === "sell") return lots;
  if (book.total(maker.price, lots) <= lock) return lots;
  return Number(lock / book.total(maker.price, 1));
}

function preventSelfTrade(
  venue: Venue,
  book: MarketBook,
  maker: Order,
  taker: Order,
  sink: EventSink,
): void {
  if (taker.selfTrade !== "cancel_newest") {
    close(venue, book, maker, "cancel", "self_trade", sink);
  }
  if (taker.selfTrade !== "cancel_oldest") {
    return close(venue, book, taker, "cancel", "self_trade", sink);
  }
  // All that come next: each step would ask again whether a fill-or-kill order can fill.
  for (let next = makerOf(book, taker); next !== null; next = makerOf(book, taker)) {
    if (sink.isFull() || !isPrevented(next, taker)) return;
    close(venue, book, next, "cancel", "self_trade", sink);
  }
}

/** Rests or ends a taker that meets nobody else. */
function finishTaker(venue: Venue, book: MarketBook, taker: Order, sink: EventSink): void {
  if (isPriceless(taker)) {
    return close(venue, book, taker, "cancel", "insufficient_market_liquidity", sink);
  }
  if (taker.timeInForce !== "gtc") {
    return close(venue, book, taker, "cancel", "time_in_force", sink);
  }
  if (isLevelFull(book.sideOf(taker.side), taker.price, taker.remaining)) {
    return close(venue, book, taker, "cancel", "level_full", sink);
  }
  // It was reported as pending until now, since the book might have refused it.
  const told = isRefusable(taker) ? { member: taker.member } : {};
  sink.emit({ kind: "order_rested", id: taker.id, ...told });
}

/** Whether `lots` more would take a level's sum beyond the safe integers. */
export function isLevelFull(side: BookSide, price: number, lots: number): boolean {
  const level = side.at(price);
  return level !== undefined && level.lots > LEVEL_LOTS_MAX - lots;
}

/** Ends an open order and releases what it still locks. */
export function close(
  venue: Venue,
  book: MarketBook,
  order: Order,
  state: "cancel" | "reject",
  reason: CloseReason,
  sink: EventSink,
): void {
  const account = venue.account(order.member, lockedCurrency(book.market, order));
  sink.emit({
    kind: "order_closed",
    id: order.id,
    member: order.member,
    state,
    reason,
    available: account.available + order.locked,
    locked: account.locked - order.locked,
    untraded: order.tradesCount > 0
      ? 0
      : untradedOn(venue.holder(order.member).untraded, sink.at) + 1,
  });
}

/** @param takerLock see {@linkcode lockAtTurn} */
function tradeOf(
  venue: Venue,
  book: MarketBook,
  maker: Order,
  taker: Order,
  lots: number,
  takerLock: bigint,
): Trade {
  const takerBuys = taker.side === "buy";
  const buy = takerBuys ? taker : maker;
  const sell = takerBuys ? maker : taker;
  const buyRate = takerBuys ? taker.takerFee : maker.makerFee;
  const sellRate = takerBuys ? maker.makerFee : taker.takerFee;
  const lock = takerBuys ? takerLock : maker.locked;
  const money = settle(book, buy, sell, maker.price, lots, buyRate, sellRate, lock);
  const { base, quote } = book.market;
  const buyerQuote = venue.account(buy.member, quote);
  const sellerQuote = venue.account(sell.member, quote);
  const buyerQuoteAvailable = buyerQuote.available + money.released;
  // A self-trade has one quote account, and what the buyer gets back comes first.
  const sellerBefore = sellerQuote === buyerQuote ? buyerQuoteAvailable : sellerQuote.available;
  return {
    kind: "trade",
    id: venue.counters.trades + 1,
    market: book.market.index,
    price: maker.price,
    volume: lots,
    takerSide: taker.side,
    ...(maker.member === taker.member ? { isOwn: true as const } : {}),
    maker: maker.id,
    taker: taker.id,
    makerMember: maker.member,
    takerMember: taker.member,
    makerFee: maker.makerFee,
    takerFee: taker.takerFee,
    makerLocked: takerBuys ? money.sellLocked : money.buyLocked,
    takerLocked: takerBuys ? money.buyLocked : money.sellLocked,
    buyerQuoteAvailable,
    buyerQuoteLocked: buyerQuote.locked - money.total - money.released,
    buyerBaseAvailable: venue.account(buy.member, base).available + money.base - money.buyerFee,
    sellerBaseLocked: venue.account(sell.member, base).locked - money.base,
    sellerQuoteAvailable: sellerBefore + money.total - money.sellerFee,
    feesBaseAvailable: venue.account(FEES_MEMBER, base).available + money.buyerFee,
    feesQuoteAvailable: venue.account(FEES_MEMBER, quote).available + money.sellerFee,
  };
}
