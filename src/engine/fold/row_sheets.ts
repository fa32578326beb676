/** Sheets: the rows of one table that a window of events works on, as items by key. */
import { assert, present } from "../../domain/assert.ts";
import type { Candle, CandlePeriod } from "../../domain/trading/candle.ts";
import type { Currency } from "../../domain/money/currency.ts";
import type { FeeName, FeeRow } from "../../domain/trading/fees.ts";
import type { ApiKey } from "../../domain/people/member.ts";
import type { Order } from "../../domain/trading/order.ts";
import {
  appendToBlock,
  readBlock,
  readBlockHeader,
  type RecordCodec,
} from "../../store/rows/block_codec.ts";
import type { Table } from "../../store/keys.ts";
import { CURRENCY_RENEWALS, type Renewal } from "../../store/older_records.ts";
import { ORDER_CODEC } from "../../store/rows/order_codec.ts";
import {
  CANDLES_PER_ROW,
  type HolderRecord,
  KEYS_PER_ROW,
  type MarketRecord,
  MEMBERS_PER_ROW,
  OPEN_ORDERS_PER_ROW,
  readCandlesRow,
  readMembersRow,
  readRenewedRow,
  type Row,
  writeCandlesRow,
  writeMembersRow,
  writeRecordRow,
} from "../../store/rows/row_codec.ts";
import type { Place, RowChange, RowSource } from "./row_source.ts";
import { noPause } from "../yield_to_others.ts";

/** Rows read or written before the event loop gets a turn. */
const ROWS_PER_SLICE = 4;
/** Items whose rows are looked for before the event loop gets a turn. */
const ITEMS_PER_SLICE = 512;

/** How the items of a table are placed in rows. */
export interface Layout<K, V> {
  readonly table: Table;
  /** Returns a name of the row that an item is in; cheap, because it is called often. */
  row(key: K): number | string;
  /** Returns the place of that row. */
  place(key: K): Place;
  /** Returns the item's name within its row. */
  name(key: K): number | string;
  /** Returns the row's items by name. */
  read(bytes: Uint8Array): Row<Map<number | string, V>>;
  write(sequence: number, items: Map<number | string, V>): Uint8Array<ArrayBuffer>;
}

interface Loaded<V> {
  readonly place: Place;
  /** Sequence that the row was true at when it was read. */
  readonly sequence: number;
  readonly items: Map<number | string, V>;
  isChanged: boolean;
}

/** Rows of one table, read once, changed in memory, written once. */
export class Sheet<K, V> {
  readonly #rows: RowSource;
  readonly #layout: Layout<K, V>;
  readonly #loaded = new Map<number | string, Loaded<V>>();

  constructor(rows: RowSource, layout: Layout<K, V>) {
    this.#rows = rows;
    this.#layout = layout;
  }

