/** What goes on in the market that the page shows: its book and its last trades. */
import type { Book, Listening } from "../../client/client.ts";
import { LiveList, newestFirst } from "../live/live_list.ts";
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";
import { type Market, market } from "./markets.ts";

/** A trade of the market. */
export interface MarketTrade {
  readonly id: number;
  readonly price: string;
  readonly amount: string;
  readonly takerType: "buy" | "sell";
  /** In ms since 1970. */
  readonly at: number;
}

/** Trades that are kept and shown. */
const TRADES_MAX = 60;
/** Nobody reads a list faster, and drawing it costs more than the rest of the page. */
const TRADES_PACE_MS = 100;

/** Counts the changes of the book. */
export const bookChanges: Shown<number> = new Shown(0);
/** The last trades, newest first. */
export const trades: LiveList<MarketTrade> = new LiveList<MarketTrade>({
  keyOf: ({ id }) => id,
  read: readTrades,
  arrange: (all) => newestFirst(all).slice(0, TRADES_MAX),
  paceMs: TRADES_PACE_MS,
});
/** Counts how often the market has been found, at first and after what happened was missed. */
export const restarts: Shown<number> = new Shown(0);

let book: Book | null = null;
let listening: Listening | null = null;
let shown: Market | null = null;

/** The book, which is empty while it is not known. */
export function currentBook(): Pick<Book, "asks" | "bids" | "isKnown"> {
  return book ?? { asks: [], bids: [], isKnown: false };
}

/** Follows the market that the page shows, and the one after it. */
export function followMarket(): void {
  market.subscribe(follow);
  follow();
}

function follow(): void {
  const next = market.value;
  if (next === shown) return;
  shown = next;
  book?.close();
  listening?.close();
  book = listening = null;
  trades.clear();
  bookChanges.set(bookChanges.value + 1);
  if (next === null) return;
  // Before the book, so that by its first message nothing more of either is missed.
  listening = venue.listen(`${next.id}.trades`, {
    onMessage: (message) =>
      trades.tell(
        ...message.trades.map(({ tid, price, amount, taker_type, created_at_ms }) => ({
          id: tid,
          price,
          amount,
          takerType: taker_type,
          at: created_at_ms,
        })),
      ),
    onGap: () => void trades.load(),
  });
  let wasLost = true;
  book = venue.book(next.id, {
    onChange: () => {
      bookChanges.set(bookChanges.value + 1);
      if (!wasLost) return;
      wasLost = false;
      restarts.set(restarts.value + 1);
      void trades.load();
    },
    onLost: () => {
      wasLost = true;
      bookChanges.set(bookChanges.value + 1);
    },
  });
}

async function readTrades(): Promise<readonly MarketTrade[]> {
  if (shown === null) return [];
  const list = await venue.get("/api/v2/backend/public/markets/{market}/trades", {
    path: { market: shown.id },
    query: { limit: TRADES_MAX },
  });
  return list.map((trade) => ({
    id: trade.id,
    price: trade.price,
    amount: trade.amount,
    takerType: trade.taker_type,
    at: trade.created_at_ms,
  }));
}
