import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { MarketTrade } from "../../../src/domain/trading/trade_record.ts";
import { type HistoryRequest, readHistory } from "../../../src/engine/read/history_reader.ts";
import { MemoryRows, type RowChange } from "../../../src/engine/fold/row_source.ts";
import { yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import { appendToBlock } from "../../../src/store/rows/block_codec.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { MARKET_TRADE_CODEC } from "../../../src/store/rows/order_codec.ts";
import { sealRow } from "../../../src/store/rows/row_seal.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { foldHistory } from "../../support/fold_history.ts";

const HISTORY = { table: "market_trades", place: [3], codec: MARKET_TRADE_CODEC } as const;
const TRADES = 2000;
const FOLDED = 1500;
/** Numbers of trades that make one block each; the second receives more in its middle. */
const BLOCK_TRADES = [500, 1200] as const;

/** Returns a trade; there are two per second. */
function tradeOf(id: number): MarketTrade {
  return { id, market: 3, price: 7, volume: 7, takerSide: "buy", at: Math.ceil(id / 2) * 1000 };
}

function trades(from: number, to: number): MarketTrade[] {
  return Array.from({ length: to - from + 1 }, (_, i) => tradeOf(from + i));
}

/**
 * Creates trades: the first in many blocks of rows, the last in memory, some in both. Runs once with
 * a memory that is known to be newer than the rows, and once without that.
 */
async function withTrades(
  run: (ids: (request: Partial<HistoryRequest<MarketTrade>>) => Promise<number[]>) => Promise<void>,
): Promise<void> {
  const store = await openStore(":memory:");
  const memory = trades(FOLDED - 9, TRADES);
  const histories = [
    { ...HISTORY, memory, at: timeOf, lastId: Infinity },
    { ...HISTORY, memory, newest: memory.toReversed(), at: timeOf, lastId: Infinity },
  ];
  try {
    await writeRows(store);
    for (const history of histories) {
      await run(async (request) => {
        const { items } = await readHistory(store, history, {
          direction: "asc",
          offset: 0,
          limit: TRADES,
          isMatch: () => true,
          scanMax: Infinity,
          ...request,
        });
        return items.map(({ id }) => id);
      });
    }
  } finally {
    store.close();
  }
}

async function writeRows(store: Store): Promise<void> {
  const rows = new MemoryRows();
  for (let from = 1; from <= FOLDED; from += 100) {
    rows.note(await foldHistory(rows, HISTORY, trades(from, from + 99), from + 99));
  }
  await commit(store, [...rows.rows.values()]);
}

async function commit(store: Store, changes: readonly RowChange[]): Promise<void> {
  const mutations = changes.map(({ table, place, bytes }) => {
    const key = rowKey(table, ...place);
    return { key, value: bytes === null ? null : sealRow(key, bytes) };
  });
  await store.commit({ check: { key: ["absent"], versionstamp: null }, mutations }, "fold");
}

function timeOf({ at }: MarketTrade): number {
  return at;
}

function isEven({ id }: MarketTrade): boolean {
  return id % 2 === 0;
}

/** Returns the ids of the trades in a time range, from inclusive, to exclusive. */
function between(from: number, to: number): number[] {
  return trades(1, TRADES).filter(({ at }) => at >= from && at < to).map(({ id }) => id);
}

describe("a page of a history", () => {
  it("says how far the search came where that stopped at its limit, and nowhere else", async () => {
    const store = await openStore(":memory:");
    using _ = { [Symbol.dispose]: () => store.close() };
    await writeRows(store);
    const history = { ...HISTORY, memory: [], at: timeOf, lastId: Infinity };
    const request = { direction: "asc", offset: 0, limit: 5, scanMax: 120 } as const;
    const read = async (isMatch: (trade: MarketTrade) => boolean, scanMax: number = 120) => {
      const { isScanLimited, scannedId } = await readHistory(store, history, {
        ...request,
        isMatch,
        scanMax,
      });
      return { isScanLimited, scannedId };
    };
    assertEquals(await read(() => false), { isScanLimited: true, scannedId: 120 });
    const whole = { isScanLimited: false, scannedId: undefined };
    assertEquals(await read(isEven), whole, "the page is full");
    assertEquals(await read(() => false, Infinity), whole, "the list has ended");
  });

  it("includes its start time but not its end, in rows, in memory and across both", () =>
    withTrades(async (ids) => {
      const ranges = [
        [0, 1000],
        [1000, 2000],
        [1000, 1001],
        [999, 1000],
        [500, 900_500],
        [
          740_000,
          760_000,
        ],
        [900_000, 1_000_000],
        [1_000_000, 1_000_001],
        [1_000_001, 2_000_000],
        [400_000, 401_000],
      ];
      for (const [from = 0, to = 0] of ranges) {
        const wanted = between(from, to);
        assertEquals(await ids({ from, to }), wanted, `${from} to ${to}`);
        const descending = await ids({ from, to, direction: "desc" });
        assertEquals(descending, wanted.toReversed(), `${to} back to ${from}`);
      }
    }));

  it("reports how new its rows are, and nothing if it found none", async () => {
    const store = await FaultyStore.open(":memory:");
    await writeRows(store);
    const request = {
      direction: "asc",
      offset: 0,
      limit: 5,
      isMatch: () => true,
      scanMax: Infinity,
    } as const;
    const history = { ...HISTORY, memory: [], at: timeOf, lastId: Infinity };
    const whole = await readHistory(store, history, { ...request, limit: TRADES });
    assertEquals([whole.items.length, whole.sequence], [FOLDED, FOLDED]);
    const none = await readHistory(store, { ...history, place: [4] }, request);
    assertEquals(none, { items: [], isScanLimited: false, scanned: 0, sequence: 0, total: null });
    // A page without records reads nothing, not even to find its start.
    const { rowsRead } = store;
    const page = { ...request, limit: 0, from: timeOf(tradeOf(FOLDED / 2)) };
    assertEquals(await readHistory(store, history, page), none);
    assertEquals(store.rowsRead, rowsRead);
    store.close();
  });

  it("has each record once, even if a block is split before the next one is read", async () => {
    const store = await FaultyStore.open(":memory:");
    const rows = new MemoryRows();
    const fold = async (from: number, to: number, isFolded = (_id: number) => true) => {
      const records = trades(from, to).filter(({ id }) => isFolded(id));
      const changes = await foldHistory(rows, HISTORY, records, to);
      rows.note(changes);
      await commit(store, changes);
    };
    const [first, second] = BLOCK_TRADES;
    await fold(1, first);
    // Every other record of the second block ends later, so it is split within its range.
    await fold(first + 1, second, (id) => id % 2 === 0);
    assertEquals(rows.rows.size, 2);
    store.onListed = async () => {
      if (store.rowsRead === 2) await fold(first + 1, FOLDED, (id) => id > second || id % 2 === 1);
    };
    // For so few records, two blocks are read at a time.
    const { items } = await readHistory(store, {
      ...HISTORY,
      memory: [],
      at: timeOf,
      lastId: Infinity,
    }, {
      direction: "asc",
      offset: 0,
      limit: 60,
      isMatch: ({ id }) => id % 50 === 0,
      scanMax: Infinity,
    });
    const starts = [...rows.rows.values()].map(({ place }) => Number(place.at(-1)));
    assert(starts.some((id) => id > first + 1 && id <= second), `Blocks begin at ${starts}`);
    const wanted = trades(1, FOLDED).filter(({ id }) => id % 50 === 0);
    assertEquals(items.map(({ id }) => id), wanted.map(({ id }) => id));
    store.close();
  });

  it("ends at its time, even if that block is split while it is searched for", async () => {
    for (let moment = 1; moment <= 10; moment++) {
      const store = await openStore(":memory:");
      const rows = new MemoryRows();
      const fold = async (from: number, to: number, isFolded: (id: number) => boolean) => {
        const records = trades(from, to).filter(({ id }) => isFolded(id));
        const changes = await foldHistory(rows, HISTORY, records, to);
        rows.note(changes);
        await commit(store, changes);
      };
      const [first, second] = BLOCK_TRADES;
      await fold(1, first, () => true);
      await fold(first + 1, second, (id) => id % 2 === 0);
      await fold(second + 1, FOLDED, () => true);
      let lists = 0;
      const list: Store["list"] = async function* (...args) {
        lists += 1;
        if (lists === moment) await fold(first + 1, second, (id) => id % 2 === 1);
        yield* store.list(...args);
      };
      const to = timeOf(tradeOf(second));
      const { items } = await readHistory(
        { list } as unknown as Store,
        { ...HISTORY, memory: [], at: timeOf, lastId: Infinity },
        { direction: "desc", offset: 0, limit: 5, to, isMatch: isEven, scanMax: Infinity },
      );
      const wanted = between(0, to).filter((id) => id % 2 === 0).slice(-5).toReversed();
      assertEquals(items.map(({ id }) => id), wanted, `cut at list ${moment} of ${lists}`);
      store.close();
    }
  });

  it("skips its offset and holds up to its limit, even if that is zero", () =>
    withTrades(async (ids) => {
      for (const offset of [0, 1, 1495, 1999, 2000]) {
        for (const limit of [0, 1, 10]) {
          const wanted = trades(1, TRADES).map(({ id }) => id).slice(offset, offset + limit);
          assertEquals(await ids({ offset, limit }), wanted, `${limit} behind ${offset}`);
        }
      }
    }));

  it("continues after any record, wherever its block ends", () =>
    withTrades(async (ids) => {
      for (let after = 1; after <= TRADES; after += 37) {
        assertEquals(await ids({ after, limit: 2 }), [after + 1, after + 2].filter(isThere));
        const back = await ids({ after, limit: 2, direction: "desc" });
        assertEquals(back, [after - 1, after - 2].filter(isThere), `back from ${after}`);
      }
    }));
});

describe("a page of records that hold two items each", () => {
  it("continues amid a record, also if a block begins with it", async () => {
    const store = await openStore(":memory:");
    const changes = trades(1, 5).map((trade) => ({
      table: HISTORY.table,
      place: [...HISTORY.place, trade.id],
      bytes: appendToBlock(null, 1, [trade], MARKET_TRADE_CODEC),
    }));
    await commit(store, changes);
    const history = {
      ...HISTORY,
      memory: [],
      at: timeOf,
      lastId: Infinity,
      itemsOf: (trade: MarketTrade) => [{ ...trade, takerSide: "sell" } as const, trade],
      placeOf,
    };
    const plain = { offset: 0, limit: 1, isMatch: () => true, scanMax: Infinity } as const;
    for (const direction of ["asc", "desc"] as const) {
      const places: number[] = [];
      for (;;) {
        const last = places.at(-1);
        const after = last === undefined ? {} : { after: last };
        const { items: [item] } = await readHistory(store, history, {
          ...plain,
          ...after,
          direction,
        });
        if (item === undefined) break;
        places.push(placeOf(item));
      }
      const all = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];
      assertEquals(places, direction === "asc" ? all : all.toReversed());
    }
    store.close();
  });
});

