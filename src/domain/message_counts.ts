/**
 * Counts of the messages that a member's private streams have carried since the beginning. They
 * number the messages: the count after an event is the number of its last message, the same in
 * every process and after every restart. The `trade` stream is numbered by `tradesCount`.
 */
import type { MadeMessages } from "./event_effects.ts";

/** Messages by stream. */
export interface MessageCounts {
  /** One for each state that an order of the member has entered. */
  order: number;
  /** One for each event that touched the member's balances. */
  balances: number;
  /** One for each account that such an event touched. */
  balance: number;
}

/** What counts a member's messages. */
export interface CountedMessages {
  readonly messages: MessageCounts;
  tradesCount: number;
}

/** Returns the counts of a member to whom nothing has happened. */
export function noMessages(): MessageCounts {
  return { order: 0, balances: 0, balance: 0 };
}

/**
 * Adds the messages of an event: one of `balances` if it touches any account. As many `times` as
 * given: -1 takes them back.
 */
export function addMessages(
  counted: CountedMessages,
  { orders, accounts, trades }: MadeMessages,
  times: 1 | -1 = 1,
): void {
  const { messages } = counted;
  messages.order += times * orders;
  messages.balances += times * Math.sign(accounts);
  messages.balance += times * accounts;
  counted.tradesCount += times * trades;
}
