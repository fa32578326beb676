/** Members' funds at any time, and what has moved them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  fundsOf,
  tradeMovements,
  TRADES_PER_FUNDS_RECORD,
} from "../../../src/domain/money/funds.ts";
import type { Command } from "../../../src/domain/command.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { runMarket } from "../../../src/domain/trading/matching.ts";
import { UndoLog } from "../../../src/domain/undo_log.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { rowKey, watermarkKey } from "../../../src/store/keys.ts";
import { type SealedRecord, sealRecord } from "../../../src/store/rows/row_seal.ts";
import { openExistingStore } from "../../../src/store/store.ts";
import { foldCommit, readWatermark, type Watermark } from "../../../src/store/rows/watermark.ts";
import { units } from "../../support/domain_venue.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { addMoneyStream, MONEY_MEMBERS, runMoneyStream } from "../../support/money_stream.ts";
import { older } from "../../support/older_log.ts";
import { Prng } from "../../support/prng.ts";
import { TestSink } from "../../support/test_sink.ts";

const ALL = { offset: 0, limit: 1_000_000, direction: "asc" } as const;
const START = Date.UTC(2030, 0, 1);

type Totals = readonly string[];

/** What each member had, by time: at each the last of that millisecond. */
type Past = Map<number, Map<string, Totals>>;

/** Returns a member's funds of each currency as texts. */
function texts(test: EngineVenue, totals: ReadonlyMap<number, bigint>): Totals {
  return test.venue.currencies.map(({ index }) => `${totals.get(index) ?? 0n}`);
}

function notePast(test: EngineVenue, past: Past): void {
  const now = new Map<string, Totals>();
  for (const uid of MONEY_MEMBERS) {
    const { accounts } = test.venue.holder(test.member(uid));
    const totals = new Map(test.venue.currencies.map(({ index }) => [
      index,
      fundsOf(accounts[index]),
    ]));
    now.set(uid, texts(test, totals));
  }
  past.set(test.venue.time, now);
}

/** Trades of everybody with everybody, also with itself, between money that comes and goes. */
async function runTrades(test: EngineVenue, prng: Prng, count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    const price = prng.between(19, 21).toFixed(1);
    const amount = (prng.between(1, 40) / 10).toFixed(1);
    const side = prng.pick(["buy", "sell"] as const);
    const selfTrade = prng.pick(["none", "none", "cancel_newest"] as const);
    await test.place(prng.pick(MONEY_MEMBERS), { side, price, amount, selfTrade });
  }
}

/** Gives ann and ben what they need for many trades. */
async function fund(test: EngineVenue): Promise<void> {
  for (const [uid, currency] of [["ann", "btc"], ["ben", "usdt"]] as const) {
    await test.must({ kind: "adjust_balance", uid, currency, amount: units("100000") });
  }
}

/** Makes trades of ann and ben, some hundreds in one entry. */
async function sweep(test: EngineVenue, trades: number): Promise<void> {
  const small = { amount: "0.001", price: "20", timeInForce: "ioc" } as const;
  const each = Math.ceil(trades / 3);
  for (let round = 0; round < 3; round++) {
    const amount = (0.001 * each).toFixed(3);
    await test.placed("ann", { side: "sell", amount, price: "20" });
    const buys = Array.from({ length: each }, () => small);
    assertEquals(orderIds(await test.place("ben", ...buys)).length, each);
  }
}

async function runLife(test: EngineVenue, prng: Prng, clock: { now: number }): Promise<Past> {
  const past: Past = new Map();
  await addMoneyStream(test);
  await test.must({
    kind: "set_fee",
    market: "btcusdt",
    group: "any",
    maker: 1000,
    taker: 2500,
  });
  notePast(test, past);
  for (let round = 0; round < 60; round++) {
    for (let commands = 3; commands > 0; commands--) {
      await runMoneyStream(test, prng, 1, clock);
      notePast(test, past);
    }
    // Some rounds share a millisecond.
    if (prng.chance(0.7)) clock.now += prng.below(50_000_000);
    await runTrades(test, prng, prng.below(4));
    notePast(test, past);
    const uid = prng.pick(MONEY_MEMBERS);
    const amount = units((prng.between(-5, 20) / 10).toFixed(1));
    const adjusted = { kind: "adjust_balance", uid, currency: "usdt", amount } as const;
    await test.engine.submit(adjusted, null);
    notePast(test, past);
    if (round === 20) await test.folded();
    if (round !== 30) continue;
    await fund(test);
    await sweep(test, 2 * TRADES_PER_FUNDS_RECORD + 77);
    notePast(test, past);
  }
  return past;
}

/** Returns what the member had right before a time. */
function hadBefore(past: Past, uid: string, time: number): Totals {
  const at = [...past.keys()].findLast((one) => one < time);
  return at === undefined ? ["0", "0", "0"] : past.get(at)?.get(uid) ?? [];
}

