/** Places orders: the guards in their order of precedence, then the lock and the acceptance. */
import { present } from "../assert.ts";
import { emptyAccount } from "../money/account.ts";
import { AskForecast } from "./ask_forecast.ts";
import type { OrderRequest, Outcome, PlacedOrder, PlaceOrders } from "../command.ts";
import type { OrderAccepted } from "../event.ts";
import type { EventSink } from "../event_sink.ts";
import { MARKET_LOCK_TENTHS, ORDER_LOTS_MAX, ORDER_TICKS_MAX } from "../limits.ts";
import { lockedCurrency, wholeUnits } from "./market.ts";
import type { MarketBook } from "./market_book.ts";
import { isLevelFull, wouldTake } from "./matching.ts";
import { divideUp, formatDecimal, formatInteger } from "../money/money.ts";
import { canRest, hasTrigger, isPriceless, type OrderTerms, termsDigest } from "./order.ts";
import { withinBand } from "./price_band.ts";
import { reject, rejectFunds, type Rejection, type RejectionCode } from "../rejection.ts";
import { refuseUntraded } from "./untraded_orders.ts";
import { type Holder, shownState, type Venue } from "../venue.ts";

const NO_MARKET = reject("market_not_found", "market");

/** Forecasts by market, for one request; few need any. */
class Forecasts {
  readonly #venue: Venue;
  #byBook: Map<MarketBook, AskForecast> | null = null;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  of(book: MarketBook): AskForecast {
    this.#byBook ??= new Map();
    const forecast = this.#byBook.get(book) ?? new AskForecast(this.#venue, book);
    this.#byBook.set(book, forecast);
    return forecast;
  }
}

/** Accepts all orders of the request or none. Matching follows, in order of acceptance. */
export function decidePlaceOrders(venue: Venue, command: PlaceOrders, sink: EventSink): Outcome {
  const holder = venue.holder(command.member);
  if (holder.member.level < venue.levels.trading) return reject("trading_level_too_low");
  const ordersMax = holder.member.bulkOrdersMax || venue.settings.bulkOrdersMax;
  if (command.orders.length > ordersMax) {
    return reject("orders_per_bulk_exceeded", undefined, String(ordersMax));
  }
  const named = new Set<string>();
  const forecasts = new Forecasts(venue);
  const placed: PlacedOrder[] = [];
  for (const [index, request] of command.orders.entries()) {
    const answer = named.has(request.clientOrderId)
      ? reject("client_order_id_repeated", "client_order_id")
      : placeOrder(venue, holder, request, forecasts, sink);
    if ("rejected" in answer) {
      return firstTermsRefusal(venue, command.orders) ?? { ...answer, index };
    }
    if (request.clientOrderId !== "") named.add(request.clientOrderId);
    placed.push(answer);
  }
  return { kind: "orders_placed", orders: placed };
}

/**
 * Returns the refusal of the first order that is wrong by itself, whatever the state of books and
 * balances; null if none is. It takes precedence over what the state refuses, even earlier orders.
 */
export function firstTermsRefusal(
  venue: Venue,
  orders: readonly OrderRequest[],
): Rejection | null {
  for (const [index, request] of orders.entries()) {
    const book = venue.books[request.market];
    const terms = book === undefined ? NO_MARKET : termsOf(book, request);
    if ("rejected" in terms) return { ...terms, index };
  }
  return null;
}

function placeOrder(
  venue: Venue,
  holder: Holder,
  request: OrderRequest,
  forecasts: Forecasts,
  sink: EventSink,
): PlacedOrder | Rejection {
  const book = venue.books[request.market];
  if (book === undefined) return NO_MARKET;
  const terms = termsOf(book, request);
  if ("rejected" in terms) return terms;
  const earlier = earlierOrder(holder, terms, sink.at);
  if (earlier !== null) return earlier;
  const refusal = refuseMarket(venue, book, holder, terms) ?? refuseTerms(book, terms);
  if (refusal !== null) return refusal;
  const { priceBandBps } = venue.settings;
  const bounded = priceBandBps === 0 ? terms : withinBand(book, terms, priceBandBps);
  if ("rejected" in bounded) return bounded;

  const spent = refuseUntraded(holder, venue.settings, sink.at);
  if (spent !== null) return spent;
  const accepted = acceptOrder(venue, book, holder, bounded, forecasts);
  if ("rejected" in accepted) return accepted;
  noteFirstOrder(book, sink);
  sink.emit(accepted);
  // A trigger already reached fires at once, before anybody who comes later.
  if (hasTrigger(terms.type) && book.hasReached(terms)) {
    sink.emit({ kind: "order_triggered", id: accepted.id, member: accepted.member });
  }
  return { accepted, at: sink.at };
}

/** Marks a market as used at its first order, which freezes its precisions. */
function noteFirstOrder({ market }: MarketBook, sink: EventSink): void {
  if (market.isUsed !== false) return;
  sink.emit({ kind: "market_set", market: { ...market, isUsed: true } });
}

