/** Rows other than histories as bytes. Each begins with its format and the sequence it reflects. */
import type { Account } from "../../domain/money/account.ts";
import { assert } from "../../domain/assert.ts";
import type { Candle } from "../../domain/trading/candle.ts";
import type { Market } from "../../domain/trading/market.ts";
import type { Member } from "../../domain/people/member.ts";
import { type MessageCounts, noMessages } from "../../domain/message_counts.ts";
import { noUntradedOrders, type UntradedOrders } from "../../domain/trading/untraded_orders.ts";
import { ByteReader } from "../byte_reader.ts";
import { ByteWriter } from "../byte_writer.ts";
import { type Renewal, renewed } from "../older_records.ts";
import { checkFormat, ROW_FORMAT } from "../stored_formats.ts";
import type { Trade } from "../../domain/event.ts";

/** Open orders that share a row. */
export const OPEN_ORDERS_PER_ROW = 16;
/** Deposits or withdrawals that share a row, by their ids. */
export const MONEY_RECORDS_PER_ROW = 16;
/** Beneficiaries that share a row. */
export const BENEFICIARIES_PER_ROW = 16;
/** Members that share a row. */
export const MEMBERS_PER_ROW = 16;
/** Keys that share a row. */
export const KEYS_PER_ROW = 16;
/** Candles that share a row. */
export const CANDLES_PER_ROW = 64;

/** A row's value, and the sequence that it reflects. */
export interface Row<T> {
  readonly sequence: number;
  readonly value: T;
}

/** What a row stores of a member. */
export interface HolderRecord {
  member: Member;
  readonly accounts: (Account | undefined)[];
  ordersCount: number;
  tradesCount: number;
  depositsCount: number;
  withdrawsCount: number;
  readonly messages: MessageCounts;
  readonly untraded: UntradedOrders;
}

/** What a row stores of a market besides its resting orders. */
export interface MarketRecord {
  market: Market;
  lastPrice: number;
  triggerLow: number;
  triggerHigh: number;
  tradesCount: number;
  /** Ids of the orders that wait for their turn to match. */
  pending: number[];
}

/** Writes a row of plain records as JSON: for what is small and changes rarely. */
export function writeRecordRow(sequence: number, value: unknown): Uint8Array<ArrayBuffer> {
  const writer = startRow(sequence);
  writer.record(value);
  return writer.take();
}

/** Reads what {@linkcode writeRecordRow} wrote. */
export function readRecordRow<T>(bytes: Uint8Array): Row<T> {
  return readRecord<T>(bytes).row;
}

/** Reads a row of items that meant something else in older rows. */
export function readRenewedRow<T>(
  bytes: Uint8Array,
  renewals: readonly Renewal<T>[],
): Row<T[]> {
  const { format, row } = readRecord<T[]>(bytes);
  return { ...row, value: row.value.map((item) => renewed("row", format, item, renewals)) };
}

function readRecord<T>(bytes: Uint8Array): { format: number; row: Row<T> } {
  const { format, reader, sequence } = openRow(bytes);
  const value = reader.record<T>();
  assert(reader.isAtEnd, "a row of records holds its records and nothing else");
  return { format, row: { sequence, value } };
}

/** Reads the items of rows of plain records. */
export function itemsOf<T>(
  rows: readonly Uint8Array[],
  renewals: readonly Renewal<T>[] = [],
): T[] {
  return rows.flatMap((row) => readRenewedRow(row, renewals).value);
}

/** Writes a row of members with their balances. */
export function writeMembersRow(
  sequence: number,
  holders: readonly HolderRecord[],
): Uint8Array<ArrayBuffer> {
  const writer = startRow(sequence);
  writer.uint(holders.length);
  for (const holder of holders) {
    writer.record(holder.member);
    writer.uint(holder.ordersCount);
    writer.uint(holder.tradesCount);
    writer.uint(holder.depositsCount);
    writer.uint(holder.withdrawsCount);
    writer.uint(holder.messages.order);
    writer.uint(holder.messages.balances);
    writer.uint(holder.messages.balance);
    writer.uint(holder.untraded.day);
    writer.uint(holder.untraded.count);
    writer.uint(holder.accounts.length);
    for (let currency = 0; currency < holder.accounts.length; currency++) {
      writer.bigint(holder.accounts[currency]?.available ?? 0n);
      writer.bigint(holder.accounts[currency]?.locked ?? 0n);
    }
  }
  return writer.take();
}

