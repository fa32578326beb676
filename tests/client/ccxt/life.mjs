/**
 * Two members' life by the unified calls of ccxt, in Node: `node life.mjs CCXT URL ERRORS COUNT`.
 * By the way `ERRORS` to the venue, orders that name themselves `error-0` and so on are refused.
 * Prints what became of all as one JSON; a fault ends it.
 */
import assert from "node:assert/strict";
import { register } from "../../../src/client/ccxt/kvenue.js";

const [entry, api, errors, count] = process.argv.slice(2);
const { default: ccxt } = await import(entry);
const BTC = "BTC/USDT";
const ETH = "ETH/USDT";
const FILLS = 250;
/** How many records a page has here. */
const PAGE = 100;

register(ccxt);
assert.ok(ccxt.exchanges.includes("kvenue"));

/** Returns the exchange with a key of the demo; it is tested here how fast it may be. */
function as(name, options = {}) {
  const key = { apiKey: `demo-${name}`, secret: `demo-${name}-secret`, enableRateLimit: false };
  const own = { ...key, urls: { api }, twofa: "JBSWY3DPEHPK3PXP" };
  return new ccxt.kvenue({ ...own, options: { pageMax: PAGE }, ...options });
}

const alice = as("alice");
const bob = as("bob");
const operator = as("operator");
const ended = [];

async function refused(kind, call) {
  await assert.rejects(call, (error) => error.constructor === ccxt[kind] || assert.fail(error));
}

async function sum(exchanges) {
  const balances = await Promise.all(exchanges.map((exchange) => exchange.fetchBalance()));
  return Object.fromEntries(["BTC", "ETH", "USDT"].map((code) => [
    code,
    balances.map(({ total }) => total[code]).reduce((one, other) => one + other),
  ]));
}

async function readMarket() {
  const markets = await alice.loadMarkets();
  const { precision, limits, active, maker, taker } = markets[BTC];
  assert.deepEqual([precision.amount, precision.price, limits.amount.min], [1e-6, 0.01, 1e-4]);
  assert.deepEqual([active, maker, taker], [true, 0.002, 0.002]);
  const { BTC: coin } = alice.currencies;
  assert.deepEqual([coin.precision, coin.active, coin.type], [1e-8, true, "crypto"]);
  assert.ok(Math.abs(await alice.fetchTime() - Date.now()) < 60_000);
  assert.equal((await alice.fetchStatus()).status, "ok");
  assert.equal(alice.has.editOrder, false);
}

