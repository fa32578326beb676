/** Recovers a venue at a start: from the rows, then from the entries after them. */
import { addOpenOrder } from "../domain/apply.ts";
import { assert, present } from "../domain/assert.ts";
import { type Candle, CANDLE_PERIODS, type CandlePeriod } from "../domain/candle.ts";
import type { Currency } from "../domain/currency.ts";
import type { FeeRow } from "../domain/fees.ts";
import { MarketBook } from "../domain/market_book.ts";
import type { ApiKey } from "../domain/member.ts";
import { FIRST_MEMBER } from "../domain/member.ts";
import { NonceWindow } from "../domain/nonce_window.ts";
import type { Order } from "../domain/order.ts";
import { Holder, Venue, type VenueOptions } from "../domain/venue.ts";
import { readBlock } from "../store/block_codec.ts";
import type { Entry } from "../store/entry_codec.ts";
import { rowKey, STATE_TABLES, type StateTable } from "../store/keys.ts";
import { joinRows } from "../store/long_row.ts";
import { ORDER_CODEC } from "../store/order_codec.ts";
import {
  CANDLES_PER_ROW,
  type HolderRecord,
  itemsOf,
  type MarketRecord,
  readCandlesRow,
  readMembersRow,
} from "../store/row_codec.ts";
import type { Store } from "../store/store.ts";
import { listRows, type StoredRow } from "../store/stored_rows.ts";
import { settingsOf, type Watermark } from "../store/watermark.ts";
import { MINUTES_KEPT_S } from "./candle_series.ts";
import { ADD_MONEY, type EndedWithdraws, readEnded } from "./money_recovery.ts";
import type { PublishedState } from "./published_state.ts";
import { sumWith } from "./state_sum.ts";

/** Rows of minute candles that cover those kept in memory. */
const MINUTE_ROWS = Math.ceil(MINUTES_KEPT_S / 60 / CANDLES_PER_ROW) + 1;

/** The bytes of the rows whose contents stay in memory, by table. */
export interface StateRows extends Readonly<Record<StateTable, readonly Uint8Array[]>> {
  /** Recently ended withdrawals, which count against limits. */
  readonly ended: EndedWithdraws;
  /** Sum of all rows but the ended ones, see `state_sum.ts`. */
  readonly sum: number;
}

/** Adds the rows of a table to a venue. */
export type AddRows = (venue: Venue, rows: StateRows) => void;

/** Reads all of these rows, as of `at` (ms). */
export async function readStateRows(store: Store, at: number): Promise<StateRows> {
  const [ended, ...tables] = await Promise.all([
    readEnded(store, at),
    ...STATE_TABLES.map((table) => readTable(store, table)),
  ]);
  const rows = STATE_TABLES.map((table, i) => [table, (tables[i] ?? []).map(({ value }) => value)]);
  const sum = tables.flat().reduce((sum, { key, value }) => sumWith(sum, key, value), 0);
  return { ended, sum, ...Object.fromEntries(rows) };
}

async function readTable(store: Store, table: StateTable): Promise<StoredRow[]> {
  // A market or a level may be "any", which is -1.
  return await Array.fromAsync(listRows(store, rowKey(table, -Infinity), rowKey(table, Infinity)));
}

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
  // Names of deposits up to here are looked up in the rows.
  venue.depositNames.knownSince = venue.sequence;
  return venue;
}

function addCurrencies(venue: Venue, rows: StateRows): void {
  for (const currency of itemsOf<Currency>(rows.currencies)) {
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
  const holder = new Holder(member);
  holder.accounts.push(...record.accounts);
  holder.ordersCount = record.ordersCount;
  holder.tradesCount = record.tradesCount;
  holder.depositsCount = record.depositsCount;
  holder.withdrawsCount = record.withdrawsCount;
  Object.assign(holder.messages, record.messages);
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

/** The latest candles of a market for one period. */
export interface LastCandles {
  readonly market: number;
  readonly period: CandlePeriod;
  readonly candles: readonly Candle[];
}

/** Reads the latest candles of every market. */
export async function readCandles(
  store: Store,
  { markets }: Pick<StateRows, "markets">,
): Promise<LastCandles[]> {
  const records = itemsOf<MarketRecord>(markets);
  // Concurrently: one after the other, each would take a round trip to a KV server.
  return await Promise.all(
    records.flatMap(({ market: { index: market } }) =>
      CANDLE_PERIODS.map(async (period) => {
        const limit = period === 1 ? MINUTE_ROWS : 2;
        return { market, period, candles: await readLastCandles(store, market, period, limit) };
      })
    ),
  );
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

async function readLastCandles(
  store: Store,
  market: number,
  period: CandlePeriod,
  limit: number,
): Promise<Candle[]> {
  const rows: Candle[][] = [];
  const start = rowKey("candles", market, period, 0);
  const end = rowKey("candles", market, period, Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, limit })) {
    rows.unshift(readCandlesRow(value).value);
  }
  return rows.flat();
}
