import { WITHDRAW_SUMS_MS } from "../../src/domain/limits.ts";
import type { MarketBook } from "../../src/domain/trading/market_book.ts";
import { type Order, UNPLACED } from "../../src/domain/trading/order.ts";
import type { BookSide } from "../../src/domain/trading/order_book.ts";
import type { Holder, Venue } from "../../src/domain/venue.ts";

/**
 * Formats the whole state as text, equal for indistinguishable states: unused accounts equal empty
 * ones, and maps are sorted by key. Client order ids are included if `clientOrderIds` names them,
 * as of `now`. `state_text_test.ts` names what it leaves out. It shares nothing with the program's
 * own comparison in `proven_rows.ts`, on purpose: what that one overlooks must be seen here.
 */
export function stateText(
  venue: Venue,
  clientOrderIds: readonly string[] = [],
  now: number = venue.time,
): string {
  const lines = [
    `sequence ${venue.sequence} time ${venue.time} ${text(venue.counters)}`,
    `levels ${text(venue.levels)}`,
    `switches ${text(venue.switches)} pnl ${venue.pnlCurrencies} of ${venue.pnlKept}`,
    `settings ${text(venue.storedSettings)} in force ${text(venue.settings)}`,
    ...venue.withdrawLimits.rows().map((row) => `limit ${text(row)}`),
    ...venue.fees.rows().map((row) => `fee ${text(row)}`),
    ...venue.currencies.map((currency) => `currency ${text(currency)}`),
    `currencies ${[...venue.currencyById.keys()].sort()}`,
    `markets ${[...venue.bookById.keys()].sort()}`,
    `uids ${[...venue.holderByUid.keys()].sort()}`,
    `emails ${text([...venue.emailDigests].sort())}`,
    `kids ${[...venue.keyByKid.keys()].sort()}`,
    ...venue.keys.map(({ key, previous }) => `key ${text(key)} after ${previous?.key.index}`),
    `timers ${text(venue.timers.due(Infinity))} from ${venue.timers.soonest}`,
  ];
  for (const holder of venue.holders) {
    lines.push(...holderLines(holder, now, clientOrderIds));
  }
  for (const book of venue.books) lines.push(...bookLines(book));
  lines.push("open", ...byId(venue.orders.values()).map(orderText));
  lines.push("finished", ...venue.endedOrders.map(orderText));
  lines.push("deposits", ...byId(venue.deposits.values()).map(text));
  lines.push("withdraws", ...byId(venue.withdraws.values()).map(text));
  lines.push("ended", ...venue.endedDeposits.map(text), ...venue.endedWithdraws.map(text));
  return lines.join("\n");
}

function holderLines(holder: Holder, now: number, clientOrderIds: readonly string[]): string[] {
  const lines = [
    `holder ${text(holder.member)} orders ${holder.ordersCount} trades ${holder.tradesCount}`,
    ` open ${byId(holder.openOrders.values()).map((order) => order.id)}`,
  ];
  lines.push(` last key ${holder.lastKey?.key.index}`);
  lines.push(` messages ${text(holder.messages)} untraded ${text(holder.untraded)}`);
  lines.push(` deposits ${holder.depositsCount} withdraws ${holder.withdrawsCount}`);
  lines.push(...byId(holder.beneficiaries.values()).map((one) => ` beneficiary ${text(one)}`));
  // Older ones no longer count, whether or not they are still in memory.
  const counted = [...holder.countedWithdraws.values()].filter(({ createdAt }) =>
    createdAt >= now - WITHDRAW_SUMS_MS
  );
  lines.push(...byId(counted).map((one) => ` counted ${text(one)}`));
  holder.openCounts.forEach((count, market) => {
    if (count !== 0) lines.push(` open on ${market}: ${count}`);
  });
  holder.accounts.forEach((account, currency) => {
    if (account === undefined || (account.available === 0n && account.locked === 0n)) return;
    lines.push(` account ${currency}: ${account.available} ${account.locked}`);
  });
  for (const id of clientOrderIds) {
    const taken = holder.clientOrders?.get(id, now);
    if (taken !== undefined) lines.push(` client ${id} ${text(taken)}`);
  }
  return lines;
}

function bookLines(book: MarketBook): string[] {
  const { market, lastPrice, triggerLow, triggerHigh, tradesCount, lotUnit, totalUnit } = book;
  return [
    `book ${text({ market, lastPrice, triggerLow, triggerHigh, tradesCount, lotUnit, totalUnit })}`,
    ...sideLines("bid", book.bids),
    ...sideLines("ask", book.asks),
    ...sideLines("buy stop", book.buyStops),
    ...sideLines("sell stop", book.sellStops),
    ` pending ${book.pending.map((order) => order.id)}`,
  ];
}

function sideLines(name: string, side: BookSide): string[] {
  const lines: string[] = [];
  for (const level of side.levels()) {
    const ids: number[] = [];
    for (let order = level.first; order !== null; order = order.next) ids.push(order.id);
    const last = level.last?.id;
    lines.push(` ${name} ${level.price}: ${level.lots} in ${level.count} = ${ids} last ${last}`);
  }
  return lines;
}

function orderText(order: Order): string {
  const { level, previous, next } = order;
  return ` ${text({ ...order, ...UNPLACED })} ${level?.price} ${previous?.id} ${next?.id}`;
}

function byId<T extends { readonly id: number }>(records: Iterable<T>): T[] {
  return [...records].sort((a, b) => a.id - b.id);
}

/** Formats a value with the keys of records sorted. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one === "bigint") return `${one}n`;
    if (typeof one !== "object" || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
