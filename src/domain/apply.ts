/**
 * `apply(venue, event)` changes the state as an event says. It is total: it can't refuse. If the
 * state has an undo log, every change records its inverse there.
 */
import { applyMoneyEvent } from "./apply_money.ts";
import { assert, present } from "./assert.ts";
import type {
  BalanceAdjusted,
  CurrencySet,
  KeySet,
  MarketSet,
  MemberSet,
  NonceSpent,
  OrderAccepted,
  OrderClosed,
  OrderRested,
  OrderTriggered,
  Trade,
  VenueEvent,
} from "./event.ts";
import { lockedCurrency } from "./trading/market.ts";
import { MarketBook } from "./trading/market_book.ts";
import { FEES_MEMBER, type Member, OUTSIDE_MEMBER } from "./people/member.ts";
import { NonceWindow } from "./people/nonce_window.ts";
import { hasTrigger, type Order, termsDigest } from "./trading/order.ts";
import { noteUntraded } from "./trading/untraded_orders.ts";
import {
  append,
  countMessages,
  countUp,
  drop,
  dropRow,
  put,
  queue,
  replace,
  rest,
  setAccount,
  setAvailable,
  setLocked,
  setRow,
  touch,
  unqueue,
  unrest,
} from "./undoable_change.ts";
import { Holder, type Venue } from "./venue.ts";
import { closeOrder, createOrder, fillOrder } from "./trading/order_changes.ts";

/** Applies the next event in sequence, stamped `at` (ms). */
export function apply(venue: Venue, event: VenueEvent, at: number): void {
  const sequence = venue.sequence;
  const time = venue.time;
  venue.undo?.push(() => {
    venue.sequence = sequence;
    venue.time = time;
  });
  venue.sequence = sequence + 1;
  venue.time = at;
  switch (event.kind) {
    case "nonce_spent":
      return applyNonceSpent(venue, event, at);
    case "order_accepted":
      return applyOrderAccepted(venue, event, at);
    case "order_triggered":
      return applyOrderTriggered(venue, event, at);
    case "order_rested":
      return applyOrderRested(venue, event);
    case "trade":
      return applyTrade(venue, event, at);
    case "order_closed":
      return applyOrderClosed(venue, event, at);
    case "balance_adjusted":
      return applyBalanceAdjusted(venue, event);
    case "member_set":
      return applyMemberSet(venue, event);
    case "key_set":
      return applyKeySet(venue, event);
    case "currency_set":
      return applyCurrencySet(venue, event);
    case "market_set":
      return applyMarketSet(venue, event);
    case "fee_set":
      return setRow(venue, venue.fees, event.row);
    case "fee_deleted":
      return dropRow(venue, venue.fees, event.row);
    case "levels_set":
      return replace(venue, venue, "levels", event.levels);
    default:
      applyMoneyEvent(venue, event, at);
  }
}

function applyNonceSpent(venue: Venue, event: NonceSpent, at: number): void {
  const { nonces } = present(venue.keys[event.key], `key ${event.key} exists`);
  nonces.add(event.nonce, event.digest, at, venue.nonceWindowMs, venue.durableAt(at));
  venue.forgetNonces(at);
  venue.undo?.push(() => nonces.delete(event.nonce, event.digest));
}

function applyOrderAccepted(venue: Venue, event: OrderAccepted, at: number): void {
  const book = venue.book(event.market);
  const holder = venue.holder(event.member);
  assert(event.id === venue.counters.orders + 1, "order ids have no gap");
  const order = createOrder(event, venue.sequence, at);
  setAccount(
    venue,
    event.member,
    lockedCurrency(book.market, order),
    event.available,
    event.locked,
  );
  countMessages(venue, event.member, 1, 1);
  venue.counters.orders = event.id;
  holder.ordersCount += 1;
  addOpenOrder(venue, order);
  const clientOrders = event.clientOrderId === "" ? null : holder.clientOrders;
  if (clientOrders !== null) {
    clientOrders.forget(venue.durableAt(at));
    clientOrders.set(event.clientOrderId, { id: event.id, digest: termsDigest(event), at });
  }
  venue.forgetExpired(at);
  const { triggerLow, triggerHigh } = book;
  book.triggerLow = book.triggerHigh = book.lastPrice;
  venue.undo?.push(() => {
    venue.counters.orders -= 1;
    holder.ordersCount -= 1;
    removeOpenOrder(venue, order);
    clientOrders?.delete(event.clientOrderId);
    book.triggerLow = triggerLow;
    book.triggerHigh = triggerHigh;
  });
  if (hasTrigger(order.type)) rest(venue, book, book.stopsOf(order.side), order);
  else if (event.resting) rest(venue, book, book.sideOf(order.side), order);
  else queue(venue, book, order);
}

