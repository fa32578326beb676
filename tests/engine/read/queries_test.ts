import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import {
  type Candle,
  CANDLE_PERIODS,
  candleStart,
  extendCandle,
} from "../../../src/domain/trading/candle.ts";
import { type MemberTrade, tradePlace } from "../../../src/domain/trading/trade_record.ts";
import { ORDER_STATES, ORDER_TYPES, SIDES } from "../../../src/domain/trading/order.ts";
import type { OrderFilter, PageRequest, TradeFilter } from "../../../src/engine/engine.ts";
import { addStream } from "../../support/engine_stream.ts";
import { EngineVenue, orderIds } from "../../support/engine_venue.ts";
import { plainOrder, PlainRecord } from "../../support/plain_record.ts";
import { Prng } from "../../support/prng.ts";
import {
  isInRange,
  isWithin,
  pageOf,
  randomIds,
  randomPage,
  randomTimes,
  some,
} from "../../support/random_pages.ts";
import { START } from "../../support/domain_venue.ts";

const ORDERS = 5000;
const DAY_MS = 86_400_000;

/** Creates two members whose orders alternate over days; the last fifth is not folded. */
async function openHistory(): Promise<{
  test: EngineVenue;
  record: PlainRecord;
  clock: { now: number };
}> {
  const clock = { now: START };
  const test = await EngineVenue.open({ clock });
  const record = new PlainRecord();
  test.engine.onEntry((events, _, at) => record.take(events, at));
  await addStream(test, 1_000_000n);
  for (const uid of ["ann", "ben"]) {
    await test.must({ kind: "change_member", uid, changes: { openOrdersMax: ORDERS } });
  }
  const prng = new Prng(41);
  for (let placed = 0; placed < ORDERS; placed += 50) {
    if (placed === ORDERS * 0.8) {
      await test.folded();
      test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    }
    await Promise.all(Array.from({ length: 100 }, (_, i) => placeAny(test, prng, i)));
    clock.now += prng.chance(0.3) ? 0 : prng.below(0.1 * DAY_MS);
  }
  return { test, record, clock };
}

async function placeAny(test: EngineVenue, prng: Prng, i: number): Promise<void> {
  const uid = i % 2 === 0 ? "ann" : "ben";
  const side = prng.pick(SIDES);
  const type = prng.pick(["limit", "limit", "limit", "post_only", "market"] as const);
  const isCheap = side === "buy";
  const market = prng.pick(["aaaccc", "bbbccc"]);
  const price = String(prng.between(8, 12) - (isCheap ? 2 : 0));
  const [id = 0] = orderIds(
    await test.place(uid, {
      market,
      side,
      type,
      amount: "1",
      selfTrade: "none",
      ...(type === "market" ? {} : { price }),
    }),
  );
  if (!prng.chance(0.2)) return;
  const member = test.member(uid);
  const names = [{ id }];
  await test.must({ kind: "cancel_orders", member, names, strict: false, isKnown: false });
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Makes some pages start after a record. */
function someAfter(prng: Prng, records: readonly { readonly id: number }[]): { after?: number } {
  return prng.chance(0.3) ? { after: prng.pick(records).id + prng.pick([-1, 0, 0, 1]) } : {};
}

/** Of the two sides of a trade with oneself, a read may continue after the first. */
function placeOf(record: { readonly id: number } | MemberTrade): number {
  return "liquidity" in record ? tradePlace(record) : record.id;
}

/** Returns a page of records in ascending order, which may start after one of them. */
function paged<T extends { readonly id: number }>(records: readonly T[], page: PageRequest): T[] {
  const { after, direction, isWhole = false } = page;
  const isBehind = (place: number) =>
    direction === "asc" ? place > (after ?? 0) : place < (after ?? place + 1);
  const asked = records.filter((record) => isInRange(record.id, page) && isBehind(placeOf(record)));
  const items = pageOf(asked, page);
  const [next] = pageOf(asked, { ...page, offset: page.offset + page.limit, limit: 1 });
  return isWhole && next !== undefined && next.id === items.at(-1)?.id ? [...items, next] : items;
}

/** Compares pages of the markets' trades. */
async function checkMarketTrades(
  test: EngineVenue,
  record: PlainRecord,
  prng: Prng,
  now: number,
): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const market = prng.below(2);
    const direction = prng.pick(["asc", "desc"] as const);
    const times = randomTimes(prng, now);
    const ids = randomIds(prng, record.marketTrades);
    const limit = prng.pick([1, 100, 1000]);
    const matching = record.marketTrades.filter((trade) =>
      trade.market === market && isWithin(trade.at, times)
    );
    const answer = await test.engine.marketTrades(market, { ...times, ...ids, limit, direction });
    const what = `${round} ${JSON.stringify({ ...times, ...ids, direction })}`;
    assertEquals(answer, paged(matching, { ...ids, offset: 0, limit, direction }), what);
  }
}

