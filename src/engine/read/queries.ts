/** Reads of a member's and a market's records: memory over rows. */
import type { Candle, CandlePeriod } from "../../domain/trading/candle.ts";
import type { MemberOrders } from "../../domain/trading/open_orders.ts";
import type { Order, OrderState } from "../../domain/trading/order.ts";
import {
  type MarketTrade,
  type MemberTrade,
  sidesOf,
  tradePlace,
} from "../../domain/trading/trade_record.ts";
import { rowKey } from "../../store/keys.ts";
import {
  MARKET_TRADE_CODEC,
  MEMBER_TRADE_CODEC,
  ORDER_CODEC,
} from "../../store/rows/order_codec.ts";
import { CANDLES_PER_ROW, readCandlesRow } from "../../store/rows/row_codec.ts";
import type { Store } from "../../store/store.ts";
import { listRows } from "../../store/rows/stored_rows.ts";
import { readBlock } from "../../store/rows/block_codec.ts";
import type {
  CandleRequest,
  IdRange,
  MarketTradesRequest,
  OrderFilter,
  Page,
  PageRequest,
  TradeFilter,
} from "../engine.ts";
import {
  firstOpen,
  HistoryQueries,
  isUnfiltered,
  pageOfOpen,
  type QuerySources,
  rangeOf,
} from "./history_queries.ts";
import { readHistory } from "./history_reader.ts";
import type { PublishedState } from "../published_state.ts";
import { OrderTrades } from "./order_trades.ts";
import { ReadingQueue, ROWS_AT_ONCE } from "../reading_queue.ts";
import { readCovering } from "../fold/row_source.ts";
import { inSlices, yieldToOthers } from "../yield_to_others.ts";

/** Rows read at once where there may be many. */
const ROWS_READ = 16;

/** States of ended orders. */
const ENDED_STATES: ReadonlySet<OrderState> = new Set(["done", "cancel", "reject"]);

/** Reads of orders, trades and candles. */
export class Queries {
  readonly #store: Store;
  readonly #published: PublishedState;
  readonly #scanMax: number;
  readonly #histories: HistoryQueries;
  readonly #openTurns = new ReadingQueue();
  /** One request may name a thousand orders: none is refused, but they wait for each other. */
  readonly #orderTurns = new ReadingQueue({ atOnce: ROWS_AT_ONCE, waitingMax: Infinity });
  /**
   * Reads of orders' trades: none is refused, since what tells that an order was placed may need one.
   */
  readonly #tradeTurns = new ReadingQueue({ atOnce: 1, waitingMax: Infinity });

  constructor(sources: QuerySources) {
    this.#store = sources.store;
    this.#published = sources.published;
    this.#scanMax = sources.scanRecordsMax;
    this.#histories = new HistoryQueries(sources);
  }

  /** Returns a member's order, open or ended; null if the member has none with this id. */
  async order(member: number, id: number): Promise<Order | null> {
    const { venue, tail } = this.#published;
    const open = venue.orders.get(id);
    if (open !== undefined) return open.member === member ? open : null;
    const recent = tail.endedOrder(member, id);
    if (recent !== undefined) return recent;
    const read = () => this.#histories.record("member_orders", [member], ORDER_CODEC, id);
    return await this.#orderTurns.run(member, read);
  }

