/** The effect of an event on the accounts of one member. */
import type { Account } from "../../domain/money/account.ts";
import { present } from "../../domain/assert.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Trade } from "../../domain/event.ts";
import { accountsSetBy, type EventWith } from "../../domain/event_effects.ts";
import type { Order } from "../../domain/trading/order.ts";
import type { Venue } from "../../domain/venue.ts";
import { multiply } from "../../domain/whole_number.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";

/** One account that an event has changed; in ledger units. */
export interface AccountChange {
  /** Currency index. */
  readonly currency: number;
  /** Change of `available + locked`. */
  readonly growth: bigint;
  /** The halves afterwards; null for a half that the event leaves alone and does not name. */
  readonly available: bigint | null;
  readonly locked: bigint | null;
}

/** Returns the accounts of a member that an event changes; for a trade, base first, then quote. */
export function accountChanges(
  venue: Venue,
  event: EventWith<"accounts">,
  member: number,
  orderOf: (id: number) => Order,
): AccountChange[] {
  const scene = { book: (index: number) => venue.book(index), order: orderOf };
  const changes = new Map<number, AccountChange>();
  for (const { member: owner, currency, available, locked } of accountsSetBy(event, scene)) {
    if (owner !== member) continue;
    const set = changes.get(currency);
    changes.set(currency, {
      currency,
      growth: set?.growth ?? growthOf(venue, event, member, currency),
      available: available ?? set?.available ?? null,
      locked: locked ?? set?.locked ?? null,
    });
  }
  return [...changes.values()];
}

function growthOf(
  venue: Venue,
  event: EventWith<"accounts">,
  member: number,
  currency: number,
): bigint {
  switch (event.kind) {
    case "order_accepted":
    case "order_closed":
      return 0n;
    case "trade":
      return tradeGrowth(venue, event, member, currency);
    case "balance_adjusted":
      return event.amount;
    case "deposit_set":
      return depositGrowth(venue, event.deposit);
    case "withdraw_set":
      return withdrawGrowth(event.withdraw);
  }
}

/** A member that trades with itself is on both sides. */
function tradeGrowth(venue: Venue, event: Trade, member: number, currency: number): bigint {
  const book = venue.book(event.market);
  const takerBuys = event.takerSide === "buy";
  const isBuyer = member === (takerBuys ? event.takerMember : event.makerMember);
  const isSeller = member === (takerBuys ? event.makerMember : event.takerMember);
  if (currency === book.market.base) {
    const lots = book.base(event.volume);
    const fee = BigInt(event.volume) * book.lotFee.at(takerBuys ? event.takerFee : event.makerFee);
    return (isBuyer ? lots - fee : 0n) - (isSeller ? lots : 0n);
  }
  const worth = multiply(event.price, event.volume);
  const total = worth * book.totalUnit;
  const fee = worth * book.totalFee.at(takerBuys ? event.makerFee : event.takerFee);
  return (isSeller ? total - fee : 0n) - (isBuyer ? total : 0n);
}

/**
 * Returns what a deposit adds in a new state; all states that lead there hold the same. A reversal
 * has no earlier states.
 */
function depositGrowth(venue: Venue, deposit: Deposit): bigint {
  const { state, currency, amount, fee, reverses } = deposit;
  if (reverses !== undefined) return amount - fee;
  switch (state) {
    case "accepted":
      return venue.isCoin(currency) ? amount : amount - fee;
    case "collected":
      return -fee;
    case "errored":
      return -amount;
    default:
      return 0n;
  }
}

/** Funds stay locked until a withdrawal succeeds, and leave the member then. */
function withdrawGrowth({ state, amount }: Withdraw): bigint {
  return state === "succeed" ? -amount : 0n;
}

/** Returns the account that holds `total` afterwards; a half that is not named is the rest. */
export function halvesOf(change: AccountChange, total: bigint): Account {
  const available = change.available ??
    total - present(change.locked, "an event names a half of each account that it touches");
  return { available, locked: change.locked ?? total - available };
}
