/** Judges how much an order locks. */
import type { OrderTerms } from "../../../src/domain/trading/order.ts";
import type { Rejection } from "../../../src/domain/rejection.ts";
import { decimal, min } from "./amounts.ts";
import type { OracleMarket } from "./market.ts";
import { costOfMarketBuy } from "./market_buy.ts";
import type { OracleState } from "./state.ts";

/** Returns the amount that an order locks, or the refusal of one that its member can't pay for. */
export function lockOf(
  state: OracleState,
  market: OracleMarket,
  member: number,
  terms: OrderTerms,
): bigint | Rejection {
  const { available } = state.ledger.of(member, market.locks(terms.side));
  const refuse = (needed: bigint): Rejection => ({
    rejected: "balance_insufficient",
    field: "amount",
    ...(needed === 0n ? {} : { needed: decimal(needed) }),
    available: decimal(available),
  });
  if (terms.side === "sell" || (terms.type !== "market" && terms.type !== "stop")) {
    const needed = terms.side === "sell"
      ? market.amount(terms.volume)
      : market.cost(terms.price, terms.volume);
    return needed <= available ? needed : refuse(needed);
  }
  const { sure, possible } = terms.type === "stop"
    ? { sure: market.cost(terms.triggerPrice, terms.volume), possible: 0n }
    : costOfMarketBuy(market, { ...terms, member }, available);
  const isShort = terms.type === "market" && sure > available;
  if (isShort || available === 0n) return refuse(sure);
  // Adds a tenth, rounded up to the ledger's unit.
  const lock = min(((sure + possible) * 11n + 9n) / 10n, available);
  return terms.price === 0 ? lock : min(lock, market.cost(terms.price, terms.volume));
}
