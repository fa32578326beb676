/**
 * Proves the rows that a start reads by a replay of the whole log. Only needed where no sum tells
 * whether all of them are there: once, on a store that an older program wrote.
 */
import { apply } from "../../domain/apply.ts";
import { assert } from "../../domain/assert.ts";
import type { Order } from "../../domain/trading/order.ts";
import { UNPLACED } from "../../domain/trading/order.ts";
import { type Holder, Venue } from "../../domain/venue.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { GENESIS_HASH } from "../../store/log/entry_codec.ts";
import type { Store } from "../../store/store.ts";
import { readEntries } from "../../store/log/venue_log.ts";
import { settingsOf, type Watermark } from "../../store/rows/watermark.ts";
import { dropEnded } from "../ended_records.ts";

/**
 * Proves that a venue built of the rows is the one that the log makes, up to the watermark.
 *
 * @throws {InvariantError} if it is not, or if the log is damaged
 */
export async function proveRows(store: Store, built: Venue, watermark: Watermark): Promise<void> {
  const replayed = new Venue({ nonceWindowMs: built.nonceWindowMs, undo: null });
  let hash: Uint8Array = GENESIS_HASH;
  for await (const entry of readEntries(store, 0, watermark.sequence, hash)) {
    for (const event of entry.events) apply(replayed, event, entry.at);
    dropEnded(replayed);
    hash = entry.hash;
  }
  assert(isSameBytes(hash, watermark.hash), "the watermark's hash is that of its last entry");
  const [ofLog, ofRows] = [heldLines(replayed), heldLines(built)];
  const wrong = ofLog.findIndex((line, i) => line !== ofRows[i]);
  const isSame = wrong < 0 && ofLog.length === ofRows.length;
  assert(isSame, "the rows of the state are what the log makes: rebuild them");
}

/** Returns a line for each record that the rows of the state hold. */
function heldLines(venue: Venue): string[] {
  return [
    text([venue.time, venue.counters, settingsOf(venue)]),
    ...venue.fees.rows().map(text),
    ...venue.withdrawLimits.rows().map(text),
    ...venue.currencies.map(text),
    ...venue.keys.map(({ key }) => text(key)),
    ...venue.books.map(({ market, lastPrice, triggerLow, triggerHigh, tradesCount, pending }) =>
      text([market, lastPrice, triggerLow, triggerHigh, tradesCount, pending.map(({ id }) => id)])
    ),
    ...venue.holders.flatMap(holderLines),
    ...byId(venue.orders.values()).map((order) => text({ ...order, ...UNPLACED } as Order)),
    ...byId(venue.deposits.values()).map(text),
    ...byId(venue.withdraws.values()).map(text),
  ];
}

function holderLines(holder: Holder): string[] {
  const { member, ordersCount, tradesCount, depositsCount, withdrawsCount } = holder;
  const { accounts, beneficiaries, messages, untraded } = holder;
  // An account that was never used is as good as an empty one.
  const used = accounts.flatMap((account, currency) =>
    account === undefined || (account.available === 0n && account.locked === 0n)
      ? []
      : [[currency, account]]
  );
  const counts = [ordersCount, tradesCount, depositsCount, withdrawsCount];
  return [
    text([member, counts, messages, untraded, used]),
    ...byId(beneficiaries.values()).map(text),
  ];
}

function byId<T extends { readonly id: number }>(records: Iterable<T>): T[] {
  return [...records].sort((a, b) => a.id - b.id);
}

/** Formats a value, with the fields of records in the order of their names. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one === "bigint") return `${one}n`;
    if (typeof one !== "object" || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
