/**
 * What events add to members' profit and loss; a balance adjustment counts as a deposit or
 * withdrawal without a fee.
 *
 * A deposit counts once its funds are the member's for good: when a coin deposit is collected, or a
 * fiat one accepted. Before that the chain may drop it or the operator reject it, and no formula
 * provides for taking a credit back.
 */
import type { BalanceAdjusted, Trade } from "../event.ts";
import type { Deposit } from "../money/deposit.ts";
import { lotUnit, type Market, totalUnit } from "../trading/market.ts";
import { feeOf } from "../money/money.ts";
import type { PnlContribution } from "./pnl_accumulator.ts";
import { multiply, toBigint } from "../whole_number.ts";
import type { Withdraw } from "../money/withdraw.ts";

/** A contribution with its member and currency. */
export interface MemberContribution extends PnlContribution {
  /** Member index. */
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
}

/** Returns what a trade adds: the maker's two sides, then the taker's. */
export function tradeContributions(trade: Trade, market: Market): MemberContribution[] {
  const base = toBigint(trade.volume) * lotUnit(market);
  const total = multiply(trade.price, trade.volume) * totalUnit(market);
  const amounts = { base, total };
  const takerBuys = trade.takerSide === "buy";
  return [
    ...sideOf(takerBuys ? "sell" : "buy", trade.makerMember, trade.makerFee, market, amounts),
    ...sideOf(trade.takerSide, trade.takerMember, trade.takerFee, market, amounts),
  ];
}

function sideOf(
  side: Trade["takerSide"],
  member: number,
  ratePpm: number,
  market: Market,
  { base, total }: { readonly base: bigint; readonly total: bigint },
): MemberContribution[] {
  return side === "buy"
    ? [
      credited(member, market.base, base - feeOf(base, ratePpm)),
      debited(member, market.quote, total, 0n),
    ]
    : [
      credited(member, market.quote, total - feeOf(total, ratePpm)),
      debited(member, market.base, base, 0n),
    ];
}

/** Returns what a deposit adds in its state; null if that is nothing, or nothing yet. */
export function depositContribution(deposit: Deposit, isCoin: boolean): MemberContribution | null {
  const { member, currency, amount, fee, state } = deposit;
  if (state !== (isCoin ? "collected" : "accepted")) return null;
  const net = amount - fee;
  return net < 0n ? debited(member, currency, -net, 0n) : credited(member, currency, net);
}

/** Returns what a withdrawal adds in its state; null before it has succeeded. */
export function withdrawContribution(withdraw: Withdraw): MemberContribution | null {
  const { member, currency, amount, fee, state } = withdraw;
  return state === "succeed" ? debited(member, currency, amount - fee, fee) : null;
}

/** Returns what an adjustment adds: a deposit or a withdrawal without a fee. */
export function adjustmentContribution(event: BalanceAdjusted): MemberContribution {
  const { member, currency, amount } = event;
  return amount > 0n ? credited(member, currency, amount) : debited(member, currency, -amount, 0n);
}

function credited(member: number, currency: number, credit: bigint): MemberContribution {
  return { member, currency, credit, debit: 0n, debitFees: 0n };
}

function debited(
  member: number,
  currency: number,
  debit: bigint,
  debitFees: bigint,
): MemberContribution {
  return { member, currency, credit: 0n, debit, debitFees };
}
