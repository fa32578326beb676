/** Changes of accounts and books that note their inverse where the state is one that can be undone. */
import type { Account } from "./account.ts";
import { assert } from "./assert.ts";
import type { MarketBook } from "./market_book.ts";
import { addMessages, removeMessages } from "./message_counts.ts";
import type { Order } from "./order.ts";
import type { BookSide } from "./order_book.ts";
import type { Venue } from "./venue.ts";

/** Sets both balances of an account. */
export function setAccount(
  venue: Venue,
  member: number,
  currency: number,
  available: bigint,
  locked: bigint,
): void {
  const account = venue.account(member, currency);
  noteAccount(venue, account);
  account.available = available;
  account.locked = locked;
}

/** Sets what is free to use of an account. */
export function setAvailable(
  venue: Venue,
  member: number,
  currency: number,
  available: bigint,
): void {
  const account = venue.account(member, currency);
  noteAccount(venue, account);
  account.available = available;
}

/** Sets what open orders hold of an account. */
export function setLocked(venue: Venue, member: number, currency: number, locked: bigint): void {
  const account = venue.account(member, currency);
  noteAccount(venue, account);
  account.locked = locked;
}

function noteAccount(venue: Venue, account: Account): void {
  if (venue.undo === null) return;
  const { available, locked } = account;
  venue.undo.push(() => {
    account.available = available;
    account.locked = locked;
  });
}

/** Counts the messages that an event makes for a member. */
export function countMessages(
  venue: Venue,
  member: number,
  orders: number,
  accounts: number,
): void {
  const { messages } = venue.holder(member);
  addMessages(messages, orders, accounts);
  venue.undo?.push(() => removeMessages(messages, orders, accounts));
}

/** Puts an order at the end of its queue on a side. */
export function rest(venue: Venue, book: MarketBook, side: BookSide, order: Order): void {
  side.add(order);
  touch(book);
  venue.undo?.push(() => {
    side.remove(order);
    touch(book);
  });
}

/** Takes an order from a side. */
export function unrest(venue: Venue, book: MarketBook, side: BookSide, order: Order): void {
  const place = side.remove(order);
  touch(book);
  venue.undo?.push(() => {
    side.restore(order, place);
    touch(book);
  });
}

/** Lets an order wait for its turn to match. */
export function queue(venue: Venue, book: MarketBook, order: Order): void {
  book.pending.push(order);
  venue.undo?.push(() => book.pending.splice(book.pending.indexOf(order), 1));
}

/** Takes an order from those that wait for their turn. */
export function unqueue(venue: Venue, book: MarketBook, order: Order): void {
  const position = book.pending.indexOf(order);
  assert(position >= 0, `order ${order.id} waits for its turn`);
  book.pending.splice(position, 1);
  venue.undo?.push(() => book.pending.splice(position, 0, order));
}

/** Marks the book as changed, so that nothing computed from the former one is served. */
export function touch(book: MarketBook): void {
  book.version += 1;
}