  /** Reads the rows of these items that are not loaded yet. */
  async load(keys: Iterable<K>, pause: () => Promise<void> = noPause): Promise<void> {
    const missing = new Map<number | string, Place>();
    let asked = 0;
    for (const key of keys) {
      asked += 1;
      if (asked % ITEMS_PER_SLICE === 0) await pause();
      const row = this.#layout.row(key);
      if (!this.#loaded.has(row) && !missing.has(row)) missing.set(row, this.#layout.place(key));
    }
    if (missing.size === 0) return;
    await this.#rows.prefetch(this.#layout.table, [...missing.values()]);
    for (const [row, place] of missing) {
      const bytes = this.#rows.get(this.#layout.table, place);
      const { sequence, value } = bytes === null
        ? { sequence: 0, value: new Map() }
        : this.#layout.read(bytes);
      this.#loaded.set(row, { place, sequence, items: value, isChanged: false });
      if (this.#loaded.size % ROWS_PER_SLICE === 0) await pause();
    }
  }

  #row(key: K): Loaded<V> {
    const row = this.#loaded.get(this.#layout.row(key));
    assert(row !== undefined, "a row is loaded before it is used");
    return row;
  }

  /** Returns the sequence that the row of an item was true at; 0 if there was none. */
  sequenceOf(key: K): number {
    return this.#row(key).sequence;
  }

  /** Returns an item as it is now. */
  find(key: K): V | undefined {
    return this.#row(key).items.get(this.#layout.name(key));
  }

  /** Returns an item to change in place; undefined if its row is past this event. */
  touch(key: K, sequence: number): V | undefined {
    const row = this.#row(key);
    if (row.sequence >= sequence) return undefined;
    row.isChanged = true;
    return present(row.items.get(this.#layout.name(key)), "a changed item is in its row");
  }

  /** Puts an item, unless its row is past this event. */
  put(key: K, item: V, sequence: number): void {
    this.change(key, sequence, () => item);
  }

  /** Replaces an item by what `step` makes of it, unless its row is past this event. */
  change(key: K, sequence: number, step: (old: V | undefined) => V): void {
    const row = this.#row(key);
    if (row.sequence >= sequence) return;
    const name = this.#layout.name(key);
    row.items.set(name, step(row.items.get(name)));
    row.isChanged = true;
  }

  /** Removes an item, unless its row is past this event. */
  remove(key: K, sequence: number): void {
    const row = this.#row(key);
    if (row.sequence >= sequence) return;
    row.items.delete(this.#layout.name(key));
    row.isChanged = true;
  }

  /** Returns the changed rows, true at `sequence`; a row without items is deleted. */
  async changes(sequence: number, pause: () => Promise<void>): Promise<RowChange[]> {
    const changes: RowChange[] = [];
    for (const { place, items, isChanged } of this.#loaded.values()) {
      if (!isChanged) continue;
      const bytes = items.size === 0 ? null : this.#layout.write(sequence, items);
      changes.push({ table: this.#layout.table, place, bytes });
      if (changes.length % ROWS_PER_SLICE === 0) await pause();
    }
    return changes;
  }
}

function byName<V>(items: readonly V[], name: (item: V) => number | string): Map<
  number | string,
  V
> {
  return new Map(items.map((item) => [name(item), item]));
}

function sorted<V>(items: Map<number | string, V>, order: (item: V) => number): V[] {
  return [...items.values()].sort((a, b) => order(a) - order(b));
}

/** Returns the place of the row that an open order is in. */
function openOrdersPlace(id: number): readonly [number] {
  return [Math.floor(id / OPEN_ORDERS_PER_ROW)];
}

/** A sheet of open orders, by id. */
export function openOrdersSheet(rows: RowSource): Sheet<number, Order> {
  return new Sheet(rows, blockLayout("open_orders", openOrdersPlace, ORDER_CODEC));
}

/** Returns a layout of records by id, in blocks whose places follow from the ids. */
export function blockLayout<V>(
  table: Table,
  placeOf: (id: number) => readonly [number],
  codec: RecordCodec<V>,
): Layout<number, V> {
  return {
    table,
    row: (id) => placeOf(id)[0],
    place: placeOf,
    name: (id) => id,
    read: (bytes) => ({
      sequence: readBlockHeader(bytes).sequence,
      value: byName(readBlock(bytes, codec), codec.id),
    }),
    write: (sequence, items) => appendToBlock(null, sequence, sorted(items, codec.id), codec),
  };
}

/** A sheet of members with their balances, by index. */
export function membersSheet(rows: RowSource): Sheet<number, HolderRecord> {
  return new Sheet<number, HolderRecord>(rows, {
    table: "members",
    row: (member) => Math.floor(member / MEMBERS_PER_ROW),
    place: (member) => [Math.floor(member / MEMBERS_PER_ROW)],
    name: (member) => member,
    read: (bytes) => {
      const { sequence, value } = readMembersRow(bytes);
      return { sequence, value: byName(value, ({ member }) => member.index) };
    },
    write: (sequence, items) =>
      writeMembersRow(sequence, sorted(items, ({ member }) => member.index)),
  });
}

/** A sheet of small records as JSON, `perRow` of them in a row, by index. */
export function indexedSheet<V>(
  rows: RowSource,
  table: Table,
  perRow: number,
  indexOf: (item: V) => number,
  renewals?: readonly Renewal<V>[],
): Sheet<number, V> {
  const row = (index: number) => Math.floor(index / perRow);
  const place = (index: number) => [row(index)];
  return new Sheet(rows, {
    table,
    row,
    place,
    name: (index) => index,
    ...recordRow(indexOf, renewals),
  });
}

/** A sheet of small records as JSON, each in its own row, at the place that it gives. */
export function placedSheet<K, V extends K>(
  rows: RowSource,
  table: Table,
  place: (name: K) => Place,
  renewals?: readonly Renewal<V>[],
): Sheet<K, V> {
  const name = (item: K) => place(item).join("/");
  return new Sheet<K, V>(rows, { table, row: name, place, name, ...recordRow(name, renewals) });
}

function recordRow<V>(
  nameOf: (item: V) => number | string,
  renewals: readonly Renewal<V>[] = [],
): Pick<Layout<V, V>, "read" | "write"> {
  return {
    read: (bytes) => {
      const { sequence, value } = readRenewedRow(bytes, renewals);
      return { sequence, value: byName(value, nameOf) };
    },
    write: (sequence, items) => writeRecordRow(sequence, [...items.values()]),
  };
}

/** A sheet of keys, by index. */
export function keysSheet(rows: RowSource): Sheet<number, ApiKey> {
  return indexedSheet(rows, "keys", KEYS_PER_ROW, (key) => key.index);
}

/** A sheet of markets, by index. */
export function marketsSheet(rows: RowSource): Sheet<number, MarketRecord> {
  return indexedSheet(rows, "markets", 1, ({ market }) => market.index);
}

/** A sheet of currencies, by index. */
export function currenciesSheet(rows: RowSource): Sheet<number, Currency> {
  return indexedSheet(rows, "currencies", 1, (currency) => currency.index, CURRENCY_RENEWALS);
}

/** A sheet of fees, by market and group. */
export function feesSheet(rows: RowSource): Sheet<FeeName, FeeRow> {
  return placedSheet(rows, "fees", ({ market, group }) => [market, group]);
}

/** Identifies a candle. */
export interface CandleName {
  readonly market: number;
  readonly period: CandlePeriod;
  readonly start: number;
}

/** Returns the place of the row that a candle is in. */
function candlesPlace({ market, period, start }: CandleName): Place {
  return [market, period, Math.floor(start / (period * 60 * CANDLES_PER_ROW))];
}

/** A sheet of candles, by market, period and start. */
export function candlesSheet(rows: RowSource): Sheet<CandleName, Candle> {
  return new Sheet<CandleName, Candle>(rows, {
    table: "candles",
    row: (name) => candlesPlace(name).join("/"),
    place: candlesPlace,
    name: ({ start }) => start,
    read: (bytes) => {
      const { sequence, value } = readCandlesRow(bytes);
      return { sequence, value: byName(value, ({ start }) => start) };
    },
    write: (sequence, items) => writeCandlesRow(sequence, sorted(items, ({ start }) => start)),
  });
}
