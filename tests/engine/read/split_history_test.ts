import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { MarketTrade } from "../../../src/domain/trading/trade_record.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { foldHistory } from "../../support/fold_history.ts";
import { readHistory } from "../../../src/engine/read/history_reader.ts";
import { type RowChange, StoreRows } from "../../../src/engine/fold/row_source.ts";
import { readBlock } from "../../../src/store/rows/block_codec.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { FOLD_STEP } from "../../../src/store/kv/kv_limits.ts";
import { MARKET_TRADE_CODEC } from "../../../src/store/rows/order_codec.ts";
import { sealRow } from "../../../src/store/rows/row_seal.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { listRows } from "../../../src/store/rows/stored_rows.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { Prng } from "../../support/prng.ts";

const HISTORY = { table: "market_trades", place: [3], codec: MARKET_TRADE_CODEC } as const;
/** Maximum bytes written together; half of a step leaves room for its watermark. */
const GROUP_BYTES_MAX = FOLD_STEP.bytes / 2;

function tradeOf(id: number): MarketTrade {
  return { id, market: 3, price: id * 1_000_003, volume: 7, takerSide: "buy", at: id * 1000 };
}

/** Groups the changes that are written together, in order. */
function groupsOf(changes: readonly RowChange[]): RowChange[][] {
  const groups: RowChange[][] = [];
  for (const change of changes) {
    if (change.isJoined) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

async function write(store: Store, changes: readonly RowChange[]): Promise<void> {
  const mutations = changes.map(({ table, place, bytes }) => {
    const key = rowKey(table, ...place);
    return { key, value: bytes === null ? null : sealRow(key, bytes) };
  });
  const check = { key: ["none"], versionstamp: null };
  assertEquals((await store.commit({ check, mutations }, "fold")).kind, "committed");
}

async function storedIds(store: Store): Promise<number[]> {
  const rows = listRows(store, rowKey("market_trades", 3, 0), rowKey("market_trades", 3, Infinity));
  const blocks = await Array.fromAsync(rows);
  return blocks.flatMap(({ value }) => readBlock(value, MARKET_TRADE_CODEC).map(({ id }) => id));
}

function ordered(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** Asserts that all records can be read from the present rows and the window in memory. */
async function checkReads(store: Store, all: readonly number[], window: readonly number[]) {
  const memory = window.map(tradeOf);
  const history = { ...HISTORY, memory, at: ({ at }: MarketTrade) => at, lastId: Infinity };
  const [from, to] = [(all[all.length >> 2] ?? 0) * 1000, (all[3 * all.length >> 2] ?? 0) * 1000];
  const amid = all.filter((id) => id * 1000 >= from && id * 1000 < to);
  const plain = { offset: 0, limit: all.length, isMatch: () => true, scanMax: Infinity } as const;
  for (const [range, wanted] of [[{}, all], [{ from, to }, amid]] as const) {
    const asc = await readHistory(store, history, { ...plain, ...range, direction: "asc" });
    assertEquals(asc.items.map(({ id }) => id), wanted);
    const desc = await readHistory(store, history, { ...plain, ...range, direction: "desc" });
    assertEquals(desc.items.map(({ id }) => id), wanted.toReversed());
  }
}

/**
 * Folds records into an existing history group by group, reading after each. Every second time it
 * then simulates a crash, after which everything is folded again.
 */
async function checkSplit(old: readonly number[], window: readonly number[]): Promise<number> {
  const all = ordered([...old, ...window]);
  const fresh = async (store: Store) =>
    await foldHistory(new StoreRows(store), HISTORY, window.map(tradeOf), 2);
  let count = 1;
  for (let crash = 0; crash < count; crash += Math.max(1, count >> 3)) {
    const store = await openStore(":memory:");
    await write(store, await foldHistory(new StoreRows(store), HISTORY, old.map(tradeOf), 1));
    const groups = groupsOf(await fresh(store));
    count = groups.length + 1;
    for (const group of groups.slice(0, crash)) await write(store, group);
    const ids = await storedIds(store);
    assertEquals(ids, ordered([...new Set(ids)]));
    assertEquals(old.filter((id) => !ids.includes(id)), []);
    await checkReads(store, all, window);
    for (const group of groupsOf(await fresh(store))) {
      const bytes = group.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
      assert(bytes <= GROUP_BYTES_MAX, `${bytes} bytes in ${group.length} rows at once`);
      await write(store, group);
    }
    assertEquals(await storedIds(store), all);
    await checkReads(store, all, []);
    store.close();
  }
  return count;
}

function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.ceil((to - from + 1) / step) }, (_, i) => from + i * step);
}

