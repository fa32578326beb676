import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { MarketTrade } from "../../../src/domain/trading/trade_record.ts";
import { foldHistories } from "../../../src/engine/fold/history_fold.ts";
import { MemoryRows, type RowChange, StoreRows } from "../../../src/engine/fold/row_source.ts";
import {
  BLOCK_BYTES_MAX,
  readBlock,
  readBlockHeader,
} from "../../../src/store/rows/block_codec.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { MARKET_TRADE_CODEC } from "../../../src/store/rows/order_codec.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { Prng } from "../../support/prng.ts";
import { foldHistory } from "../../support/fold_history.ts";

const HISTORY = { table: "market_trades", place: [3], codec: MARKET_TRADE_CODEC } as const;

function tradeOf(id: number): MarketTrade {
  return { id, market: 3, price: id * 1_000_003, volume: 7, takerSide: "buy", at: id };
}

/** Splits ids into windows: each id is in one window, in random order, with gaps between them. */
function windowsOf(prng: Prng, ids: number): number[][] {
  const windows: number[][] = [];
  let next = 1;
  const behind: number[] = [];
  for (let left = ids; left > 0;) {
    const window: number[] = [];
    for (let n = Math.min(left, prng.between(1, 400)); n > 0; n--) {
      next += prng.chance(0.1) ? prng.between(1, 50) : 1;
      // Some records end long after newer ones.
      if (prng.chance(0.2)) behind.push(next);
      else window.push(next);
      left -= 1;
    }
    while (behind.length > 0 && prng.chance(0.6)) {
      window.push(behind.splice(prng.below(behind.length), 1)[0] as number);
    }
    windows.push(window.sort(() => prng.below(3) - 1));
  }
  return [...windows, behind].filter((window) => window.length > 0);
}

/** Asserts that the blocks contain exactly these ids, in order, and are not too large. */
function checkBlocks(blocks: readonly { id: number; bytes: Uint8Array }[], ids: number[]): void {
  const found: number[] = [];
  let least = -1;
  for (const { id, bytes } of blocks) {
    assert(bytes.length <= BLOCK_BYTES_MAX, `block ${id} has ${bytes.length} bytes`);
    const records = readBlock(bytes, MARKET_TRADE_CODEC);
    const first = records[0]?.id ?? -1;
    assert(id <= first && id > least, `block ${id} begins at its id, behind the one before it`);
    least = readBlockHeader(bytes).lastId;
    found.push(...records.map((record) => record.id));
  }
  assertEquals(found, [...ids].sort((a, b) => a - b));
}

/** Folds windows in memory; returns the rows. */
async function foldInMemory(windows: readonly number[][], isTwice: boolean): Promise<MemoryRows> {
  const rows = new MemoryRows();
  for (const [i, window] of windows.entries()) {
    for (let times = isTwice ? 2 : 1; times > 0; times--) {
      rows.note(await foldHistory(rows, HISTORY, window.map(tradeOf), i + 1));
    }
  }
  return rows;
}

function blocksOf(rows: MemoryRows): { id: number; bytes: Uint8Array }[] {
  return [...rows.rows.values()]
    .map(({ place, bytes }) => ({ id: place[1] as number, bytes: bytes as Uint8Array }))
    .sort((a, b) => a.id - b.id);
}

/** Folds into a store through a cache that is sometimes dropped, as after others' folds. */
async function foldInStore(store: Store, windows: readonly number[][], prng: Prng): Promise<void> {
  const rows = new StoreRows(store);
  for (const [i, window] of windows.entries()) {
    if (prng.chance(0.2)) rows.forget();
    await writeRows(store, rows, await foldHistory(rows, HISTORY, window.map(tradeOf), i + 1));
  }
}

async function writeRows(
  store: Store,
  rows: StoreRows,
  changes: readonly RowChange[],
): Promise<void> {
  const mutations = changes.map(({ table, place, bytes }) => ({
    key: rowKey(table, ...place),
    value: bytes,
  }));
  await store.commit({ check: { key: ["none"], versionstamp: null }, mutations }, "fold");
  rows.note(changes);
  rows.trim();
}