/** A limit order is filled in part, by limit, by market and by cost; the rest is cancelled. */
async function trade() {
  const before = await alice.fetchTime();
  const own = { clientOrderId: "life-1" };
  const sell = await alice.createOrder(BTC, "limit", "sell", 0.5000009, "20000.004", own);
  assert.deepEqual([sell.status, sell.amount, sell.price, sell.filled], ["open", 0.5, 20000, 0]);
  assert.deepEqual([sell.type, sell.side, sell.clientOrderId], ["limit", "sell", "life-1"]);
  const lasting = { timeInForce: "IOC" };
  const taken = await bob.createOrder(BTC, "limit", "buy", 0.1, 20001, lasting);
  assert.deepEqual([taken.status, taken.filled, taken.average], ["closed", 0.1, 20000]);
  assert.deepEqual([taken.trades.length, taken.trades[0].takerOrMaker], [1, "taker"]);
  assert.deepEqual(taken.fee, { currency: "BTC", cost: 0.0002 });
  const market = await bob.createOrder(BTC, "market", "buy", 0.15);
  assert.deepEqual([market.status, market.cost, market.timeInForce], ["closed", 3000, "IOC"]);
  const spent = await bob.createMarketBuyOrderWithCost(BTC, 1000.009);
  assert.deepEqual([spent.filled, spent.cost], [0.05, 1000]);
  const read = await alice.fetchOrder(undefined, BTC, { clientOrderId: "life-1" });
  assert.deepEqual([read.id, read.filled, read.remaining, read.status], [
    sell.id,
    0.3,
    0.2,
    "open",
  ]);
  assert.deepEqual([read.cost, read.average, read.fee.cost], [6000, 20000, 12]);
  assert.deepEqual((await alice.fetchOpenOrders(BTC)).map(({ id }) => id), [sell.id]);
  const trades = await alice.fetchOrderTrades(sell.id, BTC);
  assert.deepEqual(trades.map(({ amount }) => amount), [0.1, 0.15, 0.05]);
  assert.ok(trades.every((fill) => fill.order === sell.id && fill.takerOrMaker === "maker"));
  const book = await bob.fetchOrderBook(BTC);
  assert.deepEqual([book.asks, book.bids], [[[20000, 0.2]], []]);
  const ticker = (await alice.fetchTickers([BTC]))[BTC];
  assert.deepEqual([ticker.last, ticker.ask, ticker.bid], [20000, 20000, undefined]);
  assert.deepEqual([ticker.baseVolume, ticker.quoteVolume], [0.3, 6000]);
  assert.equal((await alice.fetchTicker(BTC)).last, 20000);
  const candles = await alice.fetchOHLCV(BTC, "1d", undefined, 2);
  const [, open, high, low, close, volume] = candles.at(-1);
  assert.deepEqual([open, high, low, close], [20000, 20000, 20000, 20000]);
  assert.ok(volume > 0 && volume <= 0.3);
  const ofAll = await bob.fetchTrades(BTC, before);
  assert.deepEqual(ofAll.map(({ amount }) => amount), [0.1, 0.15, 0.05]);
  assert.equal((await alice.cancelOrder(undefined, BTC, own)).status, "canceled");
  assert.equal((await alice.cancelOrder(sell.id)).status, "canceled");
  ended.push(["alice", sell.id, "canceled"], ["bob", taken.id, "closed"]);
}

async function placeAllTypes() {
  await alice.createOrder(BTC, "limit", "sell", 0.01, 21000);
  const post = { postOnly: true };
  const [taker, maker] = [
    await bob.createOrder(BTC, "limit", "buy", 0.01, 21000, post),
    await bob.createOrder(BTC, "limit", "buy", 0.01, 100, { timeInForce: "PO" }),
  ];
  assert.deepEqual([taker.status, maker.status, maker.timeInForce], ["rejected", "open", "PO"]);
  const fok = { timeInForce: "FOK" };
  assert.equal((await bob.createOrder(BTC, "limit", "buy", 1, 21000, fok)).status, "canceled");
  const stop = await bob.createOrder(BTC, "market", "sell", 0.01, undefined, { triggerPrice: 50 });
  const limited = await bob.createOrder(BTC, "limit", "sell", 0.01, 40, { stopLossPrice: 50 });
  assert.deepEqual([stop.type, stop.triggerPrice, stop.status], ["market", 50, "open"]);
  assert.deepEqual([limited.type, limited.price, limited.info.ord_type], [
    "limit",
    40,
    "stop_limit",
  ]);
  const names = await bob.createOrders([
    { symbol: ETH, type: "limit", side: "buy", amount: 0.01, price: 10, params: {} },
    { symbol: BTC, type: "limit", side: "buy", amount: "0.01", price: "10" },
    {
      symbol: BTC,
      type: "limit",
      side: "buy",
      amount: 0.01,
      price: 11,
      params: { response: "ack" },
    },
  ]);
  assert.deepEqual(names.map(({ symbol, price }) => [symbol, price]), [[ETH, 10], [BTC, 10], [
    BTC,
    11,
  ]]);
  await bob.cancelOrders([names[0].id], ETH);
  await bob.cancelOrders([], BTC, { clientOrderIds: [names[1].clientOrderId] });
  const left = (await bob.fetchOpenOrders()).map(({ id }) => id);
  assert.deepEqual(left, [maker.id, stop.id, limited.id, names[2].id]);
  const cancelled = await bob.cancelAllOrders(BTC);
  assert.deepEqual(cancelled.map(({ id }) => id), left);
  assert.deepEqual(await bob.fetchOpenOrders(), []);
  assert.equal((await alice.cancelAllOrders()).length, 1);
  assert.ok((await bob.cancelAllOrdersAfter(30_500)).trigger_time !== null);
  assert.equal((await bob.cancelAllOrdersAfter(0)).trigger_time, null);
  const ids = async (call) => (await call).map(({ id }) => id);
  assert.deepEqual(await ids(bob.fetchCanceledOrders(ETH)), [names[0].id]);
  const both = await bob.fetchCanceledAndClosedOrders();
  assert.ok(both.some(({ status }) => status === "rejected"));
  assert.equal((await ids(bob.fetchClosedOrders())).length, 3);
  assert.deepEqual((await bob.fetchOrders(BTC, undefined, 1)).map(({ id }) => id), [names[2].id]);
  ended.push(["bob", taker.id, "rejected"], ["bob", stop.id, "canceled"]);
}

