/** The trading state of one market: its two sides, its stops and its pending orders. */
import { assert } from "../assert.ts";
import { UnitFee } from "./fees.ts";
import { lotUnit, type Market, totalUnit } from "./market.ts";
import type { Order, Side } from "./order.ts";
import { BookSide } from "./order_book.ts";
import { multiply, toBigint } from "../whole_number.ts";

/** A market with its books. */
export class MarketBook {
  readonly bids = new BookSide("highest");
  readonly asks = new BookSide("lowest");
  /** Buy stops fire from the lowest trigger up. */
  readonly buyStops = new BookSide("lowest", "triggerPrice");
  /** Sell stops fire from the highest trigger down. */
  readonly sellStops = new BookSide("highest", "triggerPrice");
  /** Accepted or triggered orders that wait for their turn to match, oldest first. */
  readonly pending: Order[] = [];
  /** Price of the last trade in ticks; 0 before the first. */
  lastPrice = 0;
  /**
   * The range of prices since the last new order, in ticks: stops within it have been reached. All
   * of them fire before the next order is accepted, so the range covers no older trades.
   */
  triggerLow = 0;
  triggerHigh = 0;
  tradesCount = 0;
  /** Grows with every change of the books, so that what is computed from them can be cached. */
  version = 0;
  /**
   * Sequence of the last event that changed the levels of bids or asks, or a later one up to which
   * nothing changed them: after a start all that is known is how far the rows were. An undo leaves it,
   * so it is true of the published state alone.
   */
  levelsSequence = 0;
  /** Ledger units of the base in one lot. */
  lotUnit: bigint;
  /** Ledger units of the quote in one tick × lot. */
  totalUnit: bigint;
  /** The fees on each of them. */
  lotFee: UnitFee;
  totalFee: UnitFee;

  constructor(public market: Market) {
    this.lotUnit = lotUnit(market);
    this.totalUnit = totalUnit(market);
    this.lotFee = new UnitFee(this.lotUnit);
    this.totalFee = new UnitFee(this.totalUnit);
  }

  /** Replaces the market's definition. */
  define(market: Market): void {
    assert(market.id === this.market.id, "a market keeps its id");
    this.market = market;
    this.lotUnit = lotUnit(market);
    this.totalUnit = totalUnit(market);
    this.lotFee = new UnitFee(this.lotUnit);
    this.totalFee = new UnitFee(this.totalUnit);
  }

  /** The side that an order rests on. */
  sideOf(side: Side): BookSide {
    return side === "buy" ? this.bids : this.asks;
  }

  /** The side that an order takes from. */
  oppositeOf(side: Side): BookSide {
    return side === "buy" ? this.asks : this.bids;
  }

  /** The stops of a side. */
  stopsOf(side: Side): BookSide {
    return side === "buy" ? this.buyStops : this.sellStops;
  }

  /** Ledger units of the quote that `lots` at `ticks` are worth. */
  total(ticks: number, lots: number): bigint {
    return multiply(ticks, lots) * this.totalUnit;
  }

  /** Ledger units of the base in `lots`. */
  base(lots: number): bigint {
    return toBigint(lots) * this.lotUnit;
  }

  /** Yields the orders that rest and the stops; the last one yielded may be removed meanwhile. */
  *orders(): Generator<Order> {
    for (const side of [this.bids, this.asks, this.buyStops, this.sellStops]) {
      yield* side.orders();
    }
  }

  /** Returns the stop that fires next, or null if the price has reached none. */
  reachedStop(): Order | null {
    // Every commit asks every market, and most have no stops.
    if (this.buyStops.size + this.sellStops.size === 0) return null;
    if (this.market.state !== "enabled") return null;
    const buy = this.buyStops.best()?.first ?? null;
    if (buy !== null && this.hasReached(buy)) return buy;
    const sell = this.sellStops.best()?.first ?? null;
    return sell !== null && this.hasReached(sell) ? sell : null;
  }

  /** Whether the price has reached a stop's trigger. */
  hasReached({ side, triggerPrice }: Pick<Order, "side" | "triggerPrice">): boolean {
    if (this.lastPrice === 0) return false;
    return side === "buy" ? triggerPrice <= this.triggerHigh : triggerPrice >= this.triggerLow;
  }

  /** Whether an order still has to match or a stop has to fire. */
  hasWork(): boolean {
    return this.pending.length > 0 || this.reachedStop() !== null;
  }

  /** Asserts that the books are sound and, between batches, not crossed. */
  checkInvariants(): void {
    for (const side of [this.bids, this.asks, this.buyStops, this.sellStops]) {
      side.checkInvariants();
    }
    const bid = this.bids.best();
    const ask = this.asks.best();
    assert(
      bid === undefined || ask === undefined || bid.price < ask.price,
      `the book of ${this.market.id} is not crossed`,
    );
  }
}
