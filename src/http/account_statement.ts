/**
 * The statement of a member's account: all that has moved its funds, and what these were before and
 * after. What it reads is of one moment.
 */
import type { Currency } from "../domain/money/currency.ts";
import type { FundsRecord, Movement, MovementKind } from "../domain/money/funds.ts";
import { tradeMovements } from "../domain/money/funds.ts";
import { type MemberTrade, tradePlace } from "../domain/trading/trade_record.ts";
import type { AnyCall } from "./call.ts";
import type { CsvCell } from "./csv.ts";
import { definedFields } from "../edge/answer.ts";
import { byPosition } from "../edge/wire/listed_markets.ts";
import {
  type Position,
  type Statement,
  STATEMENT_PAGE,
  type StatementHistory,
} from "./statement.ts";
import { amountText, currencyId, isoSeconds } from "../edge/wire/wire.ts";
import type { FundsMoment, FundsPlace, FundsRange } from "../engine/engine.ts";

/** Columns of the statement of an account. */
export const ACCOUNT_COLUMNS = [
  "type",
  "id",
  "created_at",
  "currency",
  "gross",
  "fee",
  "net",
  "balance",
] as const;

/** The words for what moves funds. */
export const MOVEMENT_WORDS = {
  deposit: "Deposit",
  withdraw: "Withdraw",
  adjustment: "Adjustment",
  trade: "Trade",
} as const satisfies Record<MovementKind, string>;

/** One movement of one currency. */
export interface StatementLine extends Movement {
  readonly kind: MovementKind;
  /** Id of the trade, deposit, withdrawal or adjustment. */
  readonly of: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Grows within its history; no two lines have the same. */
  readonly line: number;
  /** Grows over both histories. */
  readonly order: number;
}