/** More fills within a millisecond than a page has: none is lost, and none read twice. */
async function walk() {
  const before = await alice.fetchTime();
  const order = { symbol: ETH, type: "limit", side: "sell", amount: "0.001", price: 1000 };
  for (let placed = 0; placed < FILLS; placed += 50) {
    await alice.createOrders(Array.from({ length: 50 }, () => order));
  }
  const taken = await bob.createOrder(ETH, "market", "buy", FILLS / 1000);
  assert.deepEqual([taken.filled, taken.trades.length], [FILLS / 1000, FILLS]);
  const ids = (trades) => trades.map(({ id }) => Number(id));
  const expected = ids(taken.trades);
  assert.deepEqual(ids(await alice.fetchMyTrades(ETH, before)), expected);
  assert.deepEqual(ids(await alice.fetchTrades(ETH, before)), expected);
  assert.deepEqual(ids(await alice.fetchTrades(ETH, before, 150)), expected.slice(0, 150));
  assert.deepEqual(ids(await bob.fetchMyTrades(ETH, undefined, 5)), expected.slice(-5));
  assert.deepEqual(ids(await bob.fetchMyTrades(ETH, undefined, 120)), expected.slice(-120));
  const from = { from_id: expected[170] };
  assert.deepEqual(ids(await bob.fetchMyTrades(ETH, undefined, 7, from)), expected.slice(170, 177));
  assert.deepEqual(await bob.fetchMyTrades(ETH, taken.timestamp + 60_000), []);
  assert.deepEqual(await bob.fetchTrades(ETH, undefined, 5, { until: before - 1 }), []);
  const all = await alice.fetchOrders(ETH, before, undefined, { paginate: true });
  assert.equal(all.filter(({ status }) => status === "closed").length, FILLS);
}

/** Each change of a balance, the oldest first; together they are the balance. */
async function readAccount() {
  const fees = await alice.fetchTradingFees();
  assert.deepEqual([fees[BTC].maker, fees[ETH].taker], [0.002, 0.002]);
  assert.equal((await alice.fetchTradingFee(BTC)).symbol, BTC);
  const lines = await alice.fetchLedger("USDT", undefined, undefined, { paginate: true });
  assert.ok(lines.length > FILLS && lines.at(-1).type === "trade");
  const { total } = await alice.fetchBalance();
  assert.ok(Math.abs(lines.at(-1).after - total.USDT) < 1e-6);
  for (const [place, { before, after, amount, direction }] of lines.entries()) {
    assert.equal(before, lines[place - 1]?.after ?? 0);
    assert.ok(Math.abs(after - before) - amount < 1e-6 && direction === "in");
  }
  const since = lines[3].timestamp;
  const later = await alice.fetchLedger("USDT", since, 2);
  assert.equal(later.length, 2);
  assert.ok(later[0].timestamp === since);
}