describe("a long history", () => {
  it("reads like a plain list, page by page, with any filter", async () => {
    const { test, record, clock } = await openHistory();
    await using _ = test;
    assert(record.orders.length === 2 * ORDERS && record.marketTrades.length > ORDERS / 2);
    const prng = new Prng(42);
    const member = test.member("ann");
    const own = record.orders.filter((order) => order.member === member);
    for (let round = 0; round < 150; round++) {
      const filter: OrderFilter = {
        ...(prng.chance(0.2) ? { markets: some(prng, [0, 1]) } : {}),
        ...(prng.chance(0.2) ? { states: some(prng, ORDER_STATES) } : {}),
        ...(prng.chance(0.2) ? { types: some(prng, ORDER_TYPES) } : {}),
        ...(prng.chance(0.2) ? { side: prng.pick(SIDES) } : {}),
        ...randomTimes(prng, clock.now),
      };
      const page = {
        ...randomPage(prng, ORDERS),
        ...someAfter(prng, own),
        ...randomIds(prng, own),
      };
      const matching = own.filter((order) =>
        (filter.markets?.has(order.market) ?? true) &&
        (filter.states?.has(order.state) ?? true) &&
        (filter.types?.has(order.type) ?? true) &&
        (filter.side ?? order.side) === order.side && isWithin(order.createdAt, filter)
      );
      const answer = await test.engine.orders(member, filter, page);
      const what = `round ${round}: ${Object.keys(filter)} ${JSON.stringify(page)}`;
      assertEquals(answer.items.map(plainOrder), paged(matching, page).map(plainOrder), what);
      if (answer.total !== null) assertEquals(answer.total, matching.length, what);
      assertEquals(answer.isScanLimited, false);
    }
    for (let round = 0; round < 200; round++) {
      const filter: TradeFilter = {
        ...(prng.chance(0.2) ? { markets: some(prng, [0, 1]) } : {}),
        ...(prng.chance(0.2) ? { side: prng.pick(SIDES) } : {}),
        ...randomTimes(prng, clock.now),
      };
      const trades = record.trades.get(member) ?? [];
      const page = {
        ...randomPage(prng, ORDERS),
        ...someAfter(prng, trades),
        ...randomIds(prng, trades),
        isWhole: prng.chance(0.5),
      };
      const matching = trades.filter((trade) =>
        (filter.markets?.has(trade.market) ?? true) &&
        (filter.side ?? trade.side) === trade.side && isWithin(trade.at, filter)
      );
      const answer = await test.engine.trades(member, filter, page);
      assertEquals(answer.items, paged(matching, page), `${round} ${JSON.stringify(page)}`);
      if (answer.total !== null) assertEquals(answer.total, matching.length);
    }
    await checkMarketTrades(test, record, prng, clock.now);
    for (const order of own.filter(() => prng.chance(0.02))) {
      const found = await test.engine.order(member, order.id);
      assertEquals(found && plainOrder(found), plainOrder(order));
      assertEquals(await test.engine.order(test.member("ben"), order.id), null);
      const trades = record.tradesOfOrder(order.id);
      if (found !== null) {
        assertEquals(await test.engine.orderTrades(member, found, (one) => one), trades);
      }
    }
    await checkCandles(test, record, prng, clock.now);
  });

  it("costs the same to start reading, however many others there are", async () => {
    const { test, record } = await openHistory();
    await using _ = test;
    const trades = record.marketTrades;
    // A failed fold would be retried, and its reads would be counted.
    test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
    using _held = { [Symbol.dispose]: () => test.store.release() };
    await test.store.holding();
    const member = test.member("ann");
    const cost = async (read: () => Promise<unknown>) => {
      const before = test.store.rowsRead;
      await read();
      return test.store.rowsRead - before;
    };
    const { engine } = test;
    for (const direction of ["asc", "desc"] as const) {
      const page = { offset: 0, limit: 25, direction };
      assert(await cost(() => engine.orders(member, {}, page)) <= 2, `orders ${direction}`);
      assert(await cost(() => engine.trades(member, {}, page)) <= 2, `trades ${direction}`);
      const request = { limit: 25, direction };
      assert(await cost(() => engine.marketTrades(0, request)) <= 2, `market ${direction}`);
      for (const { id } of [trades[100], trades[2000], trades.at(-1)].filter(isDefined)) {
        const there = { ...page, fromId: id - 200, toId: id };
        assert(await cost(() => engine.orders(member, {}, there)) <= 3, `orders at ${id}`);
        assert(await cost(() => engine.trades(member, {}, there)) <= 3, `trades at ${id}`);
        const ofMarket = { ...request, fromId: id - 200, toId: id };
        assert(await cost(() => engine.marketTrades(0, ofMarket)) <= 3, `market at ${id}`);
      }
      // A binary search in some hundred blocks takes about ten steps.
      const late = { from: START + 3 * DAY_MS, to: START + 5 * DAY_MS };
      assert(await cost(() => engine.orders(member, late, page)) <= 30, `times ${direction}`);
    }
    const page = { offset: 0, limit: 25, direction: "desc" } as const;
    for (const states of [["wait"], ["pending", "wait"], ["pending", "trigger_wait"]] as const) {
      const open = { states: new Set(states) };
      assertEquals(await cost(() => engine.orders(member, open, page)), 0, states.join());
    }
    assertEquals(await cost(() => engine.orders(member, { markets: new Set() }, page)), 0);
    assert(await cost(() => engine.order(member, 1)) <= 1);
  });

  it("finds an ended order in memory without looking at the member's others", async () => {
    await using test = await EngineVenue.open();
    await addStream(test, 1_000_000n);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    const member = test.member("ann");
    let looks = 0;
    const ids: number[] = [];
    for (let i = 0; i < 50; i++) {
      const terms = { market: "aaaccc", side: "buy", amount: "1", price: "1" } as const;
      const [id = 0] = orderIds(await test.place("ann", terms));
      const names = [{ id }];
      await test.must({ kind: "cancel_orders", member, names, strict: true, isKnown: false });
      const order = present(await test.engine.order(member, id), `order ${id} is kept`);
      const get = () => (looks++, id);
      Object.defineProperty(order, "id", { get });
      ids.push(id);
    }
    looks = 0;
    for (const id of ids) assert(await test.engine.order(member, id) !== null);
    assert(looks <= ids.length, `${looks} looks at ${ids.length} orders`);
    assertEquals(await test.engine.order(test.member("ben"), ids[0] ?? 0), null);
  });
});

