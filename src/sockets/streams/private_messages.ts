/**
 * Messages of the private streams that the log numbers. The same functions make the messages that
 * are pushed at once and those that are read back from the log.
 */
import type { Account } from "../../domain/money/account.ts";
import type { Trade, VenueEvent } from "../../domain/event.ts";
import { accountsSetBy, messagesOf, ordersOf } from "../../domain/event_effects.ts";
import { isPriceless, isRefusable, type Order, UNPLACED } from "../../domain/trading/order.ts";
import { memberTradeOf, sidesOf } from "../../domain/trading/trade_record.ts";
import type { Venue } from "../../domain/venue.ts";
import type { LoggedEvent, MemberCounts } from "../../engine/engine.ts";
import { SLICE } from "../../engine/yield_to_others.ts";
import type { WireSource } from "../../edge/wire/wire.ts";
import {
  BalanceContent,
  BalancesContent,
  DepositContent,
  OrderContent,
  TradeContent,
  WithdrawContent,
} from "./private_content.ts";
import { type CurrencyAccount, shownAccounts } from "./shown_accounts.ts";
import { type StreamContent, StreamMessage } from "../stream_message.ts";

/**
 * Private streams whose messages the log numbers, in the order in which an event is told: clients
 * forget an order that has ended, and would not know what to do with its trade.
 */
export const LOGGED_STREAMS = [
  "trade",
  "order",
  "deposit",
  "withdraw",
  "balances",
  "balance",
] as const;
export type LoggedStream = typeof LOGGED_STREAMS[number];

/**
 * Which count numbers a stream's messages. Those of deposits and withdrawals have no count of their
 * own, but each touches a balance: their numbers rise, with gaps.
 */
const NUMBERED_BY: Readonly<Record<LoggedStream, keyof MemberCounts>> = {
  trade: "trade",
  order: "order",
  deposit: "balances",
  withdraw: "balances",
  balances: "balances",
  balance: "balance",
};

/** Returns the number of a stream's last message, or of the next before it that it could have had. */
export function countOf(counts: MemberCounts, stream: LoggedStream): number {
  return counts[NUMBERED_BY[stream]];
}

/** Whether each message of a stream is numbered one more than the last. */
export function isContiguous(stream: LoggedStream): boolean {
  return NUMBERED_BY[stream] === stream;
}

/** A member's state right after an event. */
export interface Moment {
  /** Message counts, including the event's. */
  readonly counts: MemberCounts;
  /** Whether all accounts are known. */
  readonly isWhole: boolean;
  /** Returns one of the member's orders that the event refers to. */
  order(id: number): Order;
  /**
   * Returns one of the member's accounts. In the past, those that the event has not changed are known
   * only if the stream `balances` is replayed.
   */
  account(currency: number): Account;
}

/** Returns the messages that an event makes for a member on one stream, in order. */
export function privateMessages(
  source: WireSource,
  stream: LoggedStream,
  happened: LoggedEvent,
  member: number,
  moment: Moment,
): StreamMessage[] {
  const contents = contentsOf(source, stream, happened, member, moment);
  const first = countOf(moment.counts, stream) - contents.length + 1;
  const { sequence } = happened;
  return contents.map((content, i) => new StreamMessage(stream, first + i, content, sequence));
}

function contentsOf(
  source: WireSource,
  stream: LoggedStream,
  { event, at }: LoggedEvent,
  member: number,
  moment: Moment,
): StreamContent[] {
  const { venue } = source;
  switch (stream) {
    case "order":
      return ordersOf(event, member).map((id) => orderContent(source, event, moment.order(id)));
    case "trade":
      return event.kind === "trade" ? tradeContents(source, event, at, member, moment) : [];
    case "deposit":
      return event.kind === "deposit_set" && event.deposit.member === member
        ? [new DepositContent(venue, event.deposit)]
        : [];
    case "withdraw":
      return event.kind === "withdraw_set" && event.withdraw.member === member
        ? [new WithdrawContent(venue, event.withdraw)]
        : [];
    case "balances": {
      // Where not all are known, a later one tells everything anew.
      if (messagesOf(event, member).accounts === 0 || !moment.isWhole) return [];
      return [new BalancesContent(venue, (currency) => moment.account(currency))];
    }
    case "balance":
      return touchedAccounts(venue, event, member, moment)
        .map((one) => new BalanceContent(venue, one));
  }
}

function orderContent(source: WireSource, event: VenueEvent, order: Order): OrderContent {
  const state = mayBeRefused(event, order) ? "pending" : order.state;
  return new OrderContent(source, order, state, event.kind);
}

