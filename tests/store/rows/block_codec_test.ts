import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { makerTradeOf, takerTradeOf } from "../../../src/domain/trading/trade_record.ts";
import {
  appendToBlock,
  BLOCK_BYTES_CLOSED,
  BLOCK_BYTES_MAX,
  insertIntoBlock,
  readBlock,
  readBlockHeader,
  type RecordCodec,
  writeBlocks,
} from "../../../src/store/rows/block_codec.ts";
import { NewerFormatError, ROW_FORMAT } from "../../../src/store/stored_formats.ts";
import {
  MARKET_TRADE_CODEC,
  MEMBER_TRADE_CODEC,
  ORDER_CODEC,
} from "../../../src/store/rows/order_codec.ts";
import {
  ANY_MARKET_TRADE,
  ANY_MEMBER_TRADE,
  ANY_ORDER,
  EVENTS,
  EVENTS_AT,
} from "../../support/arbitrary_events.ts";

/** Generates records sorted by unique ids. */
function inOrder<T extends { readonly id: number }>(record: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 1, maxLength: 20 })
    .map((records) => records.sort((a, b) => a.id - b.id));
}

function checkBlocks<T extends { readonly id: number }>(
  record: fc.Arbitrary<T>,
  codec: RecordCodec<T>,
): void {
  fc.assert(
    fc.property(inOrder(record), fc.nat(20), (records, at) => {
      const whole = appendToBlock(null, 7, records, codec);
      assertEquals(readBlock(whole, codec), records);
      const lastId = records[records.length - 1]?.id ?? -1;
      assertEquals(readBlockHeader(whole), { sequence: 7, count: records.length, lastId });
      if (at === 0 || at >= records.length) return;
      const first = appendToBlock(null, 3, records.slice(0, at), codec);
      const appended = appendToBlock(first, 7, records.slice(at), codec);
      assertEquals(appended, whole, "appending gives the bytes of writing anew");
    }),
    { numRuns: 100 },
  );
}

function checkInsertion<T extends { readonly id: number }>(
  record: fc.Arbitrary<T>,
  codec: RecordCodec<T>,
): void {
  const anyRecords = fc.tuple(inOrder(record), fc.infiniteStream(fc.nat(2)));
  fc.assert(
    fc.property(anyRecords, ([records, where]) => {
      const places = records.map(() => where.next().value);
      // In the block, among the inserted ones, or in both.
      const old = records.filter((_, i) => places[i] !== 1);
      const inserted = records.filter((_, i) => places[i] !== 0);
      const block = appendToBlock(null, 3, old, codec);
      assertEquals(
        insertIntoBlock(block, 7, inserted, codec),
        appendToBlock(null, 7, records, codec),
        "inserting gives the bytes of writing anew",
      );
    }),
    { numRuns: 200 },
  );
}

describe("a block of records", () => {
  it("holds orders and can be appended to", () => checkBlocks(ANY_ORDER, ORDER_CODEC));
  it("holds a market's trades and can be appended to", () => {
    checkBlocks(ANY_MARKET_TRADE, MARKET_TRADE_CODEC);
  });
  it("holds a member's trades and can be appended to", () => {
    checkBlocks(ANY_MEMBER_TRADE, MEMBER_TRADE_CODEC);
  });

  it("takes orders between others", () => checkInsertion(ANY_ORDER, ORDER_CODEC));
  it("takes a market's trades between others", () => {
    checkInsertion(ANY_MARKET_TRADE, MARKET_TRADE_CODEC);
  });

  it("keeps the new one of two records with the same id", () => {
    const trade = { id: 5, market: 0, price: 1, volume: 1, takerSide: "buy", at: 1 } as const;
    const block = appendToBlock(null, 1, [trade, { ...trade, id: 6 }], MARKET_TRADE_CODEC);
    const changed = { ...trade, price: 1_000_000 };
    assertEquals(
      readBlock(insertIntoBlock(block, 2, [changed], MARKET_TRADE_CODEC), MARKET_TRADE_CODEC),
      [changed, { ...trade, id: 6 }],
    );
  });

  it("returns a member's trades with their fields in the same order as in memory", () => {
    fc.assert(fc.property(EVENTS.trade, (trade) => {
      for (const record of [makerTradeOf(trade, EVENTS_AT), takerTradeOf(trade, EVENTS_AT)]) {
        const block = appendToBlock(null, 1, [record], MEMBER_TRADE_CODEC);
        assertEquals(
          JSON.stringify(readBlock(block, MEMBER_TRADE_CODEC)),
          JSON.stringify([record]),
        );
      }
    }));
  });

  it("stays single while its records fit, otherwise is split as soon as each part is full", () => {
    const trade = { market: 0, price: 1, volume: 1, takerSide: "buy", at: 1e12 } as const;
    for (const count of [1, 300, 500, 540, 600, 5000]) {
      const records = Array.from({ length: count }, (_, i) => ({ ...trade, id: 1000 + 2 * i }));
      const whole = appendToBlock(null, 7, records, MARKET_TRADE_CODEC);
      const blocks = writeBlocks(7, records, MARKET_TRADE_CODEC);
      assertEquals(blocks.length > 1, whole.length > BLOCK_BYTES_MAX, `${count} records`);
      const parts = blocks.map(({ bytes }) => readBlock(bytes, MARKET_TRADE_CODEC));
      assertEquals(parts.flat(), records);
      assertEquals(blocks.map(({ first }) => first), parts.map(([one]) => one?.id));
      const lastIds = blocks.map(({ bytes }) => readBlockHeader(bytes).lastId);
      assertEquals(lastIds, parts.map((part) => part.at(-1)?.id));
      for (const { bytes } of blocks.slice(0, -1)) {
        assert(bytes.length >= BLOCK_BYTES_CLOSED && bytes.length < BLOCK_BYTES_CLOSED + 32);
      }
    }
  });

  it("refuses records out of order or repeated", () => {
    const trade = { id: 5, market: 0, price: 1, volume: 1, takerSide: "buy", at: 1 } as const;
    const block = appendToBlock(null, 1, [trade], MARKET_TRADE_CODEC);
    for (const id of [4, 5]) {
      assertThrows(
        () => appendToBlock(block, 2, [{ ...trade, id }], MARKET_TRADE_CODEC),
        InvariantError,
        "order of their ids",
      );
    }
  });

  it("is refused if anything follows its records", () => {
    const block = appendToBlock(null, 1, [], MARKET_TRADE_CODEC);
    assertThrows(
      () => readBlock(new Uint8Array([...block, 0]), MARKET_TRADE_CODEC),
      InvariantError,
      "nothing else",
    );
  });

  it("is refused if a newer program wrote it", () => {
    const block = appendToBlock(null, 1, [], MARKET_TRADE_CODEC);
    block[0] = ROW_FORMAT + 1;
    assertThrows(() => readBlock(block, MARKET_TRADE_CODEC), NewerFormatError);
  });
});
