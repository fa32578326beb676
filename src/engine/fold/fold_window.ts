/**
 * The fold: (old rows, events) → new rows. It depends only on what it reads: folding from nothing
 * gives the same rows as folding step by step, which `rebuild` and the audit rely on. A row that is
 * already true at a later sequence than an event skips it.
 */
import { present } from "../../domain/assert.ts";
import {
  type ByKind,
  forEvent,
  type OrderAccepted,
  type OrderClosed,
  type Trade,
  type VenueEvent,
} from "../../domain/event.ts";
import { accountsSetBy, membersOf, messagesForEach } from "../../domain/event_effects.ts";
import { type UnitFees, unitFees } from "../../domain/trading/fees.ts";
import { type Market, totalUnit } from "../../domain/trading/market.ts";
import type { Member } from "../../domain/people/member.ts";
import { hasTrigger, type Order } from "../../domain/trading/order.ts";
import {
  makerTradeOf,
  type MarketTrade,
  marketTradeOf,
  type MemberTrade,
  takerTradeOf,
} from "../../domain/trading/trade_record.ts";
import { multiply } from "../../domain/whole_number.ts";
import { endOf, type Entry } from "../../store/log/entry_codec.ts";
import {
  MARKET_TRADE_CODEC,
  MEMBER_TRADE_CODEC,
  ORDER_CODEC,
} from "../../store/rows/order_codec.ts";
import { emptyMarket, type MarketRecord, noteTrade } from "../../store/rows/row_codec.ts";
import { type FoldPoint, settingsOf, type VenueSettings } from "../../store/rows/watermark.ts";
import { foldCandles } from "./candle_fold.ts";
import { inTableOrder, noteEvents } from "./fold_part.ts";
import { FundsFold } from "./funds_fold.ts";
import { foldHistories } from "./history_fold.ts";
import { addToGroup } from "../grouped_items.ts";
import {
  countMessages,
  countRecord,
  countUntraded,
  emptyCounts,
  setAccount,
} from "./holder_rows.ts";
import { MoneyFold } from "./money_fold.ts";
import { withdrawLimitsSheet } from "./money_sheets.ts";
import { PnlFold } from "./pnl_fold.ts";
import type { RowChange, RowSource } from "./row_source.ts";
import { TouchedItems } from "./touched_items.ts";
import {
  candlesSheet,
  currenciesSheet,
  feesSheet,
  keysSheet,
  marketsSheet,
  membersSheet,
  openOrdersSheet,
} from "./row_sheets.ts";
import { closeOrder, createOrder, fillOrder } from "../../domain/trading/order_changes.ts";

/** Events or orders handled before the event loop gets a turn. */
const SLICE = 64;

/** The result of folding a window. */
export interface FoldedWindow {
  /** Histories first, books last: what a crash leaves half written can be written again. */
  readonly changes: readonly RowChange[];
  /** Without the state sum, which is only known once the rows are written. */
  readonly watermark: FoldPoint;
}

/**
 * Folds the events of some entries.
 *
 * @param pause called regularly, so that nothing else waits for long
 */
export async function foldWindow(
  entries: readonly Entry[],
  rows: RowSource,
  watermark: FoldPoint,
  pause: () => Promise<void>,
): Promise<FoldedWindow> {
  const last = present(entries[entries.length - 1], "a window holds an entry");
  const window = new WindowFold(rows, endOf(last), watermark);
  await window.load(entries, pause);
  let handled = 0;
  for (const entry of entries) {
    for (const [i, event] of entry.events.entries()) {
      window.take(event, entry.first + i, entry.at);
      if (++handled % SLICE === 0) await pause();
    }
  }
  const changes = await window.changes(pause);
  return {
    changes,
    watermark: {
      sequence: window.end,
      target: window.end,
      at: last.at,
      hash: last.hash,
      counters: window.counters,
      ...window.settings,
    },
  };
}

/** The rows that one window touches. */
class WindowFold {
  readonly #rows: RowSource;
  readonly #openOrders;
  readonly #members;
  readonly #markets;
  readonly #keys;
  readonly #currencies;
  readonly #candles;
  readonly #fees;
  readonly #limits;
  readonly #memberOrders = new Map<number, Order[]>();
  readonly #memberTrades = new Map<number, MemberTrade[]>();
  readonly #marketTrades = new Map<number, MarketTrade[]>();
  readonly #money: MoneyFold;
  readonly #pnl: PnlFold;
  readonly #funds: FundsFold;
  /** Whether some of its rows have already been written. */
  readonly #isCutShort: boolean;
  readonly counters;
  settings: VenueSettings;

