"""
The venue as an exchange of ccxt 4.5, for bots and frameworks that trade by its unified calls:

    from kvenue import kvenue
    venue = kvenue({'apiKey': key, 'secret': secret, 'urls': {'api': 'https://venue.example'}})

`kvenue_async` is the same for asyncio, and `register()` makes both known to ccxt by their name.

Orders get a client order id where the caller gives none. So whatever is sent again, by this class
or by `maxRetriesOnFailure`, is placed once. `kvenue.js` beside this file is the same in JavaScript.
"""
import functools
import hashlib
import inspect
import math
import threading
import urllib.parse
import uuid

import ccxt
import ccxt.async_support
from ccxt.base.decimal_to_precision import TICK_SIZE
from ccxt.base.precise import Precise
from ccxt.base.types import Entry

# What is read at most in one page of a list, by id or by pages, and of a list of money.
PAGE_MAX = 1000
SHORT_PAGE_MAX = 100
# Price levels a side, and candles, that one call answers at most.
LEVELS_MAX = 1000
CANDLES_MAX = 10_000
# How often a call is sent, if the venue's clock refuses its nonces.
NONCE_TRIES = 3
# Nonces so far ahead, in ms, were never taken by the venue: the clock has been corrected since.
NEVER_TAKEN_MS = 6_000

# How far the clock may be off, in ms: a venue that tells more than that is not believed.
OFF_MS_MAX = 24 * 60 * 60 * 1000

# The last nonce of each key in this process, whichever instances and threads share it.
last_nonces = {}
nonces_lock = threading.Lock()


def is_order_of(name, order):
    """Whether a record is the order of this name: id, uuid, or `client:` and its own id."""
    if not isinstance(order, dict) or not isinstance(order.get('uuid'), str):
        return False
    if str(name).startswith('client:'):
        return name == f"client:{order.get('client_order_id')}"
    return str(name).lower() in (str(order.get('id')), order['uuid'].lower())


API = {
    'public': {
        'get': [
            'timestamp', 'status', 'markets', 'currencies', 'trading_fees', 'markets/tickers',
            'markets/{market}/tickers', 'markets/{market}/depth', 'markets/{market}/trades',
            'markets/{market}/k-line',
        ],
    },
    'backend': {
        'get': [
            'market/orders', 'market/orders/{id}', 'market/trades', 'account/balances',
            'account/deposits', 'account/deposit_address/{currency}', 'account/withdraws',
            'account/withdraws/{id}', 'account/beneficiaries', 'account/trading_fees',
            'account/ledger',
        ],
        'post': ['account/withdraws'],
    },
    'trading': {
        'post': [
            'market/orders', 'market/bulk/orders', 'market/orders/cancel',
            'market/orders/cancel/{id}', 'market/orders/cancel_all_after',
        ],
        'delete': ['market/bulk/orders', 'market/bulk/orders_by_id'],
    },
}

# Unified calls, and what else ccxt asks for by name.
HAS_TRUE = '''
    spot cancelAllOrders cancelAllOrdersAfter cancelOrder cancelOrders createOrder createOrders
    createPostOnlyOrder createStopLimitOrder createStopLossOrder createStopMarketOrder
    createStopOrder createTriggerOrder fetchBalance fetchCanceledAndClosedOrders
    fetchCanceledOrders fetchClosedOrders fetchCurrencies fetchDepositAddress fetchDeposits
    fetchLedger fetchTradingFee fetchTradingFees fetchMarkets fetchMyTrades fetchOHLCV fetchOpenOrders fetchOrder fetchOrderBook fetchOrders
    fetchOrderTrades fetchStatus fetchTicker fetchTickers fetchTime fetchTrades fetchWithdrawal
    fetchWithdrawals withdraw
'''.split()
HAS_FALSE = ['margin', 'swap', 'future', 'option', 'editOrder']
# Made of other calls: the amount is computed of the book.
HAS_EMULATED = [
    'createMarketBuyOrderWithCost', 'createMarketOrderWithCost', 'createMarketSellOrderWithCost',
]

LIST = {'marginMode': False, 'limit': PAGE_MAX, 'symbolRequired': False}
# What the calls take, as programs ask ccxt for it.
FEATURES = {
    'sandbox': False,
    'createOrder': {
        'marginMode': False,
        'triggerPrice': True,
        'triggerDirection': False,
        'stopLossPrice': True,
        'takeProfitPrice': False,
        'timeInForce': {'IOC': True, 'FOK': True, 'PO': True, 'GTD': False},
        'hedged': False,
        'trailing': False,
        'leverage': False,
        'marketBuyByCost': True,
        'marketBuyRequiresPrice': False,
        'selfTradePrevention': True,
        'iceberg': False,
    },
    'createOrders': {'max': 100},
    'fetchMyTrades': LIST,
    'fetchOrder': {
        'marginMode': False, 'trigger': False, 'trailing': False, 'symbolRequired': False,
    },
    'fetchOpenOrders': LIST,
    'fetchOrders': LIST,
    'fetchClosedOrders': LIST,
    'fetchOHLCV': {'limit': CANDLES_MAX},
}

# Minutes of a candle. Weeks of the venue begin on Thursdays, as 1970 did.
TIMEFRAMES = {
    '1m': '1', '5m': '5', '15m': '15', '30m': '30', '1h': '60', '2h': '120', '4h': '240',
    '6h': '360', '12h': '720', '1d': '1440', '3d': '4320', '1w': '10080',
}

