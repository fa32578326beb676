import type { OrderRequest } from "../../src/domain/command.ts";
import type { MarketState } from "../../src/domain/trading/market.ts";
import {
  type OrderType,
  SELF_TRADE_PREVENTIONS,
  type Side,
} from "../../src/domain/trading/order.ts";
import type { Venue } from "../../src/domain/venue.ts";
import { DomainVenue, type MarketText, units } from "./domain_venue.ts";

/** Returns an integer from 0 up to, but not including, `below`. */
export type Draw = (below: number) => number;

/** A command of a random stream, with members, markets and currencies by name or index. */
export type RandomCommand =
  | { readonly kind: "place"; readonly member: string; readonly orders: readonly OrderRequest[] }
  | { readonly kind: "cancel"; readonly member: string; readonly id: number }
  | {
    readonly kind: "cancel_all";
    readonly member: string;
    readonly market: number | null;
    readonly side: Side | null;
  }
  | {
    readonly kind: "adjust";
    readonly member: string;
    readonly currency: string;
    readonly amount: bigint;
  }
  | { readonly kind: "set_state"; readonly market: number; readonly state: MarketState }
  | {
    readonly kind: "set_fee";
    readonly market: number;
    readonly maker: number;
    readonly taker: number;
  };

/** The members of random streams. */
export const STREAM_MEMBERS = ["ann", "ben", "cay", "dan", "eve"] as const;
/** The currencies of random streams. */
export const STREAM_CURRENCIES = ["aaa", "bbb", "ccc"] as const;
/** The client order ids of random streams. */
export const STREAM_CLIENT_ORDER_IDS = ["c0", "c1", "c2", "c3", "c4"] as const;
/** Maximum number of open orders per member and market in random streams. */
export const STREAM_OPEN_ORDERS_MAX = 10;
/** Maximum number of orders per member and day that end without a trade in random streams. */
export const STREAM_UNTRADED_ORDERS_MAX = 60;

/** A market of random streams; prices and amounts are small multiples of its steps. */
export interface StreamMarket extends MarketText {
  readonly base: string;
  readonly quote: string;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
}

/** Three markets of three currencies, with different price and volume steps. */
export const STREAM_MARKETS: readonly StreamMarket[] = [
  { base: "aaa", quote: "ccc", pricePrecision: 2, amountPrecision: 4, minTotal: "0.000008" },
  { base: "bbb", quote: "ccc", pricePrecision: 0, amountPrecision: 0, minPrice: "3" },
  { base: "aaa", quote: "bbb", pricePrecision: 6, amountPrecision: 4, minAmount: "0.0002" },
];

/** Returns a venue for random streams, whose members have no funds yet. */
export function streamVenue(capacity: number = Infinity): DomainVenue {
  const test = new DomainVenue(capacity);
  for (const market of STREAM_MARKETS) test.withMarket(market.base, market.quote, market);
  for (const member of STREAM_MEMBERS) {
    test.withMember(member);
    test.change(member, {
      openOrdersMax: STREAM_OPEN_ORDERS_MAX,
      untradedOrdersMax: STREAM_UNTRADED_ORDERS_MAX,
    });
  }
  return test;
}

/** Initial funds per member, and the most that one adjustment moves. */
export const STREAM_FUNDS: Readonly<Record<string, bigint>> = {
  aaa: units("0.02"),
  bbb: units("80"),
  ccc: units("500"),
};

/** Returns a random command for a venue in its present state. */
export function randomCommand(draw: Draw, venue: Venue): RandomCommand {
  const kind = draw(100);
  const member = oneOf(draw, STREAM_MEMBERS);
  if (kind < 70) return { kind: "place", member, orders: randomOrders(draw) };
  if (kind < 84) return { kind: "cancel", member, id: randomOrderId(draw, venue, member) };
  if (kind < 86) {
    const market = draw(2) === 0 ? null : draw(STREAM_MARKETS.length);
    const side = draw(2) === 0 ? null : randomSide(draw);
    return { kind: "cancel_all", member, market, side };
  }
  if (kind < 96) {
    const currency = oneOf(draw, STREAM_CURRENCIES);
    const share = BigInt(draw(400) + 1) * (draw(2) === 0 ? -1n : 1n);
    return {
      kind: "adjust",
      member,
      currency,
      amount: STREAM_FUNDS[currency] as bigint * share / 400n,
    };
  }
  const market = draw(STREAM_MARKETS.length);
  if (kind < 97) {
    const taker = draw(20) === 0 ? draw(500_000) : draw(5000);
    return { kind: "set_fee", market, maker: draw(3000), taker };
  }
  const states = ["enabled", "cancel_only", "halted"] as const;
  return { kind: "set_state", market, state: states[draw(16)] ?? "enabled" };
}

/** Usually returns the id of one of the member's open orders. */
function randomOrderId(draw: Draw, venue: Venue, member: string): number {
  const own = Array.from(venue.holderByUid.get(member)?.openOrders.values() ?? [], ({ id }) => id);
  return draw(6) === 0 || own.length === 0 ? draw(venue.counters.orders + 2) : oneOf(draw, own);
}

function randomOrders(draw: Draw): OrderRequest[] {
  const count = draw(12) === 0 ? 1 + draw(5) : 1;
  return Array.from({ length: count }, () => randomOrder(draw));
}

const TYPES: readonly OrderType[] = [
  "limit",
  "limit",
  "limit",
  "limit",
  "limit",
  "market",
  "post_only",
  "stop",
  "stop_limit",
];

function randomOrder(draw: Draw): OrderRequest {
  const type = oneOf(draw, TYPES);
  const market = draw(STREAM_MARKETS.length);
  const { pricePrecision, amountPrecision } = STREAM_MARKETS[market] as StreamMarket;
  const tick = 10n ** BigInt(16 - pricePrecision);
  const lot = 10n ** BigInt(16 - amountPrecision);
  const isPriced = type !== "market" && type !== "stop";
  const hasTrigger = type === "stop" || type === "stop_limit";
  const side = randomSide(draw);
  // Most buy prices are below most sell prices, so that books fill up; enough overlap to trade.
  const price = BigInt(draw(12) + (side === "buy" ? 2 : 6));
  const times = draw(5) === 0 ? draw(60) : draw(8);
  return {
    market,
    side,
    type,
    timeInForce: type === "limit" ? oneOf(draw, ["gtc", "gtc", "gtc", "ioc", "fok"]) : "gtc",
    selfTrade: oneOf(draw, SELF_TRADE_PREVENTIONS),
    amount: BigInt(times + 1) * lot,
    price: isPriced ? price * tick : 0n,
    triggerPrice: hasTrigger ? BigInt(draw(16) + 2) * tick : 0n,
    clientOrderId: draw(25) === 0 ? oneOf(draw, STREAM_CLIENT_ORDER_IDS) : "",
  };
}

function randomSide(draw: Draw): Side {
  return draw(2) === 0 ? "buy" : "sell";
}

function oneOf<T>(draw: Draw, items: readonly T[]): T {
  return items[draw(items.length)] as T;
}
