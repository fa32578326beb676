/** Trades as they are stored: once for the market, and once for each member that took part. */
import type { Trade } from "./event.ts";
import type { Order, Side } from "./order.ts";

/** A trade as everybody sees it. */
export interface MarketTrade {
  readonly id: number;
  readonly market: number;
  /** Ticks. */
  readonly price: number;
  /** Lots. */
  readonly volume: number;
  readonly takerSide: Side;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A trade as one of its members sees it. */
export interface MemberTrade extends MarketTrade {
  readonly side: Side;
  readonly orderId: number;
  /** Parts per million, of the base for a buy, of the total for a sell. */
  readonly feeRate: number;
  readonly liquidity: "maker" | "taker";
}

/** Returns the market's view of a trade. */
export function marketTradeOf(trade: Trade, at: number): MarketTrade {
  const { id, market, price, volume, takerSide } = trade;
  return { id, market, price, volume, takerSide, at };
}

/** Returns the maker's view of a trade, which is also the one stored for a self-trade. */
export function makerTradeOf(trade: Trade, at: number): MemberTrade {
  return {
    ...marketTradeOf(trade, at),
    side: trade.takerSide === "buy" ? "sell" : "buy",
    orderId: trade.maker,
    feeRate: trade.makerFee,
    liquidity: "maker",
  };
}

/** Returns the taker's view of a trade. */
export function takerTradeOf(trade: Trade, at: number): MemberTrade {
  return {
    ...marketTradeOf(trade, at),
    side: trade.takerSide,
    orderId: trade.taker,
    feeRate: trade.takerFee,
    liquidity: "taker",
  };
}

/** Returns the taker's view of a self-trade, from the maker's view that is stored. */
export function ownTakerTradeOf(kept: MemberTrade, taker: Order): MemberTrade {
  const { id: orderId, side, takerFee: feeRate } = taker;
  return { ...kept, side, orderId, feeRate, liquidity: "taker" };
}