/** Converts a request to the market's grid. */
function termsOf(book: MarketBook, request: OrderRequest): OrderTerms | Rejection {
  const shape = refuseShape(request);
  if (shape !== null) return shape;
  const { amountPrecision, pricePrecision } = book.market;
  const volume = gridUnits(request.amount, amountPrecision, AMOUNT);
  if (typeof volume !== "number") return volume;
  const price = gridUnits(request.price, pricePrecision, PRICE);
  if (typeof price !== "number") return price;
  const triggerPrice = gridUnits(request.triggerPrice, pricePrecision, TRIGGER_PRICE);
  if (typeof triggerPrice !== "number") return triggerPrice;
  return {
    market: request.market,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    selfTrade: request.selfTrade,
    price,
    triggerPrice,
    volume,
    clientOrderId: request.clientOrderId,
  };
}

/** A field on the market's grid: its most units, and the refusals of what is not there. */
interface GridField {
  readonly name: string;
  readonly max: number;
  readonly offGrid: RejectionCode;
  readonly tooLarge: RejectionCode;
}

const AMOUNT: GridField = {
  name: "amount",
  max: ORDER_LOTS_MAX,
  offGrid: "volume_off_grid",
  tooLarge: "volume_too_large",
};
const PRICE: GridField = {
  name: "price",
  max: ORDER_TICKS_MAX,
  offGrid: "price_off_grid",
  tooLarge: "price_too_high",
};
const TRIGGER_PRICE: GridField = {
  ...PRICE,
  name: "trigger_price",
  offGrid: "trigger_price_off_grid",
};

/** Converts an amount or price to whole units, or refuses what is off the grid or too large. */
function gridUnits(value: bigint, precision: number, field: GridField): number | Rejection {
  const units = wholeUnits(value, precision);
  if (units === null) return reject(field.offGrid, field.name, String(precision));
  if (units > field.max) {
    return reject(field.tooLarge, field.name, formatInteger(field.max, precision));
  }
  return units;
}

/** Refuses a missing field that the order type needs, and a given one that it forbids. */
function refuseShape(request: OrderRequest): Rejection | null {
  const priceless = isPriceless(request);
  if (priceless && request.price !== 0n) return reject("price_forbidden", "price");
  if (!priceless && request.price === 0n) return reject("price_missing", "price");
  if (hasTrigger(request.type) && request.triggerPrice === 0n) {
    return reject("trigger_price_missing", "trigger_price");
  }
  if (!hasTrigger(request.type) && request.triggerPrice !== 0n) {
    return reject("trigger_price_forbidden", "trigger_price");
  }
  if (request.timeInForce !== "gtc" && request.type !== "limit") {
    return reject("time_in_force_forbidden", "time_in_force");
  }
  return null;
}

/** Finds the order that took this client order id, to answer a repeat; null if the id is free. */
function earlierOrder(
  holder: Holder,
  terms: OrderTerms,
  now: number,
): PlacedOrder | Rejection | null {
  if (terms.clientOrderId === "") return null;
  const clientOrders = present(holder.clientOrders, "client order ids are loaded before deciding");
  const earlier = clientOrders.get(terms.clientOrderId, now);
  if (earlier === undefined) {
    const bound = clientOrders.reachedBound(now);
    if (bound === null) return null;
    const isVenue = bound.of === "venue";
    const code = isVenue ? "client_order_ids_full" : "client_order_ids_exceeded";
    return reject(code, "client_order_id", String(bound.idsMax));
  }
  return earlier.digest === termsDigest(terms)
    ? { repeats: earlier.id }
    : reject("client_order_id_taken", "client_order_id");
}

function refuseMarket(
  venue: Venue,
  book: MarketBook,
  holder: Holder,
  terms: OrderTerms,
): Rejection | null {
  if (!venue.switches.trading) return reject("trading_stopped", "market");
  const state = shownState(venue, book.market);
  if (state !== "enabled") return reject("market_not_enabled", "market", state);
  if (isPriceless(terms) && !holder.member.marketOrdersEnabled) {
    return reject("market_orders_disabled", "type");
  }
  return null;
}

function refuseTerms(book: MarketBook, terms: OrderTerms): Rejection | null {
  const { market } = book;
  if (terms.volume < Math.max(1, market.minAmount)) {
    return reject(
      "volume_too_small",
      "amount",
      formatInteger(market.minAmount, market.amountPrecision),
    );
  }
  const refusal = isPriceless(terms) ? null : refusePrice(book, terms.price, "price");
  if (refusal !== null) return refusal;
  if (hasTrigger(terms.type)) {
    const triggerRefusal = refusePrice(book, terms.triggerPrice, "trigger_price");
    if (triggerRefusal !== null) return triggerRefusal;
  }
  if (market.minTotal > 0n && !isPriceless(terms)) {
    if (book.total(terms.price, terms.volume) < market.minTotal) {
      return reject("total_too_small", "amount", formatDecimal(market.minTotal));
    }
  }
  if (canRest(terms)) {
    const isFull = hasTrigger(terms.type)
      ? isLevelFull(book.stopsOf(terms.side), terms.triggerPrice, terms.volume)
      : isLevelFull(book.sideOf(terms.side), terms.price, terms.volume);
    if (isFull) return reject("volume_too_large", "amount");
  }
  return null;
}

