import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  CURRENCIES_MAX,
  ORDER_TICKS_MAX,
  ORDERS_PER_BULK_OVERRIDE_MAX,
  PNL_CURRENCIES_MAX,
} from "../../../src/domain/limits.ts";
import { foldHistory } from "../../support/fold_history.ts";
import {
  beneficiariesSheet,
  depositNamePlace,
  endedDepositsSheet,
  endedWithdrawsSheet,
  openDepositsSheet,
  openWithdrawsSheet,
  withdrawLimitsSheet,
} from "../../../src/engine/fold/money_sheets.ts";
import {
  pairPricesSheet,
  pnlCurrenciesSheet,
  pnlRowName,
  pnlSheet,
} from "../../../src/engine/fold/pnl_sheets.ts";
import { MemoryRows, type RowChange } from "../../../src/engine/fold/row_source.ts";
import {
  candlesSheet,
  currenciesSheet,
  feesSheet,
  keysSheet,
  marketsSheet,
  membersSheet,
  openOrdersSheet,
  type Sheet,
} from "../../../src/engine/fold/row_sheets.ts";
import { assertFits, valueBytes } from "../../../src/store/kv/commit_limits.ts";
import type { FundsRecord } from "../../../src/domain/money/funds.ts";
import { FUNDS_CODEC } from "../../../src/store/rows/funds_codec.ts";
import { rowKey, TABLES } from "../../../src/store/keys.ts";
import { VALUE_BYTES_MAX } from "../../../src/store/kv/kv_limits.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../../src/store/rows/money_codec.ts";
import {
  MARKET_TRADE_CODEC,
  MEMBER_TRADE_CODEC,
  ORDER_CODEC,
} from "../../../src/store/rows/order_codec.ts";
import { PNL_CURRENCIES_PER_ROW } from "../../../src/store/rows/pnl_codec.ts";
import {
  BENEFICIARIES_PER_ROW,
  CANDLES_PER_ROW,
  KEYS_PER_ROW,
  MEMBERS_PER_ROW,
  MONEY_RECORDS_PER_ROW,
  OPEN_ORDERS_PER_ROW,
  writeRecordRow,
} from "../../../src/store/rows/row_codec.ts";
import { EMPTY_WATERMARK, foldCommit, rowMutations } from "../../../src/store/rows/watermark.ts";
import {
  AMOUNT,
  AVERAGE,
  BALANCE,
  CURRENCY,
  KEY,
  MARKET,
  MEMBER,
  moneyOf,
  NAME_LENGTH,
  orderOf,
  times,
  tradeOf,
  TURNOVER,
  TXID_LENGTH,
  UINT,
  wide,
  withdrawOf,
  WORTH,
} from "../../support/largest_records.ts";

const noPause = () => Promise.resolve();

/** Returns the rows that these items make. */
async function filled<K, V>(sheet: Sheet<K, V>, items: readonly [K, V][]): Promise<RowChange[]> {
  await sheet.load(items.map(([key]) => key));
  for (const [key, item] of items) sheet.put(key, item, 1);
  return await sheet.changes(UINT, noPause);
}

/** Creates the items of one row, with indexes of the maximum length. */
function numbered<V>(count: number, make: (index: number) => V): [number, V][] {
  const first = 2 ** 40;
  return times(count, (i) => [first + i, make(first + i)]);
}

/** Returns a history's longest blocks: many small records, mixed with large ones. */
async function blocks(
  table: "member_orders" | "member_trades" | "market_trades" | "member_deposits" | "member_funds",
  // deno-lint-ignore no-explicit-any -- records of every kind
  codec: any,
  large: (id: number) => unknown,
  small: (id: number) => unknown,
): Promise<RowChange[]> {
  const history = { table, place: [UINT] as const, codec };
  const records = times(
    4000,
    (i) => i >= 2000 && i < 2200 ? large(2 ** 40 + i) : small(2 ** 40 + i),
  );
  return await foldHistory(new MemoryRows(), history, records, UINT);
}

function smallOf<T extends object>(record: T, id: number): T {
  const small = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "number" ? 0 : typeof value === "bigint" ? 0n : value,
  ]);
  const texts = { clientOrderId: "", txid: "" };
  return { ...Object.fromEntries(small), ...texts, id } as T;
}