/** Reads what {@linkcode writeMembersRow} wrote. */
export function readMembersRow(bytes: Uint8Array): Row<HolderRecord[]> {
  const { format, reader, sequence } = openRow(bytes);
  const value: HolderRecord[] = [];
  for (let count = reader.uint(); count > 0; count--) {
    const member = reader.record<Member>();
    const ordersCount = reader.uint();
    const tradesCount = reader.uint();
    const depositsCount = reader.uint();
    const withdrawsCount = reader.uint();
    const messages = noMessages();
    messages.order = reader.uint();
    messages.balances = reader.uint();
    messages.balance = reader.uint();
    const untraded = noUntradedOrders();
    if (format >= 3) {
      untraded.day = reader.uint();
      untraded.count = reader.uint();
    }
    const accounts: Account[] = [];
    for (let accountsLeft = reader.uint(); accountsLeft > 0; accountsLeft--) {
      accounts.push({ available: reader.bigint(), locked: reader.bigint() });
    }
    const counts = { ordersCount, tradesCount, depositsCount, withdrawsCount };
    value.push({ member, accounts, ...counts, messages, untraded });
  }
  assert(reader.isAtEnd, "a members row holds its members and nothing else");
  return { sequence, value };
}

/** Writes a row of candles of one market and period. */
export function writeCandlesRow(
  sequence: number,
  candles: readonly Candle[],
): Uint8Array<ArrayBuffer> {
  const writer = startRow(sequence);
  writer.uint(candles.length);
  for (const candle of candles) {
    writer.uint(candle.start);
    writer.uint(candle.open);
    writer.uint(candle.high);
    writer.uint(candle.low);
    writer.uint(candle.close);
    writer.natural(candle.volume);
    writer.bigint(candle.total);
  }
  return writer.take();
}

/** Reads what {@linkcode writeCandlesRow} wrote. */
export function readCandlesRow(bytes: Uint8Array): Row<Candle[]> {
  const { reader, sequence } = openRow(bytes);
  const value: Candle[] = [];
  for (let count = reader.uint(); count > 0; count--) {
    value.push({
      start: reader.uint(),
      open: reader.uint(),
      high: reader.uint(),
      low: reader.uint(),
      close: reader.uint(),
      volume: reader.natural(),
      total: reader.bigint(),
    });
  }
  assert(reader.isAtEnd, "a candles row holds its candles and nothing else");
  return { sequence, value };
}

/** Returns a writer that has written what every row begins with. */
export function startRow(sequence: number): ByteWriter {
  const writer = new ByteWriter();
  writer.byte(ROW_FORMAT);
  writer.uint(sequence);
  return writer;
}

/**
 * Reads what every row begins with.
 *
 * @throws {NewerFormatError} if a newer version of the program wrote it
 */
export function openRow(
  bytes: Uint8Array,
): { format: number; reader: ByteReader; sequence: number } {
  const reader = new ByteReader(bytes);
  const format = reader.byte();
  checkFormat("A row", format, ROW_FORMAT);
  return { format, reader, sequence: reader.uint() };
}

/** Returns what a row holds of a market without trades. */
export function emptyMarket(): Omit<MarketRecord, "market"> {
  return { lastPrice: 0, triggerLow: 0, triggerHigh: 0, tradesCount: 0, pending: [] };
}

/** Applies a trade to the record. */
export function noteTrade(market: MarketRecord, { price }: Trade): MarketRecord {
  market.lastPrice = price;
  market.triggerLow = market.triggerLow === 0 ? price : Math.min(market.triggerLow, price);
  market.triggerHigh = Math.max(market.triggerHigh, price);
  market.tradesCount += 1;
  return market;
}
