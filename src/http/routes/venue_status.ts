/** The public status of the venue. */
import type * as z from "zod";
import type { Market, MarketState } from "../../domain/trading/market.ts";
import { shownState, type Venue } from "../../domain/venue.ts";
import type { Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, ok, SERVICE } from "../endpoint_parts.ts";
import { byPosition, listedBooks } from "../../edge/wire/listed_markets.ts";
import { VENUE_STATUS, VENUE_STATUS_EXAMPLE } from "../../edge/schemas/venue_status.ts";

type VenueStatus = z.infer<typeof VENUE_STATUS>;

function readStatus(call: Call): Response {
  const { venue } = call.engine;
  const { isReady } = call.services.health();
  const trading = isReady && venue.switches.trading;
  const withdrawals = isReady && venue.switches.withdrawals;
  const markets = Object.fromEntries(
    listedBooks(venue).map(({ market }) => [market.id, stateNow(venue, market)]),
  );
  const currencies = venue.currencies.filter(({ visible }) => visible).sort(byPosition);
  const status: VenueStatus = {
    state: venueState(trading, withdrawals, Object.values(markets)),
    trading,
    withdrawals,
    markets,
    currencies: Object.fromEntries(
      currencies.map(({ id, depositEnabled, withdrawalEnabled }) => [
        id,
        { deposit_enabled: depositEnabled, withdrawal_enabled: withdrawalEnabled },
      ]),
    ),
    time: new Date(call.engine.now()).toISOString(),
  };
  return call.json(200, status);
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

/** Endpoint of the status. */
export const VENUE_STATUS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readStatus",
    method: "GET",
    paths: backendPaths("public/status"),
    ...SERVICE,
    summary: "Get the status of the venue",
    description:
      "Responds as long as the process is running; for load balancers, use `health/ready`.",
    answer: ok(
      "Status of the venue, its markets and its currencies.",
      VENUE_STATUS,
      VENUE_STATUS_EXAMPLE,
    ),
    handle: readStatus,
  }),
];
