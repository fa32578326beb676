/** The statements of a member: their columns, and the histories that they read. */
import { present } from "../../domain/assert.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import { parseDecimal } from "../../domain/money/money.ts";
import { type MemberTrade, tradePlace } from "../../domain/trading/trade_record.ts";
import type { Order } from "../../domain/trading/order.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { Page, PageRequest, Transaction } from "../../engine/engine.ts";
import { recordOf } from "../../engine/read/transaction_order.ts";
import type { Call } from "../call.ts";
import { type CsvCell, freeText } from "../csv.ts";
import { definedFields } from "../../edge/answer.ts";
import type { StatementQuery } from "../../edge/schemas/statements.ts";
import { type Statement, STATEMENT_PAGE, type StatementHistory } from "../statement.ts";
import {
  amountText,
  type Fraction,
  isoSeconds,
  memberTradeJson,
  orderJson,
} from "../../edge/wire/wire.ts";
import { msOf } from "../../edge/filters.ts";
import { transactionsJson } from "./transactions.ts";

/** A call for a statement. */
export type StatementCall = Call<StatementQuery>;

/** Columns of trades. */
export const TRADE_COLUMNS = [
  "id",
  "created_at",
  "market",
  "side",
  "liquidity",
  "price",
  "amount",
  "total",
  "fee_rate",
  "currency",
  "gross",
  "fee",
  "net",
  "order_id",
] as const;

/** Columns of orders. */
export const ORDER_COLUMNS = [
  "id",
  "uuid",
  "client_order_id",
  "created_at",
  "updated_at",
  "market",
  "side",
  "ord_type",
  "time_in_force",
  "state",
  "price",
  "trigger_price",
  "avg_price",
  "origin_volume",
  "remaining_volume",
  "executed_volume",
  "trades_count",
  "executed_total",
  "fee",
  "fee_currency",
] as const;

/** Columns of deposits and withdrawals. */
export const TRANSACTION_COLUMNS = [
  "type",
  "id",
  "created_at",
  "updated_at",
  "currency",
  "gross",
  "fee",
  "net",
  "state",
  "confirmations",
  "txid",
  "address",
  "note",
  "reverses",
  "network",
] as const;

/**
 * Returns the `read` of a history that the engine lists by id. The statement filters the records
 * itself, because the engine stops a search for rare matches at a limit.
 *
 * @param lastId the highest id as of now: later records could stand beside others that are missing
 */
function readerOf<T extends { readonly id: number }>(
  query: StatementQuery,
  list: (
    range: { readonly from?: number; readonly to?: number },
    page: PageRequest,
  ) => Promise<Page<T>>,
  lastId: number,
): StatementHistory<T>["read"] {
  const [from, to] = [msOf(query.time_from), msOf(query.time_to)];
  return async (after, isFirst) => {
    // Records after one that was taken cannot be older than the time range.
    const range = definedFields({ from: isFirst ? from : undefined, to });
    const page = { offset: 0, limit: STATEMENT_PAGE, direction: "asc", after } as const;
    return (await list(range, page)).items.filter(({ id }) => id <= lastId);
  };
}

/** Returns the statement of a member's trades. */
export function tradeStatement(
  call: StatementCall,
  member: number,
  markets: ReadonlySet<number> | undefined,
): Statement<MemberTrade> {
  const { engine, fraction, query } = call;
  return {
    columns: TRADE_COLUMNS,
    histories: [{
      read: readerOf(
        query,
        (range, page) => engine.trades(member, range, page),
        engine.venue.counters.trades,
      ),
      id: tradePlace,
      at: ({ at }) => at,
    }],
    isMeant: ({ market }) => markets === undefined || markets.has(market),
    cells: (trades) =>
      Promise.resolve(trades.map((trade) => {
        const json = memberTradeJson(engine.venue, trade, fraction);
        const gross = trade.side === "buy" ? json.amount : json.total;
        const cells = {
          ...json,
          fee_rate: json.fee,
          currency: json.fee_currency,
          gross,
          fee: json.fee_amount,
          net: netText(gross, json.fee_amount, fraction),
        };
        return TRADE_COLUMNS.map((column) => cells[column]);
      })),
  };
}

