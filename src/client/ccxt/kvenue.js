/**
 * The venue as an exchange of ccxt 4.5, for bots and frameworks that trade by its unified calls:
 *
 * ```js
 * import ccxt from "ccxt";
 * import kvenueOf from "./kvenue.js";
 * const kvenue = kvenueOf(ccxt);
 * const venue = new kvenue({ apiKey, secret, urls: { api: "https://venue.example" } });
 * ```
 *
 * Orders get a client order id where the caller gives none. So whatever is sent again, by this class
 * or by `maxRetriesOnFailure`, is placed once. `kvenue.py` beside this file is the same in Python.
 * Needs Node, Deno or Bun.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";

/** What is read at most in one page of a list by id, and of one by pages. */
const PAGE_MAX = 1000;
const SHORT_PAGE_MAX = 100;
/** Price levels a side, and candles, that one call answers at most. */
const LEVELS_MAX = 1000;
const CANDLES_MAX = 10_000;
/** How often a call is sent, if the venue's clock refuses its nonces. */
const NONCE_TRIES = 3;
/** Nonces so far ahead, in ms, were never taken by the venue: the clock has been corrected since. */
const NEVER_TAKEN_MS = 6_000;

/** How far the clock may be off, in ms: a venue that tells more than that is not believed. */
const OFF_MS_MAX = 24 * 60 * 60 * 1000;

/** Whether a record is the order of this name: its id, its uuid, or `client:` and its own id. */
function isOrderOf(name, order) {
  const { id, uuid, client_order_id } = order ?? {};
  if (typeof uuid !== "string") return false;
  return [String(id), uuid.toLowerCase(), `client:${client_order_id}`].includes(
    String(name).startsWith("client:") ? String(name) : String(name).toLowerCase(),
  );
}

/** The last nonce of each key in this process, whichever instances share it. */
const lastNonces = new Map();
/** Where a list goes on behind a page, as the page's headers tell. */
const places = new WeakMap();

/** What costs 1 of the venue's rate limit: all calls, but a bulk as much as it has orders. */
const API = {
  public: {
    get: [
      "timestamp",
      "status",
      "markets",
      "currencies",
      "trading_fees",
      "markets/tickers",
      "markets/{market}/tickers",
      "markets/{market}/depth",
      "markets/{market}/trades",
      "markets/{market}/k-line",
    ],
  },
  backend: {
    get: [
      "market/orders",
      "market/orders/{id}",
      "market/trades",
      "account/balances",
      "account/deposits",
      "account/deposit_address/{currency}",
      "account/withdraws",
      "account/withdraws/{id}",
      "account/beneficiaries",
      "account/trading_fees",
      "account/ledger",
    ],
    post: ["account/withdraws"],
  },
  trading: {
    post: [
      "market/orders",
      "market/bulk/orders",
      "market/orders/cancel",
      "market/orders/cancel/{id}",
      "market/orders/cancel_all_after",
    ],
    delete: ["market/bulk/orders", "market/bulk/orders_by_id"],
  },
};

/** Unified calls, and what else ccxt asks for by name. */
const HAS_TRUE = [
  ..."spot cancelAllOrders cancelAllOrdersAfter cancelOrder cancelOrders createOrder".split(" "),
  ..."createOrders createPostOnlyOrder createStopLimitOrder createStopLossOrder".split(" "),
  ..."createStopMarketOrder createStopOrder createTriggerOrder fetchBalance".split(" "),
  ..."fetchCanceledAndClosedOrders fetchCanceledOrders fetchClosedOrders".split(" "),
  ..."fetchCurrencies fetchDepositAddress fetchDeposits fetchLedger fetchMarkets".split(" "),
  ..."fetchMyTrades fetchTradingFee fetchTradingFees".split(" "),
  ..."fetchOHLCV fetchOpenOrders fetchOrder fetchOrderBook fetchOrders fetchOrderTrades".split(" "),
  ..."fetchStatus fetchTicker fetchTickers fetchTime fetchTrades fetchWithdrawal".split(" "),
  ..."fetchWithdrawals withdraw".split(" "),
];
const HAS_FALSE = ["margin", "swap", "future", "option", "editOrder"];
/** Made of other calls: the amount is computed of the book. */
const HAS_EMULATED = [
  "createMarketBuyOrderWithCost",
  "createMarketOrderWithCost",
  "createMarketSellOrderWithCost",
];
const HAS = Object.fromEntries([
  ...HAS_TRUE.map((name) => [name, true]),
  ...HAS_FALSE.map((name) => [name, false]),
  ...HAS_EMULATED.map((name) => [name, "emulated"]),
]);

const LIST = { marginMode: false, limit: PAGE_MAX, symbolRequired: false };
/** What the calls take, as programs ask ccxt for it. */
const FEATURES = {
  sandbox: false,
  createOrder: {
    marginMode: false,
    triggerPrice: true,
    triggerDirection: false,
    stopLossPrice: true,
    takeProfitPrice: false,
    timeInForce: { IOC: true, FOK: true, PO: true, GTD: false },
    hedged: false,
    trailing: false,
    leverage: false,
    marketBuyByCost: true,
    marketBuyRequiresPrice: false,
    selfTradePrevention: true,
    iceberg: false,
  },
  createOrders: { max: 100 },
  fetchMyTrades: LIST,
  fetchOrder: { marginMode: false, trigger: false, trailing: false, symbolRequired: false },
  fetchOpenOrders: LIST,
  fetchOrders: LIST,
  fetchClosedOrders: LIST,
  fetchOHLCV: { limit: CANDLES_MAX },
};

