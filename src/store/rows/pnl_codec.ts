/** Rows of profit and loss as bytes: members' accumulators and markets' prices. */
import { assert } from "../../domain/assert.ts";
import type { PnlAccumulator } from "../../domain/pnl/pnl_accumulator.ts";
import type { PairPrices } from "../../domain/pnl/pnl_price.ts";
import type { ByteReader } from "../byte_reader.ts";
import type { ByteWriter } from "../byte_writer.ts";
import { openRow, type Row, startRow } from "./row_codec.ts";

/** Currencies of one member that share a row: 50 KB if valued in as many currencies as possible. */
export const PNL_CURRENCIES_PER_ROW = 64;

/** A currency that profit and loss is kept in. */
export interface PnlCurrency {
  /** Currency index. */
  readonly currency: number;
  /** Sequence of the event that began it; accumulators of an earlier one no longer count. */
  readonly since: number;
}

/** A member's accumulators valued in one currency. */
export interface PnlLedger extends PnlCurrency {
  /** By the index of the currency that is valued. */
  readonly accumulators: Map<number, PnlAccumulator>;
}

/** What a row holds of a member. */
export interface PnlRecord {
  ledgers: PnlLedger[];
}

/** Writes a row of a member's accumulators, sorted. */
export function writePnlRow(sequence: number, record: PnlRecord): Uint8Array<ArrayBuffer> {
  const writer = startRow(sequence);
  const ledgers = [...record.ledgers].sort((a, b) => a.currency - b.currency);
  writer.uint(ledgers.length);
  for (const { currency, since, accumulators } of ledgers) {
    writer.uint(currency);
    writer.uint(since);
    writer.uint(accumulators.size);
    const sorted = [...accumulators].sort(([a], [b]) => a - b);
    for (const [of, accumulator] of sorted) writeAccumulator(writer, of, accumulator);
  }
  return writer.take();
}

/** Reads what {@linkcode writePnlRow} wrote. */
export function readPnlRow(bytes: Uint8Array): Row<PnlRecord> {
  const { reader, sequence } = openRow(bytes);
  const ledgers: PnlLedger[] = [];
  for (let count = reader.uint(); count > 0; count--) {
    const currency = reader.uint();
    const since = reader.uint();
    const accumulators = new Map<number, PnlAccumulator>();
    for (let left = reader.uint(); left > 0; left--) {
      const head = reader.uint();
      accumulators.set(Math.floor(head / 2), readAccumulator(reader, head % 2 === 1));
    }
    ledgers.push({ currency, since, accumulators });
  }
  assert(reader.isAtEnd, "a row of profit and loss holds its accumulators and nothing else");
  return { sequence, value: { ledgers } };
}

function writeAccumulator(writer: ByteWriter, currency: number, one: PnlAccumulator): void {
  writer.uint(currency * 2 + (one.isUnpriced ? 1 : 0));
  writer.bigint(one.totalCredit);
  writer.bigint(one.totalDebit);
  writer.bigint(one.totalDebitFees);
  writer.bigint(one.totalCreditValue);
  writer.bigint(one.totalDebitValue);
  writer.bigint(one.averageBalancePrice);
  writer.bigint(one.totalBalanceValue);
}

function readAccumulator(reader: ByteReader, isUnpriced: boolean): PnlAccumulator {
  return {
    totalCredit: reader.bigint(),
    totalDebit: reader.bigint(),
    totalDebitFees: reader.bigint(),
    totalCreditValue: reader.bigint(),
    totalDebitValue: reader.bigint(),
    averageBalancePrice: reader.bigint(),
    totalBalanceValue: reader.bigint(),
    isUnpriced,
  };
}

/** Writes a row of a market's prices. */
export function writePairPricesRow(
  sequence: number,
  { first, firstAt, last }: PairPrices,
): Uint8Array<ArrayBuffer> {
  const writer = startRow(sequence);
  writer.bigint(first);
  writer.uint(firstAt);
  writer.bigint(last);
  return writer.take();
}

/** Reads what {@linkcode writePairPricesRow} wrote. */
export function readPairPricesRow(bytes: Uint8Array): Row<PairPrices> {
  const { reader, sequence } = openRow(bytes);
  const value = { first: reader.bigint(), firstAt: reader.uint(), last: reader.bigint() };
  assert(reader.isAtEnd, "a row of prices holds its prices and nothing else");
  return { sequence, value };
}
