/** Matching: one taker at a time, each against the best and oldest order of the other side. */
import type { CloseReason, Side } from "../../../src/domain/trading/order.ts";
import { FEES_MEMBER } from "../../../src/domain/people/member.ts";
import { min, share } from "./amounts.ts";
import type { OracleMarket, OracleOrder, ServedOrders } from "./market.ts";
import { costOfAsks } from "./market_buy.ts";
import type { OracleMember, OracleState } from "./state.ts";
import type { Transcript } from "./transcript.ts";

const LEVEL_MAX = 2 ** 53 - 1;

/** A fill at one price. */
interface Fill {
  readonly lots: number;
  readonly cost: bigint;
  readonly buy: OracleOrder;
  readonly sell: OracleOrder;
}

/**
 * Expects the pending work of a market as far as the entry goes: queued orders match first, then
 * triggered stops join the queue.
 *
 * @returns whether no work is left
 */
export function work(state: OracleState, market: OracleMarket, transcript: Transcript): boolean {
  for (;;) {
    const taker = market.queue[0];
    const stop = taker === undefined ? market.reached() : undefined;
    if (taker === undefined && stop === undefined) return true;
    if (transcript.isAtEnd) return false;
    if (taker !== undefined) step(state, market, taker, transcript);
    if (stop !== undefined) {
      transcript.expect({ kind: "order_triggered", id: stop.id, member: stop.member });
      market.stops(stop.side).remove(stop);
      state.member(stop.member).told(1, 0);
      stop.place = "queue";
      market.queue.push(stop);
    }
  }
}

/** Expects the closing of an open order, which unlocks its funds. */
export function close(
  state: OracleState,
  order: OracleOrder,
  ending: { readonly state: "cancel" | "reject"; readonly reason: CloseReason },
  transcript: Transcript,
): void {
  const market = state.markets[order.market] as OracleMarket;
  const { locked } = order;
  const account = state.ledger.add(order.member, market.locks(order.side), locked, -locked);
  transcript.expect({
    kind: "order_closed",
    id: order.id,
    member: order.member,
    state: ending.state,
    reason: ending.reason,
    available: account.available,
    locked: account.locked,
    untraded: order.trades > 0 ? 0 : state.member(order.member).untraded.add(transcript.at),
  });
  leave(market, order);
  order.locked = 0n;
  state.member(order.member).told(1, 1);
  state.end(order);
}

function leave(market: OracleMarket, order: OracleOrder): void {
  if (order.place === "stops") market.stops(order.side).remove(order);
  else if (order.place === "book") market.side(order.side).remove(order);
  else market.queue.splice(market.queue.indexOf(order), 1);
}

function step(
  state: OracleState,
  market: OracleMarket,
  taker: OracleOrder,
  transcript: Transcript,
): void {
  const makers = market.side(taker.side === "buy" ? "sell" : "buy");
  const best = makers.next();
  const maker = best !== undefined && meets(taker, best.price) ? best : undefined;
  const isNew = taker.trades === 0;
  const end = (name: "cancel" | "reject", reason: CloseReason) =>
    close(state, taker, { state: name, reason }, transcript);
  if (isNew && taker.type === "post_only" && maker !== undefined) {
    return end("reject", "would_take");
  }
  if (isNew && taker.timeInForce === "fok" && !fillsWhole(taker, makers)) {
    return end("cancel", "not_fillable");
  }
  if (maker === undefined) return expectRest(state, market, taker, transcript, end);
  if (maker.member === taker.member && taker.selfTrade !== "none") {
    const prevented = { state: "cancel", reason: "self_trade" } as const;
    if (taker.selfTrade !== "cancel_newest") close(state, maker, prevented, transcript);
    if (taker.selfTrade !== "cancel_oldest") close(state, taker, prevented, transcript);
    return;
  }
  if (isNew && taker.type === "stop" && taker.side === "buy") lockMore(state, market, taker);
  const lots = lotsOf(market, maker, taker);
  if (lots === 0) return end(isNew ? "reject" : "cancel", "insufficient_balance");
  trade(state, market, maker, taker, lots, transcript);
}

/** Expects what happens to a taker that has no order left to match. */
function expectRest(
  state: OracleState,
  market: OracleMarket,
  taker: OracleOrder,
  transcript: Transcript,
  end: (name: "cancel" | "reject", reason: CloseReason) => void,
): void {
  if (isPriceless(taker)) {
    return end(taker.trades === 0 ? "reject" : "cancel", "insufficient_market_liquidity");
  }
  if (taker.timeInForce !== "gtc") return end("cancel", "time_in_force");
  const own = market.side(taker.side);
  if (own.lotsAt(taker.price) > LEVEL_MAX - taker.remaining) return end("cancel", "level_full");
  // Its member is told, because a post-only order might have been rejected.
  const isTold = taker.type === "post_only";
  const told = isTold ? { member: taker.member } : {};
  transcript.expect({ kind: "order_rested", id: taker.id, ...told });
  if (isTold) state.member(taker.member).told(1, 0);
  market.queue.shift();
  taker.place = "book";
  own.add(taker);
}

function isPriceless(order: OracleOrder): boolean {
  return order.type === "market" || order.type === "stop";
}

function meets(taker: OracleOrder, price: number): boolean {
  if (isPriceless(taker) && taker.price === 0) return true;
  return taker.side === "buy" ? price <= taker.price : price >= taker.price;
}