const MESSAGES = { order: UINT, balances: UINT, balance: UINT };
const COUNTS = { ordersCount: UINT, tradesCount: UINT, depositsCount: UINT };
const ACCOUNTS = times(CURRENCIES_MAX, () => ({ available: -BALANCE, locked: BALANCE }));
const ACCUMULATOR = {
  totalCredit: TURNOVER,
  totalDebit: TURNOVER,
  totalDebitFees: TURNOVER,
  totalCreditValue: WORTH,
  totalDebitValue: WORTH,
  averageBalancePrice: AVERAGE,
  totalBalanceValue: WORTH,
  isUnpriced: true,
};
const FIRST_CURRENCY = CURRENCIES_MAX - CURRENCIES_MAX % PNL_CURRENCIES_PER_ROW -
  PNL_CURRENCIES_PER_ROW;
const LEDGERS = times(PNL_CURRENCIES_MAX, (i) => ({
  currency: CURRENCIES_MAX - i,
  since: UINT,
  accumulators: new Map(
    times(PNL_CURRENCIES_PER_ROW, (one) => [FIRST_CURRENCY + one, ACCUMULATOR]),
  ),
}));
const CANDLE = {
  open: ORDER_TICKS_MAX,
  high: ORDER_TICKS_MAX,
  low: ORDER_TICKS_MAX,
  close: ORDER_TICKS_MAX,
  volume: TURNOVER,
  total: TURNOVER,
};
const START = CANDLES_PER_ROW * 60 * 2 ** 20;
const BENEFICIARY = {
  member: UINT,
  currency: CURRENCIES_MAX,
  state: "archived",
  addressDigest: "x".repeat(NAME_LENGTH),
  pinsSent: UINT,
  pinTries: UINT,
  pinSentAt: UINT,
  activatedAt: UINT,
  // Older programs wrote this field to rows that still exist.
  credentialsChangedAt: UINT,
  createdAt: UINT,
} as const;
const MARKET_RECORD = {
  market: MARKET,
  lastPrice: ORDER_TICKS_MAX,
  triggerLow: ORDER_TICKS_MAX,
  triggerHigh: ORDER_TICKS_MAX,
  tradesCount: UINT,
  // All orders of a request match before the next request.
  pending: times(ORDERS_PER_BULK_OVERRIDE_MAX, () => UINT),
};
const FEE = { market: UINT, group: wide(NAME_LENGTH), maker: UINT, taker: UINT };
const LIMIT = { level: 99, group: wide(NAME_LENGTH), limit24h: AMOUNT, limit1m: AMOUNT };

/** Returns the largest record of a member's funds. */
function fundsRecordOf(id: number): FundsRecord {
  const movement = { currency: CURRENCIES_MAX, gross: -BALANCE, fee: BALANCE };
  return {
    id,
    at: UINT,
    trades: UINT,
    acts: UINT,
    moved: { kind: "trade", of: UINT, movements: [movement, movement] },
    totals: new Map(times(CURRENCIES_MAX, (currency) => [currency, BALANCE])),
  };
}

function smallFundsOf(id: number): FundsRecord {
  return { id, at: 0, trades: 0, acts: 0, totals: new Map() };
}

/** Returns the largest rows of the histories. */
async function largestBlocks(): Promise<RowChange[]> {
  return [
    ...await blocks("member_orders", ORDER_CODEC, orderOf, (id) => smallOf(orderOf(id), id)),
    ...await blocks("member_trades", MEMBER_TRADE_CODEC, tradeOf, (id) => smallOf(tradeOf(id), id)),
    ...await blocks("market_trades", MARKET_TRADE_CODEC, tradeOf, (id) => smallOf(tradeOf(id), id)),
    ...await blocks("member_deposits", DEPOSIT_CODEC, moneyOf, (id) => smallOf(moneyOf(id), id)),
    ...(await blocks(
      "member_deposits",
      WITHDRAW_CODEC,
      withdrawOf,
      (id) => smallOf(withdrawOf(id), id),
    )).map((change) => ({ ...change, table: "member_withdraws" as const })),
    ...await blocks("member_funds", FUNDS_CODEC, fundsRecordOf, smallFundsOf),
  ];
}

