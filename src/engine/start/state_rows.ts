/** Reads the rows that a start builds the state from. */
import { type Candle, CANDLE_PERIODS, type CandlePeriod } from "../../domain/trading/candle.ts";
import { WITHDRAW_SUMS_MS } from "../../domain/limits.ts";
import type { CountedWithdraw, Venue } from "../../domain/venue.ts";
import { isWithdrawCounted, type Withdraw } from "../../domain/money/withdraw.ts";
import { readBlock } from "../../store/rows/block_codec.ts";
import { rowKey, STATE_TABLES, type StateTable } from "../../store/keys.ts";
import { WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import {
  CANDLES_PER_ROW,
  itemsOf,
  type MarketRecord,
  readCandlesRow,
} from "../../store/rows/row_codec.ts";
import type { Store } from "../../store/store.ts";
import { listRows, type StoredRow } from "../../store/rows/stored_rows.ts";
import { MINUTES_KEPT_S } from "../candle_series.ts";
import { sumWith } from "../fold/state_sum.ts";

/** Rows of minute candles that cover those kept in memory. */
const MINUTE_ROWS = Math.ceil(MINUTES_KEPT_S / 60 / CANDLES_PER_ROW) + 1;

/** The bytes of the rows whose contents stay in memory, by table. */
export interface StateRows extends Readonly<Record<StateTable, readonly Uint8Array[]>> {
  /** Recently ended withdrawals, which count against limits. */
  readonly endedWithdraws: EndedWithdraws;
  /** Sum of all other rows, see `state_sum.ts`. */
  readonly sum: number;
}

/** Adds the rows of a table to a venue. */
export type AddRows = (venue: Venue, rows: StateRows) => void;

/** A member's withdrawal that counts against limits. */
export interface MemberCounted {
  readonly member: number;
  readonly counted: CountedWithdraw;
}

/** Recently ended withdrawals. */
export interface EndedWithdraws {
  /** Those that count against limits. */
  readonly counted: readonly MemberCounted[];
  /** The lowest id that was looked for, and how many withdrawals were found from it on. */
  readonly firstId: number;
  readonly count: number;
}

/** Reads all of these rows, as of `at` (ms). */
export async function readStateRows(store: Store, at: number): Promise<StateRows> {
  const [endedWithdraws, ...tables] = await Promise.all([
    readEndedWithdraws(store, at),
    ...STATE_TABLES.map((table) => readTable(store, table)),
  ]);
  const rows = STATE_TABLES.map((table, i) => [table, (tables[i] ?? []).map(({ value }) => value)]);
  const sum = tables.flat().reduce((sum, { key, value }) => sumWith(sum, key, value), 0);
  return { endedWithdraws, sum, ...Object.fromEntries(rows) };
}

async function readTable(store: Store, table: StateTable): Promise<StoredRow[]> {
  // A market or a level may be "any", which is -1.
  return await Array.fromAsync(listRows(store, rowKey(table, -Infinity), rowKey(table, Infinity)));
}

/** Reads the ended withdrawals that count against limits at `at` (ms). */
export async function readEndedWithdraws(store: Store, at: number): Promise<EndedWithdraws> {
  const counted: MemberCounted[] = [];
  let firstId = 1;
  let count = 0;
  const since = at - WITHDRAW_SUMS_MS;
  const start = rowKey("ended_withdraws", 0);
  const end = rowKey("ended_withdraws", Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, batch: 64 })) {
    const withdraws = readBlock(value, WITHDRAW_CODEC);
    for (const withdraw of withdraws) addCounted(counted, withdraw, since);
    count += withdraws.length;
    // Ids grow with time, so everything before this block is older.
    const first = withdraws[0];
    if (first !== undefined && first.createdAt < since) {
      firstId = first.id;
      break;
    }
  }
  return { counted, firstId, count };
}

/** Adds a withdrawal that counts against limits and was requested at `since` (ms) or later. */
export function addCounted(counted: MemberCounted[], withdraw: Withdraw, since: number): void {
  const { id, member, currency, amount, createdAt } = withdraw;
  if (createdAt < since || !isWithdrawCounted(withdraw)) return;
  counted.push({ member, counted: { id, currency, amount, createdAt } });
}

/** The latest candles of a market for one period. */
export interface LastCandles {
  readonly market: number;
  readonly period: CandlePeriod;
  readonly candles: readonly Candle[];
}

/** Reads the latest candles of every market. */
export async function readCandles(
  store: Store,
  { markets }: Pick<StateRows, "markets">,
): Promise<LastCandles[]> {
  const records = itemsOf<MarketRecord>(markets);
  // Concurrently: one after the other, each would take a round trip to a KV server.
  return await Promise.all(
    records.flatMap(({ market: { index: market } }) =>
      CANDLE_PERIODS.map(async (period) => {
        const limit = period === 1 ? MINUTE_ROWS : 2;
        return { market, period, candles: await readLastCandles(store, market, period, limit) };
      })
    ),
  );
}

async function readLastCandles(
  store: Store,
  market: number,
  period: CandlePeriod,
  limit: number,
): Promise<Candle[]> {
  const rows: Candle[][] = [];
  const start = rowKey("candles", market, period, 0);
  const end = rowKey("candles", market, period, Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, limit })) {
    rows.unshift(readCandlesRow(value).value);
  }
  return rows.flat();
}
