/** By how much an event changes what a member's accounts hold, which the log tells only as results. */
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Trade } from "../../domain/event.ts";
import type { EventWith } from "../../domain/event_effects.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";

/** Returns what one of the member's orders locked before the event; null if nobody knows. */
export type LockOf = (order: number) => bigint | null;

/**
 * Returns the growth of the locked half of a currency's account, in ledger units; null if it is not
 * known.
 */
export function lockedGrowth(
  venue: Venue,
  event: EventWith<"accounts">,
  member: number,
  currency: number,
  lockOf: LockOf,
): bigint | null {
  switch (event.kind) {
    case "order_accepted":
      return event.orderLocked;
    case "order_closed":
      return minus(0n, lockOf(event.id));
    case "trade":
      return tradeGrowth(venue, event, member, currency, lockOf);
    case "balance_adjusted":
      return 0n;
    case "deposit_set":
      return depositGrowth(venue, event.deposit);
    case "withdraw_set":
      return withdrawGrowth(event.withdraw);
  }
}

function tradeGrowth(
  venue: Venue,
  trade: Trade,
  member: number,
  currency: number,
  lockOf: LockOf,
): bigint | null {
  const book = venue.book(trade.market);
  const takerBuys = trade.takerSide === "buy";
  if (currency === book.market.base) {
    const isSeller = member === (takerBuys ? trade.makerMember : trade.takerMember);
    return isSeller ? -book.base(trade.volume) : 0n;
  }
  const isBuyer = member === (takerBuys ? trade.takerMember : trade.makerMember);
  if (!isBuyer) return 0n;
  const [buy, left] = takerBuys
    ? [trade.taker, trade.takerLocked]
    : [trade.maker, trade.makerLocked];
  return minus(left, lockOf(buy));
}

/** A coin's deposit is locked from its acceptance to its end, and a reversal never. */
function depositGrowth(venue: Venue, { state, currency, amount, reverses }: Deposit): bigint {
  if (!venue.isCoin(currency) || reverses !== undefined) return 0n;
  if (state === "accepted") return amount;
  return state === "collected" || state === "errored" ? -amount : 0n;
}

/** A withdrawal is locked from its acceptance to its end; an approval accepts it again. */
function withdrawGrowth({ state, amount, createdAt, updatedAt }: Withdraw): bigint {
  switch (state) {
    case "accepted":
      return updatedAt === createdAt ? amount : 0n;
    case "succeed":
    case "failed":
    case "rejected":
    case "canceled":
      return -amount;
    default:
      return 0n;
  }
}

function minus(amount: bigint, less: bigint | null): bigint | null {
  return less === null ? null : amount - less;
}
