import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { feeOf } from "../../../src/domain/money/money.ts";
import { type MemberTrade, tradePlace } from "../../../src/domain/trading/trade_record.ts";
import { OrderTrades } from "../../../src/engine/read/order_trades.ts";
import { SLICE } from "../../../src/engine/yield_to_others.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { PlainRecord } from "../../support/plain_record.ts";
import { type OrderText, units } from "../../support/domain_venue.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const SELL: OrderText = { side: "sell", amount: "1", price: "20000", selfTrade: "none" };
const BUY: OrderText = { ...SELL, side: "buy" };

/** Opens a venue where alice trades with herself and with bob, on two markets. */
async function openTraded(path: string): Promise<{ test: EngineVenue; record: PlainRecord }> {
  const test = await EngineVenue.open({ path });
  const record = new PlainRecord();
  test.engine.onEntry((events, _, at) => record.take(events, at));
  await test.addUsual();
  await test.addMarket("eth", "usdt");
  await test.must({ kind: "set_fee", market: "any", group: "any", maker: 1000, taker: 2000 });
  for (const uid of ["alice", "bob"]) {
    await test.must({ kind: "adjust_balance", uid, currency: "eth", amount: units("100") });
  }
  return { test, record };
}

/** Sums what the trades of an order have cost in fees. */
function feesOf({ venue }: PlainRecord, trades: readonly MemberTrade[]): bigint {
  let sum = 0n;
  for (const { feeRate, market, price, side, volume } of trades) {
    const book = venue.book(market);
    sum += feeOf(side === "buy" ? book.base(volume) : book.total(price, volume), feeRate);
  }
  return sum;
}

/** Asserts that her list has all of alice's trades, on both sides of those with herself. */
async function assertListed(
  { engine }: EngineVenue,
  record: PlainRecord,
  limit: number,
): Promise<void> {
  const member = engine.venue.holderByUid.get("alice")?.member.index ?? -1;
  const all = record.tradesOf(member);
  for (const direction of ["asc", "desc"] as const) {
    const wanted = direction === "asc" ? all : all.toReversed();
    for (let offset = 0; offset <= all.length; offset += limit) {
      const page = await engine.trades(member, {}, { direction, offset, limit });
      assertEquals([page.items, page.total], [wanted.slice(offset, offset + limit), all.length]);
    }
    const read: MemberTrade[] = [];
    for (let isDone = false; !isDone;) {
      const last = read.at(-1);
      const from = last === undefined ? {} : { after: tradePlace(last) };
      const { items } = await engine.trades(member, {}, { direction, offset: 0, limit, ...from });
      read.push(...items);
      isDone = items.length === 0;
    }
    assertEquals(read, wanted, `${direction} by ${limit}`);
  }
  for (const side of ["buy", "sell"] as const) {
    const request = { direction: "asc", offset: 0, limit: 1000 } as const;
    const { items } = await engine.trades(member, { side }, request);
    assertEquals(items, all.filter((one) => one.side === side), side);
  }
}

/** Asserts the trades of each of alice's orders, and returns them by order. */
async function assertTrades(
  { engine }: EngineVenue,
  record: PlainRecord,
  ids: readonly number[],
): Promise<Map<number, readonly MemberTrade[]>> {
  const found = new Map<number, readonly MemberTrade[]>();
  for (const id of ids) {
    const order = await engine.order(engine.venue.holderByUid.get("alice")?.member.index ?? -1, id);
    if (order === null) throw new Error(`alice has no order ${id}`);
    const trades = await engine.orderTrades(order.member, order, (one) => one);
    assertEquals(trades, record.tradesOfOrder(id), `order ${id}`);
    assertEquals(trades.length, order.tradesCount, `order ${id}`);
    assertEquals(order.feesPaid, feesOf(record, trades), `fees of order ${id}`);
    found.set(id, trades);
  }
  return found;
}

/** Makes trades of alice with herself and with bob in all combinations; returns her orders. */
async function tradeAll(test: EngineVenue): Promise<number[]> {
  const ids: number[] = [];
  const alice = async (order: OrderText) => ids.push(await test.placed("alice", order));
  const bob = (order: OrderText) => test.placed("bob", order);
  await alice(SELL);
  await alice(BUY);
  // Her own asks alternate with bob's; bob then sells to the rest of her taker.
  await alice({ ...SELL, amount: "2" });
  await bob({ ...SELL, price: "20001" });
  await alice({ ...SELL, price: "20002" });
  await alice({ ...BUY, amount: "5", price: "20003" });
  await bob({ ...SELL, amount: "0.5", price: "20003" });
  // An ask of hers has three takers: herself, bob, herself.
  await alice({ ...SELL, amount: "3", price: "20010" });
  await alice({ ...BUY, amount: "1", price: "20010" });
  await bob({ ...BUY, amount: "1", price: "20010" });
  await alice({ side: "buy", type: "market", amount: "1", selfTrade: "none" });
  // The same on another market, and with a resting buy.
  await alice({ ...SELL, market: "ethusdt" });
  await alice({ ...BUY, amount: "2", market: "ethusdt" });
  await alice({ ...SELL, amount: "0.5", market: "ethusdt" });
  await bob({ ...SELL, amount: "0.25", market: "ethusdt" });
  return ids;
}

