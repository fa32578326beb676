/** The money of one fill: exact, in ledger units, summing to zero per currency. */
import type { MarketBook } from "./market_book.ts";
import { isPriceless, type Order } from "./order.ts";
import { multiply, toBigint } from "./whole_number.ts";

/** What a fill of `lots` at `price` moves, besides the lots themselves. */
export interface Settlement {
  /** Quote that the buyer pays. */
  readonly total: bigint;
  /** Base that the seller gives. */
  readonly base: bigint;
  /** Quote still locked by the buy order. */
  readonly buyLocked: bigint;
  /** Quote that the buy order no longer needs: price improvement, or a market order's margin. */
  readonly released: bigint;
  /** Base still locked by the sell order. */
  readonly sellLocked: bigint;
  /** Deducted from what the buyer gets, in base. */
  readonly buyerFee: bigint;
  /** Deducted from what the seller gets, in quote. */
  readonly sellerFee: bigint;
}

/** Computes the settlement of a fill; `buyRate` and `sellRate` are in parts per million. */
export function settle(
  book: MarketBook,
  buy: Order,
  sell: Order,
  price: number,
  lots: number,
  buyRate: number,
  sellRate: number,
): Settlement {
  const worth = multiply(price, lots);
  const total = worth * book.totalUnit;
  const volume = toBigint(lots);
  const base = volume * book.lotUnit;
  const buyRemaining = buy.remaining - lots;
  const left = buy.locked - total;
  let buyLocked = left;
  let released = 0n;
  if (buyRemaining === 0) {
    buyLocked = 0n;
    released = left;
  } else if (price !== buy.price && !isPriceless(buy)) {
    buyLocked = book.total(buy.price, buyRemaining);
    released = left - buyLocked;
  }
  return {
    total,
    base,
    buyLocked,
    released,
    sellLocked: sell.locked - base,
    buyerFee: volume * book.lotFee.at(buyRate),
    sellerFee: worth * book.totalFee.at(sellRate),
  };
}
