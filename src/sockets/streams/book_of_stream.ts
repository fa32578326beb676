/** Finds the book that the name of a public stream, `<market>.<suffix>`, begins with. */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Venue } from "../../domain/venue.ts";

/**
 * Returns the market of a stream with this suffix, in any state, since a market that is disabled
 * keeps its readers; null for any other stream or market.
 */
export function bookOfStream(venue: Venue, stream: string, suffix: string): MarketBook | null {
  if (!stream.endsWith(`.${suffix}`)) return null;
  return venue.bookById.get(stream.slice(0, -suffix.length - 1)) ?? null;
}

/** Returns whether a stream with this suffix is of a listed market, so that it may be read. */
export function isOfListedMarket(venue: Venue, stream: string, suffix: string): boolean {
  const book = bookOfStream(venue, stream, suffix);
  return book !== null && book.market.state !== "disabled";
}