describe("the fold of a history", () => {
  it("keeps each record once and in order, in whatever order they end", async () => {
    const run = fc.asyncProperty(
      fc.integer(),
      fc.integer({ min: 1, max: 3000 }),
      async (seed, ids) => {
        const windows = windowsOf(new Prng(seed), ids);
        checkBlocks(blocksOf(await foldInMemory(windows, false)), windows.flat());
      },
    );
    await fc.assert(run, { numRuns: 60 });
  });

  it("changes nothing if a window is folded again", async () => {
    for (let seed = 0; seed < 10; seed++) {
      const windows = windowsOf(new Prng(seed), 2000);
      checkBlocks(blocksOf(await foldInMemory(windows, true)), windows.flat());
    }
  });

  it("is the same from a store, with or without remembering its rows", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const store = await openStore(":memory:");
      const windows = windowsOf(new Prng(seed), 2000);
      await foldInStore(store, windows, new Prng(seed));
      const rows = store.list<Uint8Array>(
        rowKey("market_trades", 3, 0),
        rowKey("market_trades", 3, Infinity),
      );
      const blocks = await Array.fromAsync(rows, ({ key, value }) => {
        return { id: key[key.length - 1] as number, bytes: value };
      });
      checkBlocks(blocks, windows.flat());
      store.close();
    }
  });

  it("appends to a long history by writing one small block", async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => i + 1);
    const rows = await foldInMemory([ids], false);
    const changes = await foldHistory(rows, HISTORY, [tradeOf(5001)], 2);
    assertEquals(changes.length, 1);
    assert((changes[0]?.bytes?.length ?? 0) <= BLOCK_BYTES_MAX);
  });

  it("puts exactly the parts of a split block into one step", async () => {
    const rows = await foldInMemory([[1, 4000]], false);
    const ids = Array.from({ length: 9000 }, (_, i) => i + 2).filter((id) => id !== 4000);
    const changes = await foldHistory(rows, HISTORY, ids.map(tradeOf), 2);
    assert(changes.length > 10, `${changes.length} blocks`);
    assertEquals(changes.map(({ isJoined }) => isJoined ?? false), [
      false,
      ...changes.slice(1).map(({ place }) => (place[1] as number) <= 4000),
    ]);
  });

  it("reads the ends of histories in parallel, and only those it does not know", async () => {
    const store = await openStore(":memory:");
    const rows = new StoreRows(store);
    const lists = { now: 0, most: 0, all: 0 };
    const list = store.list.bind(store);
    store.list = async function* <T>(...args: Parameters<typeof list>) {
      lists.now += 1;
      lists.all += 1;
      lists.most = Math.max(lists.most, lists.now);
      try {
        yield* list<T>(...args);
      } finally {
        lists.now -= 1;
      }
    };
    const owners = Array.from({ length: 100 }, (_, i) => i);
    /** Returns the number of lists needed for a window with one record per owner. */
    const listsOf = async (id: number) => {
      const records = new Map(owners.map((owner) => [owner, [tradeOf(id)]]));
      const before = lists.all;
      const pause = () => Promise.resolve();
      await writeRows(store, rows, await foldHistories(rows, HISTORY, records, id, pause));
      return lists.all - before;
    };
    assertEquals(await listsOf(1), owners.length);
    assertEquals([await listsOf(2), await listsOf(3)], [0, 0]);
    rows.forget();
    assertEquals(await listsOf(4), owners.length);
    assert(lists.most > 4 && lists.most < owners.length, `${lists.most} at once`);
    for (const owner of owners) {
      const last = await rows.covering("market_trades", [owner], Number.MAX_SAFE_INTEGER);
      const records = last === null ? [] : readBlock(last.bytes, MARKET_TRADE_CODEC);
      assertEquals(records.map(({ id }) => id), [1, 2, 3, 4]);
    }
    store.close();
  });

  it("forgets the ends of histories to save memory, and reads them again", async () => {
    const store = await openStore(":memory:");
    const rows = new StoreRows(store, 20_000);
    const owners = Array.from({ length: 200 }, (_, i) => i);
    const knownEnds: number[] = [];
    for (const id of [1, 2]) {
      for (const owner of owners) {
        const records = new Map([[owner, [tradeOf(id)]]]);
        const pause = () => Promise.resolve();
        await writeRows(store, rows, await foldHistories(rows, HISTORY, records, id, pause));
      }
      knownEnds.push(rows.knownEnds);
    }
    // Each takes 256 bytes and the size of what it holds.
    for (const count of knownEnds) assert(count > 10 && count < 80, `${count} ends`);
    for (const owner of owners) {
      const last = await rows.covering("market_trades", [owner], Number.MAX_SAFE_INTEGER);
      const records = last === null ? [] : readBlock(last.bytes, MARKET_TRADE_CODEC);
      assertEquals(records.map(({ id }) => id), [1, 2]);
    }
    store.close();
  });
});
