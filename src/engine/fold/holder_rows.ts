/** What events change in members' rows: balances and counts. */
import { emptyAccount } from "../../domain/money/account.ts";
import { assert, present } from "../../domain/assert.ts";
import type { OrderClosed } from "../../domain/event.ts";
import type { AccountSet, MadeMessages } from "../../domain/event_effects.ts";
import { FIRST_MEMBER, venueMember } from "../../domain/people/member.ts";
import { addMessages, noMessages } from "../../domain/message_counts.ts";
import { noteUntraded, noUntradedOrders } from "../../domain/trading/untraded_orders.ts";
import type { HolderRecord } from "../../store/rows/row_codec.ts";
import type { Sheet } from "./row_sheets.ts";

/** The members' rows. */
export type MembersSheet = Sheet<number, HolderRecord>;

/** Returns what a row holds of a member that has done nothing yet. */
export function emptyCounts(): Omit<HolderRecord, "member"> {
  return {
    accounts: [],
    ordersCount: 0,
    tradesCount: 0,
    depositsCount: 0,
    withdrawsCount: 0,
    messages: noMessages(),
    untraded: noUntradedOrders(),
  };
}

/** Sets the balances of an account. */
export function setAccount(
  members: MembersSheet,
  { member, currency, available, locked }: AccountSet,
  sequence: number,
): void {
  members.change(member, sequence, (old) => {
    const holder = old ?? venueHolder(member);
    const account = holder.accounts[currency] ??= emptyAccount();
    if (available !== null) account.available = available;
    if (locked !== null) account.locked = locked;
    return holder;
  });
}

/** Counts one more of a member's records. */
export function countRecord(
  members: MembersSheet,
  member: number,
  sequence: number,
  counter: "ordersCount" | "depositsCount" | "withdrawsCount",
): void {
  members.change(member, sequence, (old) => {
    const holder = present(old, `member ${member} has a row`);
    holder[counter] += 1;
    return holder;
  });
}

/** Counts the messages that an event makes for a member. */
export function countMessages(
  members: MembersSheet,
  member: number,
  sequence: number,
  made: MadeMessages,
): void {
  members.change(member, sequence, (old) => {
    const holder = present(old, `member ${member} has a row`);
    addMessages(holder, made);
    return holder;
  });
}

/** Notes the count of orders that ended without a trade, after one that ended at `at` (ms). */
export function countUntraded(
  members: MembersSheet,
  { member, untraded }: Pick<OrderClosed, "member" | "untraded">,
  sequence: number,
  at: number,
): void {
  members.change(member, sequence, (old) => {
    const holder = present(old, `member ${member} has a row`);
    noteUntraded(holder.untraded, untraded, at);
    return holder;
  });
}

/** Returns the record of one of the venue's own accounts, which no event creates. */
function venueHolder(member: number): HolderRecord {
  assert(member < FIRST_MEMBER, `member ${member} has a row`);
  return { member: venueMember(member), ...emptyCounts() };
}
