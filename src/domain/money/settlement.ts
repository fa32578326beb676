/** The money of one fill: exact, in ledger units, summing to zero per currency. */
import { asksWithin } from "../trading/asks_within.ts";
import type { MarketBook } from "../trading/market_book.ts";
import { isPriceless, type Order } from "../trading/order.ts";
import type { Venue } from "../venue.ts";
import { multiply, toBigint } from "../whole_number.ts";

/** What a fill of `lots` at `price` moves, besides the lots themselves. */
export interface Settlement {
  /** Quote that the buyer pays. */
  readonly total: bigint;
  /** Base that the seller gives. */
  readonly base: bigint;
  /** Quote still locked by the buy order. */
  readonly buyLocked: bigint;
  /**
   * Quote that the buy order no longer needs: price improvement, or a market order's margin.
   * Negative if its lock was raised.
   */
  readonly released: bigint;
  /** Base still locked by the sell order. */
  readonly sellLocked: bigint;
  /** Deducted from what the buyer gets, in base. */
  readonly buyerFee: bigint;
  /** Deducted from what the seller gets, in quote. */
  readonly sellerFee: bigint;
}

/**
 * Returns what a taker has to spend at its turn, in ledger units of the currency that it locks: its
 * lock. That of a stop buy went by its trigger price, and the asks may be far above it by now:
 * before its first fill it is raised to what they cost, as far as its member has funds.
 */
export function lockAtTurn(venue: Venue, book: MarketBook, taker: Order): bigint {
  const { locked } = taker;
  if (taker.type !== "stop" || taker.side === "sell" || taker.tradesCount > 0) return locked;
  const cost = asksWithin(venue, book, taker).worth * book.totalUnit;
  const most = locked + venue.account(taker.member, book.market.quote).available;
  return cost <= locked ? locked : cost < most ? cost : most;
}

/**
 * Computes the settlement of a fill; `buyRate` and `sellRate` are in parts per million.
 *
 * @param lock what the buy has to spend, see {@linkcode lockAtTurn}
 */
export function settle(
  book: MarketBook,
  buy: Order,
  sell: Order,
  price: number,
  lots: number,
  buyRate: number,
  sellRate: number,
  lock: bigint = buy.locked,
): Settlement {
  const worth = multiply(price, lots);
  const total = worth * book.totalUnit;
  const volume = toBigint(lots);
  const base = volume * book.lotUnit;
  const buyRemaining = buy.remaining - lots;
  let buyLocked = lock - total;
  if (buyRemaining === 0) buyLocked = 0n;
  else if (price !== buy.price && !isPriceless(buy)) {
    buyLocked = book.total(buy.price, buyRemaining);
  }
  return {
    total,
    base,
    buyLocked,
    released: buy.locked - total - buyLocked,
    sellLocked: sell.locked - base,
    buyerFee: volume * book.lotFee.at(buyRate),
    sellerFee: worth * book.totalFee.at(sellRate),
  };
}
