/** What happens to an order: it is accepted, filled, closed. */
import { assert } from "../assert.ts";
import type { OrderAccepted, Trade } from "../event.ts";
import type { UnitFees } from "./fees.ts";
import { feeOfFill, type Fill } from "./fees_paid.ts";
import { type CloseReason, isOpen, type Order } from "./order.ts";

/** Returns the order that an acceptance creates. */
export function createOrder(event: OrderAccepted, sequence: number, at: number): Order {
  return {
    id: event.id,
    member: event.member,
    market: event.market,
    side: event.side,
    type: event.type,
    timeInForce: event.timeInForce,
    selfTrade: event.selfTrade,
    price: event.price,
    triggerPrice: event.triggerPrice,
    volume: event.volume,
    clientOrderId: event.clientOrderId,
    makerFee: event.makerFee,
    takerFee: event.takerFee,
    createdAt: at,
    remaining: event.volume,
    locked: event.orderLocked,
    quoteMoved: 0n,
    feesPaid: event.keepsFees ? 0n : null,
    tradesCount: 0,
    firstTrade: 0,
    lastTrade: 0,
    state: event.triggerPrice > 0 ? "trigger_wait" : "wait",
    reason: "",
    updatedAt: at,
    priority: sequence,
    level: null,
    previous: null,
    next: null,
    memberPrevious: null,
    memberNext: null,
  };
}

/** Applies one fill to an order; `total` is in ledger units of the quote. */
export function fillOrder(
  fees: UnitFees,
  order: Order,
  trade: Fill & Pick<Trade, "id">,
  total: bigint,
  locked: bigint,
  at: number,
): void {
  const lots = trade.volume;
  assert(lots > 0 && lots <= order.remaining, "a fill fits the order's remaining volume");
  order.remaining -= lots;
  order.locked = locked;
  order.quoteMoved += total;
  if (order.feesPaid !== null) order.feesPaid += feeOfFill(fees, order, trade);
  order.tradesCount += 1;
  if (order.firstTrade === 0) order.firstTrade = trade.id;
  order.lastTrade = trade.id;
  order.updatedAt = at;
  if (order.remaining === 0) order.state = "done";
}

/** Ends an order that is not filled. */
export function closeOrder(
  order: Order,
  state: "cancel" | "reject",
  reason: CloseReason,
  at: number,
): void {
  assert(isOpen(order), "only an open order is closed");
  order.state = state;
  order.reason = reason;
  order.locked = 0n;
  order.updatedAt = at;
}