async function moveMoney() {
  const { uid } = await alice.request("resource/users/me", "auth");
  await alice.request("account/faucet", "backend", "POST", { currency: "btc", amount: "2" });
  await refused("InvalidAddress", () => alice.withdraw("BTC", 0.25, "bc1qnobodys"));
  const to = { currency: "btc", name: "cold", data: { address: "bc1qexampleexampleexample" } };
  const { id } = await alice.request("account/beneficiaries", "backend", "POST", to);
  const [{ code }] = await operator.request("outbox", "admin", "GET", { uid });
  const path = "account/beneficiaries/{id}/activate";
  await alice.request(path, "backend", "PATCH", { id, pin: Number(code) });
  const withdrawal = await alice.withdraw("BTC", 0.25, to.data.address);
  assert.deepEqual([withdrawal.amount, withdrawal.addressTo], [0.25, to.data.address]);
  assert.equal((await alice.fetchWithdrawal(withdrawal.id)).id, withdrawal.id);
  const deadline = Date.now() + 60_000;
  const read = async () =>
    [await alice.fetchDeposits("BTC", 0), await alice.fetchWithdrawals()].map(([first]) => first);
  for (;;) {
    const [deposit, withdrawn] = await read();
    if (deposit.status === "ok" && withdrawn.status === "ok") {
      assert.deepEqual([deposit.amount, deposit.currency, deposit.type], [2, "BTC", "deposit"]);
      assert.deepEqual([withdrawn.id, typeof withdrawn.txid], [withdrawal.id, "string"]);
      break;
    }
    assert.ok(Date.now() < deadline, `${deposit.status}, ${withdrawn.status}`);
    await alice.sleep(100);
  }
  const address = async () => (await alice.fetchDepositAddress("USDT")).address;
  const made = await address().catch(() => alice.sleep(2000).then(address));
  assert.match(made, /^usdt/);
}

/** The same address on two networks of a coin is two beneficiaries, of which one is meant. */
async function chooseNetworks() {
  const { uid } = await bob.request("resource/users/me", "auth");
  const token = { contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7", network_digits: 6 };
  const dollar = { id: "usdx", name: "Dollar", precision: 6, network: "anvil", ...token };
  await operator.request("currencies", "admin", "POST", dollar);
  const second = { id: "usdx", network: "sepolia", ...token };
  await operator.request("currencies/{id}/networks", "admin", "POST", second);
  await bob.loadMarkets(true);
  const sepolia = { network: "sepolia" };
  const given = { currency: "usdx", amount: "9", ...sepolia };
  await bob.request("account/faucet", "backend", "POST", given);
  assert.equal((await bob.fetchDepositAddress("USDX", sepolia)).network, "sepolia");
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [deposit] = await bob.fetchDeposits("USDX", 0);
    assert.equal(deposit.network, "sepolia");
    if (deposit.status === "ok") break;
    assert.ok(Date.now() < deadline, deposit.status);
    await bob.sleep(100);
  }
  const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const ids = {};
  for (const by of ["anvil", "sepolia"]) {
    const to = { currency: "usdx", name: by, network: by, data: { address } };
    const { id } = await bob.request("account/beneficiaries", "backend", "POST", to);
    const mails = await operator.request("outbox", "admin", "GET", { uid });
    const { code } = mails.reduce((one, other) => one.id > other.id ? one : other);
    const path = "account/beneficiaries/{id}/activate";
    await bob.request(path, "backend", "PATCH", { id, pin: Number(code) });
    ids[by] = id;
  }
  const pay = (params) => bob.withdraw("USDX", 1, address, undefined, params);
  await refused("ArgumentsRequired", () => pay({}));
  await refused("InvalidAddress", () => pay({ network: "moon" }));
  await refused("InvalidAddress", () => pay({ ...sepolia, beneficiary_id: ids.anvil }));
  const { currency, network: by, addressTo } = await pay(sepolia);
  assert.deepEqual([currency, by, addressTo], ["USDX", "sepolia", address]);
  assert.equal((await bob.fetchWithdrawals("USDX"))[0].network, "sepolia");
}

