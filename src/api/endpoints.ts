/** The table of all endpoints: routes and documentation are made from it. */
import type { Endpoint } from "./contract.ts";
import { ADMIN_KEY_ENDPOINTS } from "./routes/admin_keys.ts";
import { ADMIN_MARKET_ENDPOINTS } from "./routes/admin_markets.ts";
import { ADMIN_MEMBER_ENDPOINTS } from "./routes/admin_members.ts";
import { ADMIN_METRICS_ENDPOINTS } from "./routes/admin_metrics.ts";
import { ADMIN_VENUE_ENDPOINTS } from "./routes/admin_venue.ts";
import { BALANCE_ENDPOINTS } from "./routes/balances.ts";
import { BULK_ORDER_ENDPOINTS } from "./routes/bulk_orders.ts";
import { createMarketDataEndpoints } from "./routes/market_data.ts";
import { MARKET_ENDPOINTS } from "./routes/markets.ts";
import { ORDER_ENDPOINTS } from "./routes/orders.ts";
import { READING_ORDER_ENDPOINTS } from "./routes/reading_orders.ts";
import { TRADE_ENDPOINTS } from "./routes/trades.ts";
import { VENUE_INFO_ENDPOINTS } from "./routes/venue_info.ts";

/** Makes the table; the caches of one table are those of one app. */
export function createEndpoints(): readonly Endpoint[] {
  return [
    ...ORDER_ENDPOINTS,
    ...BULK_ORDER_ENDPOINTS,
    ...READING_ORDER_ENDPOINTS,
    ...TRADE_ENDPOINTS,
    ...BALANCE_ENDPOINTS,
    ...createMarketDataEndpoints(),
    ...MARKET_ENDPOINTS,
    ...VENUE_INFO_ENDPOINTS,
    ...ADMIN_MEMBER_ENDPOINTS,
    ...ADMIN_KEY_ENDPOINTS,
    ...ADMIN_MARKET_ENDPOINTS,
    ...ADMIN_VENUE_ENDPOINTS,
    ...ADMIN_METRICS_ENDPOINTS,
  ];
}
