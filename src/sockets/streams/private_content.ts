/** The messages of private streams: decimals as in calls under `/backend`, times in seconds and ms. */
import type { Account } from "../../domain/money/account.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { VenueEvent } from "../../domain/event.ts";
import type { Order, OrderState } from "../../domain/trading/order.ts";
import type { MemberTrade } from "../../domain/trading/trade_record.ts";
import type { Venue } from "../../domain/venue.ts";
import { depositJson } from "../../edge/wire/deposit_wire.ts";
import { withdrawJson } from "../../edge/wire/withdraw_wire.ts";
import {
  accountJson,
  amountText,
  currencyId,
  memberTradeJson,
  orderJson,
  secondsOf,
  shownNetwork,
  type WireSource,
} from "../../edge/wire/wire.ts";
import { NO_TEXT } from "../../wallet/withdraw_texts.ts";
import { type AccountOf, type CurrencyAccount, shownAccounts } from "./shown_accounts.ts";
import type { StreamContent } from "../stream_message.ts";

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
  constructor(
    readonly source: WireSource,
    readonly trade: MemberTrade,
    /** The member's own name for its order; empty if it has none. */
    readonly clientOrderId: string,
  ) {}

  payload(): string {
    return JSON.stringify(tradeRecord(this));
  }
}

/** All balances, in one message. */
export class BalancesContent implements StreamContent {
  readonly isWhole = true;

  constructor(
    readonly venue: Venue,
    /** Asked when the message is written, right after the event. */
    readonly accountOf: AccountOf,
    readonly isSnapshot: boolean = false,
  ) {}

  get accounts(): readonly CurrencyAccount[] {
    return shownAccounts(this.venue, this.accountOf);
  }

  payload(): string {
    return `{${this.accounts.map((one) => fieldText(this.venue, one)).join(",")}}`;
  }
}

interface FieldText extends Account {
  readonly text: string;
}

/** Texts of accounts: of all that a message repeats, the event has changed one or two. */
const fields = new WeakMap<Account, FieldText>();

/** Returns an account as a field of the JSON object: both halves under the currency's code. */
function fieldText(venue: Venue, { currency, account }: CurrencyAccount): string {
  const { available, locked } = account;
  const known = fields.get(account);
  if (known?.available === available && known.locked === locked) return known.text;
  const [first, second] = [amountText(available, 1), amountText(locked, 1)];
  const text = `"${currencyId(venue, currency)}":["${first}","${second}"]`;
  fields.set(account, { available, locked, text });
  return text;
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

/** A state that one of the member's deposits has reached. */
export class DepositContent implements StreamContent {
  constructor(readonly venue: Venue, readonly deposit: Deposit) {}

  payload(): string {
    return JSON.stringify(depositJson(this.venue, this.deposit, 1));
  }
}

/**
 * A state that one of the member's withdrawals has reached. Where it goes and what the member noted
 * is sealed, and not told: the beneficiary is named.
 */
export class WithdrawContent implements StreamContent {
  constructor(readonly venue: Venue, readonly withdraw: Withdraw) {}

  payload(): string {
    const { rid: _, note: __, ...told } = withdrawJson(this.venue, this.withdraw, NO_TEXT, 1);
    return JSON.stringify({ ...told, beneficiary_id: this.withdraw.beneficiary });
  }
}

/** An address that was made. */
export interface MadeAddress {
  /** Currency index. */
  readonly currency: number;
  /** As records name it. */
  readonly network: string | undefined;
  readonly address: string;
  /** The member's at an address that all share. */
  readonly tag: string | undefined;
}

/** A new address for the member's deposits. */
export class DepositAddressContent implements StreamContent {
  constructor(readonly venue: Venue, readonly made: MadeAddress) {}

  payload(): string {
    const { venue, made: { currency, network, address, tag } } = this;
    const currencies = [currencyId(venue, currency)];
    const on = shownNetwork(venue, currency, network);
    return JSON.stringify({ type: "create", currencies, ...on, address, tag });
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
    executed_total: whole.executed_total,
    fees: whole.fees,
    at: whole.created_at,
    created_at: whole.created_at,
    updated_at: whole.updated_at,
    created_at_ms: whole.created_at_ms,
    updated_at_ms: whole.updated_at_ms,
    trades_count: whole.trades_count,
    time_in_force: whole.time_in_force,
    trigger_price: whole.trigger_price,
    client_order_id: whole.client_order_id,
    reject_reason: whole.reject_reason,
  };
}

function tradeRecord({ source, trade, clientOrderId }: TradeContent): unknown {
  const whole = memberTradeJson(source.venue, trade, 1);
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
    created_at_ms: whole.created_at_ms,
    order_id: whole.order_id,
    order_uuid: source.uuidOf(trade.orderId),
    client_order_id: clientOrderId === "" ? null : clientOrderId,
    fee: whole.fee,
    fee_currency: whole.fee_currency,
    fee_amount: whole.fee_amount,
    liquidity: whole.liquidity,
  };
}