  /** Returns a page of a member's orders by id. */
  async orders(member: number, filter: OrderFilter, page: PageRequest): Promise<Page<Order>> {
    const holder = this.#published.venue.holder(member);
    const isMatch = (order: Order) => matchesOrder(order, filter);
    const request = { ...page, ...rangeOf(filter), isMatch };
    const open = () => inDirection(holder.openOrders, page.direction);
    if (isOpenOnly(filter)) {
      return await this.#openTurns.run(member, async () => {
        // Each of these scans all open orders: let everything that is ready go first.
        await yieldToOthers();
        return pageOfOpen(open(), request);
      });
    }
    const first = () => pinned(firstOpen(open(), request), filter);
    return await this.#histories.page(
      member,
      (isAnother) => ({
        table: "member_orders",
        place: [member],
        codec: ORDER_CODEC,
        memory: [...first(), ...this.#published.tail.endedOrders(member)],
        lastId: this.#published.venue.counters.orders,
        ...(isAnother ? { stillOpen: idsOf(holder.openOrders) } : {}),
        total: isUnfiltered(filter) ? holder.ordersCount : null,
        at: (order) => order.createdAt,
      }),
      request,
    );
  }

  /** Returns a page of a member's trades by id; of those with itself, both sides. */
  async trades(member: number, filter: TradeFilter, page: PageRequest): Promise<Page<MemberTrade>> {
    const { tail, venue } = this.#published;
    const isMatch = (trade: MemberTrade) =>
      (filter.markets?.has(trade.market) ?? true) &&
      (filter.side === undefined || trade.side === filter.side);
    return await this.#histories.page(
      member,
      () => ({
        table: "member_trades",
        place: [member],
        codec: MEMBER_TRADE_CODEC,
        get memory() {
          return tail.memberTrades(member, page);
        },
        newest: tail.newestMemberTrades(member, page),
        ...oldest((range) => tail.oldestMemberTrades(member, range), page),
        lastId: venue.counters.trades,
        at: (trade) => trade.at,
        itemsOf: sidesOf,
        placeOf: tradePlace,
        total: isUnfiltered(filter) ? venue.holder(member).tradesCount : null,
      }),
      { ...page, ...rangeOf(filter), isMatch },
    );
  }

  /** Returns the trades of a member's order, oldest first, each as `form` makes it. */
  async orderTrades<T>(
    member: number,
    order: Order,
    form: (trade: MemberTrade) => T,
  ): Promise<T[]> {
    if (order.tradesCount === 0) return [];
    const trades = new OrderTrades(order);
    const { firstTrade: fromId, lastTrade: toId, tradesCount } = order;
    const { tail } = this.#published;
    // Memory holds all of a member's trades from its first one on, so also all of this order's.
    const remembered = () => tail.memberTrades(member, { fromId, toId });
    if (tradesCount <= ROWS_AT_ONCE) {
      const memory = remembered();
      if (memory[0]?.id === fromId) return trades.addAll(memory).all().map(form);
    }
    // A long read lasts as long as others take their turns, so each member gets one at a time.
    return await this.#tradeTurns.run(member, async () => {
      const memory = remembered();
      const isInMemory = memory[0]?.id === fromId;
      if (!isInMemory) await this.#addStoredTrades(member, trades);
      const formed: T[] = [];
      for await (const slice of inSlices(trades.addAll(memory).all())) {
        formed.push(...slice.map(form));
      }
      // One bulk may ask for many, and one commit may answer many: others go in between.
      await yieldToOthers();
      return formed;
    });
  }

  /** Adds all the member's trades from the order's first to its last. */
  async #addStoredTrades(member: number, trades: OrderTrades): Promise<void> {
    const block = await readCovering(this.#store, "member_trades", [member], trades.first);
    const start = rowKey("member_trades", member, block?.id ?? 0);
    const end = rowKey("member_trades", member, trades.last + 1);
    for await (const { value } of listRows(this.#store, start, end, { batch: ROWS_READ })) {
      for (const trade of readBlock(value, MEMBER_TRADE_CODEC)) trades.add(trade);
      // There may be any number of rows: let everything that is ready go first.
      await yieldToOthers();
    }
  }

  /** Returns trades of a market by id. */
  async marketTrades(
    market: number,
    request: MarketTradesRequest,
  ): Promise<readonly MarketTrade[]> {
    const { tail, venue } = this.#published;
    const { items } = await readHistory(this.#store, {
      table: "market_trades",
      place: [market],
      codec: MARKET_TRADE_CODEC,
      get memory() {
        return tail.marketTrades(market, request);
      },
      newest: tail.newestMarketTrades(market, request),
      ...oldest((range) => tail.oldestMarketTrades(market, range), request),
      lastId: venue.counters.trades,
      at: (trade) => trade.at,
    }, {
      ...request,
      offset: 0,
      scanMax: this.#scanMax,
      isMatch: () => true,
    });
    return items;
  }

  /** Returns candles by ascending time: the first ones if only `from` is given, else the last. */
  async candles(
    market: number,
    period: CandlePeriod,
    request: CandleRequest,
  ): Promise<readonly Candle[]> {
    const { from, to, limit } = request;
    // The store can't list a range that ends before it begins.
    if (from !== undefined && to !== undefined && from > to) return [];
    const isFirst = from !== undefined && to === undefined;
    const recent = [...this.#published.candlesOf(market).of(period)];
    const memoryStart = recent[0]?.start ?? Infinity;
    const candles: Candle[] = [];
    const isWanted = ({ start }: Candle) => start >= (from ?? 0) && start <= (to ?? Infinity);
    const isEnough = () => candles.length >= limit;
    const stored = this.#storedCandles(market, period, request, isFirst);
    if (!isFirst) candles.push(...recent.filter(isWanted).reverse());
    if (!isEnough() && (from ?? 0) < memoryStart) {
      for await (const candle of stored) {
        if (candle.start < memoryStart && isWanted(candle)) candles.push(candle);
        if (isEnough()) break;
      }
    }
    if (isFirst) return [...candles, ...recent.filter(isWanted)].slice(0, limit);
    return candles.reverse().slice(-limit);
  }

  async *#storedCandles(
    market: number,
    period: CandlePeriod,
    { from, to }: CandleRequest,
    isAscending: boolean,
  ): AsyncGenerator<Candle> {
    const rowOf = (start: number) => Math.floor(start / (period * 60 * CANDLES_PER_ROW));
    const first = rowKey("candles", market, period, from === undefined ? 0 : rowOf(from));
    const last = rowKey("candles", market, period, to === undefined ? Infinity : rowOf(to) + 1);
    const rows = listRows(this.#store, first, last, { reverse: !isAscending, batch: 8 });
    for await (const { value } of rows) {
      const candles = readCandlesRow(value).value;
      yield* isAscending ? candles : candles.reverse();
    }
  }
}

