/** Sheets of profit and loss: members' accumulators, markets' prices, and the kept currencies. */
import { assert } from "../../domain/assert.ts";
import { CURRENCIES_MAX } from "../../domain/limits.ts";
import type { PairPrices } from "../../domain/pnl/pnl_price.ts";
import {
  PNL_CURRENCIES_PER_ROW,
  type PnlCurrency,
  type PnlRecord,
  readPairPricesRow,
  readPnlRow,
  writePairPricesRow,
  writePnlRow,
} from "../../store/rows/pnl_codec.ts";
import type { Table } from "../../store/keys.ts";
import { readRecordRow, type Row, writeRecordRow } from "../../store/rows/row_codec.ts";
import { Sheet } from "./row_sheets.ts";
import type { Place, RowSource } from "./row_source.ts";

const ROWS_PER_MEMBER = Math.ceil(CURRENCIES_MAX / PNL_CURRENCIES_PER_ROW);
/** The name of the only item in a row. */
const WHOLE = 0;

/** Returns the name of the row that holds a currency of a member. */
export function pnlRowName(member: number, currency: number): number {
  return member * ROWS_PER_MEMBER + Math.floor(currency / PNL_CURRENCIES_PER_ROW);
}

/** Returns the place of the row with this name. */
function pnlPlace(name: number): Place {
  return [Math.floor(name / ROWS_PER_MEMBER), name % ROWS_PER_MEMBER];
}

/** A sheet of accumulators, by the name of their row. */
export function pnlSheet(rows: RowSource): Sheet<number, PnlRecord> {
  return wholeRowSheet(rows, "pnl", pnlPlace, readPnlRow, writePnlRow);
}

/** Returns the name of the row with a market's prices, from its base and quote. */
export function pairName(base: number, quote: number): number {
  return base * CURRENCIES_MAX + quote;
}

/** Returns the place of the row with this name. */
function pairPlace(name: number): Place {
  return [Math.floor(name / CURRENCIES_MAX), name % CURRENCIES_MAX];
}

/** A sheet of prices, by the name of their row. */
export function pairPricesSheet(rows: RowSource): Sheet<number, PairPrices> {
  return wholeRowSheet(rows, "pnl_prices", pairPlace, readPairPricesRow, writePairPricesRow);
}

/** The sheet of the currencies that profit and loss is kept in: one row, named 0. */
export function pnlCurrenciesSheet(rows: RowSource): Sheet<number, readonly PnlCurrency[]> {
  const read = readRecordRow<readonly PnlCurrency[]>;
  return wholeRowSheet(rows, "pnl_currencies", (name) => [name], read, writeRecordRow);
}

/** Returns a sheet whose rows hold one item each. */
function wholeRowSheet<V>(
  rows: RowSource,
  table: Table,
  place: (name: number) => Place,
  read: (bytes: Uint8Array) => Row<V>,
  write: (sequence: number, value: V) => Uint8Array<ArrayBuffer>,
): Sheet<number, V> {
  return new Sheet<number, V>(rows, {
    table,
    row: (name) => name,
    place,
    name: () => WHOLE,
    read: (bytes) => {
      const { sequence, value } = read(bytes);
      return { sequence, value: new Map([[WHOLE, value]]) };
    },
    write: (sequence, items) => {
      const value = items.get(WHOLE);
      assert(value !== undefined, "a row of profit and loss is never empty");
      return write(sequence, value);
    },
  });
}