  constructor(rows: RowSource, readonly end: number, watermark: FoldPoint) {
    this.#rows = rows;
    this.#openOrders = openOrdersSheet(rows);
    this.#members = membersSheet(rows);
    this.#markets = marketsSheet(rows);
    this.#keys = keysSheet(rows);
    this.#currencies = currenciesSheet(rows);
    this.#candles = candlesSheet(rows);
    this.#fees = feesSheet(rows);
    this.#limits = withdrawLimitsSheet(rows);
    this.#isCutShort = watermark.target > watermark.sequence;
    this.counters = { ...watermark.counters };
    this.settings = settingsOf(watermark);
    const shared = {
      rows,
      members: this.#members,
      markets: this.#markets,
      currencies: this.#currencies,
      counters: this.counters,
    };
    this.#money = new MoneyFold(shared);
    this.#pnl = new PnlFold(shared);
    this.#funds = new FundsFold(shared);
  }

  /** Loads the rows that the events are about. */
  async load(entries: readonly Entry[], pause: () => Promise<void>): Promise<void> {
    const touched = new TouchedItems();
    await noteEvents(entries, (event) => touched.note(event), pause);
    await this.#openOrders.load(touched.orders, pause);
    let seen = 0;
    for (const id of touched.orders) {
      if (++seen % SLICE === 0) await pause();
      const order = this.#openOrders.find(id);
      if (order !== undefined) touched.markets.add(order.market);
    }
    await this.#members.load(touched.members, pause);
    await this.#markets.load(touched.markets);
    await this.#keys.load(touched.keys);
    await this.#currencies.load(touched.currencies);
    await this.#money.load(touched, pause);
    await this.#fees.load(touched.fees);
    await this.#limits.load(touched.limits);
    await this.#pnl.load(entries, pause);
  }

  /** Applies one event to the rows. */
  take(event: VenueEvent, sequence: number, at: number): void {
    this.#funds.before(event, sequence);
    for (const account of accountsSetBy(event, this.#scene)) {
      setAccount(this.#members, account, sequence);
    }
    for (const member of membersOf(event)) {
      countMessages(this.#members, member, sequence, messagesForEach(event));
    }
    forEvent(this.#changes, event)(event, sequence, at);
    this.#pnl.take(event, sequence);
    this.#funds.after(event, sequence, at);
  }

  readonly #scene = {
    book: (index: number) => this.#market(index),
    order: (id: number) => this.#openOrders.find(id),
  };

  /** What an event changes in rows beyond its members' balances and messages. */
  readonly #changes: ByKind<[sequence: number, at: number], void> = {
    nonce_spent: () => {},
    order_accepted: (event, sequence, at) => this.#accept(event, sequence, at),
    order_triggered: ({ id }, sequence, at) => this.#trigger(id, sequence, at),
    order_rested: ({ id }, sequence) => this.#rest(id, sequence),
    trade: (event, sequence, at) => this.#trade(event, sequence, at),
    order_closed: (event, sequence, at) => this.#close(event, sequence, at),
    balance_adjusted: ({ id }) => this.counters.adjustments = id,
    member_set: ({ member }, sequence) => this.#setMember(member, sequence),
    key_set: ({ key }, sequence) => this.#keys.put(key.index, key, sequence),
    currency_set: ({ currency }, sequence) =>
      this.#currencies.put(currency.index, currency, sequence),
    market_set: ({ market }, sequence) => this.#setMarket(market, sequence),
    fee_set: ({ row }, sequence) => this.#fees.put(row, row, sequence),
    fee_deleted: ({ row }, sequence) => this.#fees.remove(row, sequence),
    levels_set: ({ levels }) => this.#set({ levels }),
    deposit_set: (event, sequence) => this.#money.setDeposit(event, sequence),
    withdraw_set: (event, sequence) => this.#money.setWithdraw(event, sequence),
    beneficiary_set: (event, sequence) => this.#money.setBeneficiary(event, sequence),
    withdraw_limit_set: ({ row }, sequence) => this.#limits.put(row, row, sequence),
    withdraw_limit_deleted: ({ row }, sequence) => this.#limits.remove(row, sequence),
    switches_set: ({ switches }) => this.#set({ switches }),
    pnl_currencies_set: ({ currencies, kept }) =>
      this.#set({ pnlCurrencies: currencies, pnlKept: kept }),
    settings_set: ({ settings }) => this.#set({ storedSettings: settings }),
    act_noted: (event) => this.#money.noteAct(event),
    deposit_address_made: () => {},
  };

  #set(settings: Partial<VenueSettings>): void {
    this.settings = { ...this.settings, ...settings };
  }

  /** Returns an order to change; undefined if its row is already past this event or was removed. */
  #touch(id: number, sequence: number): Order | undefined {
    if (this.#isCutShort && this.#openOrders.find(id) === undefined) return undefined;
    return this.#openOrders.touch(id, sequence);
  }

  #setMarket(market: Market, sequence: number): void {
    this.#markets.change(market.index, sequence, (old) => ({ ...(old ?? emptyMarket()), market }));
  }

