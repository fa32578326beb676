/**
 * `apply(venue, event)` changes the state as an event says. It is total: it can't refuse. If the
 * state has an undo log, every change records its inverse there.
 */
import { assert, present } from "./assert.ts";
import {
  type ActNoted,
  type BeneficiarySet,
  type ByKind,
  type CurrencySet,
  type DepositSet,
  forEvent,
  type KeySet,
  type MarketSet,
  type MemberSet,
  type NonceSpent,
  type OrderAccepted,
  type OrderClosed,
  type OrderRested,
  type OrderTriggered,
  type Trade,
  type VenueEvent,
  type WithdrawSet,
} from "./event.ts";
import { type AccountSet, accountsSetBy, membersOf, messagesForEach } from "./event_effects.ts";
import { type DepositName, depositNamesOf, isDepositOpen } from "./money/deposit.ts";
import { isWithdrawCounted, isWithdrawOpen, type Withdraw } from "./money/withdraw.ts";
import type { Member } from "./people/member.ts";
import { NonceWindow } from "./people/nonce_window.ts";
import { MarketBook } from "./trading/market_book.ts";
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
  setRow,
  touch,
  touchLevels,
  unqueue,
  unrest,
} from "./undoable_change.ts";
import { Holder, type Venue } from "./venue.ts";
import { closeOrder, createOrder, fillOrder } from "./trading/order_changes.ts";

/** Applies the next event in sequence, stamped `at` (ms), which sets these accounts. */
export function apply(
  venue: Venue,
  event: VenueEvent,
  at: number,
  accounts: readonly AccountSet[] = accountsSetBy(event, venue),
): void {
  const sequence = venue.sequence;
  const time = venue.time;
  venue.undo?.push(() => {
    venue.sequence = sequence;
    venue.time = time;
  });
  venue.sequence = sequence + 1;
  venue.time = at;
  for (const account of accounts) setAccount(venue, account);
  for (const member of membersOf(event)) countMessages(venue, member, messagesForEach(event));
  forEvent(CHANGES, event)(event, venue, at);
}

/** What an event changes beyond members' balances and messages. */
const CHANGES: ByKind<[venue: Venue, at: number], void> = {
  nonce_spent: applyNonceSpent,
  order_accepted: applyOrderAccepted,
  order_triggered: applyOrderTriggered,
  order_rested: applyOrderRested,
  trade: applyTrade,
  order_closed: applyOrderClosed,
  balance_adjusted: ({ id }, venue) => countUp(venue, "adjustments", id),
  member_set: applyMemberSet,
  key_set: applyKeySet,
  currency_set: applyCurrencySet,
  market_set: applyMarketSet,
  fee_set: ({ row }, venue) => setRow(venue, venue.fees, row),
  fee_deleted: ({ row }, venue) => dropRow(venue, venue.fees, row),
  levels_set: ({ levels }, venue) => replace(venue, venue, "levels", levels),
  deposit_set: applyDepositSet,
  withdraw_set: applyWithdrawSet,
  beneficiary_set: applyBeneficiarySet,
  withdraw_limit_set: ({ row }, venue) => setRow(venue, venue.withdrawLimits, row),
  withdraw_limit_deleted: ({ row }, venue) => dropRow(venue, venue.withdrawLimits, row),
  switches_set: ({ switches }, venue) => replace(venue, venue, "switches", switches),
  pnl_currencies_set: ({ kept, currencies }, venue) => {
    replace(venue, venue, "pnlKept", kept);
    replace(venue, venue, "pnlCurrencies", currencies);
  },
  settings_set: ({ settings }, venue) => replace(venue, venue, "storedSettings", settings),
  act_noted: applyActNoted,
  deposit_address_made: () => {},
};

function applyNonceSpent(event: NonceSpent, venue: Venue, at: number): void {
  const { nonces } = present(venue.keys[event.key], `key ${event.key} exists`);
  nonces.add(event.nonce, event.digest, at, venue.nonceWindowMs, venue.durableAt(at));
  venue.forgetNonces(at);
  venue.undo?.push(() => nonces.delete(event.nonce, event.digest));
}

function applyOrderAccepted(event: OrderAccepted, venue: Venue, at: number): void {
  const book = venue.book(event.market);
  const holder = venue.holder(event.member);
  assert(event.id === venue.counters.orders + 1, "order ids have no gap");
  const order = createOrder(event, venue.sequence, at);
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

function applyOrderTriggered(event: OrderTriggered, venue: Venue, at: number): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
  const { state, updatedAt, priority } = order;
  unrest(venue, book, book.stopsOf(order.side), order);
  order.state = "wait";
  order.updatedAt = at;
  order.priority = venue.sequence;
  venue.undo?.push(() => Object.assign(order, { state, updatedAt, priority }));
  queue(venue, book, order);
}