/** Whether the book may still refuse an order that was accepted, or a stop that has fired. */
function mayBeRefused(event: VenueEvent, order: Order): boolean {
  if (event.kind === "order_accepted") return isRefusable(event) && !event.resting;
  return event.kind === "order_triggered" && isPriceless(order);
}

/** A member's view of a trade; if it is both sides, the maker's and the taker's. */
function tradeContents(
  source: WireSource,
  trade: Trade,
  at: number,
  member: number,
  moment: Moment,
): TradeContent[] {
  if (trade.makerMember !== member && trade.takerMember !== member) return [];
  return sidesOf(memberTradeOf(trade, at, member)).map((side) =>
    new TradeContent(source, side, moment.order(side.orderId).clientOrderId)
  );
}

function touchedAccounts(
  venue: Venue,
  event: VenueEvent,
  member: number,
  moment: Moment,
): CurrencyAccount[] {
  const scene = { book: (index: number) => venue.book(index), order: moment.order.bind(moment) };
  const own = accountsSetBy(event, scene).filter((one) => one.member === member);
  const currencies = new Set(own.map(({ currency }) => currency));
  return Array.from(currencies, (currency) => ({ currency, account: moment.account(currency) }));
}

/** Returns the sequence of the last message of a member's stream. */
export function lastSequence(venue: Venue, member: number, stream: LoggedStream): number {
  const { messages, tradesCount } = venue.holder(member);
  return countOf({ ...messages, trade: tradesCount }, stream);
}

/** Returns what a member's stream begins with; orders have their {@linkcode OrderCopies}. */
export function privateSnapshot(
  { venue }: WireSource,
  stream: Exclude<LoggedStream, "order">,
  member: number,
): StreamMessage[] {
  const sequence = lastSequence(venue, member, stream);
  const { accounts } = venue.holder(member);
  const accountOf = (currency: number) => accounts[currency];
  return snapshotContents()
    .map((content) => new StreamMessage(stream, sequence, content, venue.sequence));

  function snapshotContents(): StreamContent[] {
    switch (stream) {
      case "trade":
      case "deposit":
      case "withdraw":
        return [];
      case "balances":
        return [new BalancesContent(venue, accountOf, true)];
      case "balance":
        return shownAccounts(venue, accountOf)
          .map((one) => new BalanceContent(venue, one, true));
    }
  }
}

/** Makes the messages that the stream of orders begins with; each lets go of its order. */
export function* orderSnapshot(
  source: WireSource,
  sequence: number,
  event: number,
  orders: Map<number, Order>,
): Generator<StreamMessage, void> {
  for (const [id, order] of orders) {
    orders.delete(id);
    const content = new OrderContent(source, order, order.state, null);
    yield new StreamMessage("order", sequence, content, event);
  }
}

/**
 * A member's open orders at one moment. There may be too many to copy in one turn, so the copies
 * follow the events until the last one is made: the moment is then.
 */
export class OrderCopies {
  readonly #venue: Venue;
  readonly #member: number;
  /** In order of arrival. */
  readonly #copies = new Map<number, Order>();
  /** Ids in order of arrival. Those of orders that have ended are removed at the end only. */
  readonly #ids: number[] = [];
  #isFinished = false;

  constructor(venue: Venue, member: number) {
    this.#venue = venue;
    this.#member = member;
  }

  /** Copies some more of the orders; returns whether those were the last. */
  copySlice(): boolean {
    let order = this.#next();
    for (let i = 0; order !== null && i < SLICE; i++) {
      this.#ids.push(order.id);
      this.#copies.set(order.id, copyOf(order));
      order = order.memberNext;
    }
    return order === null;
  }

  /** Takes note of an event, right after it. */
  follow(event: VenueEvent): void {
    if (this.#isFinished) return;
    for (const id of ordersOf(event, this.#member)) {
      // Others are still to be copied, or ended before they were.
      if (!this.#copies.has(id)) continue;
      const order = this.#venue.orders.get(id);
      if (order === undefined) this.#copies.delete(id);
      else this.#copies.set(id, copyOf(order));
    }
  }

  /** Copies what is left, and returns all of them as they are now, by id. */
  finish(): Map<number, Order> {
    while (!this.copySlice());
    this.#isFinished = true;
    return this.#copies;
  }

  /** Returns the order after the last one copied that is still open. */
  #next(): Order | null {
    for (let id = this.#ids.at(-1); id !== undefined; id = this.#ids.at(-1)) {
      const order = this.#venue.orders.get(id);
      if (order !== undefined) return order.memberNext;
      this.#ids.pop();
    }
    return this.#venue.holder(this.#member).openOrders.values().next().value ?? null;
  }
}

function copyOf(order: Order): Order {
  return { ...order, ...UNPLACED };
}
