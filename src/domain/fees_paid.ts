/** What an order has paid in fees: of the base for a buy, of the quote for a sell. */
import { lotUnit, type Market } from "./market.ts";
import { feeOf } from "./money.ts";
import type { Order, OrderTerms } from "./order.ts";
import { toBigint } from "./whole_number.ts";

/** The fields of a fill that decide its fees. */
export interface Fill {
  readonly volume: number;
  readonly maker: number;
  readonly makerFee: number;
  readonly takerFee: number;
}

/** Returns what one of the two orders of a fill pays, in ledger units; `total` is of the quote. */
export function feeOfFill(
  market: Pick<Market, "amountPrecision">,
  { id, side }: Pick<Order, "id" | "side">,
  { maker, makerFee, takerFee, volume }: Fill,
  total: bigint,
): bigint {
  const received = side === "buy" ? toBigint(volume) * lotUnit(market) : total;
  return feeOf(received, id === maker ? makerFee : takerFee);
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