# Errors of ccxt by the venue's identifiers; those that are missing go by their status.
EXACT = {
    'account.beneficiary.doesnt_exist': ccxt.InvalidAddress,
    'account.beneficiary.invalid_state_for_withdrawal': ccxt.InvalidAddress,
    'account.beneficiary.on_hold': ccxt.AddressPending,
    'account.currency.deposit_disabled': ccxt.OperationRejected,
    'account.currency.withdrawal_disabled': ccxt.OperationRejected,
    'account.withdraw.disabled_api': ccxt.OnMaintenance,
    'account.withdraw.insufficient_balance': ccxt.InsufficientFunds,
    'account.withdraw.invalid_otp': ccxt.AuthenticationError,
    'authz.invalid_api_key_headers': ccxt.AuthenticationError,
    'authz.invalid_permission': ccxt.PermissionDenied,
    'authz.nonce_already_used': ccxt.InvalidNonce,
    'authz.nonce_expired': ccxt.InvalidNonce,
    'authz.nonce_not_valid_timestamp': ccxt.InvalidNonce,
    'identity.otp.locked': ccxt.AuthenticationError,
    'market.account.insufficient_balance': ccxt.InsufficientFunds,
    'market.market.doesnt_exist': ccxt.BadSymbol,
    'market.market.doesnt_exist_or_not_enabled': ccxt.BadSymbol,
    'market.market.halted': ccxt.MarketClosed,
    'market.order.bulk_limit_exceeded': ccxt.BadRequest,
    'market.order.client_order_ids_limit': ccxt.OperationRejected,
    'market.order.client_order_ids_venue_limit': ccxt.OperationRejected,
    'market.order.duplicate_client_order_id': ccxt.DuplicateOrderId,
    'market.order.invaild_id_or_uuid': ccxt.OrderNotFound,
    'market.order.invalid_market': ccxt.BadSymbol,
    'market.order.missing_market': ccxt.BadSymbol,
    'market.order.open_orders_limit': ccxt.OperationRejected,
    'market.order.too_long_market': ccxt.BadSymbol,
    'market.order.untraded_orders_limit': ccxt.OperationRejected,
    'market.trade.disabled_api': ccxt.OnMaintenance,
    'public.market.doesnt_exist': ccxt.BadSymbol,
    'server.outcome_unknown': ccxt.RequestTimeout,
}

# Errors of ccxt by the status of an answer that has the venue's identifiers.
BY_STATUS = {
    401: ccxt.AuthenticationError,
    403: ccxt.PermissionDenied,
    408: ccxt.RequestTimeout,
    429: ccxt.RateLimitExceeded,
    500: ccxt.ExchangeNotAvailable,
    503: ccxt.ExchangeNotAvailable,
    504: ccxt.RequestTimeout,
}

CLOSED_STATES = ('cancel_only', 'halted')

ORDER_STATUSES = {
    'pending': 'open', 'wait': 'open', 'trigger_wait': 'open', 'done': 'closed',
    'cancel': 'canceled', 'reject': 'rejected',
}

# Deposits and withdrawals that are under way are in none of these states.
TRANSACTION_STATUSES = {
    'collected': 'ok', 'succeed': 'ok', 'canceled': 'canceled', 'rejected': 'failed',
    'errored': 'failed', 'failed': 'failed',
}

LEDGER_TYPES = {
    'Trade': 'trade', 'Deposit': 'transaction', 'Withdraw': 'transaction',
    'Adjustment': 'adjustment',
}

# The unified type of each of the venue's.
ORDER_TYPES = {
    'limit': 'limit', 'post_only': 'limit', 'fill_or_kill': 'limit', 'stop_limit': 'limit',
    'market': 'market', 'stop': 'market',
}

SELF_TRADE_PREVENTIONS = {
    'EXPIRE_TAKER': 'cancel_newest', 'EXPIRE_MAKER': 'cancel_oldest', 'EXPIRE_BOTH': 'cancel_both',
    'NONE': 'none',
}


def destination(rid):
    """Splits a withdrawal's `rid` into its address and its tag: no address has a blank."""
    address, _, beside = (rid or '').partition(' ')
    return (address or None, beside.partition('=')[2] or None)