function refusePrice(
  book: MarketBook,
  ticks: number,
  field: "price" | "trigger_price",
): Rejection | null {
  const { market } = book;
  if (ticks < Math.max(1, market.minPrice)) {
    return reject("price_too_low", field, formatInteger(market.minPrice, market.pricePrecision));
  }
  if (market.maxPrice > 0 && ticks > market.maxPrice) {
    return reject("price_too_high", field, formatInteger(market.maxPrice, market.pricePrecision));
  }
  return null;
}

function acceptOrder(
  venue: Venue,
  book: MarketBook,
  holder: Holder,
  terms: OrderTerms,
  forecasts: Forecasts,
): OrderAccepted | Rejection {
  const { member } = holder;
  const openMax = member.openOrdersMax || venue.settings.openOrdersMax;
  if (canRest(terms) && (holder.openCounts[terms.market] ?? 0) >= openMax) {
    return reject("open_orders_exceeded", "market", String(openMax));
  }
  const account = holder.accounts[lockedCurrency(book.market, terms)] ?? emptyAccount();
  const lock = lockOf(book, member.index, terms, account.available, forecasts);
  if (typeof lock !== "bigint") return lock;
  const rates = venue.fees.choose(terms.market, member.group);
  return {
    // Field by field: after a spread V8 keeps half of the fields in an array beside the object.
    kind: "order_accepted",
    id: venue.counters.orders + 1,
    member: member.index,
    market: terms.market,
    side: terms.side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    selfTrade: terms.selfTrade,
    price: terms.price,
    triggerPrice: terms.triggerPrice,
    volume: terms.volume,
    clientOrderId: terms.clientOrderId,
    makerFee: rates.maker,
    takerFee: rates.taker,
    orderLocked: lock,
    keepsFees: true,
    available: account.available - lock,
    locked: account.locked + lock,
    resting: restsAtOnce(book, terms),
  };
}

/** Whether the order meets nobody and none is pending before it: one event accepts and rests it. */
function restsAtOnce(book: MarketBook, terms: OrderTerms): boolean {
  return canRest(terms) && !hasTrigger(terms.type) && book.pending.length === 0 &&
    !wouldTake(book, terms.side, terms.price);
}

/** Returns what an order locks, or refuses one that its member can't pay for. */
function lockOf(
  book: MarketBook,
  member: number,
  terms: OrderTerms,
  available: bigint,
  forecasts: Forecasts,
): bigint | Rejection {
  if (terms.side === "buy" && isPriceless(terms)) {
    return terms.type === "stop"
      ? lockOfStop(book, terms, available)
      : lockOfMarket(book, member, terms, available, forecasts);
  }
  const lock = terms.side === "sell"
    ? book.base(terms.volume)
    : book.total(terms.price, terms.volume);
  return lock <= available ? lock : insufficient(lock, available);
}

function lockOfMarket(
  book: MarketBook,
  member: number,
  terms: OrderTerms,
  available: bigint,
  forecasts: Forecasts,
): bigint | Rejection {
  const { asks, spare } = forecasts.of(book).costOf({ ...terms, member, remaining: terms.volume });
  if (asks > available || available === 0n) return insufficient(asks, available);
  return withMargin(book, terms, asks + spare, available);
}

/** A stop fills with what is free when it fires as well, so any balance will do. */
function lockOfStop(book: MarketBook, terms: OrderTerms, available: bigint): bigint | Rejection {
  const estimate = book.total(terms.triggerPrice, terms.volume);
  return available === 0n
    ? insufficient(estimate, available)
    : withMargin(book, terms, estimate, available);
}

/** Returns an estimate and a tenth more, or the most that the order can pay if that is less. */
function withMargin(
  book: MarketBook,
  terms: OrderTerms,
  estimate: bigint,
  available: bigint,
): bigint {
  const lock = divideUp(estimate * MARKET_LOCK_TENTHS, 10n);
  const most = mostPaid(book, terms, available);
  return lock < most ? lock : most;
}

function insufficient(needed: bigint, available: bigint): Rejection {
  return rejectFunds("balance_insufficient", "amount", needed, available);
}

/** Returns the most that a market or stop buy can pay. */
function mostPaid(book: MarketBook, { price, volume }: OrderTerms, available: bigint): bigint {
  if (price === 0) return available;
  const most = book.total(price, volume);
  return most < available ? most : available;
}
