/** The messages of private streams: decimals as in calls under `/backend`, times in seconds. */
import type { Account } from "../domain/account.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { Order, OrderState } from "../domain/order.ts";
import type { MemberTrade } from "../domain/trade_record.ts";
import type { Venue } from "../domain/venue.ts";
import {
  accountJson,
  amountText,
  currencyId,
  memberTradeJson,
  orderJson,
  secondsOf,
  type WireSource,
} from "../api/wire.ts";
import type { StreamContent } from "./stream_message.ts";

/** An account with its currency's index. */
export interface CurrencyAccount {
  readonly currency: number;
  readonly account: Account;
}

/** A state that one of the member's orders has reached. */
export class OrderContent implements StreamContent {
  constructor(
    readonly source: WireSource,
    /** Read when the message is written, right after the event. */
    readonly order: Order,
    /** `pending` while the book may still refuse the order. */
    readonly state: OrderState,
    /** The event that led to the state; null in a snapshot. */
    readonly cause: VenueEvent["kind"] | null,
  ) {}

  get isSnapshot(): boolean {
    return this.cause === null;
  }

  payload(): string {
    return JSON.stringify(orderRecord(this.source, this.order, this.state));
  }
}

/** One of the member's trades. */
export class TradeContent implements StreamContent {
  constructor(readonly venue: Venue, readonly trade: MemberTrade) {}

  payload(): string {
    return JSON.stringify(tradeRecord(this.venue, this.trade));
  }
}

/** Balances of some currencies, in one message. */
export class BalancesContent implements StreamContent {
  constructor(
    readonly venue: Venue,
    readonly accounts: readonly CurrencyAccount[],
    readonly isSnapshot: boolean = false,
  ) {}

  payload(): string {
    return JSON.stringify(Object.fromEntries(this.accounts.map(({ currency, account }) => {
      const { available, locked } = account;
      return [currencyId(this.venue, currency), [amountText(available, 1), amountText(locked, 1)]];
    })));
  }
}

/** The balance of one currency. */
export class BalanceContent implements StreamContent {
  constructor(
    readonly venue: Venue,
    readonly of: CurrencyAccount,
    readonly isSnapshot: boolean = false,
  ) {}

  payload(): string {
    const { currency, account } = this.of;
    return JSON.stringify(accountJson(currencyId(this.venue, currency), account, 1));
  }
}

/** A new address for the member's deposits. */
export class DepositAddressContent implements StreamContent {
  constructor(readonly currency: string, readonly address: string) {}

  payload(): string {
    const { currency, address } = this;
    return JSON.stringify({ type: "create", currencies: [currency], address });
  }
}

function orderRecord(source: WireSource, order: Order, state: OrderState): unknown {
  const whole = orderJson(source, order, 1);
  return {
    id: whole.id,
    uuid: whole.uuid,
    market: whole.market,
    kind: order.side === "buy" ? "bid" : "ask",
    side: whole.side,
    ord_type: whole.ord_type,
    price: whole.price,
    avg_price: whole.avg_price,
    state,
    origin_volume: whole.origin_volume,
    remaining_volume: whole.remaining_volume,
    executed_volume: whole.executed_volume,
    at: whole.created_at,
    created_at: whole.created_at,
    updated_at: whole.updated_at,
    trades_count: whole.trades_count,
    time_in_force: whole.time_in_force,
    trigger_price: whole.trigger_price,
    client_order_id: whole.client_order_id,
    reject_reason: whole.reject_reason,
  };
}

function tradeRecord(venue: Venue, trade: MemberTrade): unknown {
  const whole = memberTradeJson(venue, trade, 1);
  const second = secondsOf(trade.at);
  return {
    id: whole.id,
    price: whole.price,
    amount: whole.amount,
    total: whole.total,
    market: whole.market,
    side: whole.side,
    taker_type: whole.taker_type,
    date: second,
    created_at: second,
    order_id: whole.order_id,
    fee: whole.fee,
    fee_currency: whole.fee_currency,
    fee_amount: whole.fee_amount,
    liquidity: whole.liquidity,
  };
}
