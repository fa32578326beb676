/** Recovers a venue at a start from the rows that were read. The entries after them come next. */
import { addOpenOrder } from "../../domain/apply.ts";
import { assert, present } from "../../domain/assert.ts";
import { CANDLE_PERIODS } from "../../domain/trading/candle.ts";
import type { Currency } from "../../domain/money/currency.ts";
import type { FeeRow } from "../../domain/trading/fees.ts";
import { MarketBook } from "../../domain/trading/market_book.ts";
import { type ApiKey, FIRST_MEMBER } from "../../domain/people/member.ts";
import { NonceWindow } from "../../domain/people/nonce_window.ts";
import type { Order } from "../../domain/trading/order.ts";
import { Holder, Venue, type VenueOptions } from "../../domain/venue.ts";
import { readBlock } from "../../store/rows/block_codec.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import type { StateTable } from "../../store/keys.ts";
import { joinRows } from "../../store/rows/long_row.ts";
import { CURRENCY_RENEWALS } from "../../store/older_records.ts";
import { ORDER_CODEC } from "../../store/rows/order_codec.ts";
import {
  type HolderRecord,
  itemsOf,
  type MarketRecord,
  readMembersRow,
} from "../../store/rows/row_codec.ts";
import { settingsOf, type Watermark } from "../../store/rows/watermark.ts";
import { ADD_MONEY } from "./money_recovery.ts";
import type { PublishedState } from "../published_state.ts";
import type { AddRows, StateRows } from "./state_rows.ts";

/** Adds the rows of each table to a venue, in this order: what they refer to comes before. */
const ADD_ROWS: Readonly<Record<StateTable, AddRows>> = {
  fees: (venue, rows) => itemsOf<FeeRow>(rows.fees).forEach((row) => venue.fees.set(row)),
  currencies: addCurrencies,
  members: addMembers,
  keys: addKeys,
  markets: addMarkets,
  open_orders: addOrders,
  ...ADD_MONEY,
};

/** Returns the venue that the rows describe. */
export function buildVenue(rows: StateRows, watermark: Watermark, options: VenueOptions): Venue {
  const venue = new Venue(options);
  venue.sequence = watermark.sequence;
  venue.time = watermark.at;
  Object.assign(venue.counters, watermark.counters);
  Object.assign(venue, settingsOf(watermark));
  for (const addRows of Object.values(ADD_ROWS)) addRows(venue, rows);
  // Names of deposits and acts up to here are looked up in the rows.
  venue.depositNames.knownSince = venue.actNames.knownSince = venue.sequence;
  return venue;
}

function addCurrencies(venue: Venue, rows: StateRows): void {
  for (const currency of itemsOf<Currency>(rows.currencies, CURRENCY_RENEWALS)) {
    venue.currencies[currency.index] = currency;
    venue.currencyById.set(currency.id, currency);
  }
}

function addMembers(venue: Venue, rows: StateRows): void {
  for (const row of joinRows(rows.members)) {
    for (const record of readMembersRow(row).value) addMember(venue, record);
  }
}

function addMember(venue: Venue, record: HolderRecord): void {
  const { member } = record;
  const holder = new Holder(member, venue.clientOrderPool);
  holder.accounts.push(...record.accounts);
  holder.ordersCount = record.ordersCount;
  holder.tradesCount = record.tradesCount;
  holder.depositsCount = record.depositsCount;
  holder.withdrawsCount = record.withdrawsCount;
  Object.assign(holder.messages, record.messages);
  Object.assign(holder.untraded, record.untraded);
  // A member without orders has no client order ids; those of others are read when needed.
  if (record.ordersCount > 0) holder.clientOrders = null;
  venue.holders[member.index] = holder;
  if (member.index < FIRST_MEMBER) return;
  venue.holderByUid.set(member.uid, holder);
  if (member.emailDigest !== "") venue.emailDigests.set(member.emailDigest, member.index);
}

function addKeys(venue: Venue, rows: StateRows): void {
  for (const key of itemsOf<ApiKey>(rows.keys)) {
    const owner = venue.holder(key.member);
    const holder = { key, nonces: new NonceWindow(), previous: owner.lastKey };
    venue.keys[key.index] = holder;
    venue.keyByKid.set(key.kid, holder);
    owner.lastKey = holder;
    venue.timers.take(key);
  }
}

function addMarkets(venue: Venue, rows: StateRows): void {
  for (const record of itemsOf<MarketRecord>(rows.markets)) {
    const book = new MarketBook(record.market);
    book.lastPrice = record.lastPrice;
    book.triggerLow = record.triggerLow;
    book.triggerHigh = record.triggerHigh;
    book.tradesCount = record.tradesCount;
    book.levelsSequence = venue.sequence;
    venue.books[record.market.index] = book;
    venue.bookById.set(record.market.id, book);
  }
}

function addOrders(venue: Venue, rows: StateRows): void {
  const markets = itemsOf<MarketRecord>(rows.markets);
  const waiting = new Set(markets.flatMap(({ pending }) => pending));
  const orders = rows.open_orders.flatMap((row) => readBlock(row, ORDER_CODEC));
  // A member's orders are added by id, those of a book by priority.
  orders.sort((a, b) => a.id - b.id);
  for (const order of orders) addOpenOrder(venue, order);
  orders.sort((a, b) => a.priority - b.priority);
  for (const order of orders) if (!waiting.has(order.id)) restOrder(venue, order);
  for (const { market, pending } of markets) {
    venue.book(market.index).pending.push(...pending.map((id) => venue.order(id)));
  }
}

function restOrder(venue: Venue, order: Order): void {
  const book = venue.book(order.market);
  const side = order.state === "trigger_wait" ? book.stopsOf(order.side) : book.sideOf(order.side);
  side.add(order);
}

/** Adds the nonces of an entry that has already been folded. */
export function addNonces(venue: Venue, entry: Entry): void {
  for (const event of entry.events) {
    if (event.kind !== "nonce_spent") continue;
    const { nonces } = present(venue.keys[event.key], `key ${event.key} exists`);
    nonces.add(event.nonce, event.digest, entry.at, venue.nonceWindowMs);
  }
}

/** Checks that markets' last candles end at their last prices: if a row is missing, they don't. */
export function checkCandles(published: PublishedState): void {
  for (const { lastPrice, market, tradesCount } of published.venue.books) {
    if (tradesCount === 0) continue;
    const series = published.candlesOf(market.index);
    const isWhole = CANDLE_PERIODS.every((period) => series.of(period).at(-1)?.close === lastPrice);
    assert(isWhole, `the last candles of ${market.id} end at its last price`);
  }
}
