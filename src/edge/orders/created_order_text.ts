/** The answer to a new order: as it was accepted, whatever happened afterwards. */
import type { OrderAccepted } from "../../domain/event.ts";
import { formatInteger } from "../../domain/money/money.ts";
import { limitPrice } from "../../domain/trading/order.ts";
import {
  type Fraction,
  isoSeconds,
  priceText,
  rateText,
  secondsOf,
  type WireSource,
} from "../wire/wire.ts";

/** What the answer tells of an order. */
export type CreatedOrder = Omit<
  OrderAccepted,
  "kind" | "orderLocked" | "keepsFees" | "available" | "locked" | "resting"
>;

/**
 * Returns an order as JSON text.
 *
 * @param isPeatio whether it is shown as the oldest members of the family do: with its creation as
 * ISO 8601, and with `client_id`, the older name of `client_order_id`
 */
export function createdOrderText(
  source: WireSource,
  order: CreatedOrder,
  at: number,
  fraction: Fraction,
  isPeatio: boolean,
): string {
  const { market } = source.venue.book(order.market);
  const volume = formatInteger(order.volume, market.amountPrecision, fraction);
  const none = fraction === 0 ? "0" : "0.0";
  const client_order_id = order.clientOrderId === "" ? null : order.clientOrderId;
  return JSON.stringify({
    uuid: source.uuidOf(order.id),
    side: order.side,
    type: order.type,
    market_id: market.id,
    volume,
    price: priceText(limitPrice(order), market, fraction),
    state: "pending",
    created_at: isPeatio ? isoSeconds(at) : secondsOf(at),
    id: order.id,
    market: market.id,
    ord_type: order.type,
    avg_price: none,
    updated_at: secondsOf(at),
    created_at_ms: at,
    updated_at_ms: at,
    origin_volume: volume,
    remaining_volume: volume,
    executed_volume: none,
    executed_total: none,
    fees: {},
    maker_fee: rateText(order.makerFee, fraction),
    taker_fee: rateText(order.takerFee, fraction),
    trades_count: 0,
    time_in_force: order.timeInForce,
    trigger_price: priceText(order.triggerPrice, market, fraction),
    self_trade_prevention: order.selfTrade,
    client_order_id,
    reject_reason: null,
    ...(isPeatio ? { client_id: client_order_id } : {}),
  });
}