class Calls:
    """
    All calls, for both kinds of ccxt. A call is a generator: it yields what ccxt gives it for each
    request, which is the answer or what has to be awaited, and is sent the answer.
    """

    def describe(self):
        has = dict.fromkeys(HAS_TRUE, True)
        has.update(dict.fromkeys(HAS_FALSE, False))
        has.update(dict.fromkeys(HAS_EMULATED, 'emulated'))
        return self.deep_extend(super().describe(), {
            'id': 'kvenue',
            'name': 'kvenue',
            'countries': [],
            'version': 'v2',
            # The venue lets a member spend 100 a second unless its operator says otherwise.
            'rateLimit': 10,
            # The venue itself answers within 10 s, if only that the outcome is unknown.
            'timeout': 15_000,
            'has': has,
            'features': {'spot': FEATURES},
            'timeframes': TIMEFRAMES,
            'urls': {'api': 'http://127.0.0.1:8000', 'www': '', 'doc': ''},
            'api': API,
            # Those of the markets and of the member are read from the venue.
            'fees': {'trading': {'tierBased': False, 'percentage': True, 'feeSide': 'get'}},
            'exceptions': {'exact': EXACT, 'broad': {}},
            'precisionMode': TICK_SIZE,
            # `pageMax` is how many records a page of a list by id asks for.
            'options': {'timeDifference': 0, 'pageMax': PAGE_MAX},
        })

    def nonce(self):
        """The time of the venue as far as it is known, and never the same number twice for a key."""
        with nonces_lock:
            now = self.milliseconds() - self.safe_integer(self.options, 'timeDifference', 0)
            following = last_nonces.get(self.apiKey, 0) + 1
            nonce = following if now < following < now + NEVER_TAKEN_MS else now
            last_nonces[self.apiKey] = nonce
            return nonce

    def sign(self, path, api='public', method='GET', params={}, *_):
        # Versions of ccxt 4.5 differ in how they name a group of paths.
        api = api if isinstance(api, str) else api[0]
        names = self.extract_params(path)
        parts = {name: urllib.parse.quote(str(params[name]), safe='') for name in names}
        rest = params if isinstance(params, list) else self.omit(params, names)
        group = 'backend/public' if api == 'public' else api
        target = f'/api/v2/{group}/{self.implode_params(path, parts)}'
        if method == 'GET' and rest:
            target += '?' + self.urlencode(rest)
        body = self.json(rest) if method != 'GET' and rest else None
        headers = {'Content-Type': 'application/json'} if body else {}
        if api != 'public':
            headers.update(self._signature(method, target, body or ''))
        url = self.urls['api'].rstrip('/') + target
        return {'url': url, 'method': method, 'body': body, 'headers': headers}

    def _signature(self, method, target, body):
        self.check_required_credentials()
        nonce = str(self.nonce())
        content = hashlib.sha256(body.encode()).hexdigest()

        def signed(text):
            return self.hmac(text.encode(), self.secret.encode(), hashlib.sha256)

        return {
            'X-Auth-Apikey': self.apiKey,
            'X-Auth-Nonce': nonce,
            'X-Auth-Signature': signed(nonce + self.apiKey),
            'X-Auth-Body-Signature': signed(nonce + self.apiKey + method + target + content),
        }

    def request(self, path, api='public', method='GET', params={}, *others, **named):
        """Sends a call, with another nonce where the venue's clock refuses one: it did nothing."""
        for tries_left in reversed(range(NONCE_TRIES)):
            try:
                return (yield super().request(path, api, method, params, *others, **named))
            except ccxt.InvalidNonce:
                if tries_left == 0:
                    raise

    def calculate_rate_limiter_cost(self, api, method, path, params, config={}):
        return max(1, len(params)) if isinstance(params, list) else 1

    def handle_errors(self, status, reason, url, method, headers, body, response, *_):
        # Somebody on the way has answered: ccxt judges that by its status.
        if status < 400 or not isinstance(self.safe_value(response, 'errors'), list):
            return None
        identifier = self.safe_string(response['errors'], 0, '')
        server_time = self.safe_integer(response, 'server_time')
        if server_time is not None and abs(self.milliseconds() - server_time) <= OFF_MS_MAX:
            self.options['timeDifference'] = self.milliseconds() - server_time
        message = f'{self.id} {body}'
        if identifier == 'record.not_found' and '/market/' in url:
            raise ccxt.OrderNotFound(message)
        # It has a state where the market is there, and takes no orders.
        state = self.safe_string(self.safe_dict(response, 'details'), 'value')
        if identifier.endswith('doesnt_exist_or_not_enabled') and state in CLOSED_STATES:
            raise ccxt.MarketClosed(message)
        self.throw_exactly_matched_exception(self.exceptions['exact'], identifier, message)
        is_order = identifier.startswith('market.order.') and method != 'GET'
        raise BY_STATUS.get(status, ccxt.InvalidOrder if is_order else ccxt.BadRequest)(message)

    # What anybody may read

    def fetch_time(self, params={}):
        response = yield self.public_get_timestamp(params)
        return self.parse8601(response.replace('"', ''))

    def fetch_status(self, params={}):
        response = yield self.public_get_status(params)
        is_open = response['state'] != 'stopped' and response['trading']
        return {
            'status': 'ok' if is_open else 'maintenance',
            'updated': self.parse8601(self.safe_string(response, 'time')),
            'eta': None,
            'url': None,
            'info': response,
        }

    def _pages(self, read, query, size):
        """Reads a list that has numbered pages, whole."""
        records = []
        page = 1
        while True:
            found = yield read(self.extend(query, {'limit': size, 'page': page}))
            records += found
            if len(found) < size:
                return records
            page += 1

    def fetch_markets(self, params={}):
        markets = yield from self._pages(self.public_get_markets, params, PAGE_MAX)
        fees = yield from self._pages(self.public_get_trading_fees, {}, PAGE_MAX)
        of_all = {fee['market_id']: fee for fee in fees if fee['group'] == 'any'}
        found = []
        for market in markets:
            fee = of_all.get(market['id'], of_all.get('any'))
            found.append(self.extend(self.parse_market(market), self._rates_of(fee)))
        return found

    def _rates_of(self, fee):
        return {'maker': self.safe_number(fee, 'maker'), 'taker': self.safe_number(fee, 'taker')}

    def parse_market(self, market):
        base_id = self.safe_string(market, 'base_unit')
        quote_id = self.safe_string(market, 'quote_unit')
        base = self.safe_currency_code(base_id)
        quote = self.safe_currency_code(quote_id)
        return self.safe_market_structure({
            'id': self.safe_string(market, 'id'),
            'symbol': f'{base}/{quote}',
            'base': base,
            'quote': quote,
            'baseId': base_id,
            'quoteId': quote_id,
            'type': 'spot',
            'spot': True,
            'margin': False,
            'contract': False,
            'active': market['state'] == 'enabled',
            'precision': {
                'amount': self._step_of(market, 'amount_precision'),
                'price': self._step_of(market, 'price_precision'),
            },
            'limits': {
                'amount': {'min': self.safe_number(market, 'min_amount'), 'max': None},
                'price': {
                    'min': self.safe_number_omit_zero(market, 'min_price'),
                    'max': self.safe_number_omit_zero(market, 'max_price'),
                },
                'cost': {'min': self.safe_number_omit_zero(market, 'min_total'), 'max': None},
            },
            'info': market,
        })

    def _step_of(self, record, field):
        """Returns the step that a number of digits after the point makes."""
        return self.parse_number(self.parse_precision(self.safe_string(record, field)))

    def fetch_currencies(self, params={}):
        records = yield from self._pages(self.public_get_currencies, params, PAGE_MAX)
        return self.index_by([self.parse_currency(currency) for currency in records], 'code')

    def parse_currency(self, currency):
        deposit = currency['deposit_enabled']
        withdraw = currency['withdrawal_enabled']
        currency_id = self.safe_string(currency, 'id')
        return self.safe_currency_structure({
            'id': currency_id,
            'code': self.safe_currency_code(currency_id),
            'name': self.safe_string(currency, 'name'),
            'type': 'fiat' if currency['type'] == 'fiat' else 'crypto',
            'active': deposit and withdraw,
            'deposit': deposit,
            'withdraw': withdraw,
            'fee': self.safe_number(currency, 'withdraw_fee'),
            'precision': self._step_of(currency, 'precision'),
            'limits': {
                'deposit': {'min': self.safe_number_omit_zero(currency, 'min_deposit_amount')},
                'withdraw': {'min': self.safe_number_omit_zero(currency, 'min_withdraw_amount')},
            },
            'info': currency,
        })

    def fetch_ticker(self, symbol, params={}):
        yield self.load_markets()
        market = self.market(symbol)
        request = self.extend(params, {'market': market['id']})
        response = yield self.public_get_markets_market_tickers(request)
        return self.parse_ticker(response, market)

    def fetch_tickers(self, symbols=None, params={}):
        yield self.load_markets()
        response = yield self.public_get_markets_tickers(params)
        tickers = [
            self.parse_ticker(ticker, self.safe_market(market_id))
            for market_id, ticker in response.items()
        ]
        return self.filter_by_array_tickers(tickers, 'symbol', self.market_symbols(symbols))

    def parse_ticker(self, response, market=None):
        ticker = response['ticker']
        timestamp = self.safe_timestamp(response, 'at')

        def traded(field):
            return self.omit_zero(self.safe_string(ticker, field))

        return self.safe_ticker({
            'symbol': market['symbol'],
            'timestamp': timestamp,
            'datetime': self.iso8601(timestamp),
            'high': traded('high'),
            'low': traded('low'),
            'bid': traded('buy'),
            'ask': traded('sell'),
            'vwap': traded('avg_price'),
            'open': traded('open'),
            'last': traded('last'),
            'baseVolume': self.safe_string(ticker, 'amount'),
            'quoteVolume': self.safe_string(ticker, 'volume'),
            'info': response,
        }, market)

    def fetch_order_book(self, symbol, limit=None, params={}):
        yield self.load_markets()
        market = self.market(symbol)
        request = {'market': market['id'], 'limit': min(limit or LEVELS_MAX, LEVELS_MAX)}
        response = yield self.public_get_markets_market_depth(self.extend(request, params))
        timestamp = self.safe_timestamp(response, 'timestamp')
        book = self.parse_order_book(response, market['symbol'], timestamp)
        return self.extend(book, {'nonce': self.safe_integer(response, 'sequence')})

    def fetch_ohlcv(self, symbol, timeframe='1m', since=None, limit=None, params={}):
        yield self.load_markets()
        market = self.market(symbol)
        until = self.safe_integer(params, 'until')
        request = {
            'market': market['id'],
            'period': self.safe_string(self.timeframes, timeframe, timeframe),
            'limit': min(limit or 500, CANDLES_MAX),
        }
        if since is not None:
            request['time_from'] = math.ceil(since / 1000)
        if until is not None:
            request['time_to'] = until // 1000
        request = self.extend(request, self.omit(params, 'until'))
        response = yield self.public_get_markets_market_k_line(request)
        return self.parse_ohlcvs(response, market, timeframe, since, limit)

    def parse_ohlcv(self, ohlcv, market=None):
        return [int(ohlcv[0]) * 1000] + [self.parse_number(value) for value in ohlcv[1:]]

    def fetch_trades(self, symbol, since=None, limit=None, params={}):
        yield self.load_markets()
        market = self.market(symbol)
        request = {'market': market['id']}
        read = self.public_get_markets_market_trades
        trades = yield from self._walk(read, request, since, limit, params)
        return [self.parse_trade(trade, market) for trade in trades]

    def _walk(self, read, request, since, limit, params, page_max=None, is_by_cursor=False):
        """
        Reads a list by id, each record once: from `since` (ms) or `from_id` upwards, else the
        newest. Many records may share a millisecond. So without a `limit` the last one is read
        whole, and the next `since` may be a millisecond later; with `paginate` the walk goes on to
        the end. Returns the records as they are, the oldest first.
        """
        page_max = page_max or self.options['pageMax']
        until = self.safe_integer(params, 'until')
        is_up = is_by_cursor or since is not None or 'from_id' in params
        most = limit or (math.inf if self.safe_bool(params, 'paginate') else page_max)
        # Times in queries are whole seconds: what is not wanted of one is read with it.
        least = 1 if since is None and until is None else SHORT_PAGE_MAX
        size = min(max(most, least), page_max)
        query = self.extend(request, self.omit(params, ['until', 'paginate']))
        query['limit'] = size
        if not is_by_cursor:
            query['order_by'] = 'asc' if is_up else 'desc'
        if since is not None:
            query['time_from'] = since // 1000
        if until is not None:
            query['time_to'] = until // 1000 + 1
        found = []
        while True:
            page = yield read(query)
            # How far the search for it has looked, if it stopped at its bound.
            scanned_id = self.safe_integer(self.last_response_headers, 'X-Scanned-Id')
            cursor = self.safe_string(self.last_response_headers, 'X-Next-Cursor')
            found += [record for record in page if self._is_wanted(record, since, until)]
            is_last = len(page) < size and scanned_id is None
            if (cursor is None) if is_by_cursor else is_last:
                break
            if len(found) >= most and (limit or not is_up or self._is_whole(found, most)):
                break
            if is_by_cursor:
                query['after'] = cursor
                continue
            last_id = page[-1]['id'] if scanned_id is None else scanned_id
            if is_up:
                query['from_id'] = last_id + 1
            else:
                query['to_id'] = last_id - 1
        if len(found) <= most:
            return found if is_up else found[::-1]
        if not is_up:
            return found[most - 1::-1]
        rest = [] if limit else found[most:]
        end = found[most - 1].get('created_at_ms')
        return found[:most] + [record for record in rest if record.get('created_at_ms') == end]

    @staticmethod
    def _is_wanted(record, since, until):
        # Deposits and withdrawals have seconds only, which the query has compared.
        at = record.get('created_at_ms')
        return at is None or (since or 0) <= at <= (math.inf if until is None else until)

    @staticmethod
    def _is_whole(found, most):
        if len(found) <= most or 'created_at_ms' not in found[most]:
            return False
        return found[most]['created_at_ms'] > found[most - 1]['created_at_ms']

    def parse_trade(self, trade, market=None):
        known = self.safe_market(self.safe_string(trade, 'market'), market)
        timestamp = self.safe_integer(trade, 'created_at_ms')
        fee_currency = self.safe_string(trade, 'fee_currency')
        fee = None
        if fee_currency is not None:
            fee = {
                'cost': self.safe_string(trade, 'fee_amount'),
                'currency': self.safe_currency_code(fee_currency),
                'rate': self.safe_string(trade, 'fee'),
            }
        return self.safe_trade({
            'id': self.safe_string(trade, 'id'),
            'order': self.safe_string(trade, 'order_id'),
            'symbol': known['symbol'],
            'type': None,
            'side': self.safe_string_2(trade, 'side', 'taker_type'),
            'takerOrMaker': self.safe_string(trade, 'liquidity'),
            'price': self.safe_string(trade, 'price'),
            'amount': self.safe_string(trade, 'amount'),
            'cost': self.safe_string(trade, 'total'),
            'fee': fee,
            'timestamp': timestamp,
            'datetime': self.iso8601(timestamp),
            'info': trade,
        }, known)

    # Orders

    def create_order(self, symbol, type, side, amount, price=None, params={}):
        yield self.load_markets()
        request = yield from self._order_request(symbol, type, side, amount, price, params)
        placed = yield self.trading_post_market_orders(request)
        self._check_orders([placed], [f"client:{request['client_order_id']}"])
        return self.parse_order(placed, self.market(symbol))

    def create_orders(self, orders, params={}):
        """Places all of these orders or none."""
        yield self.load_markets()
        requests = []
        for order in orders:
            own = self.extend(params, self.safe_dict(order, 'params', {}))
            names = (order['symbol'], order['type'], order['side'], order['amount'])
            request = yield from self._order_request(*names, order.get('price'), own)
            requests.append(request)
        placed = yield self.trading_post_market_bulk_orders(requests)
        names = [f"client:{request['client_order_id']}" for request in requests]
        self._check_orders(placed, names)
        return [self.parse_order(order) for order in placed]

    def _order_request(self, symbol, type, side, amount, price, params):
        """Returns the body of an order; amounts and prices are texts on the market's grid."""
        market = self.market(symbol)
        if type not in ORDER_TYPES:
            raise ccxt.InvalidOrder(f'{self.id} has no orders {type}')
        if params.get('takeProfitPrice') is not None:
            raise ccxt.NotSupported(f'{self.id} has no takeProfitPrice')
        is_market = ORDER_TYPES[type] == 'market'
        triggers = ['triggerPrice', 'stopPrice', 'stopLossPrice']
        trigger = next((params[name] for name in triggers if params.get(name) is not None), None)
        is_post_only, given = self.handle_post_only(is_market, type == 'post_only', params)
        if is_post_only and trigger is not None:
            raise ccxt.InvalidOrder(f'{self.id} has no stop orders that are postOnly')
        request = {
            'market': market['id'],
            'side': side,
            'type': type,
            'client_order_id': self.safe_string(given, 'clientOrderId', str(uuid.uuid4())),
            'response': 'result',
        }
        if trigger is not None:
            request['type'] = 'stop' if is_market else 'stop_limit'
            request['trigger_price'] = self.price_to_precision(symbol, trigger)
        if is_post_only:
            request['type'] = 'post_only'
        if is_market and params.get('cost') is not None:
            amount = yield from self._amount_for_cost(symbol, side, params['cost'], price)
        request['amount'] = self.amount_to_precision(symbol, amount)
        if not is_market and price is not None:
            request['price'] = self.price_to_precision(symbol, price)
        lasting = self.safe_string_lower(given, 'timeInForce')
        # A market order never rests.
        if lasting is not None and not (is_market and lasting == 'ioc'):
            request['time_in_force'] = lasting
        prevention = self.safe_string(given, 'selfTradePrevention')
        if prevention is not None:
            request['self_trade_prevention'] = SELF_TRADE_PREVENTIONS.get(prevention, prevention)
        used = ['cost', 'takeProfitPrice', 'clientOrderId', 'timeInForce', 'selfTradePrevention']
        return self.extend(request, self.omit(given, used + triggers))

    def _amount_for_cost(self, symbol, side, cost, price):
        """Returns what a cost buys or sells at a price, or else of the book as it is now."""
        whole = self.number_to_string(cost)
        if price is not None:
            return Precise.string_div(whole, self.number_to_string(price))
        request = {'market': self.market(symbol)['id'], 'limit': LEVELS_MAX}
        book = yield self.public_get_markets_market_depth(request)
        left = whole
        amount = '0'
        # Both sides go from the highest price to the lowest.
        for price, volume in reversed(book['asks']) if side == 'buy' else book['bids']:
            total = Precise.string_mul(price, volume)
            if Precise.string_ge(total, left):
                return Precise.string_add(amount, Precise.string_div(left, price))
            left = Precise.string_sub(left, total)
            amount = Precise.string_add(amount, volume)
        raise ccxt.OrderNotFillable(f'{self.id} {symbol}: the book has less than {whole}')

    def create_market_order_with_cost(self, symbol, side, cost, params={}):
        own = self.extend(params, {'cost': cost})
        return (yield self.create_order(symbol, 'market', side, 0, None, own))

    def create_market_buy_order_with_cost(self, symbol, cost, params={}):
        return (yield self.create_market_order_with_cost(symbol, 'buy', cost, params))

    def create_market_sell_order_with_cost(self, symbol, cost, params={}):
        return (yield self.create_market_order_with_cost(symbol, 'sell', cost, params))

    def parse_order(self, order, market=None):
        known = self.safe_market(self.safe_string(order, 'market'), market)
        timestamp = self.safe_integer(order, 'created_at_ms')
        type = self.safe_string(order, 'ord_type')
        is_post_only = type == 'post_only'
        # A market order never rests, whatever the venue calls that.
        is_market = ORDER_TYPES.get(type) == 'market'
        lasting = None if is_market else self.safe_string_upper(order, 'time_in_force')
        own = [self.parse_trade(trade, known) for trade in self.safe_list(order, 'trades', [])]
        # Both, or ccxt would add those of the trades once more. They are of one currency: what
        # the order receives.
        paid = {}
        for currency_id, cost in self.safe_dict(order, 'fees', {}).items():
            fee = {
                'currency': self.safe_currency_code(currency_id),
                'cost': self.parse_number(cost),
            }
            paid = {'fee': fee, 'fees': [fee]}
        parsed = self.safe_order(self.extend({
            'id': self.safe_string(order, 'id'),
            'clientOrderId': self.safe_string(order, 'client_order_id'),
            'timestamp': timestamp,
            'datetime': self.iso8601(timestamp),
            'lastTradeTimestamp': own[-1]['timestamp'] if own else None,
            'lastUpdateTimestamp': self.safe_integer(order, 'updated_at_ms'),
            'symbol': known['symbol'],
            'type': ORDER_TYPES.get(type),
            'timeInForce': 'PO' if is_post_only else lasting,
            'postOnly': is_post_only,
            'side': self.safe_string(order, 'side'),
            'price': self.safe_string(order, 'price'),
            'triggerPrice': self.safe_string(order, 'trigger_price'),
            'amount': self.safe_string(order, 'origin_volume'),
            'filled': self.safe_string(order, 'executed_volume'),
            'remaining': self.safe_string(order, 'remaining_volume'),
            'average': self.safe_string(order, 'avg_price'),
            'cost': self.safe_string(order, 'executed_total'),
            'status': self.safe_string(ORDER_STATUSES, self.safe_string(order, 'state')),
            'trades': own,
            'info': order,
        }, paid), known)
        # They are left out where their fees are not needed.
        parsed['trades'] = own
        return parsed

    def _order_name(self, order_id, params):
        """Returns what the venue calls an order, and the other parameters."""
        client_order_id = self.safe_string(params, 'clientOrderId')
        if client_order_id is not None:
            return f'client:{client_order_id}', self.omit(params, 'clientOrderId')
        if order_id is None:
            raise ccxt.ArgumentsRequired(f"{self.id} needs an order's id")
        return order_id, params

    def _check_orders(self, orders, names):
        """
        Checks that these are the orders that were asked for. Somebody on the way may answer well
        without having asked the venue, or with others' orders: what became of these is not known.
        """
        is_whole = isinstance(orders, list) and len(orders) == len(names)
        if not is_whole or not all(map(is_order_of, names, orders)):
            raise ccxt.BadResponse(f'{self.id} has not told what became of {names}')

    def cancel_order(self, id, symbol=None, params={}):
        """Cancels an order; one that has ended stays as it is, and is returned."""
        yield self.load_markets()
        name, rest = self._order_name(id, params)
        order = yield self.trading_post_market_orders_cancel_id(self.extend(rest, {'id': name}))
        self._check_orders([order], [name])
        return self.parse_order(order, self._market_or_none(symbol))

    def cancel_orders(self, ids, symbol=None, params={}):
        """Cancels those of these orders that are open; by ids or else by `clientOrderIds`."""
        yield self.load_markets()
        named = self.safe_list(params, 'clientOrderIds')
        if named is None:
            info = yield self.trading_delete_market_bulk_orders_by_id([int(each) for each in ids])
            return [self.safe_order({'id': str(each), 'info': info}) for each in ids]
        names = [f'client:{each}' for each in named]
        info = yield self.trading_delete_market_bulk_orders(names)
        return [self.safe_order({'clientOrderId': each, 'info': info}) for each in named]

    def cancel_all_orders(self, symbol=None, params={}):
        yield self.load_markets()
        orders = yield self.trading_post_market_orders_cancel(self._of_market(symbol, params))
        if not isinstance(orders, list):
            raise ccxt.BadResponse(f'{self.id} has not told which orders it has cancelled')
        return [self.parse_order(order) for order in orders]

    def cancel_all_orders_after(self, timeout, params={}):
        """Has all orders cancelled after so many ms, unless called again; 0 ends that."""
        seconds = Precise.string_div(self.number_to_string(timeout), '1000')
        request = self.extend(params, {'timeout': seconds})
        return (yield self.trading_post_market_orders_cancel_all_after(request))

    def fetch_order(self, id, symbol=None, params={}):
        yield self.load_markets()
        name, rest = self._order_name(id, params)
        order = yield self.backend_get_market_orders_id(self.extend(rest, {'id': name}))
        self._check_orders([order], [name])
        return self.parse_order(order, self._market_or_none(symbol))

    def fetch_orders(self, symbol=None, since=None, limit=None, params={}):
        yield self.load_markets()
        request = self._of_market(symbol, {})
        read = self.backend_get_market_orders
        orders = yield from self._walk(read, request, since, limit, params)
        return [self.parse_order(order) for order in orders]

    def fetch_open_orders(self, symbol=None, since=None, limit=None, params={}):
        """Without a `limit`, all of them."""
        own = self.extend({'paginate': True}, params, {'state': 'pending,wait,trigger_wait'})
        return (yield self.fetch_orders(symbol, since, limit, own))

    def fetch_closed_orders(self, symbol=None, since=None, limit=None, params={}):
        own = self.extend(params, {'state': 'done'})
        return (yield self.fetch_orders(symbol, since, limit, own))

    def fetch_canceled_orders(self, symbol=None, since=None, limit=None, params={}):
        own = self.extend(params, {'state': 'cancel'})
        return (yield self.fetch_orders(symbol, since, limit, own))

    def fetch_canceled_and_closed_orders(self, symbol=None, since=None, limit=None, params={}):
        own = self.extend(params, {'state': 'done,cancel,reject'})
        return (yield self.fetch_orders(symbol, since, limit, own))

    def fetch_my_trades(self, symbol=None, since=None, limit=None, params={}):
        yield self.load_markets()
        request = self._of_market(symbol, {})
        read = self.backend_get_market_trades
        trades = yield from self._walk(read, request, since, limit, params)
        return [self.parse_trade(trade) for trade in trades]

    def fetch_order_trades(self, id, symbol=None, since=None, limit=None, params={}):
        order = yield self.fetch_order(id, symbol, params)
        return self.filter_by_since_limit(order['trades'], since, limit)

    def _of_market(self, symbol, params):
        if symbol is None:
            return params
        return self.extend(params, {'market': self.market(symbol)['id']})

    def _market_or_none(self, symbol):
        return None if symbol is None else self.market(symbol)

    # Money

    def fetch_balance(self, params={}):
        yield self.load_markets()
        accounts = yield from self._pages(self.backend_get_account_balances, params, PAGE_MAX)
        balance = {'info': accounts}
        for account in accounts:
            balance[self.safe_currency_code(account['currency'])] = {
                'free': self.safe_string(account, 'balance'),
                'used': self.safe_string(account, 'locked'),
            }
        return self.safe_balance(balance)

    def fetch_trading_fees(self, params={}):
        """The member's own rates."""
        yield self.load_markets()
        response = yield self.backend_get_account_trading_fees(params)
        fees = [self.extend({
            'info': fee,
            'symbol': self.safe_symbol(fee['market_id']),
            'percentage': True,
            'tierBased': False,
        }, self._rates_of(fee)) for fee in response['markets']]
        return self.index_by(fees, 'symbol')

    def fetch_trading_fee(self, symbol, params={}):
        fees = yield self.fetch_trading_fees(params)
        return fees[self.symbol(symbol)]

    def fetch_ledger(self, code=None, since=None, limit=None, params={}):
        """Reads changes of balances, the oldest first: without `since`, from the very first."""
        yield self.load_markets()
        request = {} if code is None else {'currency': self.currency(code)['id']}
        read = self.backend_get_account_ledger
        lines = yield from self._walk(read, request, since, limit, params, is_by_cursor=True)
        return [self.parse_ledger_entry(line) for line in lines]

    def parse_ledger_entry(self, line, currency=None):
        amount = self.safe_string(line, 'amount')
        after = self.safe_string(line, 'balance')
        code = self.safe_currency_code(self.safe_string(line, 'currency'), currency)
        return self.safe_ledger_entry({
            'id': self.safe_string(line, 'id'),
            'direction': 'out' if Precise.string_lt(amount, '0') else 'in',
            'referenceId': self.safe_string(line, 'reference'),
            'type': self.safe_string(LEDGER_TYPES, line['type']),
            'amount': Precise.string_abs(amount),
            'before': Precise.string_sub(after, amount),
            'after': after,
            'status': 'ok',
            # It is in the amount.
            'fee': {'cost': self.safe_string(line, 'fee'), 'currency': code},
            'timestamp': self.safe_integer(line, 'created_at_ms'),
            'info': line,
        }, self.currency(code))

    def fetch_deposits(self, code=None, since=None, limit=None, params={}):
        read = self.backend_get_account_deposits
        return (yield from self._transactions(read, code, since, limit, params))

    def fetch_withdrawals(self, code=None, since=None, limit=None, params={}):
        read = self.backend_get_account_withdraws
        return (yield from self._transactions(read, code, since, limit, params))

    def fetch_withdrawal(self, id, code=None, params={}):
        yield self.load_markets()
        response = yield self.backend_get_account_withdraws_id(self.extend(params, {'id': id}))
        return self.parse_transaction(response)

    def _transactions(self, read, code, since, limit, params):
        yield self.load_markets()
        currency = None if code is None else self.currency(code)
        request = {} if currency is None else {'currency': currency['id']}
        records = yield from self._walk(read, request, since, limit, params, SHORT_PAGE_MAX)
        return [self.parse_transaction(record, currency) for record in records]

    def parse_transaction(self, transaction, currency=None):
        code = self.safe_currency_code(self.safe_string(transaction, 'currency'), currency)
        address, tag = destination(self.safe_string(transaction, 'rid'))
        timestamp = self.parse8601(self.safe_string(transaction, 'created_at'))
        state = self.safe_string(transaction, 'state')
        updated = self.safe_string_2(transaction, 'updated_at', 'completed_at')
        return {
            'id': self.safe_string(transaction, 'id'),
            'txid': self.safe_string_2(transaction, 'txid', 'blockchain_txid'),
            'type': 'withdrawal' if 'rid' in transaction else 'deposit',
            'currency': code,
            'network': self.network_id_to_code(self.safe_string(transaction, 'network'), code),
            'amount': self.safe_number(transaction, 'amount'),
            'fee': {'currency': code, 'cost': self.safe_number(transaction, 'fee'), 'rate': None},
            'status': self.safe_string(TRANSACTION_STATUSES, state, 'pending'),
            'address': address,
            'addressFrom': None,
            'addressTo': address,
            'tag': tag,
            'tagFrom': None,
            'tagTo': tag,
            'comment': self.safe_string(transaction, 'note'),
            'internal': None,
            'timestamp': timestamp,
            'datetime': self.iso8601(timestamp),
            'updated': self.parse8601(updated),
            'info': transaction,
        }

    def fetch_deposit_address(self, code, params={}):
        yield self.load_markets()
        network, rest = self._network_asked(code, params)
        request = self.extend(rest, {'currency': self.currency(code)['id']})
        if network is not None:
            request['network'] = network
        response = yield self.backend_get_account_deposit_address_currency(request)
        address = self.safe_string(response, 'address')
        if address is None:
            raise ccxt.AddressPending(f'{self.id} {code}: the address is being made, try again')
        tag = self.safe_string(response, 'tag')
        by = self.network_id_to_code(self.safe_string(response, 'network'), code)
        return {'currency': code, 'network': by, 'address': address, 'tag': tag, 'info': response}

    def withdraw(self, code, amount, address, tag=None, params={}):
        """
        Withdraws to an active beneficiary, found by its address, tag and `network` unless its id is
        given as `beneficiary_id`. The code is `otp`, or made of the secret `twofa`. The fee is in the
        amount.
        """
        yield self.load_markets()
        currency = self.currency(code)
        network, rest = self._network_asked(code, params)
        beneficiary_id = self.safe_integer(rest, 'beneficiary_id')
        if beneficiary_id is None or network is not None:
            to = (beneficiary_id, address, tag, network)
            beneficiary_id = yield from self._beneficiary_at(currency['id'], *to)
        otp = self.safe_integer(rest, 'otp')
        response = yield self.backend_post_account_withdraws(self.extend(rest, {
            'currency': currency['id'],
            'amount': self.currency_to_precision(code, amount),
            'beneficiary_id': beneficiary_id,
            'otp': int(self.oath()) if otp is None else otp,
        }))
        return self.parse_transaction(response, currency)

    def _network_asked(self, code, params):
        """Returns the network asked for by its unified name, and the other parameters."""
        name, rest = self.handle_network_code_and_params(params)
        return None if name is None else self.network_code_to_id(name, code), rest

    def _beneficiary_at(self, currency, id, address, tag, network):
        """Returns the id of the one beneficiary: an address may be one on each network of a coin."""
        request = {'currency': currency, 'state': 'active'}
        read = self.backend_get_account_beneficiaries
        asked = [] if tag is None or tag == '' else [str(tag)]
        found = {}
        for beneficiary in (yield from self._pages(read, request, SHORT_PAGE_MAX)):
            data, by = beneficiary['data'], beneficiary.get('network')
            beside = [text for name, text in data.items() if name != 'address' and text]
            is_there = data.get('address') == address and beside == asked
            is_meant = is_there if id is None else beneficiary['id'] == id
            if is_meant and network in (None, by):
                found[by] = beneficiary['id']
        if len(found) > 1:
            networks = ', '.join(found)
            raise ccxt.ArgumentsRequired(f'{self.id} withdraw() needs a network, of {networks}')
        for beneficiary_id in found.values():
            return beneficiary_id
        raise ccxt.InvalidAddress(f'{self.id} {address} is no active beneficiary')


