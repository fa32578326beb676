"""
Two members' life by the unified calls of ccxt, in Python: `python3 life.py FOLDERS URL ERRORS COUNT`,
where ccxt and the class are in FOLDERS. By the way ERRORS to the venue, orders that name themselves
`error-0` and so on are refused. Prints what became of all as one JSON; a fault ends it.
"""
import asyncio
import json
import sys
import time

folders, api, errors, count = sys.argv[1:]
sys.path[:0] = folders.split(',')

import ccxt  # noqa: E402
import ccxt.async_support  # noqa: E402
import kvenue  # noqa: E402

BTC = 'BTC/USDT'
ETH = 'ETH/USDT'
FILLS = 250
# How many records a page has here.
PAGE = 100

kvenue.register()
assert 'kvenue' in ccxt.exchanges


def config(name, **options):
    return {
        'apiKey': f'demo-{name}', 'secret': f'demo-{name}-secret', 'enableRateLimit': False,
        'urls': {'api': api}, 'twofa': 'JBSWY3DPEHPK3PXP', 'options': {'pageMax': PAGE}, **options,
    }


def same(found, expected):
    assert found == expected, f'{found!r} is not {expected!r}'


alice = ccxt.kvenue(config('alice'))
bob = ccxt.kvenue(config('bob'))
operator = ccxt.kvenue(config('operator'))
ended = []


def refused(kind, call, *args):
    try:
        call(*args)
    except ccxt.BaseError as error:
        assert type(error) is kind, repr(error)
    else:
        raise AssertionError(f'no {kind.__name__}')


def total_of(exchanges):
    balances = [exchange.fetch_balance()['total'] for exchange in exchanges]
    return {code: sum(total[code] for total in balances) for code in ('BTC', 'ETH', 'USDT')}


def ids(records):
    return [int(record['id']) for record in records]


def read_market():
    market = alice.load_markets()[BTC]
    same([market['precision']['amount'], market['precision']['price']], [1e-6, 0.01])
    same([market['limits']['amount']['min'], market['active']], [1e-4, True])
    same([market['maker'], market['taker']], [0.002, 0.002])
    coin = alice.currencies['BTC']
    same([coin['precision'], coin['active'], coin['type']], [1e-8, True, 'crypto'])
    assert abs(alice.fetch_time() - time.time() * 1000) < 60_000
    same(alice.fetch_status()['status'], 'ok')
    same(alice.has['editOrder'], False)


def trade():
    """A limit order is filled in part, by limit, by market and by cost; the rest is cancelled."""
    before = alice.fetch_time()
    own = {'clientOrderId': 'life-1'}
    sell = alice.create_order(BTC, 'limit', 'sell', 0.5000009, '20000.004', own)
    same([sell['status'], sell['amount'], sell['price'], sell['filled']], ['open', 0.5, 20000, 0])
    same([sell['type'], sell['side'], sell['clientOrderId']], ['limit', 'sell', 'life-1'])
    taken = bob.create_order(BTC, 'limit', 'buy', 0.1, 20001, {'timeInForce': 'IOC'})
    same([taken['status'], taken['filled'], taken['average']], ['closed', 0.1, 20000])
    same([each['takerOrMaker'] for each in taken['trades']], ['taker'])
    same(taken['fee'], {'currency': 'BTC', 'cost': 0.0002})
    market = bob.create_order(BTC, 'market', 'buy', 0.15)
    same([market['status'], market['cost'], market['timeInForce']], ['closed', 3000, 'IOC'])
    spent = bob.create_market_buy_order_with_cost(BTC, 1000.009)
    same([spent['filled'], spent['cost']], [0.05, 1000])
    read = alice.fetch_order(None, BTC, own)
    same([read['id'], read['filled'], read['remaining']], [sell['id'], 0.3, 0.2])
    same([read['status'], read['cost'], read['average']], ['open', 6000, 20000])
    same(read['fee']['cost'], 12)
    same(ids(alice.fetch_open_orders(BTC)), ids([sell]))
    fills = alice.fetch_order_trades(sell['id'], BTC)
    same([fill['amount'] for fill in fills], [0.1, 0.15, 0.05])
    same({(fill['order'], fill['takerOrMaker']) for fill in fills}, {(sell['id'], 'maker')})
    book = bob.fetch_order_book(BTC)
    same([book['asks'], book['bids']], [[[20000, 0.2]], []])
    ticker = alice.fetch_tickers([BTC])[BTC]
    same([ticker['last'], ticker['ask'], ticker['bid']], [20000, 20000, None])
    same([ticker['baseVolume'], ticker['quoteVolume']], [0.3, 6000])
    same(alice.fetch_ticker(BTC)['last'], 20000)
    candle = alice.fetch_ohlcv(BTC, '1d', None, 2)[-1]
    same(candle[1:5], [20000, 20000, 20000, 20000])
    assert 0 < candle[5] <= 0.3
    same([fill['amount'] for fill in bob.fetch_trades(BTC, before)], [0.1, 0.15, 0.05])
    same(alice.cancel_order(None, BTC, own)['status'], 'canceled')
    same(alice.cancel_order(sell['id'])['status'], 'canceled')
    ended.extend([('alice', sell['id'], 'canceled'), ('bob', taken['id'], 'closed')])


