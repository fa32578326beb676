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
  return viewOf(trade, at, "maker");
}

/** Returns the taker's view of a trade. */
export function takerTradeOf(trade: Trade, at: number): MemberTrade {
  return viewOf(trade, at, "taker");
}

/** Returns the view of one of the two members; the maker's if it is both. */
export function memberTradeOf(trade: Trade, at: number, member: number): MemberTrade {
  return viewOf(trade, at, trade.makerMember === member ? "maker" : "taker");
}

function viewOf(trade: Trade, at: number, liquidity: "maker" | "taker"): MemberTrade {
  const isMaker = liquidity === "maker";
  const makerSide = trade.takerSide === "buy" ? "sell" : "buy";
  return {
    // Field by field: after a spread V8 keeps some of the fields in an array beside the object.
    id: trade.id,
    market: trade.market,
    price: trade.price,
    volume: trade.volume,
    takerSide: trade.takerSide,
    at,
    side: isMaker ? makerSide : trade.takerSide,
    orderId: isMaker ? trade.maker : trade.taker,
    feeRate: isMaker ? trade.makerFee : trade.takerFee,
    liquidity,
  };
}

/** Returns the taker's view of a self-trade, from the maker's view that is stored. */
export function ownTakerTradeOf(kept: MemberTrade, taker: Order): MemberTrade {
  const { id: orderId, side, takerFee: feeRate } = taker;
  return { ...kept, side, orderId, feeRate, liquidity: "taker" };
}