describe("a block that receives many older records", () => {
  it("is split in small groups, each of which leaves the history whole", async () => {
    const even = range(2, 9000, 60);
    const others = range(1, 9000).filter((id) => !even.includes(id));
    const rows: [string, number[], number[]][] = [
      ["one of the highest id", [9000], range(1, 8999)],
      ["one of the lowest id", [1], range(2, 9000)],
      ["both ends", [1, 9000], range(2, 8999)],
      ["some all over", even, others],
      ["some all over, and more behind", even, [...others, ...range(9001, 12_000)]],
      ["a few, and a few", [10, 20], [5, 15, 25]],
    ];
    for (const [name, old, window] of rows) {
      const groups = await checkSplit(old, window);
      assert(groups > 2 || window.length < 10, `${name}: ${groups} groups`);
    }
  });

  it("is split properly wherever they lie", async () => {
    const run = fc.asyncProperty(fc.integer(), async (seed) => {
      const prng = new Prng(seed);
      const ids = range(1, prng.between(10, 6000));
      const from = prng.below(ids.length);
      const isOld = (id: number) => id >= from && id < from + 3000 && prng.chance(0.03);
      const old = ids.filter(isOld);
      await checkSplit(
        old.length === 0 ? [1] : old,
        ids.filter((id) => !old.includes(id)).slice(1),
      );
    });
    await fc.assert(run, { numRuns: 8 });
  });
});

/** Places a market maker's orders, `perMarket` on each market. */
async function quote(test: EngineVenue, markets: number, perMarket: number): Promise<void> {
  for (let market = 0; market < markets; market++) {
    for (let placed = 0; placed < perMarket; placed += 900) {
      const orders = Array.from({ length: Math.min(900, perMarket - placed) }, (_, i) => ({
        market: `c${market}usdt`,
        amount: "0.001",
        price: `${10 + (placed + i) % 900}`,
        clientOrderId: `mm-${market}-${placed}-${i}`.padEnd(36, "x"),
      }));
      await test.place("maker", ...orders);
    }
  }
}

async function openMaker(file: VenueFile, markets: number): Promise<EngineVenue> {
  const test = await EngineVenue.open({ path: file.path });
  for (let i = 0; i < markets; i++) await test.addMarket(`c${i}`, "usdt");
  await test.addMember("maker", { usdt: "1000000000" });
  const changes = { openOrdersMax: 100_000, bulkOrdersMax: 1000 };
  await test.must({ kind: "change_member", uid: "maker", changes });
  return test;
}

const ALL = { offset: 0, limit: 1_000_000, direction: "asc" } as const;

/** Cancels all orders, folds some steps, reopens the venue and checks the result. */
async function checkCancelled(file: VenueFile, test: EngineVenue, steps: number): Promise<void> {
  const member = test.member("maker");
  const id = await test.placed("maker", { market: "c0usdt", amount: "1", price: "5" });
  const names = [{ id }];
  await test.must({ kind: "cancel_orders", member, names, strict: true, isKnown: false });
  await test.folded();
  const before = test.store.commits.fold;
  test.store.plan = (purpose, count) =>
    purpose === "fold" && count > before + steps ? "fail" : "none";
  await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
  await test.foldedSteps(before + steps + 1);
  const wanted = range(1, id);
  const idsOf = async ({ engine }: EngineVenue) =>
    (await engine.orders(member, {}, ALL)).items.map((order) => order.id);
  assertEquals(await idsOf(test), wanted);
  await test.close();
  assertEquals((await runAudit(file.path)).differences, []);
  const again = await EngineVenue.open({ path: file.path });
  assertEquals(await idsOf(again), wanted);
  await again.folded();
  assertEquals(await idsOf(again), wanted);
  const back = await again.engine.orders(member, {}, { ...ALL, direction: "desc" });
  assertEquals(back.items.map((order) => order.id), wanted.toReversed());
  assertEquals(again.faults, []);
  await again.close();
  assertEquals((await runAudit(file.path)).differences, []);
}

describe("a member's orders that all end at once", () => {
  it("are folded for nine hundred on each of thirteen markets", async () => {
    for (const steps of [0, 3]) {
      await using file = await VenueFile.create();
      const test = await openMaker(file, 13);
      await quote(test, 13, 900);
      await checkCancelled(file, test, steps);
    }
  });

  it("are folded for a hundred thousand", async () => {
    await using file = await VenueFile.create();
    const test = await openMaker(file, 1);
    await quote(test, 1, 99_999);
    await checkCancelled(file, test, 60);
  });
});
