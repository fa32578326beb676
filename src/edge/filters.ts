/** Turns query fields into the filters that the engine takes. */
import type { Venue } from "../domain/venue.ts";
import type { MarketBook } from "../domain/trading/market_book.ts";
import { invalidField } from "./errors.ts";

/** Error identifier for a market that the venue does not have. */
export const NO_MARKET = "market.market.doesnt_exist";

/** The fields of a query that select markets. */
export interface MarketWords {
  readonly market?: string | undefined;
  readonly base_unit?: string | undefined;
  readonly quote_unit?: string | undefined;
}

/**
 * Returns the indexes of the markets that a query selects, by id or by unit.
 *
 * @returns `undefined` if it selects none, which means all
 * @throws {ApiError} if there is no such market
 */
export function marketIndexes(venue: Venue, words: MarketWords): Set<number> | undefined {
  const { market, base_unit, quote_unit } = words;
  if (market === undefined && base_unit === undefined && quote_unit === undefined) return undefined;
  let books: readonly MarketBook[] = market === undefined ? venue.books : namedBooks(venue, market);
  books = ofUnit(venue, books, "base_unit", base_unit);
  books = ofUnit(venue, books, "quote_unit", quote_unit);
  return new Set(books.map((book) => book.market.index));
}

function namedBooks(venue: Venue, names: string): MarketBook[] {
  return names.split(",").map((name) => {
    const book = venue.bookById.get(name.trim());
    if (book === undefined) throw invalidField(NO_MARKET, "market", name);
    return book;
  });
}

function ofUnit(
  venue: Venue,
  books: readonly MarketBook[],
  field: "base_unit" | "quote_unit",
  unit: string | undefined,
): readonly MarketBook[] {
  if (unit === undefined) return books;
  const currency = venue.currencyById.get(unit)?.index;
  const end = field === "base_unit" ? "base" : "quote";
  if (!venue.books.some((book) => book.market[end] === currency)) {
    throw invalidField(NO_MARKET, field, unit);
  }
  return books.filter((book) => book.market[end] === currency);
}

/** Converts seconds of a query to ms. */
export function msOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
