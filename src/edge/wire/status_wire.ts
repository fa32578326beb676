/** What the venue takes at present, as JSON. */
import type * as z from "zod";
import { type Currency, currencyOn } from "../../domain/money/currency.ts";
import type { Market, MarketState } from "../../domain/trading/market.ts";
import { shownState, type Venue } from "../../domain/venue.ts";
import type { VENUE_STATUS } from "../schemas/venue_status.ts";
import { byPosition, listedBooks } from "./listed_markets.ts";

/** The JSON form of the venue's status. */
export type VenueStatus = z.infer<typeof VENUE_STATUS>;

/**
 * Returns the status.
 *
 * @param isReady whether the process takes orders at all
 * @param now in ms
 */
export function statusJson(venue: Venue, isReady: boolean, now: number): VenueStatus {
  const trading = isReady && venue.switches.trading;
  const withdrawals = isReady && venue.switches.withdrawals;
  const markets = Object.fromEntries(
    listedBooks(venue).map(({ market }) => [market.id, stateNow(venue, market)]),
  );
  const currencies = venue.currencies.filter(({ visible }) => visible).sort(byPosition);
  return {
    state: venueState(trading, withdrawals, Object.values(markets)),
    trading,
    withdrawals,
    markets,
    currencies: Object.fromEntries(currencies.map((currency) => [
      currency.id,
      { ...openingsJson(currency), ...networksJson(currency) },
    ])),
    time: new Date(now).toISOString(),
  };
}

function openingsJson({ depositEnabled, withdrawalEnabled }: Currency) {
  return { deposit_enabled: depositEnabled, withdrawal_enabled: withdrawalEnabled };
}

/** Returns the same on each of the currency's networks, if it lives on any. */
function networksJson(currency: Currency) {
  if (currency.networks === undefined) return {};
  const networks = currency.networks.map(({ name }) =>
    [name, openingsJson(currencyOn(currency, name))] as const
  );
  return { networks: Object.fromEntries(networks) };
}

/** Returns what a market takes at present: while all trading is stopped, cancels at the most. */
function stateNow(venue: Venue, market: Market): MarketState {
  const state = shownState(venue, market);
  return state === "enabled" && !venue.switches.trading ? "cancel_only" : state;
}

function venueState(
  trading: boolean,
  withdrawals: boolean,
  markets: readonly MarketState[],
): VenueStatus["state"] {
  if (!trading || !markets.includes("enabled")) return "stopped";
  const isAllOn = withdrawals && markets.every((state) => state === "enabled");
  return isAllOn ? "operational" : "degraded";
}
