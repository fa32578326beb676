import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { NewerFormatError, ROW_FORMAT } from "../../../src/store/stored_formats.ts";
import {
  type HolderRecord,
  readCandlesRow,
  readMembersRow,
  readRecordRow,
  writeCandlesRow,
  writeMembersRow,
  writeRecordRow,
} from "../../../src/store/rows/row_codec.ts";
import {
  readPairPricesRow,
  readPnlRow,
  writePairPricesRow,
  writePnlRow,
} from "../../../src/store/rows/pnl_codec.ts";
import { EVENTS } from "../../support/arbitrary_events.ts";

const amount = fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n });
const account = fc.record({ available: amount, locked: amount });

const holder = fc.record({
  member: EVENTS.member_set.map(({ member }) => member),
  accounts: fc.array(account, { maxLength: 5 }),
  ordersCount: fc.maxSafeNat(),
  tradesCount: fc.maxSafeNat(),
  depositsCount: fc.nat(2),
  withdrawsCount: fc.nat(2),
  messages: fc.record({ order: fc.nat(), balances: fc.nat(), balance: fc.nat() }),
  untraded: fc.record({ day: fc.nat(), count: fc.maxSafeNat() }),
});

const candle = fc.record({
  start: fc.maxSafeNat(),
  open: fc.maxSafeNat(),
  high: fc.maxSafeNat(),
  low: fc.maxSafeNat(),
  close: fc.maxSafeNat(),
  volume: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  total: amount,
});

/** A row of candles in format 1; the second has the largest volume that this can hold. */
const CANDLES_ROW_1 = new Uint8Array([
  ...[1, 172, 2, 2],
  ...[60, 5, 172, 2, 4, 200, 1, 127, 18, 0, 0, 0, 0, 0, 0, 0, 0, 64],
  ...[120, 1, 1, 1, 1, 255, 255, 255, 255, 255, 255, 255, 15, 0],
]);

const ONE_ON_TWO = { day: 2, count: 1 };

describe("a row", () => {
  it("of members round-trips with their balances", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.array(holder, { maxLength: 5 }), (sequence, value) => {
        assertEquals(readMembersRow(writeMembersRow(sequence, value)), { sequence, value });
      }),
    );
  });

  it("of members has no count of orders without a trade up to format 2", () => {
    const sequence = 300;
    const value = fc.sample(holder, { numRuns: 1, seed: 1 })[0] as HolderRecord;
    const counted = writeMembersRow(sequence, [{ ...value, accounts: [], untraded: ONE_ON_TWO }]);
    // The two bytes before the number of accounts, which ends the row.
    const older = Uint8Array.of(...counted.slice(0, -3), ...counted.slice(-1));
    older[0] = 2;
    const read = { ...value, accounts: [], untraded: { day: 0, count: 0 } };
    assertEquals(readMembersRow(older), { sequence, value: [read] });
    assertEquals(readMembersRow(counted).value[0]?.untraded, ONE_ON_TWO);
  });

  it("of members fills missing accounts with empty ones", () => {
    const [member] = fc.sample(holder, { numRuns: 1, seed: 1 });
    if (member === undefined) throw new Error("No sample");
    const accounts = [undefined, { available: 1n, locked: 2n }];
    const { value } = readMembersRow(writeMembersRow(1, [{ ...member, accounts }]));
    assertEquals(value[0]?.accounts, [{ available: 0n, locked: 0n }, accounts[1]]);
  });

  it("of candles round-trips", () => {
    fc.assert(fc.property(fc.maxSafeNat(), fc.array(candle), (sequence, value) => {
      assertEquals(readCandlesRow(writeCandlesRow(sequence, value)), { sequence, value });
    }));
  });

  it("of candles by an older program is read, and rewritten the same except for its format", () => {
    const high = { start: 60, open: 5, high: 300, low: 4, close: 200 };
    const flat = { start: 120, open: 1, high: 1, low: 1, close: 1 };
    const value = [
      { ...high, volume: 127n, total: 2n ** 70n },
      { ...flat, volume: 2n ** 53n - 1n, total: 0n },
    ];
    assertEquals(readCandlesRow(CANDLES_ROW_1), { sequence: 300, value });
    const written = writeCandlesRow(300, value);
    assertEquals(written[0], ROW_FORMAT);
    assertEquals(written.slice(1), CANDLES_ROW_1.slice(1));
  });

  it("of plain records round-trips", () => {
    fc.assert(fc.property(fc.maxSafeNat(), EVENTS.currency_set, (sequence, { currency }) => {
      assertEquals(readRecordRow(writeRecordRow(sequence, [currency])), {
        sequence,
        value: [currency],
      });
    }));
  });

  it("is refused if anything follows its content", () => {
    const longer = (row: Uint8Array) => new Uint8Array([...row, 0]);
    const rest = "nothing else";
    assertThrows(() => readMembersRow(longer(writeMembersRow(1, []))), InvariantError, rest);
    assertThrows(() => readCandlesRow(longer(writeCandlesRow(1, []))), InvariantError, rest);
    assertThrows(() => readPnlRow(longer(writePnlRow(1, { ledgers: [] }))), InvariantError, rest);
    const prices = writePairPricesRow(1, { first: 1n, firstAt: 2, last: 3n });
    assertThrows(() => readPairPricesRow(longer(prices)), InvariantError, rest);
  });

  it("is refused if a newer program wrote it", () => {
    const rows = [writeMembersRow(1, []), writeCandlesRow(1, []), writeRecordRow(1, [])];
    for (const row of rows) row[0] = ROW_FORMAT + 1;
    const [members, candles, records] = rows as [Uint8Array, Uint8Array, Uint8Array];
    assertThrows(() => readMembersRow(members), NewerFormatError);
    assertThrows(() => readCandlesRow(candles), NewerFormatError);
    assertThrows(() => readRecordRow(records), NewerFormatError);
  });
});