def at_once(steps):
    """Makes a call of ccxt's usual kind of a generator: what it yields are the answers."""
    @functools.wraps(steps)
    def call(*args, **kwargs):
        run = steps(*args, **kwargs)
        answer = None
        try:
            while True:
                answer = run.send(answer)
        except StopIteration as end:
            return end.value
    return call


def awaited(steps):
    """Makes a call of ccxt's async kind of a generator: what it yields is to be awaited."""
    @functools.wraps(steps)
    async def call(*args, **kwargs):
        run = steps(*args, **kwargs)
        try:
            asked = run.send(None)
            while True:
                try:
                    answer = await asked
                except Exception as error:
                    asked = run.throw(error)
                else:
                    asked = run.send(answer)
        except StopIteration as end:
            return end.value
    return call


def made_by(kind):
    """Gives a class its calls, in one of the two kinds, and one for each path of the venue."""
    def decorate(cls):
        for name, steps in vars(Calls).items():
            if inspect.isgeneratorfunction(steps) and not name.startswith('_'):
                setattr(cls, name, kind(steps))
        for api, methods in API.items():
            for method, paths in methods.items():
                for path in paths:
                    words = path.replace('{', '').replace('}', '').replace('-', '_')
                    name = f'{api}_{method}_{words}'.replace('/', '_')
                    setattr(cls, name, Entry(path, api, method.upper(), {'cost': 1}))
        return cls
    return decorate


@made_by(at_once)
class kvenue(Calls, ccxt.Exchange):
    """The venue for programs that wait for each answer."""


@made_by(awaited)
class kvenue_async(Calls, ccxt.async_support.Exchange):
    """The venue for asyncio; to be closed in the end, as all of this kind."""


def register():
    """Makes both classes known under their name, as programs that look exchanges up need it."""
    for module, cls in ((ccxt, kvenue), (ccxt.async_support, kvenue_async)):
        module.kvenue = cls
        if 'kvenue' not in module.exchanges:
            module.exchanges.append('kvenue')