/** Returns what everything that is listed in a range adds up to. */
async function listed(test: EngineVenue, uid: string, from: number, to: number) {
  const { engine, venue } = test;
  const member = test.member(uid);
  const sums = new Map<number, bigint>();
  const add = (currency: number, net: bigint) =>
    sums.set(currency, (sums.get(currency) ?? 0n) + net);
  const moment = engine.funds.now(member);
  const moved = await engine.funds.moved(member, moment, { from, to }, ALL);
  const trades = await engine.trades(member, { from, to }, ALL);
  const all = [
    ...moved.items.flatMap((record) => record.moved?.movements ?? []),
    ...trades.items.flatMap((one) => tradeMovements(one, venue.book(one.market).market)),
  ];
  for (const { currency, gross, fee } of all) add(currency, gross - fee);
  return sums;
}

/** Asserts that funds are what they were, and that what is listed adds up to them. */
async function checkRanges(test: EngineVenue, past: Past, prng: Prng, count: number) {
  const times = [...past.keys()];
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  for (let left = count; left > 0; left--) {
    const some = () =>
      prng.chance(0.5)
        ? prng.pick(times) + prng.below(2)
        : first - 1000 + prng.below(last - first + 100_000);
    const [from = 0, to = 0] = [some(), some()].sort((a, b) => a - b);
    const uid = prng.pick(MONEY_MEMBERS);
    const member = test.member(uid);
    const { funds } = test.engine;
    const moment = funds.now(member);
    const opening = await funds.before(member, moment, from);
    const closing = await funds.before(member, moment, to);
    assertEquals(texts(test, opening.totals), hadBefore(past, uid, from), `${uid} before ${from}`);
    assertEquals(texts(test, closing.totals), hadBefore(past, uid, to), `${uid} before ${to}`);
    const sums = await listed(test, uid, from, to);
    const added = new Map(test.venue.currencies.map(({ index }) => [
      index,
      (opening.totals.get(index) ?? 0n) + (sums.get(index) ?? 0n),
    ]));
    assertEquals(texts(test, added), texts(test, closing.totals), `${uid} ${from} to ${to}`);
  }
}

/** Makes rows as an older program left them: without those of funds. */
async function dropFunds(path: string): Promise<void> {
  const store = await openExistingStore(path);
  const current = await readWatermark(store);
  const { hasFunds: _, ...older } = current.value;
  await store.deleteAll(rowKey("member_funds"));
  const commit = foldCommit(current, older as Watermark, []);
  assertEquals((await store.commit(commit, "fold")).kind, "committed");
  store.close();
}

/** Returns the events of a trade of alice with herself in format 3, which is the maker's alone. */
function ownTrade(test: EngineVenue): VenueEvent[] {
  const { venue } = test;
  const sink = new TestSink(venue, new UndoLog());
  sink.at = venue.time;
  const alone = { amount: "2", price: "10", selfTrade: "none" } as const;
  const commands: Command[] = [
    { kind: "set_fee", market: "btcusdt", group: "any", maker: 1000, taker: 2500 },
    test.placing("alice", { ...alone, side: "sell" }),
    test.placing("alice", alone),
  ];
  for (const command of commands) {
    decide(venue, null, command, sink);
    runMarket(venue, venue.book(0), sink);
  }
  return sink.events.map(({ event }) => {
    if (event.kind !== "trade") return event;
    const { isOwn: _, ...older } = event;
    return older;
  });
}