def place_all_types():
    alice.create_order(BTC, 'limit', 'sell', 0.01, 21000)
    taker = bob.create_order(BTC, 'limit', 'buy', 0.01, 21000, {'postOnly': True})
    maker = bob.create_order(BTC, 'limit', 'buy', 0.01, 100, {'timeInForce': 'PO'})
    same([taker['status'], maker['status'], maker['timeInForce']], ['rejected', 'open', 'PO'])
    killed = bob.create_order(BTC, 'limit', 'buy', 1, 21000, {'timeInForce': 'FOK'})
    same(killed['status'], 'canceled')
    stop = bob.create_order(BTC, 'market', 'sell', 0.01, None, {'triggerPrice': 50})
    limited = bob.create_order(BTC, 'limit', 'sell', 0.01, 40, {'stopLossPrice': 50})
    same([stop['type'], stop['triggerPrice'], stop['status']], ['market', 50, 'open'])
    same([limited['type'], limited['price'], limited['info']['ord_type']],
         ['limit', 40, 'stop_limit'])
    order = {'symbol': BTC, 'type': 'limit', 'side': 'buy', 'amount': 0.01}
    named = bob.create_orders([
        {**order, 'symbol': ETH, 'price': 10, 'params': {}},
        {**order, 'amount': '0.01', 'price': '10'},
        {**order, 'price': 11, 'params': {'response': 'ack'}},
    ])
    same([(each['symbol'], each['price']) for each in named], [(ETH, 10), (BTC, 10), (BTC, 11)])
    bob.cancel_orders([named[0]['id']], ETH)
    bob.cancel_orders([], BTC, {'clientOrderIds': [named[1]['clientOrderId']]})
    left = ids(bob.fetch_open_orders())
    same(left, ids([maker, stop, limited, named[2]]))
    same(ids(bob.cancel_all_orders(BTC)), left)
    same(bob.fetch_open_orders(), [])
    same(len(alice.cancel_all_orders()), 1)
    assert bob.cancel_all_orders_after(30_500)['trigger_time'] is not None
    same(bob.cancel_all_orders_after(0)['trigger_time'], None)
    same(ids(bob.fetch_canceled_orders(ETH)), ids(named[:1]))
    both = bob.fetch_canceled_and_closed_orders()
    assert any(each['status'] == 'rejected' for each in both)
    same(len(bob.fetch_closed_orders()), 3)
    same(ids(bob.fetch_orders(BTC, None, 1)), ids(named[2:]))
    ended.extend([('bob', taker['id'], 'rejected'), ('bob', stop['id'], 'canceled')])


