/** Walks through a history by id, page by page, while it grows. `WALK_ROUNDS=60` is long. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { MarketTrade } from "../../../src/domain/trading/trade_record.ts";
import type { IdRange, PageRequest } from "../../../src/engine/engine.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import { readHistory } from "../../../src/engine/read/history_reader.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { MARKET_TRADE_CODEC } from "../../../src/store/rows/order_codec.ts";
import { sealRow } from "../../../src/store/rows/row_seal.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { foldHistory } from "../../support/fold_history.ts";
import { PlainRecord } from "../../support/plain_record.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MEMBERS } from "../../support/random_command.ts";

const ROUNDS = Number(Deno.env.get("WALK_ROUNDS") ?? 3);
const COMMANDS = 300;
const FUNDS = 1000n;

type Direction = PageRequest["direction"];
type Named = { readonly id: number };
/** Reads a page of a list. */
type Read<T> = (page: IdRange & { limit: number; direction: Direction }) => Promise<readonly T[]>;

/** A client that walks through a list by the ids of what it has. */
class Walk<T extends Named> {
  readonly seen: T[] = [];
  /** Whether a page was empty. */
  isOver = false;

  constructor(readonly read: Read<T>, readonly direction: Direction) {}

  /** Reads the next page. */
  async step(limit: number): Promise<void> {
    const { direction, seen } = this;
    const last = seen.at(-1)?.id;
    const next = direction === "asc" ? { fromId: (last ?? 0) + 1 } : { toId: (last ?? 0) - 1 };
    const cursor = direction === "desc" && last === undefined ? {} : next;
    const items = await this.read({ ...cursor, limit, direction });
    assert(items.length <= limit + 1, `${items.length} of ${limit}`);
    seen.push(...items);
    this.isOver = items.length === 0;
  }
}

/** Starts a walk through each list in each direction. */
function startWalks(test: EngineVenue): { downwards: Walk<Named>[]; upwards: Walk<Named>[] } {
  const whole = { offset: 0, isWhole: true } as const;
  const lists: Read<Named>[] = [0, 1].map((market) => (page) =>
    test.engine.marketTrades(market, page)
  );
  for (const uid of STREAM_MEMBERS) {
    const member = test.member(uid);
    lists.push(async (page) => (await test.engine.trades(member, {}, { ...page, ...whole })).items);
    lists.push(async (page) =>
      (await test.engine.orders(member, {}, { ...page, ...whole })).items.map(({ id }) => ({ id }))
    );
  }
  const walks = (direction: Direction) => lists.map((read) => new Walk(read, direction));
  return { downwards: walks("desc"), upwards: walks("asc") };
}

/** Returns all lists of {@linkcode startWalks} as a replay of the log has them. */
function listsOf(test: EngineVenue, record: PlainRecord): readonly Named[][] {
  const ofMarkets = [0, 1].map((market) =>
    record.marketTrades.filter((trade) => trade.market === market)
  );
  const ofMembers = STREAM_MEMBERS.flatMap((uid) => {
    const member = test.member(uid);
    const orders = record.orders.filter((order) => order.member === member);
    return [[...record.tradesOf(member)], orders.map(({ id }) => ({ id }))];
  });
  return [...ofMarkets, ...ofMembers];
}

describe("a walk by id", () => {
  it("meets everything once, in either direction, while trades go on and are folded", async () => {
    const seed = Date.now();
    const prng = new Prng(seed);
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path });
    const record = new PlainRecord();
    await addStream(test, FUNDS);
    await runStream(test, prng, COMMANDS);
    let ownTrades = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await record.follow(test.store);
      const atStart = listsOf(test, record);
      const { downwards, upwards } = startWalks(test);
      // The first pages say where the walks downwards begin.
      for (const walk of downwards) await walk.step(prng.pick([1, 2, 7]));
      while (downwards.some(({ isOver }) => !isOver)) {
        const limit = prng.pick([1, 2, 7, 50]);
        for (const walk of [...downwards, ...upwards]) {
          if (!walk.isOver || walk.direction === "asc") await walk.step(limit);
        }
        await runStream(test, prng, 5);
        if (prng.chance(0.1)) await test.folded();
      }
      await record.follow(test.store);
      const atEnd = listsOf(test, record);
      for (const [place, walk] of upwards.entries()) {
        for (walk.isOver = false; !walk.isOver;) await walk.step(1000);
        assertEquals(walk.seen, atEnd[place], `upwards, list ${place}, seed ${seed}`);
      }
      for (const [place, { seen }] of downwards.entries()) {
        assertEquals(seen.toReversed(), atStart[place], `downwards, list ${place}, seed ${seed}`);
      }
      ownTrades += upwards.flatMap(({ seen }) =>
        seen
      ).filter((one) =>
        "liquidity" in one && upwards.some(({ seen }) =>
          seen.some((other) => other !== one && other.id === one.id && "liquidity" in other)
        )
      ).length;
      await test.folded();
    }
    assert(ownTrades > 0, `nobody traded, seed ${seed}`);
  });

  it("through a hundred thousand trades costs as much in all as one look at each row", async () => {
    const [trades, limit] = [100_000, 500];
    const history = { table: "market_trades", place: [3], codec: MARKET_TRADE_CODEC } as const;
    const tradeOf = (id: number): MarketTrade => (
      // All in one second, and many in one millisecond.
      { id, market: 3, price: 7, volume: 7, takerSide: "buy", at: 1000 + Math.floor(id / 200) }
    );
    const store = await FaultyStore.open(":memory:");
    const rows = new MemoryRows();
    for (let from = 1; from <= trades; from += 2000) {
      const some = Array.from({ length: 2000 }, (_, i) => tradeOf(from + i));
      const changes = await foldHistory(rows, history, some, from + 1999);
      rows.note(changes);
      for (const { table, place, bytes } of changes) {
        const key = rowKey(table, ...place);
        const mutations = [{ key, value: bytes === null ? null : sealRow(key, bytes) }];
        await store.commit({ check: { key: ["absent"], versionstamp: null }, mutations }, "fold");
      }
    }
    const blocks = rows.rows.size;
    const read: Read<MarketTrade> = async (page) => {
      const memory = { ...history, memory: [], at: ({ at }: MarketTrade) => at, lastId: trades };
      const bounds = { offset: 0, isMatch: () => true, scanMax: Infinity };
      return (await readHistory(store, memory, { ...bounds, ...page })).items;
    };
    for (const direction of ["asc", "desc"] as const) {
      const before = store.rowsRead;
      const walk = new Walk(read, direction);
      let costliest = 0;
      while (!walk.isOver) {
        const { rowsRead } = store;
        await walk.step(limit);
        costliest = Math.max(costliest, store.rowsRead - rowsRead);
      }
      assertEquals(walk.seen.length, trades);
      assertEquals(new Set(walk.seen.map(({ id }) => id)).size, trades);
      const [cost, pages] = [store.rowsRead - before, trades / limit + 1];
      // A page begins and ends amid a block, and finds its first one.
      assert(cost <= 2 * blocks + 20 * pages, `${cost} rows read of ${blocks} on ${pages} pages`);
      assert(costliest <= 2 * blocks * limit / trades + 20, `${costliest} rows for one page`);
    }
    store.close();
  });
});