/** Returns the largest rows that are neither histories nor read by a start. */
async function largestKept(): Promise<RowChange[]> {
  const rows = new MemoryRows();
  return [
    ...await filled(endedDepositsSheet(rows), numbered(MONEY_RECORDS_PER_ROW, moneyOf)),
    ...await filled(endedWithdrawsSheet(rows), numbered(MONEY_RECORDS_PER_ROW, withdrawOf)),
    {
      table: "deposit_names",
      place: depositNamePlace({
        currency: CURRENCIES_MAX,
        transaction: wide(TXID_LENGTH),
        output: UINT,
      }),
      bytes: writeRecordRow(UINT, UINT),
    },
    {
      table: "act_names",
      place: ["f".repeat(32)],
      bytes: writeRecordRow(UINT, { act: UINT, request: "f".repeat(32) }),
    },
    ...await filled(pnlSheet(rows), [[pnlRowName(2 ** 30, FIRST_CURRENCY), { ledgers: LEDGERS }]]),
    ...await filled(pairPricesSheet(rows), [[1, { first: WORTH, firstAt: UINT, last: WORTH }]]),
    ...await filled(pnlCurrenciesSheet(rows), [
      [0, times(PNL_CURRENCIES_MAX, () => ({ currency: CURRENCIES_MAX, since: UINT }))],
    ]),
    ...await filled(
      candlesSheet(rows),
      times(CANDLES_PER_ROW, (i) => [
        { market: UINT, period: 1, start: START + 60 * i },
        { ...CANDLE, start: START + 60 * i },
      ]),
    ),
  ];
}

/** Returns the largest rows that a start reads completely. */
async function largestState(): Promise<RowChange[]> {
  const rows = new MemoryRows();
  return [
    ...await filled(feesSheet(rows), [[FEE, FEE]]),
    ...await filled(currenciesSheet(rows), [[0, CURRENCY]]),
    ...await filled(withdrawLimitsSheet(rows), [[LIMIT, LIMIT]]),
    ...await filled(keysSheet(rows), numbered(KEYS_PER_ROW, (index) => ({ ...KEY, index }))),
    ...await filled(
      beneficiariesSheet(rows),
      numbered(BENEFICIARIES_PER_ROW, (id) => ({ ...BENEFICIARY, id })),
    ),
    ...await filled(
      membersSheet(rows),
      numbered(MEMBERS_PER_ROW, (index) => ({
        member: { ...MEMBER, index },
        accounts: ACCOUNTS,
        ...COUNTS,
        withdrawsCount: UINT,
        messages: MESSAGES,
        untraded: { day: UINT, count: UINT },
      })),
    ),
    ...await filled(marketsSheet(rows), [[0, MARKET_RECORD]]),
    ...await filled(openOrdersSheet(rows), numbered(OPEN_ORDERS_PER_ROW, orderOf)),
    ...await filled(openDepositsSheet(rows), numbered(MONEY_RECORDS_PER_ROW, moneyOf)),
    ...await filled(openWithdrawsSheet(rows), numbered(MONEY_RECORDS_PER_ROW, withdrawOf)),
  ];
}

describe("the largest row of each table", () => {
  it("fits into the store, together with its watermark", async () => {
    const watermark = {
      ...EMPTY_WATERMARK,
      pnlCurrencies: times(PNL_CURRENCIES_MAX, () => wide(NAME_LENGTH)),
    };
    const current = { value: watermark, versionstamp: null };
    const rows = [
      ...await largestBlocks(),
      ...await largestKept(),
      ...await largestState(),
    ];
    assertEquals(new Set(rows.map(({ table }) => table)), new Set(TABLES));
    const most = new Map<string, number>();
    for (const { table, place, bytes } of rows) {
      const key = rowKey(table, ...place);
      const commit = foldCommit(current, watermark, rowMutations({ key, bytes }));
      assertFits(commit);
      for (const { value } of commit.mutations) assert(valueBytes(value) <= VALUE_BYTES_MAX);
      most.set(table, Math.max(most.get(table) ?? 0, bytes?.length ?? 0));
    }
    // Only these tables are meant to have rows in several parts.
    const long = [...most].filter(([, bytes]) => bytes > VALUE_BYTES_MAX).map(([table]) => table);
    assertEquals(long, ["pnl", "members"]);
  });
});
