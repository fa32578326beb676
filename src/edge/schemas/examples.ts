/** Examples for the contract. */

const UUID = "b436163d-5c73-81ea-be71-1831bf9834b0";

const ORDER_TERMS = {
  uuid: UUID,
  id: 10440269,
  side: "buy",
  market: "btcusdt",
  ord_type: "limit",
  trigger_price: null,
  time_in_force: "gtc",
  self_trade_prevention: "cancel_newest",
  client_order_id: "my-1",
  created_at: 1583146260,
  updated_at: 1583146260,
  created_at_ms: 1583146260123,
  updated_at_ms: 1583146260123,
};

/** An order as the backend paths return it. */
export const ORDER_EXAMPLE = {
  ...ORDER_TERMS,
  price: "9120.0",
  avg_price: "9120.0",
  state: "wait",
  origin_volume: "0.25",
  remaining_volume: "0.2",
  executed_volume: "0.05",
  executed_total: "456.0",
  fees: { btc: "0.0001" },
  maker_fee: "0.002",
  taker_fee: "0.002",
  trades_count: 1,
  reject_reason: null,
};

/** The same order as the trading paths return it. */
export const TRADING_ORDER_EXAMPLE = {
  ...ORDER_EXAMPLE,
  price: "9120",
  avg_price: "9120",
  executed_total: "456",
};

/** An order as its creation is answered. */
export const CREATED_ORDER_EXAMPLE = {
  ...ORDER_TERMS,
  type: "limit",
  market_id: "btcusdt",
  volume: "0.25",
  price: "9120",
  state: "pending",
  avg_price: "0",
  origin_volume: "0.25",
  remaining_volume: "0.25",
  executed_volume: "0",
  executed_total: "0",
  fees: {},
  maker_fee: "0.002",
  taker_fee: "0.002",
  trades_count: 0,
  reject_reason: null,
};

/** A trade of the member. */
export const TRADE_EXAMPLE = {
  id: 1834499,
  price: "9120.0",
  amount: "0.05",
  total: "456.0",
  fee_currency: "btc",
  fee: "0.002",
  fee_amount: "0.0001",
  market: "btcusdt",
  created_at: "2020-03-02T10:51:00Z",
  created_at_ms: 1583146260123,
  taker_type: "sell",
  side: "buy",
  order_id: 10440269,
  liquidity: "maker",
};

/** A trade of a market. */
export const PUBLIC_TRADE_EXAMPLE = {
  id: 1834499,
  price: "9120.0",
  amount: "0.05",
  total: "456.0",
  market: "btcusdt",
  created_at: "2020-03-02T10:51:00Z",
  created_at_ms: 1583146260123,
  taker_type: "sell",
};

/** A ticker. */
export const TICKER_EXAMPLE = {
  at: 1583146260,
  ticker: {
    at: 1583146260,
    low: "9100.0",
    high: "9300.0",
    open: "9200.0",
    last: "9250.0",
    volume: "18450.0",
    vol: "18450.0",
    amount: "2.0",
    avg_price: "9225.0",
    price_change_percent: "+0.54%",
    buy: "9249.0",
    sell: "9251.0",
  },
};

/** An order of a public book. */
export const BOOK_ORDER_EXAMPLE = {
  id: 10440269,
  uuid: UUID,
  side: "buy",
  ord_type: "limit",
  price: "9120.0",
  avg_price: "0.0",
  state: "wait",
  market: "btcusdt",
  created_at: 1583146260,
  updated_at: 1583146260,
  created_at_ms: 1583146260123,
  updated_at_ms: 1583146260123,
  origin_volume: "0.25",
  remaining_volume: "0.25",
  executed_volume: "0.0",
  trades_count: 0,
};

/** A market. */
export const MARKET_EXAMPLE = {
  id: "btcusdt",
  name: "BTC/USDT",
  base_unit: "btc",
  quote_unit: "usdt",
  min_price: "0.01",
  max_price: "0.0",
  min_amount: "0.0001",
  min_total: "0.0",
  amount_precision: 6,
  price_precision: 2,
  state: "enabled",
  position: 1,
};

/** A currency. */
export const CURRENCY_EXAMPLE = {
  id: "btc",
  name: "Bitcoin",
  description: null,
  homepage: null,
  price: "1.0",
  explorer_transaction: "",
  explorer_address: "",
  type: "coin",
  deposit_enabled: true,
  withdrawal_enabled: true,
  deposit_fee: "0.0",
  min_deposit_amount: "0.0001",
  withdraw_fee: "0.0",
  min_withdraw_amount: "0.0",
  withdraw_limit_24h: "10.0",
  withdraw_limit_72h: null,
  base_factor: 100000000,
  precision: 8,
  position: 1,
  min_confirmations: 6,
  networks: [],
};

/** A currency on a network. */
export const NETWORK_EXAMPLE = {
  network: "sepolia",
  contract: null,
  deposit_enabled: true,
  withdrawal_enabled: true,
  withdraw_fee: "0.0",
  min_confirmations: 6,
};

/** A member as operators see it. */
export const MEMBER_EXAMPLE = {
  uid: "ID0A1B2C3D4E",
  email: "alice@example.org",
  level: 3,
  group: "any",
  state: "active",
  bulk_orders_max: 0,
  open_orders_max: 0,
  untraded_orders_max: 0,
  market_orders_enabled: true,
  otp: true,
  operator_role: null,
  operator_role_active: false,
  created_at: "2020-03-02T10:51:00Z",
};

/** A key as operators see it. */
export const API_KEY_EXAMPLE = {
  kid: "0123456789abcdef",
  algorithm: "HS256",
  scopes: ["read", "trade"],
  state: "active",
  role: "member",
  nonce_mode: "single",
  ip_allow_list: [],
  created_at: "2020-03-02T10:51:00Z",
  updated_at: "2020-03-02T10:51:00Z",
};
