/**
 * The venue's records as JSON. Times of orders are in seconds, all others ISO 8601, those of orders
 * and trades also in milliseconds; decimals are strings with at least `fraction` fractional digits:
 * one in backend answers, none in trading answers.
 */
import type * as z from "zod";
import type { Account } from "../../domain/money/account.ts";
import type { Market } from "../../domain/trading/market.ts";
import {
  formatDecimal,
  formatInteger,
  LEDGER_DIGITS,
  powerOfTen,
  RATE_DIGITS,
} from "../../domain/money/money.ts";
import { feesPaidBy } from "../../domain/trading/fees_paid.ts";
import { limitPrice, type Order } from "../../domain/trading/order.ts";
import type { MarketTrade, MemberTrade } from "../../domain/trading/trade_record.ts";
import type { Venue } from "../../domain/venue.ts";
import { multiply } from "../../domain/whole_number.ts";
import type { ACCOUNT, MEMBER_TRADE, ORDER } from "../schemas/answers.ts";
import type { BOOK_ORDER, PUBLIC_TRADE } from "../schemas/market_answers.ts";

/** Minimum number of fractional digits. */
export type Fraction = 0 | 1;

/** The part of the engine that wire functions need. */
export interface WireSource {
  readonly venue: Venue;
  uuidOf(id: number): string;
}

export type OrderJson = z.infer<typeof ORDER>;
export type MemberTradeJson = z.infer<typeof MEMBER_TRADE>;
export type PublicTradeJson = z.infer<typeof PUBLIC_TRADE>;
export type BookOrderJson = z.infer<typeof BOOK_ORDER>;
export type AccountJson = z.infer<typeof ACCOUNT>;

/** Returns an order as its member reads it. */
export function orderJson(source: WireSource, order: Order, fraction: Fraction): OrderJson {
  const { market } = source.venue.book(order.market);
  const { amountPrecision } = market;
  return {
    id: order.id,
    uuid: source.uuidOf(order.id),
    side: order.side,
    ord_type: order.type,
    price: priceText(limitPrice(order), market, fraction),
    avg_price: averagePrice(market, order, fraction),
    state: order.state,
    market: market.id,
    created_at: secondsOf(order.createdAt),
    updated_at: secondsOf(order.updatedAt),
    created_at_ms: order.createdAt,
    updated_at_ms: order.updatedAt,
    origin_volume: formatInteger(order.volume, amountPrecision, fraction),
    remaining_volume: formatInteger(order.remaining, amountPrecision, fraction),
    executed_volume: formatInteger(order.volume - order.remaining, amountPrecision, fraction),
    executed_total: amountText(order.quoteMoved, fraction),
    fees: feesJson(source.venue, market, order, fraction),
    maker_fee: rateText(order.makerFee, fraction),
    taker_fee: rateText(order.takerFee, fraction),
    trades_count: order.tradesCount,
    time_in_force: order.timeInForce,
    trigger_price: priceText(order.triggerPrice, market, fraction),
    self_trade_prevention: order.selfTrade,
    client_order_id: order.clientOrderId === "" ? null : order.clientOrderId,
    reject_reason: order.reason === "" || order.reason === "requested" ? null : order.reason,
  };
}

/** Returns an order as the public sees it, without its member. */
export function bookOrderJson(source: WireSource, order: Order, fraction: Fraction): BookOrderJson {
  const { market } = source.venue.book(order.market);
  const { amountPrecision } = market;
  return {
    id: order.id,
    uuid: source.uuidOf(order.id),
    side: order.side,
    ord_type: order.type,
    price: priceText(order.price, market, fraction),
    avg_price: averagePrice(market, order, fraction),
    state: order.state,
    market: market.id,
    created_at: secondsOf(order.createdAt),
    updated_at: secondsOf(order.updatedAt),
    created_at_ms: order.createdAt,
    updated_at_ms: order.updatedAt,
    origin_volume: formatInteger(order.volume, amountPrecision, fraction),
    remaining_volume: formatInteger(order.remaining, amountPrecision, fraction),
    executed_volume: formatInteger(order.volume - order.remaining, amountPrecision, fraction),
    trades_count: order.tradesCount,
  };
}

