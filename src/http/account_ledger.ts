/** The ledger of a member's account: each change of a balance, with the balance that it has led to. */
import { tradePlace } from "../domain/trading/trade_record.ts";
import { definedFields } from "../edge/answer.ts";
import type { FundsMoment, FundsRange, FundsThen } from "../engine/engine.ts";
import { movementHistories, placeOf, type StatementLine } from "./account_statement.ts";
import type { AnyCall } from "./call.ts";
import { type Position, STATEMENT_SCAN_MAX, walk } from "./statement.ts";

/** A change of a balance. */
export interface LedgerLine extends StatementLine {
  /** Names the line, however it is read; the ledger can be continued behind it. */
  readonly id: string;
  /** What the account has of the currency behind it, available and locked, in ledger units. */
  readonly balance: bigint;
}

/** A part of a ledger, oldest first. */
export interface LedgerPart {
  readonly lines: readonly LedgerLine[];
  /** Where the next part continues; null if there is none. */
  readonly next: string | null;
  /** Number of records looked at. */
  readonly scanned: number;
}

/** A line's history, that of trades or that of everything else, and its place there. */
export interface LinePlace {
  readonly history: "t" | "m";
  readonly line: number;
}

/** What is asked of a ledger. */
export interface LedgerRequest {
  /** Times in ms. */
  readonly range: FundsRange;
  /** Index of the only currency that is meant; undefined for all. */
  readonly currency: number | undefined;
  /** The line behind which it begins; null for the beginning. */
  readonly after: LinePlace | null;
  readonly limit: number;
}

/** Records that are looked at at once for the last one before a trade. */
const RECORDS_PER_READ = 50;

/** Parses a line's id; null if it is none. */
export function parseLineId(text: string): LinePlace | null {
  const [, history, line] = /^([tm])(\d{1,15})$/.exec(text) ?? [];
  return line === undefined ? null : { history: history as "t" | "m", line: Number(line) };
}

function lineId({ history, line }: LinePlace): string {
  return `${history}${line}`;
}

/** Returns a part of a member's ledger as of now. */
export async function readLedger(
  call: AnyCall,
  member: number,
  { range, currency, after, limit }: LedgerRequest,
): Promise<LedgerPart> {
  const moment = call.engine.funds.now(member);
  const behind = after === null ? null : await positionBehind(call, member, moment, after);
  const start = behind === null ? null : placeOf(behind);
  const opening = await openingOf(call, member, moment, range, start?.place ?? null);
  const totals = new Map(opening.totals);
  const histories = movementHistories(call, member, moment, definedFields(range));
  const lines: LedgerLine[] = [];
  let scanned = opening.scanned;
  let last: string | null = null;
  let before: Position = start?.position ?? [0, 0];
  for await (const { record, position } of walk({ histories }, before, null)) {
    const isFull = lines.length === limit || scanned - opening.scanned >= STATEMENT_SCAN_MAX;
    if (isFull && last !== null) return { lines, next: last, scanned };
    scanned += 1;
    const history = position[0] === before[0] ? "m" : "t";
    before = position;
    const balance = (totals.get(record.currency) ?? 0n) + record.gross - record.fee;
    totals.set(record.currency, balance);
    // The first line of a record whose second one comes next.
    if (behind !== null && position.every((line, i) => line <= (behind[i] ?? 0))) continue;
    last = lineId({ history, line: record.line });
    if (currency !== undefined && record.currency !== currency) continue;
    lines.push({ ...record, id: last, balance });
  }
  return { lines, next: null, scanned };
}

/** Returns the position behind a line: which lines of the other history come before it. */
async function positionBehind(
  { engine }: AnyCall,
  member: number,
  moment: FundsMoment,
  { history, line }: LinePlace,
): Promise<Position> {
  const first = { offset: 0, limit: 1, direction: "asc" } as const;
  if (history === "m") {
    const page = { ...first, after: Math.max(0, Math.floor(line / 2) - 1) };
    const { items: [record] } = await engine.funds.moved(member, moment, {}, page);
    return [4 * (record?.trades ?? moment.trades), line];
  }
  const place = Math.ceil(line / 2) / 2;
  const page = { ...first, after: place - 0.5 };
  const { items: [trade] } = await engine.trades(member, {}, page);
  const to = trade === undefined ? Infinity : trade.at + 1;
  const isBefore = trade === undefined ? Infinity : tradePlace(trade);
  const newest = { limit: RECORDS_PER_READ, direction: "desc" } as const;
  for (let offset = 0;; offset += RECORDS_PER_READ) {
    const range = to === Infinity ? {} : { to };
    const { items } = await engine.funds.moved(member, moment, range, { ...newest, offset });
    const record = items.find(({ trades }) => trades < isBefore);
    if (record !== undefined) return [line, 2 * record.id + 1];
    if (items.length < RECORDS_PER_READ) return [line, 0];
  }
}

async function openingOf(
  { engine: { funds } }: AnyCall,
  member: number,
  moment: FundsMoment,
  { from }: FundsRange,
  place: ReturnType<typeof placeOf>["place"] | null,
): Promise<FundsThen> {
  if (place !== null) return await funds.at(member, moment, place);
  if (from === undefined) return { totals: new Map(), scanned: 0 };
  return await funds.before(member, moment, from);
}
