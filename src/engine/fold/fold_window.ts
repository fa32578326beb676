/**
 * The fold: (old rows, events) → new rows. It depends only on what it reads: folding from nothing
 * gives the same rows as folding step by step, which `rebuild` and the audit rely on. A row that is
 * already true at a later sequence than an event skips it.
 */
import type { Account } from "../../domain/money/account.ts";
import { present, unreachable } from "../../domain/assert.ts";
import type { OrderAccepted, OrderClosed, Trade, VenueEvent } from "../../domain/event.ts";
import { type UnitFees, unitFees } from "../../domain/trading/fees.ts";
import { lockedCurrency, type Market, totalUnit } from "../../domain/trading/market.ts";
import { FEES_MEMBER, type Member, OUTSIDE_MEMBER } from "../../domain/people/member.ts";
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
import { type FoldPart, inTableOrder, noteEvents } from "./fold_part.ts";
import { FundsFold } from "./funds_fold.ts";
import { foldHistories } from "./history_fold.ts";
import { addToGroup } from "../grouped_items.ts";
import {
  countMessages,
  countRecord,
  countUntraded,
  emptyCounts,
  setBalances,
} from "./holder_rows.ts";
import { MoneyFold } from "./money_fold.ts";
import { PnlFold } from "./pnl_fold.ts";
import type { RowChange, RowSource } from "./row_source.ts";
import { settingsSetBy, TablesFold } from "./tables_fold.ts";
import { TouchedItems } from "./touched_items.ts";
import {
  candlesSheet,
  currenciesSheet,
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
  readonly #memberOrders = new Map<number, Order[]>();
  readonly #memberTrades = new Map<number, MemberTrade[]>();
  readonly #marketTrades = new Map<number, MarketTrade[]>();
  readonly #parts: readonly FoldPart[];
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
    this.#parts = [new MoneyFold(shared), new TablesFold(shared), new PnlFold(shared)];
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
      if (order === undefined) continue;
      touched.members.add(order.member);
      touched.markets.add(order.market);
    }
    await this.#members.load(touched.members, pause);
    await this.#markets.load(touched.markets);
    await this.#keys.load(touched.keys);
    await this.#currencies.load(touched.currencies);
    for (const part of this.#parts) await part.load(entries, pause);
  }

  /** Applies one event to the rows. */
  take(event: VenueEvent, sequence: number, at: number): void {
    this.#funds.before(event, sequence);
    this.#take(event, sequence, at);
    for (const part of this.#parts) part.take(event, sequence);
    this.#funds.after(event, sequence, at);
  }

  #take(event: VenueEvent, sequence: number, at: number): void {
    switch (event.kind) {
      case "nonce_spent":
        return;
      case "order_accepted":
        return this.#accept(event, sequence, at);
      case "order_triggered":
        return this.#trigger(event.id, sequence, at);
      case "order_rested":
        return this.#rest(event.id, event.member, sequence);
      case "trade":
        return this.#trade(event, sequence, at);
      case "order_closed":
        return this.#close(event, sequence, at);
      case "balance_adjusted":
        this.counters.adjustments = event.id;
        this.#account(event.member, event.currency, sequence, { available: event.available });
        this.#message(event.member, sequence, 0, 1);
        return this.#account(OUTSIDE_MEMBER, event.currency, sequence, {
          available: event.outsideAvailable,
        });
      case "member_set":
        return this.#setMember(event.member, sequence);
      case "key_set":
        return this.#keys.put(event.key.index, event.key, sequence);
      case "currency_set":
        return this.#currencies.put(event.currency.index, event.currency, sequence);
      case "levels_set":
      case "switches_set":
      case "pnl_currencies_set":
      case "settings_set":
        this.settings = { ...this.settings, ...settingsSetBy(event) };
        return;
      case "market_set":
        return this.#setMarket(event.market, sequence);
      case "deposit_set":
      case "withdraw_set":
      case "beneficiary_set":
      case "fee_set":
      case "fee_deleted":
      case "withdraw_limit_set":
      case "withdraw_limit_deleted":
      case "act_noted":
      case "deposit_address_made":
        return;
      default:
        unreachable(event);
    }
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
    const { available, locked } = event;
    const currency = lockedCurrency(market.market, event);
    this.#account(event.member, currency, sequence, { available, locked });
    this.#message(event.member, sequence, 1, 1);
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
    this.#message(order.member, sequence, 1, 0);
    const market = this.#market(order.market);
    this.#markets.change(order.market, sequence, () => {
      market.pending.push(id);
      return market;
    });
  }

  #rest(id: number, told: number | undefined, sequence: number): void {
    const order = this.#touch(id, sequence);
    if (order === undefined) return;
    if (told !== undefined) this.#message(told, sequence, 1, 0);
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
    const { market } = this.#market(order.market);
    const currency = lockedCurrency(market, order);
    const { available, locked } = event;
    this.#account(order.member, currency, sequence, { available, locked });
    this.#message(order.member, sequence, 1, 1);
    if (event.untraded > 0) countUntraded(this.#members, event, sequence, at);
    this.#unqueue(order, sequence);
    this.#finish(order, sequence);
  }

  #trade(event: Trade, sequence: number, at: number): void {
    const market = this.#market(event.market);
    const fees = unitFees(market.market);
    const total = multiply(event.price, event.volume) * totalUnit(market.market);
    this.counters.trades = event.id;
    this.#settle(event, market, sequence);
    this.#fill(fees, event.maker, event, event.makerLocked, total, sequence, at);
    this.#fill(fees, event.taker, event, event.takerLocked, total, sequence, at);
    this.#markets.change(event.market, sequence, () => noteTrade(market, event));
    this.#record(event, at, sequence);
  }

  #settle(event: Trade, { market }: MarketRecord, sequence: number): void {
    const takerBuys = event.takerSide === "buy";
    const buyer = takerBuys ? event.takerMember : event.makerMember;
    const seller = takerBuys ? event.makerMember : event.takerMember;
    const { base, quote } = market;
    this.#account(buyer, quote, sequence, {
      available: event.buyerQuoteAvailable,
      locked: event.buyerQuoteLocked,
    });
    this.#account(buyer, base, sequence, { available: event.buyerBaseAvailable });
    this.#account(seller, base, sequence, { locked: event.sellerBaseLocked });
    this.#account(seller, quote, sequence, { available: event.sellerQuoteAvailable });
    this.#account(FEES_MEMBER, base, sequence, { available: event.feesBaseAvailable });
    this.#account(FEES_MEMBER, quote, sequence, { available: event.feesQuoteAvailable });
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

  #record(event: Trade, at: number, sequence: number): void {
    addToGroup(this.#marketTrades, event.market, marketTradeOf(event, at));
    addToGroup(this.#memberTrades, event.makerMember, makerTradeOf(event, at));
    countRecord(this.#members, event.makerMember, sequence, "tradesCount", event.isOwn ? 2 : 1);
    const isOwn = event.takerMember === event.makerMember;
    this.#message(event.makerMember, sequence, isOwn ? 2 : 1, 2);
    if (isOwn) return;
    this.#message(event.takerMember, sequence, 1, 2);
    addToGroup(this.#memberTrades, event.takerMember, takerTradeOf(event, at));
    countRecord(this.#members, event.takerMember, sequence, "tradesCount");
  }

  #market(index: number): MarketRecord {
    return present(this.#markets.find(index), `market ${index} has a row`);
  }

  #message(member: number, sequence: number, orders: number, accounts: number): void {
    countMessages(this.#members, member, sequence, { orders, accounts });
  }

  #account(member: number, currency: number, sequence: number, set: Partial<Account>): void {
    setBalances(this.#members, { member, currency }, sequence, set);
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
    ];
    for (const sheet of sheets) changes.push(await sheet.changes(this.end, pause));
    for (const part of this.#parts) changes.push(await part.changes(this.end, pause));
    return inTableOrder(changes.flat());
  }
}
