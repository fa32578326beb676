/** Records as the tuples of the RPC dialect. */
import type { Candle } from "../../domain/trading/candle.ts";
import type { Market } from "../../domain/trading/market.ts";
import { formatDecimal, formatInteger } from "../../domain/money/money.ts";
import type { Order, OrderState, OrderType } from "../../domain/trading/order.ts";
import type { MarketTrade, MemberTrade } from "../../domain/trading/trade_record.ts";
import type { Venue } from "../../domain/venue.ts";
import {
  amountText,
  currencyId,
  memberTradeJson,
  orderJson,
  secondsOf,
  vwap,
  type WireSource,
} from "../../edge/wire/wire.ts";
import type { VenueStatus } from "../../edge/wire/status_wire.ts";
import type { BookLevel } from "../../edge/wire/book_checksum.ts";
import type { TickerRecord } from "../streams/market_contents.ts";
import type { CurrencyAccount } from "../streams/shown_accounts.ts";

/** Letters of order types. */
export const TYPE_LETTERS: Readonly<Record<OrderType, string>> = {
  limit: "l",
  market: "m",
  post_only: "p",
  stop: "s",
  stop_limit: "sl",
};

/** The letter of fill-or-kill limit orders, which are a separate type here. */
export const FILL_OR_KILL_LETTER = "f";

const STATE_LETTERS: Readonly<Record<OrderState, string>> = {
  pending: "p",
  wait: "w",
  done: "d",
  cancel: "c",
  reject: "r",
  trigger_wait: "t",
};

/** A record in order of its elements. */
export type Tuple = readonly (string | number | null)[];

/**
 * Returns an order: market, id, uuid, side, state, type, price, average price, remaining, original
 * and executed volume, number of trades, time of creation; if refused, also the reason. The price
 * is `"0"` if the order has none.
 *
 * @param hasExtras whether the reason of any end, the client order id, the trigger price, the time in
 * force (null where there is none) and the times of creation and of the last change in ms follow
 */
export function orderTuple(
  source: WireSource,
  order: Order,
  hasExtras: boolean,
  state: OrderState = order.state,
): Tuple {
  const whole = orderJson(source, order, 0);
  const tuple = [
    whole.market,
    whole.id,
    whole.uuid,
    whole.side,
    STATE_LETTERS[state],
    typeLetter(order),
    whole.price ?? "0",
    whole.avg_price,
    whole.remaining_volume,
    whole.origin_volume,
    whole.executed_volume,
    whole.trades_count,
    whole.created_at,
  ];
  if (!hasExtras) return state === "reject" ? [...tuple, order.reason] : tuple;
  const { reject_reason, client_order_id, trigger_price, time_in_force } = whole;
  const extras = [reject_reason, client_order_id, trigger_price, time_in_force];
  return [...tuple, ...extras, whole.created_at_ms, whole.updated_at_ms];
}

function typeLetter({ type, timeInForce }: Order): string {
  return type === "limit" && timeInForce === "fok" ? FILL_OR_KILL_LETTER : TYPE_LETTERS[type];
}

/**
 * Returns a member's trade: market, id, price, amount, total, the order's id, uuid and side, the
 * taker's side, fee, its currency, time.
 *
 * @param clientOrderId the order's, which the liquidity and the time in ms follow; empty if it has
 * none, null if nothing follows
 */
export function memberTradeTuple(
  source: WireSource,
  trade: MemberTrade,
  clientOrderId: string | null,
): Tuple {
  const whole = memberTradeJson(source.venue, trade, 0);
  const extras = clientOrderId === null
    ? []
    : [clientOrderId || null, whole.liquidity, whole.created_at_ms];
  return [
    whole.market,
    whole.id,
    whole.price,
    whole.amount,
    whole.total,
    whole.order_id,
    source.uuidOf(trade.orderId),
    whole.side,
    whole.taker_type,
    whole.fee_amount,
    whole.fee_currency,
    secondsOf(trade.at),
    ...extras,
  ];
}

/** Returns a balance: currency, available, locked. */
export function balanceTuple(venue: Venue, { currency, account }: CurrencyAccount): Tuple {
  return [
    currencyId(venue, currency),
    amountText(account.available, 0),
    amountText(account.locked, 0),
  ];
}

/**
 * Returns a public trade: market, id, price, amount, time, the taker's side.
 *
 * @param hasExtras whether the time in ms follows
 */
export function tradeTuple(market: Market, trade: MarketTrade, hasExtras: boolean): Tuple {
  return [
    market.id,
    trade.id,
    formatInteger(trade.price, market.pricePrecision),
    formatInteger(trade.volume, market.amountPrecision),
    secondsOf(trade.at),
    trade.takerSide,
    ...(hasExtras ? [trade.at] : []),
  ];
}

/** Returns a candle: time, open, high, low, close, volume of the base, average price. */
export function candleTuple(market: Market, candle: Candle): Tuple {
  const price = (ticks: number) => formatInteger(ticks, market.pricePrecision);
  return [
    candle.start,
    price(candle.open),
    price(candle.high),
    price(candle.low),
    price(candle.close),
    formatDecimal(candle.volume, market.amountPrecision),
    vwap(market, candle.total, candle.volume, 0),
  ];
}

/** Returns a ticker: market, time, open, high, low, close, volume of the base, average price. */
export function tickerTuple(market: string, ticker: TickerRecord): Tuple {
  const { at, open, high, low, last, amount, avg_price } = ticker;
  return [market, at, ...[open, high, low, last, amount, avg_price].map(shortest)];
}

/**
 * Returns the venue's status: state, whether it trades, whether it takes withdrawals, `[market,
 * state]` of each, `[currency, whether deposits are on, whether withdrawals are on]` of each, time. A
 * currency that lives on networks ends with the same of each of them.
 */
export function statusTuple(status: VenueStatus): readonly unknown[] {
  const { state, trading, withdrawals, markets, currencies, time } = status;
  const switches = Object.entries(currencies).map(([code, { networks, ...currency }]) => [
    ...openings([code, currency]),
    ...networks === undefined ? [] : [Object.entries(networks).map(openings)],
  ]);
  return [state, trading, withdrawals, Object.entries(markets), switches, time];
}

/** What a currency is told to take, there or on a network. */
type Openings = Omit<VenueStatus["currencies"][string], "networks">;

function openings([name, { deposit_enabled, withdrawal_enabled }]: [string, Openings]) {
  return [name, deposit_enabled, withdrawal_enabled];
}

/** Removes the `.0` that tickers have in calls but not in this dialect. */
function shortest(decimal: string): string {
  return decimal.endsWith(".0") ? decimal.slice(0, -2) : decimal;
}

/** Returns a level: price and volume; an empty volume removes it. */
export function levelTuple(market: Market, [price, lots]: BookLevel): Tuple {
  return [
    formatInteger(price, market.pricePrecision),
    lots === 0 ? "" : formatInteger(lots, market.amountPrecision),
  ];
}
