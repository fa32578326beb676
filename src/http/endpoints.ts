/** The table of all endpoints, from which routes and documentation are generated. */
import { ACCOUNT_STATEMENT_ENDPOINTS } from "./routes/account_statements.ts";
import type { Endpoint } from "./contract.ts";
import { withOlderPaths } from "./older_paths.ts";
import { ADMIN_ACT_ENDPOINTS } from "./routes/admin/admin_acts.ts";
import { ADMIN_APPROVAL_ENDPOINTS } from "./routes/admin/admin_approvals.ts";
import { ADMIN_BOUNDS_ENDPOINTS } from "./routes/admin/admin_bounds.ts";
import { ADMIN_CLASS_ENDPOINTS } from "./routes/admin/admin_classes.ts";
import { ADMIN_DEPOSIT_ENDPOINTS } from "./routes/admin/admin_deposits.ts";
import { ADMIN_EXPORT_ENDPOINTS } from "./routes/admin/admin_exports.ts";
import { ADMIN_REVERSAL_ENDPOINTS } from "./routes/admin/admin_reversals.ts";
import { ADMIN_IDENTITY_ENDPOINTS } from "./routes/admin/admin_identity.ts";
import { ADMIN_KEY_ENDPOINTS } from "./routes/admin/admin_keys.ts";
import { ADMIN_MARKET_ENDPOINTS } from "./routes/admin/admin_markets.ts";
import { ADMIN_NETWORK_ENDPOINTS } from "./routes/admin/admin_networks.ts";
import { ADMIN_MEMBER_ENDPOINTS } from "./routes/admin/admin_members.ts";
import { ADMIN_MEMBER_RECORD_ENDPOINTS } from "./routes/admin/admin_member_records.ts";
import { ADMIN_MEMBER_CARE_ENDPOINTS } from "./routes/admin/admin_member_care.ts";
import { ADMIN_METRICS_ENDPOINTS } from "./routes/admin/admin_metrics.ts";
import { ADMIN_OPERATOR_ENDPOINTS } from "./routes/admin/admin_operators.ts";
import { ADMIN_ORDER_ENDPOINTS } from "./routes/admin/admin_orders.ts";
import { ADMIN_SETTING_ENDPOINTS } from "./routes/admin/admin_settings.ts";
import { ADMIN_VENUE_ENDPOINTS } from "./routes/admin/admin_venue.ts";
import { ADMIN_WITHDRAW_ENDPOINTS } from "./routes/admin/admin_withdraws.ts";
import { ADMIN_WALLET_ENDPOINTS } from "./routes/admin/admin_wallet.ts";
import { ADMIN_WALLETS_ENDPOINTS } from "./routes/admin/admin_wallets.ts";
import { ADJUSTMENT_ENDPOINTS } from "./routes/admin/adjustments.ts";
import { AUTH_ACCOUNT_ENDPOINTS } from "./routes/auth/auth_account.ts";
import { AUTH_API_KEY_ENDPOINTS } from "./routes/auth/auth_api_keys.ts";
import { AUTH_SESSION_ENDPOINTS } from "./routes/auth/auth_sessions.ts";
import { AUTH_SETTING_ENDPOINTS } from "./routes/auth/auth_settings.ts";
import { AUTH_TWO_FACTOR_ENDPOINTS } from "./routes/auth/auth_two_factor.ts";
import { AUTH_USER_ENDPOINTS } from "./routes/auth/auth_users.ts";
import { BALANCE_ENDPOINTS } from "./routes/balances.ts";
import { BENEFICIARY_ENDPOINTS } from "./routes/beneficiary_endpoints.ts";
import { BULK_ORDER_ENDPOINTS } from "./routes/bulk_orders.ts";
import { CANCEL_TIMER_ENDPOINTS } from "./routes/cancel_timers.ts";
import { createFeedEndpoints } from "./feeds/feed_endpoints.ts";
import { LEDGER_ENDPOINTS } from "./routes/ledger.ts";
import { createMarketDataEndpoints } from "./routes/market_data.ts";
import { DEPOSIT_ENDPOINTS } from "./routes/deposits.ts";
import { FAUCET_ENDPOINTS } from "./routes/faucet.ts";
import { MARKET_ENDPOINTS } from "./routes/markets.ts";
import { ORDER_ENDPOINTS } from "./routes/orders.ts";
import { createOwnFeesEndpoints } from "./routes/own_fees.ts";
import { PNL_ENDPOINTS } from "./routes/pnl.ts";
import { READING_ORDER_ENDPOINTS } from "./routes/reading_orders.ts";
import { STATEMENT_ENDPOINTS } from "./routes/statements.ts";
import { TRADE_ENDPOINTS } from "./routes/trades.ts";
import { TRANSACTION_ENDPOINTS } from "./routes/transactions.ts";
import { VENUE_INFO_ENDPOINTS } from "./routes/venue_info.ts";
import { VENUE_STATUS_ENDPOINTS } from "./routes/venue_status.ts";
import { WITHDRAW_ENDPOINTS } from "./routes/withdraws.ts";

