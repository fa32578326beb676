/** Prices that follow a market: slowly, so that whoever moves it for a moment moves no limits. */
import { HOUR_MS } from "../calendar.ts";
import type { FollowPrice, Outcome } from "../command.ts";
import type { Currency } from "./currency.ts";
import type { EventSink } from "../event_sink.ts";
import { lotUnit } from "../trading/market.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Venue } from "../venue.ts";

/** How long a price stays as it is, in ms; and how far it may then move, in percent. */
export const FOLLOW_MS = HOUR_MS;
export const FOLLOW_PERCENT_MAX = 10n;
/** A distance that is not worth an event, in percent. */
const FOLLOW_PERCENT_MIN = 1n;

/** What was traded on a market in a day, see `DaySummary`. */
export interface DayTrades {
  /** Lots of the base. */
  readonly volume: bigint;
  /** Ledger units of the quote. */
  readonly total: bigint;
}

/** Returns the id of the market that sets a currency's price; null if an operator does. */
export function priceMarketOf({ priceMarket }: Currency): string | null {
  return priceMarket ?? null;
}

/**
 * Finds the price to which a currency's should move now; null if it stays.
 *
 * @param dayOf returns what was traded on a market, by its index, within 24 hours
 */
export function nextPrice(
  venue: Venue,
  currency: Currency,
  dayOf: (market: number) => DayTrades,
  now: number,
): bigint | null {
  const book = venue.bookById.get(priceMarketOf(currency) ?? "");
  if (book === undefined || isTooSoon(currency, now)) return null;
  const { market } = book;
  const { volume, total } = dayOf(market.index);
  if (volume === 0n || total === 0n) return null;
  const base = volume * lotUnit(market);
  const price = market.base === currency.index
    ? venue.currency(market.quote).price * total / base
    : venue.currency(market.base).price * base / total;
  const next = within(currency.price, price);
  const distance = next > currency.price ? next - currency.price : currency.price - next;
  return distance * 100n < currency.price * FOLLOW_PERCENT_MIN ? null : next;
}

/** Moves a currency's price; of several processes that find the same, one does. */
export function decideFollowPrice(
  venue: Venue,
  { id, price }: FollowPrice,
  sink: EventSink,
): Outcome {
  const old = venue.currencyById.get(id);
  if (old === undefined) return reject("currency_not_found", "id");
  if (priceMarketOf(old) === null || isTooSoon(old, sink.at)) return reject("price_stays");
  const currency: Currency = { ...old, price: within(old.price, price), pricedAt: sink.at };
  sink.emit({ kind: "currency_set", currency });
  return { kind: "currency_set", currency };
}

/**
 * Refuses a market that can't set a currency's price: it has to trade it for another one whose
 * price an operator sets, and the currency needs a price to begin with.
 */
export function refusePriceMarket(venue: Venue, currency: Currency): Rejection | null {
  const id = priceMarketOf(currency);
  const others = venue.currencies.filter(({ index }) => index !== currency.index);
  const isFollowed = (one: Currency) => otherSide(venue, one)?.index === currency.index;
  if (currency.price === 0n && others.some(isFollowed)) return unfit("price");
  if (id === null) return null;
  if (currency.price === 0n) return unfit("price");
  const other = otherSide(venue, currency);
  if (other === null || other.price === 0n || priceMarketOf(other) !== null) {
    return unfit("price_market");
  }
  return others.some(isFollowed) ? unfit("price_market") : null;
}

function unfit(field: string): Rejection {
  return reject("price_market_unfit", field);
}

/** Returns the currency for which another one trades on the market that sets its price. */
function otherSide(venue: Venue, currency: Currency): Currency | null {
  const book = venue.bookById.get(priceMarketOf(currency) ?? "");
  if (book === undefined) return null;
  const { base, quote } = book.market;
  if (base === currency.index) return venue.currency(quote);
  return quote === currency.index ? venue.currency(base) : null;
}

function isTooSoon({ pricedAt = 0 }: Currency, now: number): boolean {
  return now - pricedAt < FOLLOW_MS;
}

/** Returns the price next to another one that is not too far from what there is. */
function within(old: bigint, price: bigint): bigint {
  const step = old * FOLLOW_PERCENT_MAX / 100n;
  if (price > old + step) return old + step;
  return price < old - step ? old - step : price;
}