/** The funds of one currency before and after a statement, in ledger units. */
export interface StatementBalance {
  readonly currency: Currency;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** An account's statement over a range of times. */
export interface AccountStatement extends Statement<StatementLine> {
  /** When it begins (null: with the account) and ends, in ms. */
  readonly from: number | null;
  readonly to: number;
  /**
   * Returns the balances, by position of the currency: of the one that is asked for, or of those
   * that the member has at either end, and of these.
   */
  balances(moved: ReadonlySet<number>): readonly StatementBalance[];
  /** Number of records that the balances have taken. */
  readonly scanned: number;
}

/**
 * Returns the statement of a member's account as of now.
 *
 * @param range in ms; one that ends before it begins ends where it begins
 * @param currency index; undefined for all
 */
export async function accountStatement(
  call: AnyCall,
  member: number,
  { from, to: end }: FundsRange,
  currency: number | undefined,
): Promise<AccountStatement> {
  const { engine: { funds, venue }, fraction } = call;
  const moment = funds.now(member);
  const to = end === undefined ? undefined : Math.max(end, from ?? 0);
  const opening = from === undefined ? NOTHING : await funds.before(member, moment, from);
  const closing = await funds.before(member, moment, to ?? Infinity);
  const range = definedFields<FundsRange>({ from, to });
  return {
    from: from ?? null,
    to: Math.min(to ?? Infinity, moment.at),
    balances: (moved) => {
      const shown = new Set(
        currency === undefined
          ? [...nonzero(opening.totals), ...nonzero(closing.totals), ...moved]
          : [currency],
      );
      return venue.currencies.filter(({ index }) => shown.has(index)).sort(byPosition).map((
        one,
      ) => ({
        currency: one,
        opening: opening.totals.get(one.index) ?? 0n,
        closing: closing.totals.get(one.index) ?? 0n,
      }));
    },
    scanned: opening.scanned + closing.scanned,
    columns: ACCOUNT_COLUMNS,
    histories: movementHistories(call, member, moment, range),
    isMeant: (line) => currency === undefined || line.currency === currency,
    cells: (lines) =>
      Promise.resolve(lines.map(({ kind, of, at, currency, gross, fee }): CsvCell[] => [
        MOVEMENT_WORDS[kind],
        of,
        isoSeconds(at),
        currencyId(venue, currency),
        ...[gross, fee, gross - fee].map((units) => amountText(units, fraction)),
        null,
      ])),
  };
}

/** Returns all that has moved a member's funds: the lines of trades, and those of everything else. */
export function movementHistories(
  call: AnyCall,
  member: number,
  moment: FundsMoment,
  range: FundsRange,
): readonly [StatementHistory<StatementLine>, StatementHistory<StatementLine>] {
  return [
    historyOf(tradesReader(call, member, moment, range)),
    historyOf(movedReader(call, member, moment, range)),
  ];
}

/**
 * Returns the place behind which a position among these histories' lines is, and the position there:
 * a record with two lines may be half behind it.
 */
export function placeOf([trade = 0, other = 0]: Position): {
  readonly place: FundsPlace;
  readonly position: Position;
} {
  const place = {
    trade: Math.floor(trade / 2) / 2,
    record: Math.max(0, Math.floor((other - 1) / 2)),
  };
  return { place, position: [4 * place.trade, place.record === 0 ? 0 : 2 * place.record + 1] };
}

function nonzero(totals: ReadonlyMap<number, bigint>): number[] {
  return [...totals].flatMap(([currency, total]) => total === 0n ? [] : [currency]);
}

const NOTHING = { totals: new Map<number, bigint>(), scanned: 0 };

function historyOf(
  read: StatementHistory<StatementLine>["read"],
): StatementHistory<StatementLine> {
  return { read, id: ({ line }) => line, at: ({ at }) => at, order: ({ order }) => order };
}

/** Reads the lines of trades, of which each has two. */
function tradesReader(
  { engine }: AnyCall,
  member: number,
  { trades: last }: FundsMoment,
  range: FundsRange,
): StatementHistory<StatementLine>["read"] {
  return async (after, isFirst) => {
    // Of four lines for each id, the first two are those of a maker that is the taker too.
    const page = pageAfter(placeOf([after, 0]).place.trade);
    const { items } = await engine.trades(member, rangeFrom(range, isFirst), page);
    return items
      .filter(({ id }) => id <= last)
      .flatMap((trade) => tradeLines(trade, tradeMovements(trade, marketOf(engine, trade))))
      .filter(({ line }) => line > after);
  };
}

function marketOf({ venue }: AnyCall["engine"], { market }: MemberTrade) {
  return venue.book(market).market;
}

function tradeLines(trade: MemberTrade, movements: readonly Movement[]): StatementLine[] {
  const { at, id: of } = trade;
  const order = tradePlace(trade);
  return movements.map((movement, part) => (
    { ...movement, kind: "trade", of, at, line: 4 * order - 1 + part, order }
  ));
}

/** Reads the lines of everything else, nearly all of which have one. */
function movedReader(
  { engine: { funds } }: AnyCall,
  member: number,
  moment: FundsMoment,
  range: FundsRange,
): StatementHistory<StatementLine>["read"] {
  return async (after, isFirst) => {
    const page = pageAfter(placeOf([0, after]).place.record);
    const { items } = await funds.moved(member, moment, rangeFrom(range, isFirst), page);
    return items.flatMap(movedLines).filter(({ line }) => line > after);
  };
}

function movedLines({ id, at, trades, moved }: FundsRecord): StatementLine[] {
  const { kind, of, movements } = moved ?? NOT_MOVED;
  return movements.map((movement, part) => (
    // Behind both sides of the last trade, and before either side of the next.
    {
      ...movement,
      kind,
      of,
      at,
      line: 2 * id + 2 + part - movements.length,
      order: trades + 0.25,
    }
  ));
}

const NOT_MOVED = { kind: "adjustment", of: 0, movements: [] } as const;

function pageAfter(after: number) {
  return { offset: 0, limit: STATEMENT_PAGE, direction: "asc", after } as const;
}

/** Records after one that was taken cannot be older than the time range. */
function rangeFrom({ from, to }: FundsRange, isFirst: boolean): FundsRange {
  return definedFields<FundsRange>({ from: isFirst ? from : undefined, to });
}

/** Returns the lines with the balances that a statement opens or closes with at a time (ms). */
export function balanceLines(
  { fraction }: AnyCall,
  balances: readonly StatementBalance[],
  which: "opening" | "closing",
  at: number | null,
): CsvCell[][] {
  return balances.map((one) => [
    which === "opening" ? "Opening" : "Closing",
    null,
    at === null ? null : isoSeconds(at),
    one.currency.id,
    ...[null, null, null],
    amountText(one[which], fraction),
  ]);
}