/** Returns what is left of an amount behind a fee. */
function netText(gross: string, fee: string, fraction: Fraction): string {
  const units = (text: string) => present(parseDecimal(text), "an amount is a number");
  return amountText(units(gross) - units(fee), fraction);
}

/** Returns the statement of a member's orders in their current state. */
export function orderStatement(
  call: StatementCall,
  member: number,
  markets: ReadonlySet<number> | undefined,
): Statement<Order> {
  const { engine, fraction, query } = call;
  return {
    columns: ORDER_COLUMNS,
    histories: [{
      read: readerOf(
        query,
        (range, page) => engine.orders(member, range, page),
        engine.venue.counters.orders,
      ),
      id: ({ id }) => id,
      at: ({ createdAt }) => createdAt,
    }],
    isMeant: ({ market }) => markets === undefined || markets.has(market),
    cells: (orders) =>
      Promise.resolve(orders.map((order) => {
        const json = orderJson(engine, order, fraction);
        const [fee] = Object.entries(json.fees ?? {});
        const cells = {
          ...json,
          client_order_id: freeText(json.client_order_id),
          created_at: isoSeconds(order.createdAt),
          updated_at: isoSeconds(order.updatedAt),
          fee: fee?.[1] ?? null,
          fee_currency: fee?.[0] ?? null,
        };
        return ORDER_COLUMNS.map((column) => cells[column]);
      })),
  };
}

/**
 * Returns the statement of deposits and withdrawals in their current state.
 *
 * @param member index; undefined for those of all members, with their uids
 */
export function transactionStatement(
  call: StatementCall,
  member: number | undefined,
  currency: number | undefined,
): Statement<Transaction> {
  const { engine, query } = call;
  const last = engine.venue.counters;
  const deposits = readerOf(
    query,
    (range, page) =>
      member === undefined ? engine.allDeposits(range, page) : engine.deposits(member, range, page),
    last.deposits,
  );
  const withdraws = readerOf(
    query,
    (range, page) =>
      member === undefined
        ? engine.allWithdraws(range, page)
        : engine.withdraws(member, range, page),
    last.withdraws,
  );
  const reads: StatementHistory<Transaction>["read"][] = [
    async (...from) => (await deposits(...from)).map((deposit) => ({ deposit })),
    async (...from) => (await withdraws(...from)).map((withdraw) => ({ withdraw })),
  ];
  return {
    columns: member === undefined ? ["uid", ...TRANSACTION_COLUMNS] : TRANSACTION_COLUMNS,
    histories: reads.map((read) => ({
      read,
      id: (one) => recordOf(one).id,
      at: (one) => recordOf(one).createdAt,
    })),
    isMeant: (one) => currency === undefined || recordOf(one).currency === currency,
    cells: async (transactions) => {
      const lines = await transactionCells(call, transactions);
      if (member !== undefined) return lines;
      return lines.map((line, place) => [uidOf(call, transactions[place]), ...line]);
    },
  };
}

function uidOf({ engine }: StatementCall, transaction: Transaction | undefined): string {
  return engine.venue.holder(recordOf(present(transaction, "a line has one")).member).member.uid;
}

/** Returns what a deposit takes back, named as the lines of statements are. */
function reversedText(record: Deposit | Withdraw): string | null {
  const { reverses } = "reverses" in record ? record : {};
  if (reverses === undefined) return null;
  return `${reverses.type === "deposit" ? "Deposit" : "Withdraw"} ${reverses.id}`;
}

async function transactionCells(
  call: StatementCall,
  transactions: readonly Transaction[],
): Promise<CsvCell[][]> {
  const rows = await transactionsJson(call, transactions);
  return transactions.map((transaction, place) => {
    const json = rows[place];
    if (json === undefined) throw new TypeError("A transaction has no line");
    const cells: Record<typeof TRANSACTION_COLUMNS[number], CsvCell> = {
      ...json,
      id: recordOf(transaction).id,
      gross: amountText(recordOf(transaction).amount, call.fraction),
      net: json.amount,
      confirmations: json.confirmations ?? null,
      txid: freeText(json.txid),
      address: freeText(json.address),
      note: freeText(json.note),
      reverses: reversedText(recordOf(transaction)),
      network: json.network ?? null,
    };
    return TRANSACTION_COLUMNS.map((column) => cells[column]);
  });
}