describe("funds", () => {
  it("hold both sides of a trade with oneself of which an older program listed one", async () => {
    await using file = await older(3, ownTrade);
    await using test = await EngineVenue.open({ path: file.path });
    const member = test.member("alice");
    for (const isFolded of [false, true]) {
      if (isFolded) await test.folded();
      const { funds } = test.engine;
      const moment = funds.now(member);
      const { items } = await funds.moved(member, moment, {}, ALL);
      const trades = await test.engine.trades(member, {}, ALL);
      assertEquals(trades.items.map(({ liquidity }) => liquidity), ["maker"]);
      assertEquals(items.at(-1)?.moved, {
        kind: "trade",
        of: 1,
        movements: [
          { currency: 0, gross: units("2"), fee: units("0.005") },
          { currency: 1, gross: -units("20"), fee: 0n },
        ],
      });
      const sums = await listed(test, "alice", 0, moment.at + 1);
      assertEquals(texts(test, sums), texts(test, moment.totals));
    }
  });

  it("are what they were at any time, and what is listed adds up to them", async () => {
    for (const seed of [1, 2]) {
      const prng = new Prng(seed);
      const clock = { now: START };
      await using test = await EngineVenue.open({ clock });
      const past = await runLife(test, prng, clock);
      await checkRanges(test, past, prng, 60);
      await test.folded();
      await checkRanges(test, past, prng, 60);
    }
  });

  it("survive a restart and a rebuild, and are added to a store that lacks them", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    const prng = new Prng(3);
    const clock = { now: START };
    const test = await EngineVenue.open({ path, clock });
    const past = await runLife(test, prng, clock);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(path)).differences, []);
    for (const change of [dropFunds, runRebuild, () => Promise.resolve()]) {
      await change(path);
      assertEquals((await runAudit(path)).differences, [], change.name);
      await using again = await EngineVenue.open({ path, clock });
      await checkRanges(again, past, prng, 30);
    }
    assertEquals((await runAudit(path)).differences, []);
  });

  it("are added to a store while another process goes on folding", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    const prng = new Prng(4);
    const clock = { now: START };
    const one = await EngineVenue.open({ path, clock, isShared: true });
    const past = await runLife(one, prng, clock);
    await one.folded();
    await dropFunds(path);
    let folds = 0;
    const two = await EngineVenue.open({
      path,
      clock,
      isShared: true,
      prepare: (store) => {
        const commit = store.commit.bind(store);
        store.commit = async (what, purpose) => {
          if (purpose === "fold" && folds < 2) {
            folds += 1;
            clock.now += 1000;
            await runTrades(one, prng, 3);
            notePast(one, past);
            await one.folded();
          }
          return await commit(what, purpose);
        };
      },
    });
    assertEquals(folds, 2);
    for (const test of [one, two]) {
      await test.engine.fresh();
      await test.folded();
    }
    clock.now += 1000;
    await runTrades(one, prng, 3);
    notePast(one, past);
    for (const test of [two, one]) {
      await test.engine.fresh();
      await test.folded();
      await checkRanges(test, past, prng, 30);
      await test.close();
    }
    assertEquals((await runAudit(path)).differences, []);
  });

  it("are told of a million trades as exactly and as fast as of a thousand", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await addMoneyStream(test);
    await fund(test);
    const past: Past = new Map();
    notePast(test, past);
    const trades = 6 * TRADES_PER_FUNDS_RECORD + 300;
    for (let done = 0; done < trades; done += 900) {
      clock.now += 1000;
      await sweep(test, 900);
      notePast(test, past);
    }
    await test.folded();
    const { funds } = test.engine;
    for (const uid of ["ann", "ben"]) {
      const member = test.member(uid);
      const moment = funds.now(member);
      assert(test.venue.holder(member).tradesCount >= trades);
      for (const time of [START + 1, ...past.keys()]) {
        const { totals, scanned } = await funds.before(member, moment, time);
        assertEquals(texts(test, totals), hadBefore(past, uid, time), `${uid} before ${time}`);
        assert(scanned <= TRADES_PER_FUNDS_RECORD + 10, `${scanned} records before ${time}`);
      }
      assertEquals((await funds.before(member, moment, clock.now + 1)).scanned, 0);
    }
  });

  it("are of the moment that was pinned, whatever comes after it", async () => {
    const prng = new Prng(5);
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await runLife(test, prng, clock);
    const member = test.member("ann");
    const { funds } = test.engine;
    const moment = funds.now(member);
    const time = clock.now + 1e9;
    const then = await funds.before(member, moment, time);
    const moved = await funds.moved(member, moment, {}, ALL);
    const before = await funds.before(member, moment, moment.at);
    await test.must({ kind: "adjust_balance", uid: "ann", currency: "btc", amount: units("1") });
    await sweep(test, 30);
    assertEquals(await funds.before(member, moment, time), then);
    assertEquals((await funds.moved(member, moment, {}, ALL)).items, moved.items);
    clock.now += 2e9;
    await sweep(test, 30);
    await test.folded();
    assertEquals((await funds.before(member, moment, time)).totals, then.totals);
    assertEquals((await funds.before(member, moment, moment.at)).totals, before.totals);
    assertEquals((await funds.moved(member, moment, {}, ALL)).items, moved.items);
  });

  it("before a time do not have what happened at it, even if that is now", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await test.addMarket("btc", "usdt");
    const member = await test.addMember("ann", { btc: "1" });
    clock.now += 5;
    await test.must({ kind: "adjust_balance", uid: "ann", currency: "btc", amount: units("2") });
    const { funds } = test.engine;
    const moment = funds.now(member);
    assertEquals(moment.at, clock.now);
    const had = async (time: number) => (await funds.before(member, moment, time)).totals.get(0);
    const times = [START, START + 1, START + 5, START + 6];
    const all = [undefined, units("1"), units("1"), units("3")];
    assertEquals(await Promise.all(times.map(had)), all);
    await test.folded();
    assertEquals(await Promise.all(times.map(had)), all);
  });

  it("are not told while an older program's fold has left rows out", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    await using test = await EngineVenue.open({ path });
    await test.addUsual();
    await test.folded();
    const kv = await Deno.openKv(path);
    const { value } = await kv.get<SealedRecord<Watermark>>(watermarkKey() as Deno.KvKey);
    const { hasFunds: _, checksum: _sum, ...older } = value ?? {};
    await kv.set(watermarkKey() as Deno.KvKey, sealRecord(older));
    kv.close();
    await test.addMember("carol", { btc: "1" });
    await test.folded();
    const member = test.member("carol");
    const { funds } = test.engine;
    await assertRejects(() => funds.before(member, funds.now(member), 5), UnavailableError);
  });
});