/** Returns a trade as the public sees it, without fee and liquidity. */
export function publicTradeJson(
  venue: Venue,
  trade: MarketTrade,
  fraction: Fraction,
): PublicTradeJson {
  const { market } = venue.book(trade.market);
  const { pricePrecision, amountPrecision } = market;
  return {
    id: trade.id,
    price: formatInteger(trade.price, pricePrecision, fraction),
    amount: formatInteger(trade.volume, amountPrecision, fraction),
    total: formatDecimal(totalOf(trade), pricePrecision + amountPrecision, fraction),
    market: market.id,
    created_at: isoSeconds(trade.at),
    created_at_ms: trade.at,
    taker_type: trade.takerSide,
  };
}

/** Returns a trade as one of its members sees it, with its own fee and liquidity. */
export function memberTradeJson(
  venue: Venue,
  trade: MemberTrade,
  fraction: Fraction,
): MemberTradeJson {
  const { market } = venue.book(trade.market);
  const isBuy = trade.side === "buy";
  const { id, price, amount, total, created_at, taker_type } = publicTradeJson(
    venue,
    trade,
    fraction,
  );
  return {
    id,
    price,
    amount,
    total,
    fee_currency: currencyId(venue, isBuy ? market.base : market.quote),
    fee: rateText(trade.feeRate, fraction),
    fee_amount: feeAmount(market, trade, fraction),
    market: market.id,
    created_at,
    created_at_ms: trade.at,
    taker_type,
    side: trade.side,
    order_id: trade.orderId,
    liquidity: trade.liquidity,
  };
}

/** Returns the balances of one currency. */
export function accountJson(currency: string, account: Account, fraction: Fraction): AccountJson {
  return {
    currency,
    balance: amountText(account.available, fraction),
    locked: amountText(account.locked, fraction),
  };
}

/** Formats ledger units. */
export function amountText(units: bigint, fraction: Fraction): string {
  return formatDecimal(units, LEDGER_DIGITS, fraction);
}

/** Formats a fee rate in parts per million. */
export function rateText(ppm: number, fraction: Fraction): string {
  return formatInteger(ppm, RATE_DIGITS, fraction);
}

/** Converts ms to whole seconds. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Formats a time in ms as ISO 8601 in UTC, without fractions of a second. */
export function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19) + "Z";
}

/**
 * Returns the field that shows the network of a record; none where its currency lives on none.
 *
 * @param name as records name it
 */
export function shownNetwork(
  venue: Venue,
  currency: number,
  name: string | undefined,
): { readonly network?: string } {
  const network = name ?? venue.currency(currency).networks?.[0]?.name;
  return network === undefined ? {} : { network };
}

/** Returns the code of the currency with this index. */
export function currencyId(venue: Venue, index: number): string {
  return venue.currencies[index]?.id ?? "";
}

/** Null for an order without one. */
export function priceText(ticks: number, market: Market, fraction: Fraction): string | null {
  return ticks === 0 ? null : formatInteger(ticks, market.pricePrecision, fraction);
}

/** Returns an order's average price, which is seldom one that anybody can order at. */
function averagePrice(
  market: Market,
  { quoteMoved, remaining, volume }: Order,
  fraction: Fraction,
): string {
  return vwap(market, quoteMoved, BigInt(volume - remaining), fraction);
}

/** Returns the fees paid, by currency; null for an older order of which they can't be told. */
function feesJson(
  venue: Venue,
  market: Market,
  order: Order,
  fraction: Fraction,
): Record<string, string> | null {
  const paid = feesPaidBy(market, order);
  if (paid === null) return null;
  if (paid === 0n) return {};
  const currency = order.side === "buy" ? market.base : market.quote;
  return { [currencyId(venue, currency)]: amountText(paid, fraction) };
}

/**
 * Returns the volume-weighted average price of trades: their total, in ledger units, per lots
 * of the base. Nobody can order at this price, so it has the ledger's digits rather than the
 * market's; rounded down to these, 0 without trades.
 */
export function vwap(market: Market, total: bigint, lots: bigint, fraction: Fraction): string {
  const units = lots === 0n ? 0n : total * powerOfTen(market.amountPrecision) / lots;
  return amountText(units, fraction);
}

/** In units of 10^-(pricePrecision + amountPrecision). */
export function totalOf(trade: MarketTrade): bigint {
  return multiply(trade.price, trade.volume);
}

function feeAmount(market: Market, trade: MemberTrade, fraction: Fraction): string {
  const rate = BigInt(trade.feeRate);
  if (trade.side === "buy") {
    const scale = market.amountPrecision + RATE_DIGITS;
    return formatDecimal(BigInt(trade.volume) * rate, scale, fraction);
  }
  const scale = market.pricePrecision + market.amountPrecision + RATE_DIGITS;
  return formatDecimal(totalOf(trade) * rate, scale, fraction);
}