/** Minutes of a candle. Weeks of the venue begin on Thursdays, as 1970 did. */
const TIMEFRAMES = {
  "1m": "1",
  "5m": "5",
  "15m": "15",
  "30m": "30",
  "1h": "60",
  "2h": "120",
  "4h": "240",
  "6h": "360",
  "12h": "720",
  "1d": "1440",
  "3d": "4320",
  "1w": "10080",
};

/** Errors of ccxt by the venue's identifiers; those that are missing go by their status. */
const EXACT = {
  "account.beneficiary.doesnt_exist": "InvalidAddress",
  "account.beneficiary.invalid_state_for_withdrawal": "InvalidAddress",
  "account.beneficiary.on_hold": "AddressPending",
  "account.currency.deposit_disabled": "OperationRejected",
  "account.currency.withdrawal_disabled": "OperationRejected",
  "account.withdraw.disabled_api": "OnMaintenance",
  "account.withdraw.insufficient_balance": "InsufficientFunds",
  "account.withdraw.invalid_otp": "AuthenticationError",
  "authz.invalid_api_key_headers": "AuthenticationError",
  "authz.invalid_permission": "PermissionDenied",
  "authz.nonce_already_used": "InvalidNonce",
  "authz.nonce_expired": "InvalidNonce",
  "authz.nonce_not_valid_timestamp": "InvalidNonce",
  "identity.otp.locked": "AuthenticationError",
  "market.account.insufficient_balance": "InsufficientFunds",
  "market.market.doesnt_exist": "BadSymbol",
  "market.market.doesnt_exist_or_not_enabled": "BadSymbol",
  "market.market.halted": "MarketClosed",
  "market.order.bulk_limit_exceeded": "BadRequest",
  "market.order.client_order_ids_limit": "OperationRejected",
  "market.order.client_order_ids_venue_limit": "OperationRejected",
  "market.order.duplicate_client_order_id": "DuplicateOrderId",
  "market.order.invaild_id_or_uuid": "OrderNotFound",
  "market.order.invalid_market": "BadSymbol",
  "market.order.missing_market": "BadSymbol",
  "market.order.open_orders_limit": "OperationRejected",
  "market.order.too_long_market": "BadSymbol",
  "market.order.untraded_orders_limit": "OperationRejected",
  "market.trade.disabled_api": "OnMaintenance",
  "public.market.doesnt_exist": "BadSymbol",
  "server.outcome_unknown": "RequestTimeout",
};

/** Errors of ccxt by the status of an answer that has the venue's identifiers. */
const BY_STATUS = {
  "401": "AuthenticationError",
  "403": "PermissionDenied",
  "408": "RequestTimeout",
  "429": "RateLimitExceeded",
  "500": "ExchangeNotAvailable",
  "503": "ExchangeNotAvailable",
  "504": "RequestTimeout",
};

const ORDER_STATUSES = {
  pending: "open",
  wait: "open",
  trigger_wait: "open",
  done: "closed",
  cancel: "canceled",
  reject: "rejected",
};

/** Deposits and withdrawals that are under way are in none of these states. */
const TRANSACTION_STATUSES = {
  collected: "ok",
  succeed: "ok",
  canceled: "canceled",
  rejected: "failed",
  errored: "failed",
  failed: "failed",
};

const LEDGER_TYPES = {
  Trade: "trade",
  Deposit: "transaction",
  Withdraw: "transaction",
  Adjustment: "adjustment",
};

/** The unified type of each of the venue's. */
const ORDER_TYPES = {
  limit: "limit",
  post_only: "limit",
  fill_or_kill: "limit",
  stop_limit: "limit",
  market: "market",
  stop: "market",
};

const SELF_TRADE_PREVENTIONS = {
  EXPIRE_TAKER: "cancel_newest",
  EXPIRE_MAKER: "cancel_oldest",
  EXPIRE_BOTH: "cancel_both",
  NONE: "none",
};

/**
 * Returns the exchange class for the ccxt that the caller has installed.
 *
 * @param {object} ccxt what `import ccxt from "ccxt"` gives
 */
