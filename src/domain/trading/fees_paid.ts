/** What an order has paid in fees: of the base for a buy, of the quote for a sell. */
import type { UnitFees } from "./fees.ts";
import { lotUnit, type Market } from "./market.ts";
import { feeOf } from "../money/money.ts";
import type { Order, OrderTerms } from "./order.ts";
import { multiply, toBigint } from "../whole_number.ts";

/** The fields of a fill that decide its fees. */
export interface Fill {
  readonly price: number;
  readonly volume: number;
  readonly maker: number;
  readonly makerFee: number;
  readonly takerFee: number;
}

/** Returns what one of the two orders of a fill pays, in ledger units. */
export function feeOfFill(
  { lotFee, totalFee }: UnitFees,
  { id, side }: Pick<Order, "id" | "side">,
  { maker, makerFee, price, takerFee, volume }: Fill,
): bigint {
  const rate = id === maker ? makerFee : takerFee;
  return side === "buy"
    ? toBigint(volume) * lotFee.at(rate)
    : multiply(price, volume) * totalFee.at(rate);
}

/**
 * Returns what an order has paid, in ledger units; null if that can't be told. Orders accepted
 * before log format 4 did not keep it: it follows from their rates if they are the same, or if all
 * fills were on one side.
 */
export function feesPaidBy(
  market: Pick<Market, "amountPrecision">,
  order: Order,
): bigint | null {
  if (order.feesPaid !== null) return order.feesPaid;
  const executed = order.volume - order.remaining;
  const rate = rateOf(order);
  if (executed === 0) return 0n;
  if (rate === null) return null;
  const received = order.side === "buy" ? toBigint(executed) * lotUnit(market) : order.quoteMoved;
  return feeOf(received, rate);
}

function rateOf(order: OrderTerms & Pick<Order, "makerFee" | "takerFee">): number | null {
  const { makerFee, takerFee, timeInForce, type } = order;
  if (makerFee === takerFee || type === "post_only") return makerFee;
  return type === "market" || type === "stop" || timeInForce !== "gtc" ? takerFee : null;
}
