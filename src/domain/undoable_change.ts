/** Changes of the state, which record their inverse if it can be undone. */
import type { Account } from "./money/account.ts";
import { assert } from "./assert.ts";
import type { MarketBook } from "./trading/market_book.ts";
import type { AccountSet, MadeMessages } from "./event_effects.ts";
import { addMessages } from "./message_counts.ts";
import type { Order } from "./trading/order.ts";
import type { BookSide } from "./trading/order_book.ts";
import type { Counters, Venue } from "./venue.ts";

/** Replaces the value of a field. */
export function replace<T, K extends keyof T>(venue: Venue, of: T, field: K, value: T[K]): void {
  const old = of[field];
  of[field] = value;
  venue.undo?.push(() => of[field] = old);
}

/** Sets the value under a key. */
export function put<K, V>(venue: Venue, map: Map<K, V>, key: K, value: V): void {
  const old = map.get(key);
  map.set(key, value);
  venue.undo?.push(() => old === undefined ? map.delete(key) : map.set(key, old));
}

/** Removes the value under a key, if there is one. */
export function drop<K, V>(venue: Venue, map: Map<K, V>, key: K): void {
  const old = map.get(key);
  map.delete(key);
  if (old !== undefined) venue.undo?.push(() => map.set(key, old));
}

/** Appends an item to a list. */
export function append<T>(venue: Venue, list: T[], item: T): void {
  list.push(item);
  venue.undo?.push(() => list.pop());
}

/** Sets a row of a table. */
export function setRow<Row>(
  venue: Venue,
  table: { set(row: Row): Row | undefined; delete(row: Row): unknown },
  row: Row,
): void {
  const old = table.set(row);
  venue.undo?.push(() => old === undefined ? table.delete(row) : table.set(old));
}

/** Removes a row of a table. */
export function dropRow<Name, Row>(
  venue: Venue,
  table: { set(row: Row): unknown; delete(name: Name): Row | undefined },
  name: Name,
): void {
  const old = table.delete(name);
  if (old !== undefined) venue.undo?.push(() => table.set(old));
}

/** Counts the new record with this id; ids have no gap. */
export function countUp(venue: Venue, counter: keyof Counters, id: number): void {
  assert(id === venue.counters[counter] + 1, `ids of ${counter} have no gap`);
  replace(venue, venue.counters, counter, id);
}

/** Sets the balances of an account. */
export function setAccount(
  venue: Venue,
  { member, currency, available, locked }: AccountSet,
): void {
  const account = venue.account(member, currency);
  noteAccount(venue, account);
  if (available !== null) account.available = available;
  if (locked !== null) account.locked = locked;
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
export function countMessages(venue: Venue, member: number, made: MadeMessages): void {
  const holder = venue.holder(member);
  addMessages(holder, made);
  venue.undo?.push(() => addMessages(holder, made, -1));
}

/** Adds an order at the end of its queue on a side. */
export function rest(venue: Venue, book: MarketBook, side: BookSide, order: Order): void {
  side.add(order);
  touchSide(venue, book, side);
  venue.undo?.push(() => {
    side.remove(order);
    touch(book);
  });
}

/** Removes an order from a side. */
export function unrest(venue: Venue, book: MarketBook, side: BookSide, order: Order): void {
  const place = side.remove(order);
  touchSide(venue, book, side);
  venue.undo?.push(() => {
    side.restore(order, place);
    touch(book);
  });
}

/** Makes an order wait for its turn to match. */
export function queue(venue: Venue, book: MarketBook, order: Order): void {
  book.pending.push(order);
  venue.undo?.push(() => book.pending.splice(book.pending.indexOf(order), 1));
}

/** Removes an order from those that wait for their turn to match. */
export function unqueue(venue: Venue, book: MarketBook, order: Order): void {
  // Nearly always it is its turn. A splice makes a list of what it removes, which takes longer.
  if (book.pending[0] === order) {
    book.pending.shift();
    venue.undo?.push(() => book.pending.unshift(order));
    return;
  }
  const position = book.pending.indexOf(order);
  assert(position >= 0, `order ${order.id} waits for its turn`);
  book.pending.splice(position, 1);
  venue.undo?.push(() => book.pending.splice(position, 0, order));
}

/** Marks the book as changed by the present event. */
export function touchLevels(venue: Venue, book: MarketBook): void {
  touch(book);
  book.levelsSequence = venue.sequence;
}

function touchSide(venue: Venue, book: MarketBook, side: BookSide): void {
  if (side === book.bids || side === book.asks) touchLevels(venue, book);
  else touch(book);
}

/** Marks the book as changed, so that nothing computed from the old one is served. */
export function touch(book: MarketBook): void {
  book.version += 1;
}