export default function kvenueOf(ccxt) {
  const { Exchange, Precise, TICK_SIZE } = ccxt;

  return class kvenue extends Exchange {
    describe() {
      const exact = Object.fromEntries(
        Object.entries(EXACT).map(([identifier, name]) => [identifier, ccxt[name]]),
      );
      return this.deepExtend(super.describe(), {
        id: "kvenue",
        name: "kvenue",
        countries: [],
        version: "v2",
        // The venue lets a member spend 100 a second unless its operator says otherwise.
        rateLimit: 10,
        // The venue itself answers within 10 s, if only that the outcome is unknown.
        timeout: 15_000,
        has: HAS,
        features: { spot: FEATURES },
        timeframes: TIMEFRAMES,
        urls: { api: "http://127.0.0.1:8000", www: "", doc: "" },
        api: API,
        // Those of the markets and of the member are read from the venue.
        fees: { trading: { tierBased: false, percentage: true, feeSide: "get" } },
        exceptions: { exact, broad: {} },
        precisionMode: TICK_SIZE,
        // `pageMax` is how many records a page of a list by id asks for.
        options: { timeDifference: 0, pageMax: PAGE_MAX },
      });
    }

    /** The time of the venue as far as it is known, and never the same number twice for a key. */
    nonce() {
      const now = this.milliseconds() - this.safeInteger(this.options, "timeDifference", 0);
      const next = (lastNonces.get(this.apiKey) ?? 0) + 1;
      const nonce = next > now && next < now + NEVER_TAKEN_MS ? next : now;
      lastNonces.set(this.apiKey, nonce);
      return nonce;
    }

    sign(path, api = "public", method = "GET", params = {}) {
      const isBulk = Array.isArray(params);
      const names = this.extractParams(path);
      const parts = names.map((name) => [name, encodeURIComponent(String(params[name]))]);
      const rest = isBulk ? params : this.omit(params, names);
      // Versions of ccxt 4.5 differ in how they name a group of paths.
      const [section] = [api].flat();
      const group = section === "public" ? "backend/public" : section;
      let target = `/api/v2/${group}/${this.implodeParams(path, Object.fromEntries(parts))}`;
      const hasFields = Object.keys(rest).length > 0;
      if (method === "GET" && hasFields) target += `?${this.urlencode(rest)}`;
      const body = method !== "GET" && hasFields ? this.json(rest) : undefined;
      const headers = body === undefined ? {} : { "Content-Type": "application/json" };
      if (section !== "public") Object.assign(headers, this.signature(method, target, body ?? ""));
      return { url: this.urls.api.replace(/\/+$/, "") + target, method, body, headers };
    }

    signature(method, target, body) {
      this.checkRequiredCredentials();
      const nonce = String(this.nonce());
      const signed = (text) => createHmac("sha256", this.secret).update(text).digest("hex");
      const hash = createHash("sha256").update(body).digest("hex");
      return {
        "X-Auth-Apikey": this.apiKey,
        "X-Auth-Nonce": nonce,
        "X-Auth-Signature": signed(nonce + this.apiKey),
        "X-Auth-Body-Signature": signed(nonce + this.apiKey + method + target + hash),
      };
    }

    /** Sends a call, with another nonce where the venue's clock refuses one: it has done nothing. */
    async request(...call) {
      for (let tries = 1;; tries++) {
        try {
          return await super.request(...call);
        } catch (error) {
          if (!(error instanceof ccxt.InvalidNonce) || tries === NONCE_TRIES) throw error;
        }
      }
    }

    calculateRateLimiterCost(_api, _method, _path, params) {
      return Array.isArray(params) ? Math.max(1, params.length) : 1;
    }

    handleErrors(status, _reason, url, method, headers, body, response) {
      if (Array.isArray(response)) {
        places.set(response, {
          // How far the search for it has looked, if it stopped at its bound.
          scannedId: this.safeInteger(headers, "X-Scanned-Id"),
          cursor: this.safeString(headers, "X-Next-Cursor"),
        });
      }
      // Somebody on the way has answered: ccxt judges that by its status.
      if (status < 400 || !Array.isArray(response?.errors)) return undefined;
      const [identifier = ""] = response.errors;
      const serverTime = this.safeInteger(response, "server_time");
      const difference = this.milliseconds() - (serverTime ?? NaN);
      if (Math.abs(difference) <= OFF_MS_MAX) this.options.timeDifference = difference;
      const message = `${this.id} ${body}`;
      const isOfOrders = url.includes("/market/");
      if (identifier === "record.not_found" && isOfOrders) throw new ccxt.OrderNotFound(message);
      // It has a state where the market is there, and takes no orders.
      const state = this.safeString(this.safeDict(response, "details"), "value");
      if (identifier.endsWith("doesnt_exist_or_not_enabled") && CLOSED_STATES.has(state)) {
        throw new ccxt.MarketClosed(message);
      }
      this.throwExactlyMatchedException(this.exceptions.exact, identifier, message);
      const isOrder = identifier.startsWith("market.order.") && method !== "GET";
      const byStatus = ccxt[BY_STATUS[status] ?? (isOrder ? "InvalidOrder" : "BadRequest")];
      throw new byStatus(message);
    }

    // What anybody may read

    async fetchTime(params = {}) {
      const response = await this.publicGetTimestamp(params);
      return this.parse8601(response.replaceAll('"', ""));
    }

    async fetchStatus(params = {}) {
      const response = await this.publicGetStatus(params);
      const isOpen = response.state !== "stopped" && response.trading;
      return {
        status: isOpen ? "ok" : "maintenance",
        updated: this.parse8601(this.safeString(response, "time")),
        eta: undefined,
        url: undefined,
        info: response,
      };
    }

    /** Reads a list that has numbered pages, whole. */
    async pages(read, query, size) {
      const records = [];
      for (let page = 1;; page++) {
        const found = await read({ ...query, limit: size, page });
        records.push(...found);
        if (found.length < size) return records;
      }
    }

    async fetchMarkets(params = {}) {
      const [markets, fees] = await Promise.all([
        this.pages(this.publicGetMarkets, params, PAGE_MAX),
        this.pages(this.publicGetTradingFees, {}, PAGE_MAX),
      ]);
      const ofAll = fees.filter(({ group }) => group === "any");
      const feeOf = (id) => ofAll.find(({ market_id }) => market_id === id);
      return markets.map((market) => ({
        ...this.parseMarket(market),
        ...this.ratesOf(feeOf(market.id) ?? feeOf("any")),
      }));
    }

    ratesOf(fee) {
      return { maker: this.safeNumber(fee, "maker"), taker: this.safeNumber(fee, "taker") };
    }

    parseMarket(market) {
      const baseId = this.safeString(market, "base_unit");
      const quoteId = this.safeString(market, "quote_unit");
      const base = this.safeCurrencyCode(baseId);
      const quote = this.safeCurrencyCode(quoteId);
      return this.safeMarketStructure({
        id: this.safeString(market, "id"),
        symbol: `${base}/${quote}`,
        base,
        quote,
        baseId,
        quoteId,
        type: "spot",
        spot: true,
        margin: false,
        contract: false,
        active: market.state === "enabled",
        precision: {
          amount: this.stepOf(market, "amount_precision"),
          price: this.stepOf(market, "price_precision"),
        },
        limits: {
          amount: { min: this.safeNumber(market, "min_amount"), max: undefined },
          price: {
            min: this.safeNumberOmitZero(market, "min_price"),
            max: this.safeNumberOmitZero(market, "max_price"),
          },
          cost: { min: this.safeNumberOmitZero(market, "min_total"), max: undefined },
        },
        info: market,
      });
    }

    /** Returns the step that a number of digits after the point makes. */
    stepOf(record, field) {
      return this.parseNumber(this.parsePrecision(this.safeString(record, field)));
    }

    async fetchCurrencies(params = {}) {
      const records = await this.pages(this.publicGetCurrencies, params, PAGE_MAX);
      const currencies = records.map((currency) => this.parseCurrency(currency));
      return this.indexBy(currencies, "code");
    }

    parseCurrency(currency) {
      const { deposit_enabled: deposit, withdrawal_enabled: withdraw } = currency;
      const id = this.safeString(currency, "id");
      return this.safeCurrencyStructure({
        id,
        code: this.safeCurrencyCode(id),
        name: this.safeString(currency, "name"),
        type: currency.type === "fiat" ? "fiat" : "crypto",
        active: deposit && withdraw,
        deposit,
        withdraw,
        fee: this.safeNumber(currency, "withdraw_fee"),
        precision: this.stepOf(currency, "precision"),
        limits: {
          deposit: { min: this.safeNumberOmitZero(currency, "min_deposit_amount") },
          withdraw: { min: this.safeNumberOmitZero(currency, "min_withdraw_amount") },
        },
        info: currency,
      });
    }

    async fetchTicker(symbol, params = {}) {
      await this.loadMarkets();
      const market = this.market(symbol);
      const response = await this.publicGetMarketsMarketTickers({ ...params, market: market.id });
      return this.parseTicker(response, market);
    }

    async fetchTickers(symbols = undefined, params = {}) {
      await this.loadMarkets();
      const response = await this.publicGetMarketsTickers(params);
      const tickers = Object.entries(response).map(([id, ticker]) =>
        this.parseTicker(ticker, this.safeMarket(id))
      );
      return this.filterByArrayTickers(tickers, "symbol", this.marketSymbols(symbols));
    }

    parseTicker(response, market = undefined) {
      const { ticker } = response;
      const timestamp = this.safeTimestamp(response, "at");
      const traded = (field) => this.omitZero(this.safeString(ticker, field));
      return this.safeTicker({
        symbol: market.symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        high: traded("high"),
        low: traded("low"),
        bid: traded("buy"),
        ask: traded("sell"),
        vwap: traded("avg_price"),
        open: traded("open"),
        last: traded("last"),
        baseVolume: this.safeString(ticker, "amount"),
        quoteVolume: this.safeString(ticker, "volume"),
        info: response,
      }, market);
    }

    async fetchOrderBook(symbol, limit = LEVELS_MAX, params = {}) {
      await this.loadMarkets();
      const market = this.market(symbol);
      const request = { market: market.id, limit: Math.min(limit ?? LEVELS_MAX, LEVELS_MAX) };
      const response = await this.publicGetMarketsMarketDepth({ ...request, ...params });
      const timestamp = this.safeTimestamp(response, "timestamp");
      const book = this.parseOrderBook(response, market.symbol, timestamp);
      return { ...book, nonce: this.safeInteger(response, "sequence") };
    }

    async fetchOHLCV(symbol, timeframe = "1m", since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets();
      const market = this.market(symbol);
      const { until, ...rest } = params;
      const period = this.safeString(this.timeframes, timeframe, timeframe);
      const request = { market: market.id, period, limit: Math.min(limit ?? 500, CANDLES_MAX) };
      if (since !== undefined) request.time_from = Math.ceil(since / 1000);
      if (until !== undefined) request.time_to = Math.floor(until / 1000);
      const response = await this.publicGetMarketsMarketKLine({ ...request, ...rest });
      return this.parseOHLCVs(response, market, timeframe, since, limit);
    }

    parseOHLCV([at, ...values], _market = undefined) {
      return [at * 1000, ...values.map((value) => this.parseNumber(value))];
    }

    async fetchTrades(symbol, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets();
      const market = this.market(symbol);
      const request = { market: market.id };
      const read = this.publicGetMarketsMarketTrades;
      const trades = await this.walk(read, request, since, limit, params);
      return trades.map((trade) => this.parseTrade(trade, market));
    }

    /**
     * Reads a list by id, each record once: from `since` (ms) or `from_id` upwards, else the newest.
     * Many records may share a millisecond. So without a `limit` the last one is read whole, and
     * the next `since` may be a millisecond later; with `paginate` the walk goes on to the end.
     *
     * @returns {Promise<object[]>} as they are, the oldest first
     */
    async walk(read, request, since, limit, params, way = {}) {
      const { until, paginate, ...rest } = params;
      const { isByCursor = false, pageMax = this.options.pageMax } = way;
      const isUp = isByCursor || since !== undefined || rest.from_id !== undefined;
      const most = limit ?? (paginate ? Infinity : pageMax);
      // Times in queries are whole seconds: what is not wanted of one is read with it.
      const least = since === undefined && until === undefined ? 1 : SHORT_PAGE_MAX;
      const size = Math.min(Math.max(most, least), pageMax);
      const query = { ...request, ...rest, limit: size };
      if (!isByCursor) query.order_by = isUp ? "asc" : "desc";
      if (since !== undefined) query.time_from = Math.floor(since / 1000);
      if (until !== undefined) query.time_to = Math.floor(until / 1000) + 1;
      // Deposits and withdrawals have seconds only, which the query has compared.
      const isWanted = ({ created_at_ms: at }) => !(at < since) && !(at > until);
      const found = [];
      for (;;) {
        const page = await read(query);
        found.push(...page.filter(isWanted));
        const { scannedId, cursor } = places.get(page);
        const isLast = page.length < size && scannedId === undefined;
        if (isByCursor ? cursor === undefined : isLast) break;
        const isWhole = limit !== undefined || !isUp ||
          found[most]?.created_at_ms > found[most - 1]?.created_at_ms;
        if (found.length >= most && isWhole) break;
        const lastId = scannedId ?? Number(page.at(-1)?.id);
        if (isByCursor) query.after = cursor;
        else if (isUp) query.from_id = lastId + 1;
        else query.to_id = lastId - 1;
      }
      if (!isUp) return found.slice(0, most).reverse();
      const end = limit === undefined ? found[most - 1]?.created_at_ms : NaN;
      return found.filter(({ created_at_ms: at }, place) => place < most || at === end);
    }

    parseTrade(trade, market = undefined) {
      const known = this.safeMarket(this.safeString(trade, "market"), market);
      const timestamp = this.safeInteger(trade, "created_at_ms");
      const feeCurrency = this.safeString(trade, "fee_currency");
      return this.safeTrade({
        id: this.safeString(trade, "id"),
        order: this.safeString(trade, "order_id"),
        symbol: known.symbol,
        type: undefined,
        side: this.safeString2(trade, "side", "taker_type"),
        takerOrMaker: this.safeString(trade, "liquidity"),
        price: this.safeString(trade, "price"),
        amount: this.safeString(trade, "amount"),
        cost: this.safeString(trade, "total"),
        fee: feeCurrency === undefined ? undefined : {
          cost: this.safeString(trade, "fee_amount"),
          currency: this.safeCurrencyCode(feeCurrency),
          rate: this.safeString(trade, "fee"),
        },
        timestamp,
        datetime: this.iso8601(timestamp),
        info: trade,
      }, known);
    }

    // Orders

    async createOrder(symbol, type, side, amount, price = undefined, params = {}) {
      await this.loadMarkets();
      const request = await this.orderRequest(symbol, type, side, amount, price, params);
      const placed = await this.tradingPostMarketOrders(request);
      this.checkOrders([placed], [`client:${request.client_order_id}`]);
      return this.parseOrder(placed, this.market(symbol));
    }

    /** Places all of these orders or none. */
    async createOrders(orders, params = {}) {
      await this.loadMarkets();
      const requests = await Promise.all(orders.map((order) => {
        const { symbol, type, side, amount, price } = order;
        const own = { ...params, ...order.params };
        return this.orderRequest(symbol, type, side, amount, price, own);
      }));
      const placed = await this.tradingPostMarketBulkOrders(requests);
      this.checkOrders(placed, requests.map((request) => `client:${request.client_order_id}`));
      return placed.map((order) => this.parseOrder(order));
    }

    /** Returns the body of an order; amounts and prices are texts on the market's grid. */
    async orderRequest(symbol, type, side, amount, price, params) {
      const market = this.market(symbol);
      const { cost, triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, ...given } = params;
      const unified = ORDER_TYPES[type];
      if (unified === undefined) throw new ccxt.InvalidOrder(`${this.id} has no orders ${type}`);
      if (takeProfitPrice !== undefined) {
        throw new ccxt.NotSupported(`${this.id} has no takeProfitPrice`);
      }
      const isMarket = unified === "market";
      const trigger = triggerPrice ?? stopPrice ?? stopLossPrice;
      const isPostOnlyType = type === "post_only";
      const [isPostOnly, others] = this.handlePostOnly(isMarket, isPostOnlyType, given);
      const { clientOrderId, timeInForce, selfTradePrevention, ...rest } = others;
      if (isPostOnly && trigger !== undefined) {
        throw new ccxt.InvalidOrder(`${this.id} has no stop orders that are postOnly`);
      }
      const request = {
        market: market.id,
        side,
        type: trigger === undefined ? type : isMarket ? "stop" : "stop_limit",
        client_order_id: clientOrderId ?? randomUUID(),
        response: "result",
      };
      if (isPostOnly) request.type = "post_only";
      const volume = isMarket && cost !== undefined
        ? await this.amountForCost(symbol, side, cost, price)
        : amount;
      request.amount = this.amountToPrecision(symbol, volume);
      if (!isMarket && price !== undefined) request.price = this.priceToPrecision(symbol, price);
      if (trigger !== undefined) request.trigger_price = this.priceToPrecision(symbol, trigger);
      const lasting = timeInForce?.toLowerCase();
      // A market order never rests.
      if (lasting !== undefined && !(isMarket && lasting === "ioc")) {
        request.time_in_force = lasting;
      }
      const prevention = SELF_TRADE_PREVENTIONS[selfTradePrevention] ?? selfTradePrevention;
      if (prevention !== undefined) request.self_trade_prevention = prevention;
      return { ...request, ...rest };
    }

    /** Returns what a cost buys or sells at a price, or else of the book as it is now. */
    async amountForCost(symbol, side, cost, price) {
      const whole = this.numberToString(cost);
      if (price !== undefined) return Precise.stringDiv(whole, this.numberToString(price));
      const book = await this.publicGetMarketsMarketDepth({
        market: this.market(symbol).id,
        limit: LEVELS_MAX,
      });
      // Both sides go from the highest price to the lowest.
      const levels = side === "buy" ? [...book.asks].reverse() : book.bids;
      let left = whole;
      let amount = "0";
      for (const [levelPrice, volume] of levels) {
        const total = Precise.stringMul(levelPrice, volume);
        if (Precise.stringGe(total, left)) {
          return Precise.stringAdd(amount, Precise.stringDiv(left, levelPrice));
        }
        left = Precise.stringSub(left, total);
        amount = Precise.stringAdd(amount, volume);
      }
      throw new ccxt.OrderNotFillable(`${this.id} ${symbol}: the book has less than ${whole}`);
    }

    async createMarketOrderWithCost(symbol, side, cost, params = {}) {
      return await this.createOrder(symbol, "market", side, 0, undefined, { ...params, cost });
    }

    async createMarketBuyOrderWithCost(symbol, cost, params = {}) {
      return await this.createMarketOrderWithCost(symbol, "buy", cost, params);
    }

    async createMarketSellOrderWithCost(symbol, cost, params = {}) {
      return await this.createMarketOrderWithCost(symbol, "sell", cost, params);
    }

    parseOrder(order, market = undefined) {
      const known = this.safeMarket(this.safeString(order, "market"), market);
      const timestamp = this.safeInteger(order, "created_at_ms");
      const type = this.safeString(order, "ord_type");
      const { trades } = order;
      // Fees are of one currency: what the order receives.
      const [fee] = Object.entries(order.fees ?? {}).map(([id, cost]) => ({
        currency: this.safeCurrencyCode(id),
        cost: this.parseNumber(cost),
      }));
      const isPostOnly = type === "post_only";
      // A market order never rests, whatever the venue calls that.
      const lasting = ORDER_TYPES[type] === "market" ? undefined : order.time_in_force;
      const own = trades?.map((trade) => this.parseTrade(trade, known));
      const parsed = this.safeOrder({
        id: this.safeString(order, "id"),
        clientOrderId: this.safeString(order, "client_order_id"),
        timestamp,
        datetime: this.iso8601(timestamp),
        lastTradeTimestamp: trades?.length > 0 ? trades.at(-1).created_at_ms : undefined,
        lastUpdateTimestamp: this.safeInteger(order, "updated_at_ms"),
        symbol: known.symbol,
        type: ORDER_TYPES[type],
        timeInForce: isPostOnly ? "PO" : lasting?.toUpperCase(),
        postOnly: isPostOnly,
        side: this.safeString(order, "side"),
        price: this.safeString(order, "price"),
        triggerPrice: this.safeString(order, "trigger_price"),
        amount: this.safeString(order, "origin_volume"),
        filled: this.safeString(order, "executed_volume"),
        remaining: this.safeString(order, "remaining_volume"),
        average: this.safeString(order, "avg_price"),
        cost: this.safeString(order, "executed_total"),
        status: this.safeString(ORDER_STATUSES, this.safeString(order, "state")),
        // Both, or ccxt would add those of the trades once more.
        ...(fee === undefined ? {} : { fee, fees: [fee] }),
        trades: own,
        info: order,
      }, known);
      // They are left out where their fees are not needed.
      return { ...parsed, trades: own ?? [] };
    }

    /** Returns what the venue calls an order, and the other parameters. */
    orderName(id, { clientOrderId, ...rest }) {
      if (clientOrderId !== undefined) return [`client:${clientOrderId}`, rest];
      if (id === undefined) throw new ccxt.ArgumentsRequired(`${this.id} needs an order's id`);
      return [id, rest];
    }

    /**
     * Checks that these are the orders that were asked for. Somebody on the way may answer well
     * without having asked the venue, or with others' orders: what became of these is not known.
     */
    checkOrders(orders, names) {
      const isWhole = Array.isArray(orders) && orders.length === names.length;
      if (isWhole && names.every((name, i) => isOrderOf(name, orders[i]))) return;
      throw new ccxt.BadResponse(`${this.id} has not told what became of ${names.join(", ")}`);
    }

    /** Cancels an order; one that has ended stays as it is, and is returned. */
    async cancelOrder(id, symbol = undefined, params = {}) {
      await this.loadMarkets();
      const [name, rest] = this.orderName(id, params);
      const order = await this.tradingPostMarketOrdersCancelId({ ...rest, id: name });
      this.checkOrders([order], [name]);
      return this.parseOrder(order, this.marketOrNone(symbol));
    }

    /** Cancels those of these orders that are open, named by ids or else by `clientOrderIds`. */
    async cancelOrders(ids, _symbol = undefined, params = {}) {
      await this.loadMarkets();
      const { clientOrderIds } = params;
      const info = clientOrderIds === undefined
        ? await this.tradingDeleteMarketBulkOrdersById(ids.map(Number))
        : await this.tradingDeleteMarketBulkOrders(clientOrderIds.map((id) => `client:${id}`));
      const names = clientOrderIds?.map((clientOrderId) => ({ clientOrderId })) ??
        ids.map((id) => ({ id: String(id) }));
      return names.map((name) => this.safeOrder({ ...name, info }));
    }

    async cancelAllOrders(symbol = undefined, params = {}) {
      await this.loadMarkets();
      const orders = await this.tradingPostMarketOrdersCancel(this.ofMarket(symbol, params));
      if (!Array.isArray(orders)) {
        throw new ccxt.BadResponse(`${this.id} has not told which orders it has cancelled`);
      }
      return orders.map((order) => this.parseOrder(order));
    }

    /** Has all orders cancelled after so many ms, unless it is called again; 0 ends that. */
    async cancelAllOrdersAfter(timeout, params = {}) {
      const seconds = Precise.stringDiv(this.numberToString(timeout), "1000");
      return await this.tradingPostMarketOrdersCancelAllAfter({ ...params, timeout: seconds });
    }

    async fetchOrder(id, symbol = undefined, params = {}) {
      await this.loadMarkets();
      const [name, rest] = this.orderName(id, params);
      const order = await this.backendGetMarketOrdersId({ ...rest, id: name });
      this.checkOrders([order], [name]);
      return this.parseOrder(order, this.marketOrNone(symbol));
    }

    async fetchOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets();
      const request = this.ofMarket(symbol, {});
      const orders = await this.walk(this.backendGetMarketOrders, request, since, limit, params);
      return orders.map((order) => this.parseOrder(order));
    }

    /** Without a `limit`, all of them. */
    async fetchOpenOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      const open = { paginate: true, ...params, state: "pending,wait,trigger_wait" };
      return await this.fetchOrders(symbol, since, limit, open);
    }

    async fetchClosedOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      return await this.fetchOrders(symbol, since, limit, { ...params, state: "done" });
    }

    async fetchCanceledOrders(
      symbol = undefined,
      since = undefined,
      limit = undefined,
      params = {},
    ) {
      return await this.fetchOrders(symbol, since, limit, { ...params, state: "cancel" });
    }

    async fetchCanceledAndClosedOrders(
      symbol = undefined,
      since = undefined,
      limit = undefined,
      params = {},
    ) {
      return await this.fetchOrders(symbol, since, limit, {
        ...params,
        state: "done,cancel,reject",
      });
    }

    async fetchMyTrades(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets();
      const request = this.ofMarket(symbol, {});
      const trades = await this.walk(this.backendGetMarketTrades, request, since, limit, params);
      return trades.map((trade) => this.parseTrade(trade));
    }

    async fetchOrderTrades(
      id,
      symbol = undefined,
      since = undefined,
      limit = undefined,
      params = {},
    ) {
      const { trades } = await this.fetchOrder(id, symbol, params);
      return this.filterBySinceLimit(trades, since, limit);
    }

    ofMarket(symbol, params) {
      return symbol === undefined ? params : { ...params, market: this.market(symbol).id };
    }

    marketOrNone(symbol) {
      return symbol === undefined ? undefined : this.market(symbol);
    }

    // Money

    async fetchBalance(params = {}) {
      await this.loadMarkets();
      const accounts = await this.pages(this.backendGetAccountBalances, params, PAGE_MAX);
      const balances = accounts.map((account) => [this.safeCurrencyCode(account.currency), {
        free: this.safeString(account, "balance"),
        used: this.safeString(account, "locked"),
      }]);
      return this.safeBalance({ info: accounts, ...Object.fromEntries(balances) });
    }

    /** The member's own rates. */
    async fetchTradingFees(params = {}) {
      await this.loadMarkets();
      const response = await this.backendGetAccountTradingFees(params);
      const fees = response.markets.map((fee) => ({
        info: fee,
        symbol: this.safeSymbol(fee.market_id),
        ...this.ratesOf(fee),
        percentage: true,
        tierBased: false,
      }));
      return this.indexBy(fees, "symbol");
    }

    async fetchTradingFee(symbol, params = {}) {
      return (await this.fetchTradingFees(params))[this.symbol(symbol)];
    }

    /** Reads changes of balances, the oldest first: without `since`, from the very first. */
    async fetchLedger(code = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets();
      const request = code === undefined ? {} : { currency: this.currency(code).id };
      const read = this.backendGetAccountLedger;
      const lines = await this.walk(read, request, since, limit, params, { isByCursor: true });
      return lines.map((line) => this.parseLedgerEntry(line));
    }

    parseLedgerEntry(line, currency = undefined) {
      const amount = this.safeString(line, "amount");
      const after = this.safeString(line, "balance");
      const code = this.safeCurrencyCode(this.safeString(line, "currency"), currency);
      return this.safeLedgerEntry({
        id: this.safeString(line, "id"),
        direction: Precise.stringLt(amount, "0") ? "out" : "in",
        referenceId: this.safeString(line, "reference"),
        type: LEDGER_TYPES[line.type],
        amount: Precise.stringAbs(amount),
        before: Precise.stringSub(after, amount),
        after,
        status: "ok",
        // It is in the amount.
        fee: { cost: this.safeString(line, "fee"), currency: code },
        timestamp: this.safeInteger(line, "created_at_ms"),
        info: line,
      }, this.currency(code));
    }

    async fetchDeposits(code = undefined, since = undefined, limit = undefined, params = {}) {
      return await this.transactionsOf(this.backendGetAccountDeposits, code, since, limit, params);
    }

    async fetchWithdrawals(code = undefined, since = undefined, limit = undefined, params = {}) {
      return await this.transactionsOf(this.backendGetAccountWithdraws, code, since, limit, params);
    }

    async fetchWithdrawal(id, _code = undefined, params = {}) {
      await this.loadMarkets();
      return this.parseTransaction(await this.backendGetAccountWithdrawsId({ ...params, id }));
    }

    async transactionsOf(read, code, since, limit, params) {
      await this.loadMarkets();
      const currency = code === undefined ? undefined : this.currency(code);
      const request = currency === undefined ? {} : { currency: currency.id };
      const way = { pageMax: SHORT_PAGE_MAX };
      const records = await this.walk(read, request, since, limit, params, way);
      return records.map((record) => this.parseTransaction(record, currency));
    }

    parseTransaction(transaction, currency = undefined) {
      const isWithdrawal = "rid" in transaction;
      const code = this.safeCurrencyCode(this.safeString(transaction, "currency"), currency);
      const [address, tag] = destination(this.safeString(transaction, "rid"));
      const timestamp = this.parse8601(this.safeString(transaction, "created_at"));
      const state = this.safeString(transaction, "state");
      const updated = this.safeString2(transaction, "updated_at", "completed_at");
      return {
        id: this.safeString(transaction, "id"),
        txid: this.safeString2(transaction, "txid", "blockchain_txid"),
        type: isWithdrawal ? "withdrawal" : "deposit",
        currency: code,
        network: this.networkIdToCode(this.safeString(transaction, "network"), code),
        amount: this.safeNumber(transaction, "amount"),
        fee: { currency: code, cost: this.safeNumber(transaction, "fee"), rate: undefined },
        status: this.safeString(TRANSACTION_STATUSES, state, "pending"),
        address,
        addressFrom: undefined,
        addressTo: address,
        tag,
        tagFrom: undefined,
        tagTo: tag,
        comment: this.safeString(transaction, "note"),
        internal: undefined,
        timestamp,
        datetime: this.iso8601(timestamp),
        updated: this.parse8601(updated),
        info: transaction,
      };
    }

    async fetchDepositAddress(code, params = {}) {
      await this.loadMarkets();
      const { network, rest } = this.networkAsked(code, params);
      const request = { ...rest, ...network && { network }, currency: this.currency(code).id };
      const response = await this.backendGetAccountDepositAddressCurrency(request);
      const address = this.safeString(response, "address");
      if (address === undefined) {
        throw new ccxt.AddressPending(`${this.id} ${code}: the address is being made, try again`);
      }
      const tag = this.safeString(response, "tag");
      const by = this.networkIdToCode(this.safeString(response, "network"), code);
      return { currency: code, network: by, address, tag, info: response };
    }

    /**
     * Withdraws to an active beneficiary, found by its address, tag and `network` unless its id is
     * given as `beneficiary_id`. The code is `otp`, or made of the secret `twofa`. The fee is in the
     * amount.
     */
    async withdraw(code, amount, address, tag = undefined, params = {}) {
      await this.loadMarkets();
      const currency = this.currency(code);
      const { network, rest: given } = this.networkAsked(code, params);
      const { otp = this.oath(), beneficiary_id, ...rest } = given;
      const id = beneficiary_id ?? undefined;
      const isFound = id !== undefined && network === undefined;
      const to = { id, address, tag, network };
      const response = await this.backendPostAccountWithdraws({
        ...rest,
        currency: currency.id,
        amount: this.currencyToPrecision(code, amount),
        beneficiary_id: isFound ? id : await this.beneficiaryAt(currency.id, to),
        otp: Number(otp),
      });
      return this.parseTransaction(response, currency);
    }

    /** Returns the network that is asked for by its unified name, and the other parameters. */
    networkAsked(code, params) {
      const [name, rest] = this.handleNetworkCodeAndParams(params);
      return { network: name && this.networkCodeToId(name, code), rest };
    }

    /** Returns the id of the one beneficiary: an address may be one on each network of a coin. */
    async beneficiaryAt(currency, { id, address, tag, network }) {
      const request = { currency, state: "active" };
      const known = await this.pages(this.backendGetAccountBeneficiaries, request, SHORT_PAGE_MAX);
      const asked = tag === undefined || tag === null ? "" : String(tag);
      const found = known.filter(({ id: one, network: by, data: { address: own, ...beside } }) => {
        if (network !== undefined && by !== network) return false;
        if (id !== undefined) return String(one) === String(id);
        return own === address && Object.values(beside).join("") === asked;
      });
      if (found.length === 0) {
        throw new ccxt.InvalidAddress(`${this.id} ${address} is no active beneficiary`);
      }
      if (found.length > 1) {
        const networks = found.map(({ network: by }) => by).join(", ");
        throw new ccxt.ArgumentsRequired(`${this.id} withdraw() needs a network, of ${networks}`);
      }
      return found[0].id;
    }
  };
}

const CLOSED_STATES = new Set(["cancel_only", "halted"]);

/** Makes the class known under its name, as programs that look exchanges up in ccxt need it. */
export function register(ccxt) {
  ccxt.kvenue = kvenueOf(ccxt);
  if (!ccxt.exchanges.includes("kvenue")) ccxt.exchanges.push("kvenue");
}

/** Splits a withdrawal's `rid` into its address and its tag: no address has a blank. */
function destination(rid) {
  const [, address, tag] = /^([^ ]+) [a-z_]+=(.*)$/.exec(rid ?? "") ?? [undefined, rid];
  return [address, tag];
}
