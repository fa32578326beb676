/**
 * Counts of the messages that a member's private streams have carried since the beginning. They
 * number the messages: the count after an event is the number of its last message, the same in
 * every process and after every restart. The `trade` stream is numbered by `tradesCount`.
 */

import type { VenueEvent } from "./event.ts";

/** Messages by stream. */
export interface MessageCounts {
  /** One for each state that an order of the member has entered. */
  order: number;
  /** One for each event that touched the member's balances. */
  balances: number;
  /** One for each account that such an event touched. */
  balance: number;
}

/** Returns the counts of a member to whom nothing has happened. */
export function noMessages(): MessageCounts {
  return { order: 0, balances: 0, balance: 0 };
}

/**
 * Adds the messages of an event: one of `balances` if it touches any account. Negative numbers take
 * them back.
 */
export function addMessages(counts: MessageCounts, orders: number, accounts: number): void {
  counts.order += orders;
  counts.balances += Math.sign(accounts);
  counts.balance += accounts;
}

/** The messages that one event makes for a member. */
export interface MadeMessages {
  /** States that orders of the member have entered. */
  readonly orders: number;
  /** Accounts of the member that were touched. */
  readonly accounts: number;
  readonly trades: number;
}

const NOTHING: MadeMessages = { orders: 0, accounts: 0, trades: 0 };

/** Returns the messages that an event makes for a member. */
export function messagesOf(event: VenueEvent, member: number): MadeMessages {
  switch (event.kind) {
    case "order_accepted":
    case "order_closed":
      return event.member === member ? { orders: 1, accounts: 1, trades: 0 } : NOTHING;
    case "order_triggered":
    case "order_rested":
      return event.member === member ? { orders: 1, accounts: 0, trades: 0 } : NOTHING;
    case "trade": {
      const orders = Number(event.makerMember === member) + Number(event.takerMember === member);
      return orders === 0 ? NOTHING : { orders, accounts: 2, trades: event.isOwn ? 2 : 1 };
    }
    case "balance_adjusted":
      return event.member === member ? { orders: 0, accounts: 1, trades: 0 } : NOTHING;
    case "deposit_set":
      return event.deposit.member === member ? { orders: 0, accounts: 1, trades: 0 } : NOTHING;
    case "withdraw_set":
      return event.withdraw.member === member ? { orders: 0, accounts: 1, trades: 0 } : NOTHING;
    default:
      return NOTHING;
  }
}