/** The place of one of the two items that a trade is taken to hold here. */
function placeOf({ id, takerSide }: MarketTrade): number {
  return takerSide === "sell" ? id - 0.5 : id;
}

function isThere(id: number): boolean {
  return id >= 1 && id <= TRADES;
}

describe("a long history with all rows at hand", () => {
  it("is not looked at beyond the newest trades if those make a page", async () => {
    const store = await openStore(":memory:");
    store.list = () => {
      throw new Error("The store was read");
    };
    let looked = 0;
    function* newest() {
      for (const trade of trades(1, TRADES).reverse()) {
        looked += 1;
        yield trade;
      }
    }
    const read = async (request: Partial<HistoryRequest<MarketTrade>>) => {
      const history = {
        ...HISTORY,
        get memory(): readonly MarketTrade[] {
          throw new Error("All of memory was asked for");
        },
        newest: newest(),
        at: timeOf,
        lastId: Infinity,
      };
      const { items } = await readHistory(store, history, {
        direction: "desc",
        offset: 3,
        limit: 2,
        isMatch: ({ id }) => id % 2 === 0,
        scanMax: Infinity,
        ...request,
      });
      return items.map(({ id }) => id);
    };
    assertEquals(await read({}), [1994, 1992]);
    assertEquals(looked, 9);
    await assertRejects(() => read({ direction: "asc" }), Error, "All of memory was asked for");
    await assertRejects(() => read({ isMatch: () => false }), Error, "All of memory");
    store.close();
  });

  it("yields to others while it is read", async () => {
    const rows = Array.from({ length: 64 }, (_, i) => {
      const key = rowKey("market_trades", 3, i + 1);
      const bytes = appendToBlock(null, 1, [tradeOf(i + 1)], MARKET_TRADE_CODEC);
      return { key, value: sealRow(key, bytes) };
    });
    // All rows are available at once.
    const list = async function* () {
      yield* await Promise.resolve(rows);
    };
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns++) await yieldToOthers();
    })();
    const history = { ...HISTORY, memory: [], at: timeOf, lastId: Infinity };
    const request = { direction: "asc", offset: 0, limit: 100, scanMax: Infinity } as const;
    const { items } = await readHistory({ list } as unknown as Store, history, {
      ...request,
      isMatch: () => true,
    });
    isOver = true;
    await others;
    assertEquals(items.length, rows.length);
    assert(turns >= 8, `${turns}`);
  });
});