  #setMember(member: Member, sequence: number): void {
    this.#members.change(member.index, sequence, (old) => ({
      ...(old ?? emptyCounts()),
      member,
    }));
  }

  #accept(event: OrderAccepted, sequence: number, at: number): void {
    const order = createOrder(event, sequence, at);
    this.counters.orders = event.id;
    this.#openOrders.put(event.id, order, sequence);
    countRecord(this.#members, event.member, sequence, "ordersCount");
    const market = this.#market(event.market);
    this.#markets.change(event.market, sequence, () => {
      market.triggerLow = market.triggerHigh = market.lastPrice;
      if (!event.resting && !hasTrigger(event.type)) market.pending.push(event.id);
      return market;
    });
  }

  #trigger(id: number, sequence: number, at: number): void {
    const order = this.#touch(id, sequence);
    if (order === undefined) return;
    order.state = "wait";
    order.updatedAt = at;
    order.priority = sequence;
    const market = this.#market(order.market);
    this.#markets.change(order.market, sequence, () => {
      market.pending.push(id);
      return market;
    });
  }

  #rest(id: number, sequence: number): void {
    const order = this.#touch(id, sequence);
    if (order === undefined) return;
    order.priority = sequence;
    this.#unqueue(order, sequence);
  }

  #unqueue(order: Order, sequence: number): void {
    const market = this.#market(order.market);
    this.#markets.change(order.market, sequence, () => {
      // Nearly always it is its turn.
      if (market.pending[0] === order.id) market.pending.shift();
      else market.pending = market.pending.filter((id) => id !== order.id);
      return market;
    });
  }

  #close(event: OrderClosed, sequence: number, at: number): void {
    const order = this.#touch(event.id, sequence);
    if (order === undefined) return;
    closeOrder(order, event.state, event.reason, at);
    if (event.untraded > 0) countUntraded(this.#members, event, sequence, at);
    this.#unqueue(order, sequence);
    this.#finish(order, sequence);
  }

  #trade(event: Trade, sequence: number, at: number): void {
    const market = this.#market(event.market);
    const fees = unitFees(market.market);
    const total = multiply(event.price, event.volume) * totalUnit(market.market);
    this.counters.trades = event.id;
    this.#fill(fees, event.maker, event, event.makerLocked, total, sequence, at);
    this.#fill(fees, event.taker, event, event.takerLocked, total, sequence, at);
    this.#markets.change(event.market, sequence, () => noteTrade(market, event));
    this.#record(event, at);
  }

  #fill(
    fees: UnitFees,
    id: number,
    event: Trade,
    locked: bigint,
    total: bigint,
    sequence: number,
    at: number,
  ): void {
    const order = this.#touch(id, sequence);
    if (order === undefined) return;
    fillOrder(fees, order, event, total, locked, at);
    if (order.remaining > 0) return;
    this.#unqueue(order, sequence);
    this.#finish(order, sequence);
  }

  #finish(order: Order, sequence: number): void {
    this.#openOrders.remove(order.id, sequence);
    addToGroup(this.#memberOrders, order.member, order);
  }

  #record(event: Trade, at: number): void {
    addToGroup(this.#marketTrades, event.market, marketTradeOf(event, at));
    addToGroup(this.#memberTrades, event.makerMember, makerTradeOf(event, at));
    if (event.takerMember === event.makerMember) return;
    addToGroup(this.#memberTrades, event.takerMember, takerTradeOf(event, at));
  }

  #market(index: number): MarketRecord {
    return present(this.#markets.find(index), `market ${index} has a row`);
  }

  /** Returns all changed rows, in the order in which they are written. */
  async changes(pause: () => Promise<void>): Promise<RowChange[]> {
    const markets = [...this.#marketTrades].map(([market, trades]) => (
      { market, trades, unit: totalUnit(this.#market(market).market) }
    ));
    await foldCandles(this.#candles, markets, this.end, pause);
    const orders = { table: "member_orders", codec: ORDER_CODEC } as const;
    const memberTrades = { table: "member_trades", codec: MEMBER_TRADE_CODEC } as const;
    const marketTrades = { table: "market_trades", codec: MARKET_TRADE_CODEC } as const;
    // A list for each: those of a window may be more than a call takes as arguments.
    const changes: RowChange[][] = [
      await foldHistories(this.#rows, orders, this.#memberOrders, this.end, pause),
      await foldHistories(this.#rows, memberTrades, this.#memberTrades, this.end, pause),
      await foldHistories(this.#rows, marketTrades, this.#marketTrades, this.end, pause),
      await this.#funds.changes(this.end, pause),
    ];
    const sheets = [
      this.#candles,
      this.#currencies,
      this.#keys,
      this.#members,
      this.#markets,
      this.#openOrders,
      this.#fees,
      this.#limits,
      this.#money,
      this.#pnl,
    ];
    for (const sheet of sheets) changes.push(await sheet.changes(this.end, pause));
    return inTableOrder(changes.flat());
  }
}