/** Creates the table; each application needs its own, as the endpoints hold caches. */
export function createEndpoints(): readonly Endpoint[] {
  return [
    ...ORDER_ENDPOINTS,
    ...BULK_ORDER_ENDPOINTS,
    ...CANCEL_TIMER_ENDPOINTS,
    ...READING_ORDER_ENDPOINTS,
    ...TRADE_ENDPOINTS,
    ...BALANCE_ENDPOINTS,
    ...createOwnFeesEndpoints(),
    ...PNL_ENDPOINTS,
    ...TRANSACTION_ENDPOINTS,
    ...STATEMENT_ENDPOINTS,
    ...ACCOUNT_STATEMENT_ENDPOINTS,
    ...LEDGER_ENDPOINTS,
    ...ADJUSTMENT_ENDPOINTS,
    ...DEPOSIT_ENDPOINTS,
    ...BENEFICIARY_ENDPOINTS,
    ...WITHDRAW_ENDPOINTS,
    ...AUTH_SETTING_ENDPOINTS,
    ...AUTH_USER_ENDPOINTS,
    ...AUTH_SESSION_ENDPOINTS,
    ...AUTH_ACCOUNT_ENDPOINTS,
    ...AUTH_TWO_FACTOR_ENDPOINTS,
    ...AUTH_API_KEY_ENDPOINTS,
    ...FAUCET_ENDPOINTS,
    ...createMarketDataEndpoints(),
    ...MARKET_ENDPOINTS,
    ...createFeedEndpoints(),
    ...VENUE_INFO_ENDPOINTS,
    ...VENUE_STATUS_ENDPOINTS,
    ...ADMIN_MEMBER_ENDPOINTS,
    ...ADMIN_MEMBER_RECORD_ENDPOINTS,
    ...ADMIN_EXPORT_ENDPOINTS,
    ...ADMIN_MEMBER_CARE_ENDPOINTS,
    ...ADMIN_KEY_ENDPOINTS,
    ...ADMIN_OPERATOR_ENDPOINTS,
    ...ADMIN_APPROVAL_ENDPOINTS,
    ...ADMIN_IDENTITY_ENDPOINTS,
    ...ADMIN_MARKET_ENDPOINTS,
    ...ADMIN_NETWORK_ENDPOINTS,
    ...ADMIN_ORDER_ENDPOINTS,
    ...ADMIN_VENUE_ENDPOINTS,
    ...ADMIN_DEPOSIT_ENDPOINTS,
    ...ADMIN_REVERSAL_ENDPOINTS,
    ...ADMIN_WITHDRAW_ENDPOINTS,
    ...ADMIN_BOUNDS_ENDPOINTS,
    ...ADMIN_CLASS_ENDPOINTS,
    ...ADMIN_SETTING_ENDPOINTS,
    ...ADMIN_ACT_ENDPOINTS,
    ...ADMIN_WALLET_ENDPOINTS,
    ...ADMIN_WALLETS_ENDPOINTS,
    ...ADMIN_METRICS_ENDPOINTS,
  ].map((endpoint) => ({ ...endpoint, paths: withOlderPaths(endpoint.paths) }));
}