function applyOrderTriggered(venue: Venue, event: OrderTriggered, at: number): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
  const { state, updatedAt, priority } = order;
  unrest(venue, book, book.stopsOf(order.side), order);
  order.state = "wait";
  order.updatedAt = at;
  order.priority = venue.sequence;
  venue.undo?.push(() => Object.assign(order, { state, updatedAt, priority }));
  countMessages(venue, order.member, 1, 0);
  queue(venue, book, order);
}

function applyOrderRested(venue: Venue, event: OrderRested): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
  unqueue(venue, book, order);
  const { priority } = order;
  order.priority = venue.sequence;
  venue.undo?.push(() => order.priority = priority);
  if (event.member !== undefined) countMessages(venue, event.member, 1, 0);
  rest(venue, book, book.sideOf(order.side), order);
}

function applyTrade(venue: Venue, event: Trade, at: number): void {
  const book = venue.book(event.market);
  const maker = venue.order(event.maker);
  const taker = venue.order(event.taker);
  assert(event.id === venue.counters.trades + 1, "trade ids have no gap");
  assert(book.pending[0] === taker, "the oldest pending order is the one that takes");
  settleTrade(venue, book, event);
  noteTrade(venue, book, event);
  countTradeMessages(venue, event);
  const total = book.total(event.price, event.volume);
  fill(venue, book, maker, event, total, event.makerLocked, at);
  fill(venue, book, taker, event, total, event.takerLocked, at);
  if (maker.remaining === 0) {
    unrest(venue, book, book.sideOf(maker.side), maker);
    finish(venue, maker);
  }
  if (taker.remaining === 0) {
    unqueue(venue, book, taker);
    finish(venue, taker);
  }
}

/** Each side sees one order and two balances change; a self-trade shows its member both orders. */
function countTradeMessages(venue: Venue, { makerMember, takerMember }: Trade): void {
  if (makerMember === takerMember) return countMessages(venue, makerMember, 2, 2);
  countMessages(venue, makerMember, 1, 2);
  countMessages(venue, takerMember, 1, 2);
}

function settleTrade(venue: Venue, book: MarketBook, event: Trade): void {
  const { base, quote } = book.market;
  const takerBuys = event.takerSide === "buy";
  const buyer = takerBuys ? event.takerMember : event.makerMember;
  const seller = takerBuys ? event.makerMember : event.takerMember;
  setAccount(venue, buyer, quote, event.buyerQuoteAvailable, event.buyerQuoteLocked);
  setAvailable(venue, buyer, base, event.buyerBaseAvailable);
  setLocked(venue, seller, base, event.sellerBaseLocked);
  setAvailable(venue, seller, quote, event.sellerQuoteAvailable);
  setAvailable(venue, FEES_MEMBER, base, event.feesBaseAvailable);
  setAvailable(venue, FEES_MEMBER, quote, event.feesQuoteAvailable);
}

function noteTrade(venue: Venue, book: MarketBook, event: Trade): void {
  const { lastPrice, triggerLow, triggerHigh } = book;
  const maker = venue.holder(event.makerMember);
  const taker = venue.holder(event.takerMember);
  const takerCounts = maker !== taker || event.isOwn ? 1 : 0;
  venue.counters.trades += 1;
  maker.tradesCount += 1;
  taker.tradesCount += takerCounts;
  book.tradesCount += 1;
  book.lastPrice = event.price;
  book.triggerLow = triggerLow === 0 ? event.price : Math.min(triggerLow, event.price);
  book.triggerHigh = Math.max(triggerHigh, event.price);
  touch(book);
  venue.undo?.push(() => {
    venue.counters.trades -= 1;
    maker.tradesCount -= 1;
    taker.tradesCount -= takerCounts;
    book.tradesCount -= 1;
    book.lastPrice = lastPrice;
    book.triggerLow = triggerLow;
    book.triggerHigh = triggerHigh;
  });
}

function fill(
  venue: Venue,
  book: MarketBook,
  order: Order,
  trade: Trade,
  total: bigint,
  locked: bigint,
  at: number,
): void {
  const { remaining, locked: lockedBefore, quoteMoved, tradesCount, state, updatedAt } = order;
  const { feesPaid, level, firstTrade, lastTrade } = order;
  const lots = trade.volume;
  fillOrder(book, order, trade, total, locked, at);
  if (level !== null) level.lots -= lots;
  venue.undo?.push(() => {
    // The level may have been emptied and opened again since.
    if (order.level !== null) order.level.lots += lots;
    order.remaining = remaining;
    order.locked = lockedBefore;
    order.quoteMoved = quoteMoved;
    order.feesPaid = feesPaid;
    order.tradesCount = tradesCount;
    order.firstTrade = firstTrade;
    order.lastTrade = lastTrade;
    order.state = state;
    order.updatedAt = updatedAt;
  });
}

