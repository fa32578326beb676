/** Names of public streams: `<market>.<suffix>`. */
import type { MarketBook } from "../domain/market_book.ts";
import type { Venue } from "../domain/venue.ts";

/** Returns the listed market of a stream with this suffix; null for any other stream or market. */
export function marketOfStream(venue: Venue, stream: string, suffix: string): MarketBook | null {
  if (!stream.endsWith(`.${suffix}`)) return null;
  const book = venue.bookById.get(stream.slice(0, -suffix.length - 1));
  return book === undefined || book.market.state === "disabled" ? null : book;
}
