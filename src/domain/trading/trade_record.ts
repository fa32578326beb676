/** Trades as they are stored: once for the market, and once for each member that took part. */
import type { Trade } from "../event.ts";
import type { Side } from "./order.ts";

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

/** What the taker's side of a trade with oneself has of its own. */
export interface OwnTaker {
  readonly orderId: number;
  /** Parts per million. */
  readonly feeRate: number;
}

/** A trade as one of its members sees it. */
export interface MemberTrade extends MarketTrade {
  readonly side: Side;
  readonly orderId: number;
  /** Parts per million, of the base for a buy, of the total for a sell. */
  readonly feeRate: number;
  readonly liquidity: "maker" | "taker";
  /** In the maker's side of a trade with oneself: the taker's, which is stored with it. */
  readonly ownTaker?: OwnTaker;
}

/** Returns the market's view of a trade. */
export function marketTradeOf(trade: Trade, at: number): MarketTrade {
  const { id, market, price, volume, takerSide } = trade;
  return { id, market, price, volume, takerSide, at };
}

/** Returns the maker's view of a trade; if it is the taker as well, with both sides. */
export function makerTradeOf(trade: Trade, at: number): MemberTrade {
  const view = viewOf(trade, at, "maker");
  if (trade.isOwn !== true) return view;
  return { ...view, ownTaker: { orderId: trade.taker, feeRate: trade.takerFee } };
}

/** Returns the taker's view of a trade. */
export function takerTradeOf(trade: Trade, at: number): MemberTrade {
  return viewOf(trade, at, "taker");
}

/** Returns the view of one of the two members; the maker's, with both sides, if it is both. */
export function memberTradeOf(trade: Trade, at: number, member: number): MemberTrade {
  return trade.makerMember === member ? makerTradeOf(trade, at) : takerTradeOf(trade, at);
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

/** Returns the taker's side of a trade with oneself, from the maker's. */
export function ownTakerTradeOf(maker: MemberTrade, { orderId, feeRate }: OwnTaker): MemberTrade {
  const { ownTaker: _, ...trade } = maker;
  return { ...trade, side: trade.takerSide, orderId, feeRate, liquidity: "taker" };
}

/** Returns a trade, or both sides of one with oneself, the maker's first. */
export function sidesOf(trade: MemberTrade): readonly MemberTrade[] {
  const { ownTaker, ...maker } = trade;
  return ownTaker === undefined ? [trade] : [maker, ownTakerTradeOf(trade, ownTaker)];
}

/** Returns a trade's place among its member's: its id, if it is not before another's of this id. */
export function tradePlace({ id, liquidity }: MemberTrade): number {
  return liquidity === "taker" ? id : id - 0.5;
}
