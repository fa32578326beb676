/**
 * Reconstructs a member's orders and accounts at past events. Only the present is stored, so the
 * events since then are undone and then applied again one by one.
 */
import { type Account, emptyAccount } from "../../domain/money/account.ts";
import { assert, present, unreachable } from "../../domain/assert.ts";
import type { Trade, VenueEvent } from "../../domain/event.ts";
import { feeOfFill } from "../../domain/trading/fees_paid.ts";
import { type EventWith, hasEffect, messagesOf, ordersOf } from "../../domain/event_effects.ts";
import { addMessages, type CountedMessages } from "../../domain/message_counts.ts";
import { isPriceless, type Order, UNPLACED } from "../../domain/trading/order.ts";
import type { Venue } from "../../domain/venue.ts";
import type { LoggedEvent, MemberCounts } from "../../engine/engine.ts";
import { inSlices } from "../../engine/yield_to_others.ts";
import { type AccountChange, accountChanges, halvesOf } from "./account_changes.ts";
import { lockedGrowth } from "./locked_growth.ts";
import type { Moment } from "./private_messages.ts";
import { closeOrder, createOrder, fillOrder } from "../../domain/trading/order_changes.ts";

/** What a member's past is computed from. */
export interface PastSource {
  readonly venue: Venue;
  readonly member: number;
  /** All of the member's events in a range, oldest first. */
  readonly events: readonly LoggedEvent[];
  /** Message counts before the first event. */
  readonly before: MemberCounts;
  /** The {@linkcode earlierOrders} as they were after the last event. */
  readonly orders: ReadonlyMap<number, Order>;
  /** The accounts after the last event, by currency. */
  readonly accounts: readonly Account[];
  /** Whether accounts have to be known before the first event that changes them, too. */
  readonly needsAccounts: boolean;
}

/** Returns the ids of orders that events refer to and that were accepted before them. */
export async function earlierOrders(
  events: readonly LoggedEvent[],
  member: number,
): Promise<Set<number>> {
  const accepted = new Set<number>();
  const earlier = new Set<number>();
  for await (const slice of inSlices(events)) {
    for (const { event } of slice) {
      if (event.kind === "order_accepted") accepted.add(event.id);
      for (const id of ordersOf(event, member)) if (!accepted.has(id)) earlier.add(id);
    }
  }
  return earlier;
}

/** A member right after the last event taken. */
export class MemberPast implements Moment {
  readonly #venue: Venue;
  readonly #member: number;
  readonly #counted: CountedMessages;
  readonly #orders = new Map<number, Order>();
  readonly #totals: bigint[];
  /** By currency: those that are known. */
  readonly #accounts: Account[] = [];
  /** Currencies whose account can't be known before the event that changes it. */
  readonly #unknown = new Set<number>();
  /** Orders of which nobody knows any more what they locked: that went by the balance of the time. */
  readonly #unknownLocks = new Set<number>();
  /** By currency: the accounts before the events that changed them first; null if unknown. */
  readonly #firsts = new Map<number, Account | null>();