/** Returns whether the order would be filled completely, considering its self-trade prevention. */
function fillsWhole(taker: OracleOrder, makers: ServedOrders): boolean {
  let filled = 0;
  for (let i = makers.orders.length - 1; i >= 0 && filled < taker.remaining; i--) {
    const maker = makers.orders[i] as OracleOrder;
    if (!meets(taker, maker.price)) break;
    const isOwn = maker.member === taker.member && taker.selfTrade !== "none";
    if (isOwn && taker.selfTrade !== "cancel_oldest") return false;
    if (!isOwn) filled += maker.remaining;
  }
  return filled >= taker.remaining;
}

/** Returns the lots that both orders have, limited by the funds of a buyer without a price. */
function lotsOf(market: OracleMarket, maker: OracleOrder, taker: OracleOrder): number {
  const lots = Math.min(maker.remaining, taker.remaining);
  if (taker.side === "sell" || !isPriceless(taker)) return lots;
  return Math.min(lots, Number(taker.locked / market.cost(maker.price, 1)));
}

/** Locks what the asks cost that a stop takes, or all that its member has. */
function lockMore(state: OracleState, market: OracleMarket, stop: OracleOrder): void {
  const { member } = stop;
  const { cost } = costOfAsks(market, { ...stop, volume: stop.remaining });
  const more = min(cost - stop.locked, market.freeQuote(state.ledger, member));
  if (more <= 0n) return;
  state.ledger.add(member, market.definition.quote, -more, more);
  stop.locked += more;
}

function trade(
  state: OracleState,
  market: OracleMarket,
  maker: OracleOrder,
  taker: OracleOrder,
  lots: number,
  transcript: Transcript,
): void {
  const [buy, sell] = taker.side === "buy" ? [taker, maker] : [maker, taker];
  const moved = move(state, market, { lots, cost: market.cost(maker.price, lots), buy, sell });
  maker.trades += 1;
  taker.trades += 1;
  state.counters.trades += 1;
  noteMembers(state, maker.member, taker.member);
  market.see(maker.price);
  transcript.expect({
    kind: "trade",
    id: state.counters.trades,
    market: taker.market,
    price: maker.price,
    volume: lots,
    takerSide: taker.side,
    ...(maker.member === taker.member ? { isOwn: true as const } : {}),
    maker: maker.id,
    taker: taker.id,
    makerMember: maker.member,
    takerMember: taker.member,
    makerFee: maker.makerFee,
    takerFee: taker.takerFee,
    makerLocked: maker.locked,
    takerLocked: taker.locked,
    ...moved,
  });
  for (const order of [maker, taker]) {
    if (order.remaining > 0) continue;
    leave(market, order);
    state.end(order);
  }
}

/** Counts a trade on each side; the accounts of a member that is on both change once. */
function noteMembers(state: OracleState, maker: number, taker: number): void {
  for (const index of [maker, taker]) state.member(index).tradesCount += 1;
  const members = new Set([maker, taker]);
  for (const index of members) state.member(index).told(2 / members.size, 2);
}

/** Moves the money of a fill; returns the balances for its event. */
function move(state: OracleState, market: OracleMarket, { lots, cost, buy, sell }: Fill) {
  const { ledger } = state;
  const { base, quote } = market.definition;
  const amount = market.amount(lots);
  const isTaker = (order: OracleOrder) => order.place === "queue";
  const buyFee = share(amount, isTaker(buy) ? buy.takerFee : buy.makerFee);
  const sellFee = share(cost, isTaker(sell) ? sell.takerFee : sell.makerFee);

  buy.remaining -= lots;
  sell.remaining -= lots;
  sell.locked -= amount;
  const before = buy.locked;
  if (buy.remaining === 0) buy.locked = 0n;
  else if (isPriceless(buy)) buy.locked -= cost;
  else buy.locked = market.cost(buy.price, buy.remaining);
  const released = before - buy.locked - cost;

  const buyerQuote = ledger.add(buy.member, quote, released, -cost - released);
  const { available: buyerQuoteAvailable, locked: buyerQuoteLocked } = buyerQuote;
  const buyerBase = ledger.add(buy.member, base, amount - buyFee, 0n).available;
  const sellerBase = ledger.add(sell.member, base, 0n, -amount).locked;
  const sellerQuote = ledger.add(sell.member, quote, cost - sellFee, 0n).available;
  return {
    buyerQuoteAvailable,
    buyerQuoteLocked,
    buyerBaseAvailable: buyerBase,
    sellerBaseLocked: sellerBase,
    sellerQuoteAvailable: sellerQuote,
    feesBaseAvailable: ledger.add(FEES_MEMBER, base, buyFee, 0n).available,
    feesQuoteAvailable: ledger.add(FEES_MEMBER, quote, sellFee, 0n).available,
  };
}

/** Returns a member's open order with this id. */
export function openOrder(member: OracleMember, id: number | undefined): OracleOrder | undefined {
  return id === undefined ? undefined : member.open.find((order) => order.id === id);
}

/** Returns the id of the newest open order with a client order id. */
export function youngestNamed(member: OracleMember, name: string): number | undefined {
  const ids = member.open.filter((order) => order.clientOrderId === name).map(({ id }) => id);
  return ids.length === 0 ? undefined : Math.max(...ids);
}

/** Returns whether a cancel of all orders includes an order. */
export function isMeant(
  state: OracleState,
  order: OracleOrder,
  { market, side }: { readonly market: number; readonly side: Side | null },
): boolean {
  return (market < 0 || order.market === market) && (side === null || order.side === side) &&
    state.markets[order.market]?.definition.state !== "halted";
}
