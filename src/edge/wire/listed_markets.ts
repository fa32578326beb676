/** Markets as the public sees them: which are listed, and in which order. */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Venue } from "../../domain/venue.ts";
import { invalidField } from "../errors.ts";

/** Error identifier for a market that the public does not see. */
export const NO_LISTED_MARKET = "public.market.doesnt_exist";

/** Compares by position, then by age. */
export function byPosition(
  a: { readonly position: number; readonly index: number },
  b: { readonly position: number; readonly index: number },
): number {
  return a.position - b.position || a.index - b.index;
}

/** Returns the listed markets by position. */
export function listedBooks(venue: Venue): MarketBook[] {
  return venue.books.filter((book) => book.market.state !== "disabled")
    .sort((a, b) => byPosition(a.market, b.market));
}

/**
 * Returns the listed market that a path names.
 *
 * @throws {ApiError} if there is none
 */
export function bookOf(venue: Venue, id: string): MarketBook {
  const book = venue.bookById.get(id);
  if (book === undefined || book.market.state === "disabled") {
    throw invalidField(NO_LISTED_MARKET, "market", id);
  }
  return book;
}