/** Compares candles and ticker with those computed from the trades. */
async function checkCandles(
  test: EngineVenue,
  record: PlainRecord,
  prng: Prng,
  now: number,
): Promise<void> {
  const { engine } = test;
  for (const market of [0, 1]) {
    const book = engine.venue.book(market);
    const trades = record.marketTrades.filter((trade) => trade.market === market);
    for (const period of CANDLE_PERIODS) {
      const all: Candle[] = [];
      for (const { at, price, volume } of trades) {
        const start = candleStart(at, period);
        const last = all[all.length - 1];
        const candle = last?.start === start ? all.pop() as Candle : null;
        const total = book.total(price, volume);
        all.push(extendCandle(candle, start, price, BigInt(volume), total));
      }
      assertEquals(await engine.candles(market, period, { limit: 100_000 }), all);
      const none = await engine.candles(market, period, { from: 1e9, to: 60, limit: 9 });
      assertEquals(none, [], "a range that ends before it begins");
      for (let round = 0; round < 6; round++) {
        const time = () => candleStart(START + prng.below(now - START), period);
        const [from, to, limit] = [time(), time(), prng.pick([1, 10, 100])];
        const since = all.filter(({ start }) => start >= from);
        const until = all.filter(({ start }) => start <= to);
        const both = since.filter(({ start }) => start <= to);
        const what = `market ${market} period ${period} ${from} ${to} ${limit}`;
        assertEquals(await engine.candles(market, period, { limit }), all.slice(-limit), what);
        const first = await engine.candles(market, period, { from, limit });
        assertEquals(first, since.slice(0, limit), what);
        assertEquals(
          await engine.candles(market, period, { to, limit }),
          until.slice(-limit),
          what,
        );
        const between = await engine.candles(market, period, { from, to, limit });
        assertEquals(between, both.slice(-limit), what);
      }
    }
    const day = trades.filter(({ at }) => candleStart(at, 1) >= candleStart(now - DAY_MS, 1));
    const prices = day.map(({ price }) => price);
    assertEquals(engine.ticker(market), {
      open: prices[0] ?? 0,
      high: Math.max(0, ...prices),
      low: prices.length === 0 ? 0 : Math.min(...prices),
      last: trades[trades.length - 1]?.price ?? 0,
      volume: day.reduce((sum, { volume }) => sum + BigInt(volume), 0n),
      total: day.reduce((sum, { price, volume }) => sum + book.total(price, volume), 0n),
    });
  }
}