async function beRefused() {
  const far = { timeDifference: 3_600_000 };
  const behind = as("alice", { options: { ...far } });
  assert.ok((await behind.fetchBalance()).total.BTC > 0);
  assert.ok(Math.abs(behind.options.timeDifference) < 60_000);
  assert.equal(
    (await Promise.all(Array.from({ length: 50 }, () => bob.fetchBalance()))).length,
    50,
  );
  await refused("AuthenticationError", () => as("alice", { secret: "wrong" }).fetchBalance());
  await refused("InsufficientFunds", () => bob.createOrder(BTC, "limit", "buy", 1e6, 20000));
  await refused("OrderNotFound", () => bob.fetchOrder("999999"));
  await refused("OrderNotFound", () => bob.cancelOrder("999999"));
  await refused("BadSymbol", () => bob.fetchTicker("NONE/USDT"));
  await refused(
    "BadRequest",
    () => bob.createOrder(BTC, "limit", "buy", 1, 100, { colour: "red" }),
  );
  await refused("InvalidOrder", () => bob.createOrder(BTC, "limit", "buy", 1));
  await refused("OrderNotFillable", () => bob.createMarketBuyOrderWithCost("BCH/USDT", 100));
  await refused(
    "NotSupported",
    () => bob.createOrder(BTC, "market", "sell", 1, undefined, { takeProfitPrice: 9 }),
  );
  await refused("PermissionDenied", () => bob.request("outbox", "admin"));
  const own = { clientOrderId: "life-2" };
  await bob.createOrder(BTC, "limit", "buy", 0.01, 100, own);
  await refused("DuplicateOrderId", () => bob.createOrder(BTC, "limit", "buy", 0.02, 100, own));
  const halt = (state) =>
    operator.request("markets/{id}", "admin", "PATCH", { id: "btcusdt", state, reason: "a test" });
  await halt("halted");
  await refused("MarketClosed", () => bob.createOrder(BTC, "limit", "buy", 0.01, 100));
  await refused("MarketClosed", () => bob.cancelOrder(undefined, BTC, own));
  assert.equal((await bob.fetchMarkets()).find(({ symbol }) => symbol === BTC).active, false);
  await halt("enabled");
  await operator.request("switches", "admin", "PATCH", { trading: false, reason: "a test" });
  await refused("OnMaintenance", () => bob.createOrder(BTC, "limit", "buy", 0.01, 100));
  assert.equal((await bob.fetchStatus()).status, "maintenance");
  await operator.request("switches", "admin", "PATCH", { trading: true, reason: "a test" });
  assert.equal((await bob.cancelOrder(undefined, BTC, own)).status, "canceled");
}

/** Returns the class of the error that each order meets on the way that refuses them. */
async function classesOfErrors() {
  const refusing = as("bob", { urls: { api: errors } });
  const place = (at) =>
    refusing.createOrder(BTC, "limit", "buy", 1, 1, { clientOrderId: `error-${at}` });
  const tried = Array.from(
    { length: Number(count) },
    (_, at) => place(at).then(() => "none", (error) => error.constructor.name),
  );
  return await Promise.all(tried);
}

/** An order whose answer is lost is placed once, though it is sent twice. */
async function loseAnswer() {
  const options = { pageMax: PAGE, maxRetriesOnFailure: 1 };
  const patient = as("bob", { urls: { api: errors }, options });
  const own = { clientOrderId: "lost" };
  const order = await patient.createOrder(BTC, "limit", "buy", 0.01, 100, own);
  assert.deepEqual([order.status, order.clientOrderId], ["open", "lost"]);
  assert.deepEqual((await bob.fetchOpenOrders()).map(({ id }) => id), [order.id]);
  assert.equal((await bob.cancelOrder(order.id)).status, "canceled");
}

await readMarket();
const before = await sum([alice, bob]);
await trade();
await placeAllTypes();
await walk();
const after = await sum([alice, bob]);
const all = { paginate: true };
const trades = await alice.fetchMyTrades(undefined, 0, undefined, all);
const { free, used, total } = await alice.fetchBalance();
await readAccount();
await beRefused();
await loseAnswer();
const classes = await classesOfErrors();
await moveMoney();
await chooseNetworks();
const fees = trades.map(({ id, fee }) => [Number(id), fee.currency, fee.cost]);
process.stdout.write(JSON.stringify({ before, after, fees, free, used, total, ended, classes }));