def walk():
    """More fills within a millisecond than a page has: none is lost, and none read twice."""
    before = alice.fetch_time()
    order = {'symbol': ETH, 'type': 'limit', 'side': 'sell', 'amount': '0.001', 'price': 1000}
    for _ in range(FILLS // 50):
        alice.create_orders([order] * 50)
    taken = bob.create_order(ETH, 'market', 'buy', FILLS / 1000)
    same([taken['filled'], len(taken['trades'])], [FILLS / 1000, FILLS])
    expected = ids(taken['trades'])
    same(ids(alice.fetch_my_trades(ETH, before)), expected)
    same(ids(alice.fetch_trades(ETH, before)), expected)
    same(ids(alice.fetch_trades(ETH, before, 150)), expected[:150])
    same(ids(bob.fetch_my_trades(ETH, None, 5)), expected[-5:])
    same(ids(bob.fetch_my_trades(ETH, None, 120)), expected[-120:])
    same(ids(bob.fetch_my_trades(ETH, None, 7, {'from_id': expected[170]})), expected[170:177])
    same(bob.fetch_my_trades(ETH, taken['timestamp'] + 60_000), [])
    same(bob.fetch_trades(ETH, None, 5, {'until': before - 1}), [])
    all_orders = alice.fetch_orders(ETH, before, None, {'paginate': True})
    same(len([each for each in all_orders if each['status'] == 'closed']), FILLS)


def read_account():
    """Each change of a balance, the oldest first; together they are the balance."""
    fees = alice.fetch_trading_fees()
    same([fees[BTC]['maker'], fees[ETH]['taker']], [0.002, 0.002])
    same(alice.fetch_trading_fee(BTC)['symbol'], BTC)
    lines = alice.fetch_ledger('USDT', None, None, {'paginate': True})
    assert len(lines) > FILLS and lines[-1]['type'] == 'trade'
    assert abs(lines[-1]['after'] - alice.fetch_balance()['total']['USDT']) < 1e-6
    last = 0
    for line in lines:
        same([line['before'], line['direction']], [last, 'in'])
        last = line['after']
        assert abs(last - line['before'] - line['amount']) < 1e-6
    since = lines[3]['timestamp']
    later = alice.fetch_ledger('USDT', since, 2)
    same([len(later), later[0]['timestamp']], [2, since])


def move_money():
    uid = alice.request('resource/users/me', 'auth')['uid']
    alice.request('account/faucet', 'backend', 'POST', {'currency': 'btc', 'amount': '2'})
    refused(ccxt.InvalidAddress, alice.withdraw, 'BTC', 0.25, 'bc1qnobodys')
    to = {'currency': 'btc', 'name': 'cold', 'data': {'address': 'bc1qexampleexampleexample'}}
    made = alice.request('account/beneficiaries', 'backend', 'POST', to)
    pin = operator.request('outbox', 'admin', 'GET', {'uid': uid})[0]['code']
    path = 'account/beneficiaries/{id}/activate'
    alice.request(path, 'backend', 'PATCH', {'id': made['id'], 'pin': int(pin)})
    withdrawal = alice.withdraw('BTC', 0.25, to['data']['address'])
    same([withdrawal['amount'], withdrawal['addressTo']], [0.25, to['data']['address']])
    same(alice.fetch_withdrawal(withdrawal['id'])['id'], withdrawal['id'])
    deadline = time.time() + 60
    while True:
        deposit, withdrawn = alice.fetch_deposits('BTC', 0)[0], alice.fetch_withdrawals()[0]
        if [deposit['status'], withdrawn['status']] == ['ok', 'ok']:
            break
        assert time.time() < deadline, (deposit['status'], withdrawn['status'])
        time.sleep(0.1)
    same([deposit['amount'], deposit['currency'], deposit['type']], [2, 'BTC', 'deposit'])
    same([withdrawn['id'], type(withdrawn['txid'])], [withdrawal['id'], str])
    while True:
        try:
            address = alice.fetch_deposit_address('USDT')['address']
            break
        except ccxt.AddressPending:
            assert time.time() < deadline
            time.sleep(0.1)
    assert address.startswith('usdt')


def choose_networks():
    """The same address on two networks of a coin is two beneficiaries, of which one is meant."""
    uid = bob.request('resource/users/me', 'auth')['uid']
    token = {'contract': '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'network_digits': 6}
    dollar = {'id': 'usdx', 'name': 'Dollar', 'precision': 6, 'network': 'anvil', **token}
    operator.request('currencies', 'admin', 'POST', dollar)
    second = {'id': 'usdx', 'network': 'sepolia', **token}
    operator.request('currencies/{id}/networks', 'admin', 'POST', second)
    bob.load_markets(True)
    sepolia = {'network': 'sepolia'}
    given = {'currency': 'usdx', 'amount': '9', **sepolia}
    bob.request('account/faucet', 'backend', 'POST', given)
    same(bob.fetch_deposit_address('USDX', sepolia)['network'], 'sepolia')
    deadline = time.time() + 60
    while True:
        deposit = bob.fetch_deposits('USDX', 0)[0]
        same(deposit['network'], 'sepolia')
        if deposit['status'] == 'ok':
            break
        assert time.time() < deadline, deposit['status']
        time.sleep(0.1)
    address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    made = {}
    for by in ('anvil', 'sepolia'):
        to = {'currency': 'usdx', 'name': by, 'network': by, 'data': {'address': address}}
        made[by] = bob.request('account/beneficiaries', 'backend', 'POST', to)['id']
        mails = operator.request('outbox', 'admin', 'GET', {'uid': uid})
        pin = max(mails, key=lambda mail: mail['id'])['code']
        path = 'account/beneficiaries/{id}/activate'
        bob.request(path, 'backend', 'PATCH', {'id': made[by], 'pin': int(pin)})
    to = ('USDX', 1, address, None)
    refused(ccxt.ArgumentsRequired, bob.withdraw, *to)
    refused(ccxt.InvalidAddress, bob.withdraw, *to, {'network': 'moon'})
    other = {**sepolia, 'beneficiary_id': made['anvil']}
    refused(ccxt.InvalidAddress, bob.withdraw, *to, other)
    paid = bob.withdraw(*to, sepolia)
    same([paid['currency'], paid['network'], paid['addressTo']], ['USDX', 'sepolia', address])
    same(bob.fetch_withdrawals('USDX')[0]['network'], 'sepolia')


def be_refused():
    behind = ccxt.kvenue(config('alice', options={'timeDifference': 3_600_000}))
    assert behind.fetch_balance()['total']['BTC'] > 0
    assert abs(behind.options['timeDifference']) < 60_000
    wrong = ccxt.kvenue(config('alice', secret='wrong'))
    refused(ccxt.AuthenticationError, wrong.fetch_balance)
    refused(ccxt.InsufficientFunds, bob.create_order, BTC, 'limit', 'buy', 1e6, 20000)
    refused(ccxt.OrderNotFound, bob.fetch_order, '999999')
    refused(ccxt.OrderNotFound, bob.cancel_order, '999999')
    refused(ccxt.BadSymbol, bob.fetch_ticker, 'NONE/USDT')
    refused(ccxt.BadRequest, bob.create_order, BTC, 'limit', 'buy', 1, 100, {'colour': 'red'})
    refused(ccxt.InvalidOrder, bob.create_order, BTC, 'limit', 'buy', 1)
    refused(ccxt.OrderNotFillable, bob.create_market_buy_order_with_cost, 'BCH/USDT', 100)
    profit = {'takeProfitPrice': 9}
    refused(ccxt.NotSupported, bob.create_order, BTC, 'market', 'sell', 1, None, profit)
    refused(ccxt.PermissionDenied, bob.request, 'outbox', 'admin')
    own = {'clientOrderId': 'life-2'}
    order = (BTC, 'limit', 'buy')
    bob.create_order(*order, 0.01, 100, own)
    refused(ccxt.DuplicateOrderId, bob.create_order, *order, 0.02, 100, own)

    def act(path, **changes):
        operator.request(path, 'admin', 'PATCH', {'reason': 'a test', **changes})

    act('markets/{id}', id='btcusdt', state='halted')
    refused(ccxt.MarketClosed, bob.create_order, *order, 0.01, 100)
    refused(ccxt.MarketClosed, bob.cancel_order, None, BTC, own)
    same([each['active'] for each in bob.fetch_markets() if each['symbol'] == BTC], [False])
    act('markets/{id}', id='btcusdt', state='enabled')
    act('switches', trading=False)
    refused(ccxt.OnMaintenance, bob.create_order, *order, 0.01, 100)
    same(bob.fetch_status()['status'], 'maintenance')
    act('switches', trading=True)
    same(bob.cancel_order(None, BTC, own)['status'], 'canceled')


def classes_of_errors():
    """Returns the class of the error that each order meets on the way that refuses them."""
    refusing = ccxt.kvenue(config('bob', urls={'api': errors}))
    classes = []
    for at in range(int(count)):
        try:
            own = {'clientOrderId': f'error-{at}'}
            refusing.create_order(BTC, 'limit', 'buy', 1, 1, own)
            classes.append('none')
        except ccxt.BaseError as error:
            classes.append(type(error).__name__)
    return classes


def lose_answer():
    """An order whose answer is lost is placed once, though it is sent twice."""
    options = {'pageMax': PAGE, 'maxRetriesOnFailure': 1}
    patient = ccxt.kvenue(config('bob', urls={'api': errors}, options=options))
    order = patient.create_order(BTC, 'limit', 'buy', 0.01, 100, {'clientOrderId': 'lost'})
    same([order['status'], order['clientOrderId']], ['open', 'lost'])
    same(ids(bob.fetch_open_orders()), ids([order]))
    same(bob.cancel_order(order['id'])['status'], 'canceled')


async def live_async():
    """The same calls awaited, many at once."""
    venue = ccxt.async_support.kvenue(config('bob', options={'timeDifference': -3_600_000}))
    try:
        own = {'clientOrderId': 'life-3'}
        order = await venue.create_order(BTC, 'limit', 'buy', 0.01, 100, own)
        same([each['id'] for each in await venue.fetchOpenOrders(BTC)], [order['id']])
        balances = await asyncio.gather(*[venue.fetch_balance() for _ in range(50)])
        same({balance['used']['USDT'] for balance in balances}, {1})
        same((await venue.cancel_order(None, BTC, own))['status'], 'canceled')
        same(len(await venue.fetch_my_trades(ETH, 0)), FILLS)
        try:
            await venue.fetch_order('999999')
        except ccxt.OrderNotFound:
            return
        raise AssertionError('no OrderNotFound')
    finally:
        await venue.close()


read_market()
before = total_of([alice, bob])
trade()
place_all_types()
walk()
after = total_of([alice, bob])
fees = [
    (int(each['id']), each['fee']['currency'], each['fee']['cost'])
    for each in alice.fetch_my_trades(None, 0, None, {'paginate': True})
]
balance = alice.fetch_balance()
read_account()
be_refused()
asyncio.run(live_async())
lose_answer()
classes = classes_of_errors()
move_money()
choose_networks()
print(json.dumps({
    'before': before, 'after': after, 'fees': fees, 'ended': ended, 'classes': classes,
    'free': balance['free'], 'used': balance['used'], 'total': balance['total'],
}))
