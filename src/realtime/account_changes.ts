/** What an event does to the accounts of one member. */
import type { Account } from "../domain/account.ts";
import { present } from "../domain/assert.ts";
import type { Deposit } from "../domain/deposit.ts";
import type { Trade, VenueEvent } from "../domain/event.ts";
import { lockedCurrency } from "../domain/market.ts";
import { multiply } from "../domain/market_book.ts";
import type { Order } from "../domain/order.ts";
import type { Venue } from "../domain/venue.ts";
import type { Withdraw } from "../domain/withdraw.ts";

/** One account that an event has touched; in ledger units. */
export interface AccountChange {
  /** Currency index. */
  readonly currency: number;
  /** By how much `available + locked` has grown. */
  readonly growth: bigint;
  /** The halves afterwards; null where the event does not say, since it left that half alone. */
  readonly available: bigint | null;
  readonly locked: bigint | null;
}

/** The accounts of a member that an event has touched: of a trade, base first, then quote. */
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

/** A member that trades with itself is on both sides: what it sells for comes last. */
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

/** A deposit enters each state once, from states that hold the same. */
function depositGrowth(venue: Venue, { state, currency, amount, fee }: Deposit): bigint {
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

/** Funds leave the member when a withdrawal has succeeded; until then they are locked. */
function withdrawGrowth({ state, amount }: Withdraw): bigint {
  return state === "succeed" ? -amount : 0n;
}

/** An account that holds `total` afterwards: a half that is not named is what the other leaves. */
export function halvesOf(change: AccountChange, total: bigint): Account {
  const available = change.available ??
    total - present(change.locked, "an event names a half of each account that it touches");
  return { available, locked: change.locked ?? total - available };
}
