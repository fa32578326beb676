/** The effect of an event on the accounts of one member. */
import type { Account } from "../../domain/money/account.ts";
import { present } from "../../domain/assert.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Trade, VenueEvent } from "../../domain/event.ts";
import { lockedCurrency } from "../../domain/trading/market.ts";
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
  event: VenueEvent,
  member: number,
  orderOf: (id: number) => Order,
): AccountChange[] {
  switch (event.kind) {
    case "order_accepted": {
      const currency = lockedCurrency(venue.book(event.market).market, event);
      return [{ currency, growth: 0n, available: event.available, locked: event.locked }];
    }
    case "order_closed": {
      const order = orderOf(event.id);
      const currency = lockedCurrency(venue.book(order.market).market, order);
      return [{ currency, growth: 0n, available: event.available, locked: event.locked }];
    }
    case "trade":
      return tradeChanges(venue, event, member);
    case "balance_adjusted": {
      const { currency, amount: growth, available } = event;
      return [{ currency, growth, available, locked: null }];
    }
    case "deposit_set": {
      const { deposit, available, locked } = event;
      return [{
        currency: deposit.currency,
        growth: depositGrowth(venue, deposit),
        available,
        locked,
      }];
    }
    case "withdraw_set": {
      const { withdraw, available, locked } = event;
      return [{ currency: withdraw.currency, growth: withdrawGrowth(withdraw), available, locked }];
    }
    default:
      return [];
  }
}

/** A member that trades with itself is on both sides; what it earns is credited last. */
function tradeChanges(venue: Venue, event: Trade, member: number): AccountChange[] {
  const book = venue.book(event.market);
  const { base, quote } = book.market;
  const takerBuys = event.takerSide === "buy";
  const isBuyer = member === (takerBuys ? event.takerMember : event.makerMember);
  const isSeller = member === (takerBuys ? event.makerMember : event.takerMember);
  const buyRate = takerBuys ? event.takerFee : event.makerFee;
  const sellRate = takerBuys ? event.makerFee : event.takerFee;
  const worth = multiply(event.price, event.volume);
  const lots = book.base(event.volume);
  const total = worth * book.totalUnit;
  const bought = lots - BigInt(event.volume) * book.lotFee.at(buyRate);
  const earned = total - worth * book.totalFee.at(sellRate);
  return [{
    currency: base,
    growth: (isBuyer ? bought : 0n) - (isSeller ? lots : 0n),
    available: isBuyer ? event.buyerBaseAvailable : null,
    locked: isSeller ? event.sellerBaseLocked : null,
  }, {
    currency: quote,
    growth: (isSeller ? earned : 0n) - (isBuyer ? total : 0n),
    available: isSeller ? event.sellerQuoteAvailable : event.buyerQuoteAvailable,
    locked: isBuyer ? event.buyerQuoteLocked : null,
  }];
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