function applyOrderClosed(venue: Venue, event: OrderClosed, at: number): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
  setAccount(
    venue,
    order.member,
    lockedCurrency(book.market, order),
    event.available,
    event.locked,
  );
  countMessages(venue, order.member, 1, 1);
  if (order.level === null) unqueue(venue, book, order);
  else if (order.state === "trigger_wait") unrest(venue, book, book.stopsOf(order.side), order);
  else unrest(venue, book, book.sideOf(order.side), order);
  const { state, reason, locked, updatedAt } = order;
  closeOrder(order, event.state, event.reason, at);
  venue.undo?.push(() => Object.assign(order, { state, reason, locked, updatedAt }));
  if (event.untraded > 0) countUntraded(venue, event, at);
  finish(venue, order);
}

function countUntraded(venue: Venue, event: OrderClosed, at: number): void {
  const { untraded } = venue.holder(event.member);
  const { day, count } = untraded;
  noteUntraded(untraded, event.untraded, at);
  venue.undo?.push(() => {
    untraded.day = day;
    untraded.count = count;
  });
}

function applyBalanceAdjusted(venue: Venue, event: BalanceAdjusted): void {
  countUp(venue, "adjustments", event.id);
  setAvailable(venue, event.member, event.currency, event.available);
  countMessages(venue, event.member, 0, 1);
  setAvailable(venue, OUTSIDE_MEMBER, event.currency, event.outsideAvailable);
}

function applyMemberSet(venue: Venue, { member }: MemberSet): void {
  const holder = venue.holders[member.index];
  if (holder !== undefined) return applyMemberChange(venue, holder, member);
  assert(member.index === venue.holders.length, "member indexes have no gap");
  const created = new Holder(member, venue.clientOrderPool);
  append(venue, venue.holders, created);
  put(venue, venue.holderByUid, member.uid, created);
  if (member.emailDigest !== "") put(venue, venue.emailDigests, member.emailDigest, member.index);
}

function applyMemberChange(venue: Venue, holder: Holder, member: Member): void {
  const { emailDigest } = holder.member;
  replace(venue, holder, "member", member);
  if (emailDigest === member.emailDigest) return;
  if (emailDigest !== "") drop(venue, venue.emailDigests, emailDigest);
  if (member.emailDigest !== "") put(venue, venue.emailDigests, member.emailDigest, member.index);
}

function applyKeySet(venue: Venue, { key }: KeySet): void {
  const firesAt = venue.timers.take(key);
  venue.undo?.push(() => venue.timers.set(key.index, firesAt));
  const holder = venue.keys[key.index];
  if (holder !== undefined) return replace(venue, holder, "key", key);
  assert(key.index === venue.keys.length, "key indexes have no gap");
  const owner = venue.holder(key.member);
  const created = { key, nonces: new NonceWindow(), previous: owner.lastKey };
  append(venue, venue.keys, created);
  put(venue, venue.keyByKid, key.kid, created);
  replace(venue, owner, "lastKey", created);
}

function applyCurrencySet(venue: Venue, { currency }: CurrencySet): void {
  const { currencies } = venue;
  assert(currency.index <= currencies.length, "currency indexes have no gap");
  if (currency.index === currencies.length) append(venue, currencies, currency);
  else replace(venue, currencies, currency.index, currency);
  put(venue, venue.currencyById, currency.id, currency);
}

function applyMarketSet(venue: Venue, { market }: MarketSet): void {
  const book = venue.books[market.index];
  if (book !== undefined) {
    const old = book.market;
    book.define(market);
    touch(book);
    venue.undo?.push(() => book.define(old));
    return;
  }
  assert(market.index === venue.books.length, "market indexes have no gap");
  const created = new MarketBook(market);
  append(venue, venue.books, created);
  put(venue, venue.bookById, market.id, created);
}

/** Adds an order to the open orders of the venue and of its member. */
export function addOpenOrder(venue: Venue, order: Order): void {
  const holder = venue.holder(order.member);
  venue.orders.add(order);
  holder.openOrders.add(order);
  holder.openCounts[order.market] = (holder.openCounts[order.market] ?? 0) + 1;
}

function removeOpenOrder(venue: Venue, order: Order): void {
  const holder = venue.holder(order.member);
  venue.orders.remove(order);
  holder.openOrders.remove(order);
  holder.openCounts[order.market] = (holder.openCounts[order.market] ?? 0) - 1;
}

function finish(venue: Venue, order: Order): void {
  removeOpenOrder(venue, order);
  venue.endedOrders.push(order);
  venue.undo?.push(() => {
    venue.endedOrders.pop();
    addOpenOrder(venue, order);
  });
}
