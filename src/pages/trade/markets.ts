/** The markets, their currencies and their tickers; and the one that the page shows. */
import type { Records, StatusMessage, TickerMessage } from "../../client/client.ts";
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";

export type Market = Records["Market"];
export type Currency = Records["Currency"];

/** Whether what the page shows is what the venue has now. */
export type Connection = "connecting" | "live" | "lost";

/** All listed markets in their order. */
export const markets: Shown<readonly Market[]> = new Shown<readonly Market[]>([]);
/** Currencies by their codes. */
export const currencies: Shown<ReadonlyMap<string, Currency>> = new Shown<
  ReadonlyMap<string, Currency>
>(new Map());
/** The last 24 hours by market. */
export const tickers: Shown<Readonly<Record<string, TickerMessage>>> = new Shown<
  Readonly<Record<string, TickerMessage>>
>({});
/** What can be traded; null until it is known. */
export const status: Shown<StatusMessage | null> = new Shown<StatusMessage | null>(null);
/** The market that the page shows; null until it is known, or if there is none. */
export const market: Shown<Market | null> = new Shown<Market | null>(null);
/** The id in the page's path that no market has. */
export const unknownMarket: Shown<string | null> = new Shown<string | null>(null);
/** Whether the page's streams are connected. */
export const connection: Shown<Connection> = new Shown<Connection>("connecting");
/** Markets that the visitor has marked, by their ids. */
export const favourites: Shown<ReadonlySet<string>> = new Shown<ReadonlySet<string>>(
  new Set(remembered("favourites")?.split(",").filter((id) => id !== "")),
);

const LIST_LIMIT = 1000;
const PATH = /^\/trade\/([^/]+)\/?$/;

/** Loads the markets, chooses the one that the path names, and follows all tickers. */
export async function loadMarkets(): Promise<void> {
  const query = { limit: LIST_LIMIT };
  const [listed, coins] = await Promise.all([
    venue.get("/api/v2/backend/public/markets", { query }),
    venue.get("/api/v2/backend/public/currencies", { query }),
  ]);
  markets.set(listed);
  currencies.set(new Map(coins.map((coin) => [coin.id, coin])));
  chooseByPath();
  addEventListener("popstate", chooseByPath);
  venue.listen("global.tickers", {
    onMessage: (message) => {
      connection.set("live");
      tickers.set(message);
    },
    onDown: () => connection.set("lost"),
  });
  venue.listen("global.status", { onMessage: (message) => status.set(message) });
}

/** Shows a market, which the page's address then names. */
export function chooseMarket(id: string): void {
  if (id !== market.value?.id) history.pushState(null, "", `/trade/${encodeURIComponent(id)}`);
  remember("market", id);
  chooseByPath();
}

/** Marks a market for oneself, or takes the mark away. */
export function toggleFavourite(id: string): void {
  const marked = new Set(favourites.value);
  if (!marked.delete(id)) marked.add(id);
  favourites.set(marked);
  remember("favourites", [...marked].join(","));
}

/** What a market accepts now. */
export function stateOf(market: Market, told: StatusMessage | null): Market["state"] {
  return told?.markets[market.id] ?? market.state;
}

function chooseByPath(): void {
  const named = PATH.exec(location.pathname)?.[1];
  const id = named === undefined ? remembered("market") : decoded(named).toLowerCase();
  const listed = markets.value;
  const found = listed.find((one) => one.id === id);
  const isUnknown = named !== undefined && found === undefined;
  unknownMarket.set(isUnknown ? id : null);
  market.set(found ?? (isUnknown ? null : listed[0] ?? null));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns what the browser has kept for the page; null if it keeps nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`trade.${name}`);
  } catch {
    return null;
  }
}

/** Has the browser keep something for the page, if it does. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`trade.${name}`, value);
  } catch {
    // A browser that keeps nothing forgets with the page.
  }
}
