import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PNL_CURRENCIES_MAX } from "../../../src/domain/limits.ts";
import type { PnlAccumulator } from "../../../src/domain/pnl/pnl_accumulator.ts";
import { NewerFormatError } from "../../../src/store/stored_formats.ts";
import { VALUE_BYTES_MAX } from "../../../src/store/kv/kv_limits.ts";
import {
  PNL_CURRENCIES_PER_ROW,
  type PnlLedger,
  readPairPricesRow,
  readPnlRow,
  writePairPricesRow,
  writePnlRow,
} from "../../../src/store/rows/pnl_codec.ts";

function accumulator(scale: bigint, isUnpriced = false): PnlAccumulator {
  return {
    totalCredit: 9n * scale,
    totalDebit: 8n * scale,
    totalDebitFees: 1n,
    totalCreditValue: 7n * scale,
    totalDebitValue: 0n,
    averageBalancePrice: 6n * scale,
    totalBalanceValue: 5n * scale,
    isUnpriced,
  };
}

function ledger(currency: number, ...of: number[]): PnlLedger {
  const accumulators = new Map(of.map((one) => [one, accumulator(BigInt(one), one % 2 === 1)]));
  return { currency, since: 1000 + currency, accumulators };
}

describe("a row of profit and loss", () => {
  it("round-trips", () => {
    const record = { ledgers: [ledger(0, 1, 2), ledger(3), ledger(7, 0, 999)] };
    assertEquals(readPnlRow(writePnlRow(42, record)), { sequence: 42, value: record });
  });

  it("has the same bytes whatever the order of its parts", () => {
    assertEquals(
      writePnlRow(1, { ledgers: [ledger(7, 2, 1), ledger(3, 0)] }),
      writePnlRow(1, { ledgers: [ledger(3, 0), ledger(7, 1, 2)] }),
    );
  });

  it("fits into a value even when full", () => {
    const all = Array.from({ length: PNL_CURRENCIES_PER_ROW }, (_, i) => 900 + i);
    const ledgers = Array.from({ length: PNL_CURRENCIES_MAX }, (_, i) => {
      const accumulators = new Map(all.map((of) => [of, accumulator(10n ** 25n)]));
      return { currency: 900 + i, since: 10 ** 12, accumulators };
    });
    const { length } = writePnlRow(10 ** 12, { ledgers });
    assertEquals(length < VALUE_BYTES_MAX, true, `${length} bytes`);
  });

  it("is refused in a newer format", () => {
    const bytes = writePnlRow(1, { ledgers: [] });
    bytes[0] = 99;
    assertThrows(() => readPnlRow(bytes), NewerFormatError);
  });
});

describe("a row of prices", () => {
  it("round-trips", () => {
    const prices = { first: 5n * 10n ** 20n, firstAt: 77, last: 3n };
    assertEquals(readPairPricesRow(writePairPricesRow(9, prices)), { sequence: 9, value: prices });
  });
});