/**
 * Returns the trades from the first id on, if memory has all of these: the rows have none that is
 * newer than its first one.
 */
function oldest<T extends { readonly id: number }>(
  inMemory: (range?: IdRange) => Iterable<T>,
  range: IdRange,
): { readonly oldest?: Iterable<T> } {
  if (range.fromId === undefined) return {};
  const [first] = inMemory();
  return first === undefined || first.id > range.fromId ? {} : { oldest: inMemory(range) };
}

function inDirection(orders: MemberOrders, direction: "asc" | "desc"): Generator<Order> {
  return direction === "asc" ? orders.values() : orders.newestFirst();
}

/** A member may have a hundred thousand: too many to list them for each read. */
function idsOf(orders: MemberOrders): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const { id } of orders.values()) ids.add(id);
  return ids;
}

/** Returns whether nothing that has ended can match. */
function isOpenOnly({ markets, states }: OrderFilter): boolean {
  if (markets?.size === 0) return true;
  return states !== undefined && [...states].every((state) => !ENDED_STATES.has(state));
}

/**
 * Copies open orders if their states matter: one that ends while the rows are read would no longer
 * match, and leave a gap that no other order fills.
 */
function pinned(orders: readonly Order[], filter: OrderFilter): readonly Order[] {
  return filter.states === undefined ? orders : orders.map((order) => ({ ...order }));
}

function matchesOrder(order: Order, filter: OrderFilter): boolean {
  return (filter.markets?.has(order.market) ?? true) &&
    (filter.states?.has(order.state) ?? true) &&
    (filter.types?.has(order.type) ?? true) &&
    (filter.side === undefined || order.side === filter.side);
}