function applyOrderRested(event: OrderRested, venue: Venue): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
  unqueue(venue, book, order);
  const { priority } = order;
  order.priority = venue.sequence;
  venue.undo?.push(() => order.priority = priority);
  rest(venue, book, book.sideOf(order.side), order);
}

function applyTrade(event: Trade, venue: Venue, at: number): void {
  const book = venue.book(event.market);
  const maker = venue.order(event.maker);
  const taker = venue.order(event.taker);
  assert(event.id === venue.counters.trades + 1, "trade ids have no gap");
  assert(book.pending[0] === taker, "the oldest pending order is the one that takes");
  noteTrade(venue, book, event);
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

function noteTrade(venue: Venue, book: MarketBook, event: Trade): void {
  const { lastPrice, triggerLow, triggerHigh } = book;
  venue.counters.trades += 1;
  book.tradesCount += 1;
  book.lastPrice = event.price;
  book.triggerLow = triggerLow === 0 ? event.price : Math.min(triggerLow, event.price);
  book.triggerHigh = Math.max(triggerHigh, event.price);
  touchLevels(venue, book);
  venue.undo?.push(() => {
    venue.counters.trades -= 1;
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

function applyOrderClosed(event: OrderClosed, venue: Venue, at: number): void {
  const order = venue.order(event.id);
  const book = venue.book(order.market);
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

function applyMemberSet({ member }: MemberSet, venue: Venue): void {
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

function applyKeySet({ key }: KeySet, venue: Venue): void {
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

function applyCurrencySet({ currency }: CurrencySet, venue: Venue): void {
  const { currencies } = venue;
  assert(currency.index <= currencies.length, "currency indexes have no gap");
  if (currency.index === currencies.length) append(venue, currencies, currency);
  else replace(venue, currencies, currency.index, currency);
  put(venue, venue.currencyById, currency.id, currency);
}

function applyMarketSet({ market }: MarketSet, venue: Venue): void {
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

function applyActNoted({ id, once }: ActNoted, venue: Venue): void {
  countUp(venue, "acts", id);
  if (once === undefined) return;
  venue.actNames.add(once, id, venue.sequence);
  venue.undo?.push(() => venue.actNames.remove(once));
}

function applyDepositSet(event: DepositSet, venue: Venue): void {
  const { deposit } = event;
  const { id, member, currency } = deposit;
  if (!venue.deposits.has(id)) {
    const holder = venue.holder(member);
    countUp(venue, "deposits", id);
    replace(venue, holder, "depositsCount", holder.depositsCount + 1);
    nameDeposits(venue, event);
  }
  if (isDepositOpen(deposit, venue.isCoin(currency))) put(venue, venue.deposits, id, deposit);
  else {
    drop(venue, venue.deposits, id);
    append(venue, venue.endedDeposits, deposit);
  }
}

function nameDeposits(venue: Venue, event: DepositSet): void {
  for (const name of depositNamesOf(event)) nameDeposit(venue, name, event.deposit.id);
}

function nameDeposit(venue: Venue, name: DepositName, id: number): void {
  const { depositNames } = venue;
  const freed = depositNames.add(name, id, venue.sequence);
  venue.undo?.push(() => {
    depositNames.remove(name);
    if (freed !== undefined) depositNames.add(name, freed.id, freed.sequence);
  });
}

function applyWithdrawSet(event: WithdrawSet, venue: Venue, at: number): void {
  const { withdraw } = event;
  const { id, member } = withdraw;
  const holder = venue.holder(member);
  if (!venue.withdraws.has(id)) {
    countUp(venue, "withdraws", id);
    replace(venue, holder, "withdrawsCount", holder.withdrawsCount + 1);
  }
  if (isWithdrawOpen(withdraw)) put(venue, venue.withdraws, id, withdraw);
  else {
    drop(venue, venue.withdraws, id);
    append(venue, venue.endedWithdraws, withdraw);
  }
  countForLimits(venue, holder, withdraw, at);
}

function countForLimits(venue: Venue, holder: Holder, withdraw: Withdraw, at: number): void {
  const { id, currency, amount, createdAt } = withdraw;
  const { countedWithdraws } = holder;
  if (!isWithdrawCounted(withdraw)) return drop(venue, countedWithdraws, id);
  holder.forgetExpired(venue.durableAt(at));
  venue.forgetExpired(at);
  put(venue, countedWithdraws, id, { id, currency, amount, createdAt });
}

function applyBeneficiarySet({ beneficiary }: BeneficiarySet, venue: Venue): void {
  const { beneficiaries } = venue.holder(beneficiary.member);
  const { id } = beneficiary;
  if (!beneficiaries.has(id)) countUp(venue, "beneficiaries", id);
  put(venue, beneficiaries, id, beneficiary);
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
