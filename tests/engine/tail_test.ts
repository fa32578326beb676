import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Trade, VenueEvent } from "../../src/domain/event.ts";
import type { Order } from "../../src/domain/trading/order.ts";
import {
  makerTradeOf,
  marketTradeOf,
  takerTradeOf,
} from "../../src/domain/trading/trade_record.ts";
import { Tail } from "../../src/engine/tail.ts";
import { GENESIS_HASH } from "../../src/store/log/entry_codec.ts";

const EVENTS = 100;

function entryOf(first: number, length: number = EVENTS) {
  const events = Array.from({ length }, (_, i): VenueEvent => {
    return { kind: "order_rested", id: first + i };
  });
  return { first, at: first, batchId: new Uint8Array(16), events, hash: GENESIS_HASH };
}

/** Returns a trade of two members. */
function tradeOf(id: number, makerMember: number, takerMember: number): Trade {
  return {
    kind: "trade",
    id,
    market: 0,
    price: 1,
    volume: 1,
    takerSide: "buy",
    maker: 1,
    taker: 2,
    makerMember,
    takerMember,
    makerFee: 10,
    takerFee: 20,
    makerLocked: 0n,
    takerLocked: 0n,
    buyerQuoteAvailable: 0n,
    buyerQuoteLocked: 0n,
    buyerBaseAvailable: 0n,
    sellerBaseLocked: 0n,
    sellerQuoteAvailable: 0n,
    feesBaseAvailable: 0n,
    feesQuoteAvailable: 0n,
  };
}

/**
 * Creates a tail of entries, each with a trade of member 0 or 1 with itself, whose id is the entry's
 * first sequence.
 */
function tailOf(entries: number): Tail {
  const tail = new Tail();
  for (let i = 0; i < entries; i++) {
    const first = 1 + i * EVENTS;
    tail.addEntry(entryOf(first));
    tail.addTrade(tradeOf(first, i % 2, i % 2), first);
  }
  return tail;
}