  private constructor({ venue, member, before, accounts }: PastSource) {
    const { trade, ...messages } = before;
    this.#venue = venue;
    this.#member = member;
    this.#counted = { messages, tradesCount: trade };
    this.#totals = Array.from(
      accounts,
      (account) => (account?.available ?? 0n) + (account?.locked ?? 0n),
    );
  }

  /** Returns the past right before the first of the events. */
  static async before(source: PastSource): Promise<MemberPast> {
    const past = await MemberPast.#reopened(source);
    if (!source.needsAccounts) return past;
    const scout = await MemberPast.#reopened(source);
    for await (const slice of inSlices(source.events)) slice.forEach((one) => scout.take(one));
    for (const [currency, account] of source.accounts.entries()) {
      const first = scout.#firsts.get(currency);
      if (first === null) past.#unknown.add(currency);
      else past.#accounts[currency] = first ?? account ?? emptyAccount();
    }
    return past;
  }

  static async #reopened(source: PastSource): Promise<MemberPast> {
    const { events, orders } = source;
    const past = new MemberPast(source);
    for await (const slice of inSlices(events)) slice.forEach((happened) => past.#accept(happened));
    for await (const slice of inSlices([...orders])) {
      for (const [id, order] of slice) past.#orders.set(id, reopened(order));
    }
    for await (const slice of inSlices(events)) {
      for (const { event } of slice) past.#takeBack(event, orders);
    }
    for await (const slice of inSlices([...orders.keys()])) {
      for (const id of slice) past.#lockAgain(past.order(id));
    }
    return past;
  }

  get isWhole(): boolean {
    return this.#unknown.size === 0;
  }

  get counts(): MemberCounts {
    return { ...this.#counted.messages, trade: this.#counted.tradesCount };
  }

  order(id: number): Order {
    return present(this.#orders.get(id), `order ${id} of a member's past is known`);
  }

  account(currency: number): Account {
    return this.#accounts[currency] ?? emptyAccount();
  }

  /** Advances to the next event. */
  take({ event, at }: LoggedEvent): void {
    addMessages(this.#counted, messagesOf(event, this.#member));
    if (hasEffect(event, "accounts")) this.#takeAccounts(event);
    if (hasEffect(event, "orders")) this.#takeOrders(event, at);
  }

  #takeOrders(event: EventWith<"orders">, at: number): void {
    switch (event.kind) {
      case "order_accepted":
        break;
      case "order_triggered":
        Object.assign(this.order(event.id), { state: "wait", updatedAt: at });
        break;
      case "order_rested": {
        // The record may be of a later time, but nothing had changed the order before it rested.
        const order = this.order(event.id);
        order.updatedAt = order.createdAt;
        break;
      }
      case "order_closed":
        closeOrder(this.order(event.id), event.state, event.reason, at);
        break;
      case "trade":
        this.#fill(event, at);
        break;
      default:
        unreachable(event);
    }
  }

  #accept({ event, sequence, at }: LoggedEvent): void {
    if (event.kind === "order_accepted") {
      this.#orders.set(event.id, createOrder(event, sequence, at));
    }
  }

  #fill(trade: Trade, at: number): void {
    const book = this.#venue.book(trade.market);
    const total = book.total(trade.price, trade.volume);
    for (const id of ordersOf(trade, this.#member)) {
      const locked = id === trade.maker ? trade.makerLocked : trade.takerLocked;
      fillOrder(book, this.order(id), trade, total, locked, at);
      this.#unknownLocks.delete(id);
    }
  }

  #takeAccounts(event: EventWith<"accounts">): void {
    for (const change of this.#changes(event)) {
      const total = (this.#totals[change.currency] ?? 0n) + change.growth;
      const account = halvesOf(change, total);
      assert(account.available + account.locked === total, "an account's past adds up");
      this.#totals[change.currency] = total;
      this.#note(event, change, account);
      this.#accounts[change.currency] = account;
      this.#unknown.delete(change.currency);
    }
  }

  /** Notes what an account was before, or checks it against what is known. */
  #note(event: EventWith<"accounts">, { currency, growth }: AccountChange, after: Account): void {
    const lockOf = (id: number) => this.#unknownLocks.has(id) ? null : this.order(id).locked;
    const more = lockedGrowth(this.#venue, event, this.#member, currency, lockOf);
    const before = more === null ? null : {
      available: after.available - (growth - more),
      locked: after.locked - more,
    };
    const known = this.#accounts[currency];
    if (known === undefined) {
      if (!this.#firsts.has(currency)) this.#firsts.set(currency, before);
    } else if (before !== null) {
      assert(known.locked === before.locked, "what an account locks adds up");
    }
  }

  #takeBack(event: VenueEvent, earlier: ReadonlyMap<number, Order>): void {
    const changes = hasEffect(event, "accounts") ? this.#changes(event) : [];
    for (const { currency, growth } of changes) {
      this.#totals[currency] = (this.#totals[currency] ?? 0n) - growth;
    }
    if (event.kind !== "trade") return;
    const book = this.#venue.book(event.market);
    const total = book.total(event.price, event.volume);
    for (const id of ordersOf(event, this.#member)) {
      if (!earlier.has(id)) continue;
      const order = this.order(id);
      order.remaining += event.volume;
      order.quoteMoved -= total;
      if (order.feesPaid !== null) order.feesPaid -= feeOfFill(book, order, event);
      order.tradesCount -= 1;
    }
  }

  /** Sets what an order locked that had been accepted before the events. */
  #lockAgain(order: Order): void {
    const book = this.#venue.book(order.market);
    if (order.side === "sell") order.locked = book.base(order.remaining);
    else if (isPriceless(order)) this.#unknownLocks.add(order.id);
    else order.locked = book.total(order.price, order.remaining);
  }

  #changes(event: EventWith<"accounts">): AccountChange[] {
    return accountChanges(this.#venue, event, this.#member, (id) => this.order(id));
  }
}

/** Returns a copy that can go through its states again. */
function reopened(order: Order): Order {
  return { ...order, state: "wait", reason: "", ...UNPLACED };
}