describe("the trades of an order", () => {
  it("include the taker's side of a self-trade", async () => {
    await using file = await VenueFile.create();
    const { test, record } = await openTraded(file.path);
    await using _ = test;
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    const ids = await tradeAll(test);
    const before = test.store.rowsRead;
    const found = await assertTrades(test, record, ids);
    assertEquals(test.store.rowsRead, before, "all of them are in memory");
    for (const limit of [1, 2, 3, 100]) await assertListed(test, record, limit);
    const [trade] = found.get(ids[1] ?? 0) ?? [];
    assertEquals([trade?.side, trade?.orderId, trade?.feeRate, trade?.liquidity], [
      "buy",
      ids[1],
      2000,
      "taker",
    ]);
  });

  it("are the same in rows, across rows and memory, and after a restart", async () => {
    await using file = await VenueFile.create();
    const { test, record } = await openTraded(file.path);
    const ids = await tradeAll(test);
    await test.folded();
    await assertTrades(test, record, ids);
    for (const limit of [1, 2, 3, 100]) await assertListed(test, record, limit);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    ids.push(...await tradeAll(test));
    await assertTrades(test, record, ids);
    for (const limit of [1, 5]) await assertListed(test, record, limit);
    await test.close();
    await using again = await EngineVenue.open({ path: file.path });
    await assertTrades(again, record, ids);
    await again.folded();
    await assertTrades(again, record, ids);
    await assertListed(again, record, 7);
  });

  it("are read once at a time, with turns for others if there are many", async () => {
    const count = 4 * SLICE;
    await using test = await EngineVenue.open();
    await test.addUsual();
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    const id = await test.placed("alice", { ...SELL, amount: String(count) });
    for (let traded = 0; traded < count; traded += SLICE / 2) {
      await test.must(test.placing("bob", ...Array.from({ length: SLICE / 2 }, () => BUY)));
    }
    const alice = test.member("alice");
    const order = present(await test.engine.order(alice, id), "alice has the order");
    let [begun, ended] = [0, 0];
    const read = async () => {
      const isNew = new Set<number>();
      const ids = await test.engine.orderTrades(alice, order, (trade) => {
        if (isNew.size === 0) begun += 1;
        isNew.add(trade.id);
        assert(begun - ended === 1, `${begun} have begun, ${ended} have ended`);
        return trade.id;
      });
      ended += 1;
      assertEquals([ids.length, isNew.size], [count, count]);
    };
    const turns = await turnsDuring(() => Promise.all([read(), read()]));
    assert(turns >= 6, `${turns} turns`);
  });

  it("let others take turns where many are asked for at once, however few each has", async () => {
    const [count, times] = [40, 300];
    await using test = await EngineVenue.open();
    await test.addUsual();
    const id = await test.placed("alice", { ...SELL, amount: String(count) });
    await test.must(test.placing("bob", ...Array.from({ length: count }, () => BUY)));
    const alice = test.member("alice");
    const order = present(await test.engine.order(alice, id), "alice has the order");
    const turns = await turnsDuring(async () => {
      const reads = Array.from(
        { length: times },
        () => test.engine.orderTrades(alice, order, (trade) => trade.id),
      );
      // More than may wait for other readings: none is refused.
      for (const ids of await Promise.all(reads)) assertEquals(ids.length, count);
    });
    assert(turns >= times - 1, `${turns} turns`);
  });

  it("omit what the member's other orders traded meanwhile", async () => {
    await using file = await VenueFile.create();
    const { test, record } = await openTraded(file.path);
    await using _ = test;
    const own = await test.placed("alice", SELL);
    const resting = await test.placed("alice", { ...BUY, amount: "2" });
    const ask = await test.placed("alice", { ...SELL, price: "20010" });
    await test.placed("bob", { ...BUY, price: "20010" });
    await test.placed("bob", SELL);
    const found = await assertTrades(test, record, [own, resting, ask]);
    const ids = [...found.values()].map((trades) => trades.map(({ id }) => id));
    assertEquals(ids, [[1], [1, 3], [2]]);
  });

  it("omit those on another market, amid a long sweep", async () => {
    await using file = await VenueFile.create();
    const { test, record } = await openTraded(file.path);
    await using _ = test;
    await test.placed("alice", SELL);
    const taker = await test.placed("alice", { ...BUY, amount: "2" });
    await test.placed("bob", SELL);
    const order = await test.engine.order(test.member("alice"), taker);
    if (order === null) throw new Error("alice has no such order");
    // A sweep too large for one entry continues in the next, after trades of other markets.
    const [self, foreign] = record.tradesOf(order.member);
    const trades = new OrderTrades({ ...order, firstTrade: 1, lastTrade: 9, tradesCount: 3 });
    for (
      const [id, trade, market] of [[1, self, 0], [2, self, 1], [5, self, 0], [
        9,
        foreign,
        0,
      ]] as const
    ) {
      if (trade === undefined) continue;
      // As it was stored before row format 3.
      const { ownTaker: _, ...old } = trade;
      trades.add({ ...old, id, market });
    }
    assertEquals(trades.all().map(({ id }) => id), [1, 5, 9]);
  });

  it("omit self-trades that another order took later", async () => {
    await using file = await VenueFile.create();
    const { test, record } = await openTraded(file.path);
    await using _ = test;
    const own = await test.placed("alice", { ...SELL, amount: "2" });
    const first = await test.placed("alice", BUY);
    // The first buy is done; one that rests while others take her asks has none of these trades.
    const resting = await test.placed("alice", { ...BUY, price: "100" });
    await test.placed("bob", { ...SELL, amount: "0.1", price: "30000" });
    const second = await test.placed("alice", { ...BUY, amount: "0.5" });
    await test.placed("bob", { ...BUY, amount: "0.5" });
    await test.placed("bob", { ...SELL, price: "100", amount: "0.5" });
    const found = await assertTrades(test, record, [own, first, resting, second]);
    assertEquals([...found.values()].map((trades) => trades.map(({ id }) => id)), [
      [1, 2, 3],
      [1],
      [4],
      [2],
    ]);
  });
});