describe("the tail", () => {
  it("knows the hash of the log where an entry ends, and where it was released up to", () => {
    const tail = new Tail();
    const entries = Array.from({ length: 100 }, (_, i) => (
      { ...entryOf(1 + i * EVENTS), hash: new Uint8Array(32).fill(i + 1) }
    ));
    for (const entry of entries) tail.addEntry(entry);
    const hashAt = (sequence: number) => tail.hashAt(sequence)?.[0] ?? null;
    assertEquals([0, 1, EVENTS, EVENTS + 1, 3 * EVENTS, 101 * EVENTS].map(hashAt), [
      null,
      null,
      1,
      null,
      3,
      null,
    ]);
    tail.release(60 * EVENTS);
    const { releasedSequence } = tail;
    assert(releasedSequence > 0 && releasedSequence < 60 * EVENTS);
    assertEquals(hashAt(releasedSequence), releasedSequence / EVENTS);
    assertEquals([hashAt(EVENTS), hashAt(60 * EVENTS)], [null, 60]);
  });

  it("returns the entries after a sequence, up to about so many events", () => {
    const tail = tailOf(200);
    const firsts = (after: number, max?: number) =>
      tail.entriesAfter(after, max).map(({ first }) => first);
    assertEquals(firsts(0).length, 200);
    assertEquals(firsts(19_800), [19_801, 19_901]);
    assertEquals(firsts(20_000), []);
    assertEquals(firsts(5000, 300), [5001, 5101, 5201]);
    assertEquals(firsts(5000, 50), [5001], "at least one");
  });

  it("returns the same entries wherever its segments begin", () => {
    const tail = tailOf(200);
    const all = tail.entriesAfter(0);
    for (let after = 0; after <= 9000; after += 100) {
      for (const max of [100, 4000, 4100, 4200, 8100, 8200, 8300, Infinity]) {
        const expected = all.slice(after / EVENTS, (after + max) / EVENTS);
        assertEquals(tail.entriesAfter(after, max), expected, `${max} after ${after}`);
      }
    }
  });

  it("returns an entry of one event once, and not to a reader that has it", () => {
    const tail = new Tail();
    for (let first = 1; first <= 5; first++) tail.addEntry(entryOf(first, 1));
    for (let after = 0; after <= 5; after++) {
      const firsts = tail.entriesAfter(after).map(({ first }) => first);
      assertEquals(firsts, [1, 2, 3, 4, 5].slice(after));
    }
  });

  it("returns an ended order by its id to its own member, and to no other", () => {
    const tail = tailOf(200);
    const ended = [{ id: 7, member: 3 }, { id: 8, member: 4 }, { id: 9, member: 3 }] as Order[];
    for (const order of ended) tail.addEndedOrder(order);
    assertEquals(tail.endedOrders(3).map(({ id }) => id), [7, 9]);
    assertEquals([tail.endedOrder(3, 9), tail.endedOrder(4, 8)], [ended[2], ended[1]]);
    assertEquals([tail.endedOrder(4, 9), tail.endedOrder(3, 10)], [undefined, undefined]);
    tail.release(20_000);
    assertEquals([tail.endedOrder(3, 9), tail.endedOrders(3)], [undefined, []]);
  });

  it("yields the trades of a market and of a member, newest first", () => {
    const tail = tailOf(200);
    assertEquals([...tail.newestMarketTrades(0)], tail.marketTrades(0).reverse());
    assertEquals([...tail.newestMemberTrades(1)], tail.memberTrades(1).reverse());
    assertEquals([[...tail.newestMarketTrades(1)], [...tail.newestMemberTrades(99)]], [[], []]);
  });

  it("yields trades of a range of ids alone, in either direction", () => {
    const tail = tailOf(200);
    const all = { market: tail.marketTrades(0), member: tail.memberTrades(1) };
    const ids = [0, 1, 2, 100, 101, 102, 8001, 8101, 19_901, 19_902, Infinity];
    for (const fromId of ids) {
      for (const toId of ids) {
        const range = { fromId, toId };
        const isIn = ({ id }: { id: number }) => id >= fromId && id <= toId;
        const [market, member] = [all.market.filter(isIn), all.member.filter(isIn)];
        const what = `${fromId} to ${toId}`;
        assertEquals(tail.marketTrades(0, range), market, what);
        assertEquals(tail.memberTrades(1, range), member, what);
        assertEquals([...tail.newestMarketTrades(0, range)], market.toReversed(), what);
        assertEquals([...tail.newestMemberTrades(1, range)], member.toReversed(), what);
      }
    }
  });

  it("returns the trades of a market and of a member, oldest first", () => {
    const tail = tailOf(200);
    const ids = Array.from({ length: 200 }, (_, i) => 1 + i * EVENTS);
    assertEquals(tail.marketTrades(0).map(({ id }) => id), ids);
    assertEquals(tail.marketTrades(1), []);
    assertEquals(tail.memberTrades(1).map(({ id }) => id), ids.filter((_, i) => i % 2 === 1));
  });

  it("shows a trade to the market and to each side as its own", () => {
    const tail = new Tail();
    tail.addEntry(entryOf(1));
    const trade = tradeOf(1, 3, 4);
    tail.addTrade(trade, 7);
    const views = [makerTradeOf(trade, 7), takerTradeOf(trade, 7)];
    assertEquals([tail.memberTrades(3), tail.memberTrades(4)], views.map((view) => [view]));
    const newest = [3, 4].map((member) => [...tail.newestMemberTrades(member)]);
    assertEquals(newest, views.map((view) => [view]));
    assertEquals(tail.marketTrades(0), [marketTradeOf(trade, 7)]);
    assertEquals([...tail.newestMarketTrades(0)], [marketTradeOf(trade, 7)]);
  });

  it("drops nothing above a sequence, and most below it", () => {
    const tail = tailOf(200);
    const read = tail.marketTrades(0);
    tail.release(12_345);
    assertEquals(tail.entriesAfter(12_345).map(({ first }) => first)[0], 12_401);
    assertEquals(tail.entriesAfter(12_345).length, 76);
    assert(tail.releasedSequence > 5000 && tail.releasedSequence <= 12_345);
    const kept = tail.marketTrades(0);
    assertEquals(kept[kept.length - 1]?.id, 19_901);
    assertEquals(kept.length < 130, true, `${kept.length} entries are kept`);
    assertEquals(read.length, 200, "what was taken before stays");
    tail.release(20_000);
    assertEquals([tail.entriesAfter(0), tail.marketTrades(0)], [[], []]);
    tail.addEntry(entryOf(20_001));
    assertEquals(tail.entriesAfter(0).length, 1);
  });

  it("drops nothing of an entry that is only partly below a sequence", () => {
    const tail = new Tail();
    for (let i = 0; i < 200; i++) {
      tail.addEntry(entryOf(1 + i * EVENTS));
      tail.addTrade(tradeOf((i + 1) * EVENTS, 0, 1), 1);
    }
    for (let end = EVENTS; end <= 200 * EVENTS; end += EVENTS) {
      tail.release(end - 1);
      assertEquals((tail.marketTrades(0)[0]?.id ?? Infinity) <= end, true, `${end}`);
    }
  });
});
