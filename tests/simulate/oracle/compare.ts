/** Compares the oracle's state with a venue's. */
import type { Order } from "../../../src/domain/trading/order.ts";
import type { Holder, Venue } from "../../../src/domain/venue.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../../src/domain/people/member.ts";
import type { OracleMarket, OracleOrder, ServedOrders } from "./market.ts";
import { must, same } from "./same.ts";
import type { OracleMember, OracleState } from "./state.ts";

/** The longest month, in ms: older withdrawals count against no limit. */
const MONTH_MS = 31 * 86_400_000;

/** Throws if a venue at the same sequence differs from the state. */
export function compareVenue(state: OracleState, venue: Venue): void {
  same(venue.time, state.time, "stamped time");
  same(venue.counters, state.counters, "counters");
  same(venue.levels, state.levels, "levels");
  same(venue.switches, state.switches, "switches");
  same(venue.pnlCurrencies, state.pnlCurrencies, "currencies of profit and loss");
  same(venue.pnlKept, state.pnlKept, "currencies that it is kept in");
  same(venue.storedSettings, state.settings, "settings");
  same(venue.currencies, state.currencies, "currencies");
  same(venue.keys.map(({ key }) => key), state.keys, "keys");
  same(byId(venue.deposits), byId(state.deposits), "open deposits");
  same(byId(venue.withdraws), byId(state.withdraws), "open withdrawals");
  const fees = venue.fees.rows().map((row) => [`${row.market}:${row.group}`, row]);
  same(Object.fromEntries(fees), Object.fromEntries(state.fees), "the fee table");
  const limits = venue.withdrawLimits.rows().map((row) => [`${row.level}:${row.group}`, row]);
  same(Object.fromEntries(limits), Object.fromEntries(state.withdrawLimits), "withdrawal limits");
  same(venue.holders.length, state.members.length, "number of members");
  let open = 0;
  state.members.forEach((member, index) => {
    open += member.open.length;
    compareMember(state, venue, venue.holder(index), member);
  });
  same(venue.orders.size, open, "number of open orders");
  same(venue.books.length, state.markets.length, "number of markets");
  state.markets.forEach((market, index) => compareMarket(venue, index, market));
  same(venue.timers.soonest, soonestTimer(state), "the soonest timer");
}

function byId<T>(records: ReadonlyMap<number, T>): readonly T[] {
  return [...records].sort(([a], [b]) => a - b).map(([, record]) => record);
}

function soonestTimer({ keys }: OracleState): number {
  const timers = keys.flatMap(({ cancelTimers }) => cancelTimers ?? []);
  return Math.min(Infinity, ...timers.map(({ at }) => at));
}

function compareMember(
  state: OracleState,
  venue: Venue,
  holder: Holder,
  member: OracleMember,
): void {
  const { index } = member.record;
  const name = `member ${index}`;
  same(holder.member, member.record, name);
  for (const count of ["ordersCount", "tradesCount", "depositsCount", "withdrawsCount"] as const) {
    same(holder[count], member[count], `${count} of ${name}`);
  }
  same(holder.messages, member.messages, `messages of ${name}`);
  const untraded = [holder.untraded.count, new Date(holder.untraded.day * 86_400_000)];
  const { count, day } = member.untraded;
  same(untraded, [count, new Date(day || 0)], `orders of ${name} without a trade`);
  const keys = state.keys.filter((key) => key.member === index && key.state !== "deleted");
  same(holder.keys(), keys, `keys of ${name}`);
  same(byId(holder.beneficiaries), byId(member.beneficiaries), `beneficiaries of ${name}`);
  const counted = [holder.countedWithdraws.values(), member.counted].map((all) =>
    [...all].filter(({ createdAt }) => createdAt > state.time - MONTH_MS)
      .sort((a, b) => a.id - b.id)
  );
  same(counted[0], counted[1], `withdrawals of ${name} that count against limits`);
  for (let currency = 0; currency < state.currencies.length; currency++) {
    const account = holder.accounts[currency] ?? { available: 0n, locked: 0n };
    same(account, state.ledger.of(index, currency), `${name} in currency ${currency}`);
  }
  same([...holder.openOrders.values()].length, member.open.length, `open orders of ${name}`);
  for (const order of member.open) compareOrder(venue.orders.get(order.id), order);
  checkLocks(state, member);
}

function compareOrder(order: Order | undefined, expected: OracleOrder): void {
  const { place, index: _, trades, ...terms } = expected;
  must(order !== undefined, () => `order ${expected.id} is not open`);
  const state = place === "stops" ? "trigger_wait" : "wait";
  const shown: Record<string, unknown> = { state: order.state, tradesCount: order.tradesCount };
  for (const name of Object.keys(terms)) shown[name] = order[name as keyof Order];
  same(shown, { state, tradesCount: trades, ...terms }, `order ${expected.id}`);
}

/** Asserts that orders, withdrawals and uncollected deposits account for all that is locked. */
function checkLocks(state: OracleState, member: OracleMember): void {
  const { index } = member.record;
  if (index === FEES_MEMBER || index === OUTSIDE_MEMBER) return;
  const held = state.currencies.map(() => 0n);
  const hold = (currency: number, amount: bigint) => {
    held[currency] = (held[currency] ?? 0n) + amount;
  };
  for (const order of member.open) {
    const market = state.markets[order.market] as OracleMarket;
    hold(market.locks(order.side), order.locked);
  }
  for (const withdraw of state.withdraws.values()) {
    if (withdraw.member === index) hold(withdraw.currency, withdraw.amount);
  }
  for (const deposit of state.deposits.values()) {
    if (deposit.member !== index || deposit.state === "submitted") continue;
    hold(deposit.currency, deposit.amount);
  }
  held.forEach((amount, currency) => {
    same(state.ledger.of(index, currency).locked, amount, `locked of member ${index}`);
  });
}

function compareMarket(venue: Venue, index: number, market: OracleMarket): void {
  const book = venue.book(index);
  const name = market.definition.id;
  same(book.market, market.definition, `market ${name}`);
  same(book.lastPrice, market.last, `last price of ${name}`);
  same(book.tradesCount, market.trades, `trades of ${name}`);
  same(book.pending.map(({ id }) => id), market.queue.map(({ id }) => id), `pending of ${name}`);
  for (const side of ["buy", "sell"] as const) {
    compareSide(book.sideOf(side), market.side(side), `${side} side of ${name}`);
    compareSide(book.stopsOf(side), market.stops(side), `${side} stops of ${name}`);
  }
}

type BookSide = ReturnType<Venue["book"]>["bids"];

function compareSide(side: BookSide, served: ServedOrders, name: string): void {
  const ids: number[] = [];
  for (const level of side.levels()) {
    let lots = 0;
    for (let order = level.first; order !== null; order = order.next) {
      ids.push(order.id);
      lots += order.remaining;
    }
    same(level.lots, lots, `lots at ${level.price} on the ${name}`);
  }
  same(ids, served.orders.map(({ id }) => id).reverse(), name);
}
