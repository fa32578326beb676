/** Statements of the member's orders, trades, deposits and withdrawals as CSV. */
import * as z from "zod";
import type { AnswerHeaders } from "../../edge/answer.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { ApiError, invalidField } from "../../edge/errors.ts";
import {
  CURRENCY_STATEMENT_QUERY,
  INVALID_CURSOR,
  MARKET_STATEMENT_QUERY,
  STATEMENT_LINES_MAX,
} from "../../edge/schemas/statements.ts";
import {
  measureStatement,
  parsePosition,
  type Position,
  positionText,
  startOf,
  type Statement,
  statementStream,
} from "../statement.ts";
import { ofAccount } from "../endpoint_parts.ts";
import { NEXT_CURSOR } from "../../edge/schemas/lists.ts";
import { currencyIndex, NO_CURRENCY } from "./account_currency.ts";
import { marketIndexes, NO_MARKET } from "../../edge/filters.ts";
import {
  ORDER_COLUMNS,
  orderStatement,
  type StatementCall,
  TRADE_COLUMNS,
  tradeStatement,
  TRANSACTION_COLUMNS,
  transactionStatement,
} from "./member_statements.ts";

const NO_TRADING = "market.trade.not_permitted";

type MarketCall = QueryCall<typeof MARKET_STATEMENT_QUERY>;
type CurrencyCall = QueryCall<typeof CURRENCY_STATEMENT_QUERY>;

/** The part of a statement that one answer has. */
export interface AnsweredPart {
  readonly after: Position;
  readonly end: Position | null;
  readonly hasMore: boolean;
  readonly headers: AnswerHeaders;
}

/**
 * Finds the part of a statement that a call asks for, and takes what reading it costs.
 *
 * @param onLine called with each of its records
 */
export async function answeredPart<T>(
  call: StatementCall,
  statement: Statement<T>,
  onLine?: (record: T) => void,
): Promise<AnsweredPart> {
  const { after: cursor, limit } = call.query;
  const after = cursor === undefined ? startOf(statement) : parsePosition(statement, cursor);
  if (after === null) throw invalidField(INVALID_CURSOR, "after", cursor);
  const { end, hasMore, scanned } = await measureStatement(statement, after, limit, onLine);
  // They are read once more when they are sent.
  call.chargeRecords(2 * scanned);
  const headers: AnswerHeaders = hasMore && end !== null
    ? { [NEXT_CURSOR]: positionText(end) }
    : {};
  return { after, end, hasMore, headers };
}

/** Answers with a part of a statement. */
export async function sendStatement<T>(
  call: StatementCall,
  name: string,
  statement: Statement<T>,
): Promise<Response> {
  const { after, end, headers } = await answeredPart(call, statement);
  return call.csv(`${name}.csv`, statementStream(statement, after, end), headers);
}

function sendTrades(call: MarketCall): Promise<Response> {
  const { venue } = call.engine;
  const { member } = venue.holder(call.caller.member);
  if (member.level < venue.levels.trading) throw new ApiError(403, NO_TRADING);
  const markets = marketIndexes(venue, { market: call.query.market });
  return sendStatement(call, "trades", tradeStatement(call, call.caller.member, markets));
}

function sendOrders(call: MarketCall): Promise<Response> {
  const markets = marketIndexes(call.engine.venue, { market: call.query.market });
  return sendStatement(call, "orders", orderStatement(call, call.caller.member, markets));
}

async function sendTransactions(call: CurrencyCall): Promise<Response> {
  const currency = await currencyIndex(call, call.query.currency);
  return await sendStatement(
    call,
    "transactions",
    transactionStatement(call, call.caller.member, currency),
  );
}

/** What all statements have in common. */
export const STATEMENT_DESCRIPTION =
  `Oldest first, with a header line. If a response is incomplete, \`${NEXT_CURSOR}\` says ` +
  "where to continue: repeat the request with it as `after` until the header is absent. A " +
  "statement continued in this way contains each record once, whatever happens in between. " +
  "Wherever a text would start a formula in a spreadsheet, `'` is put before it.";

/** Returns the answer of a statement with these columns. */
export function statementAnswer(columns: readonly string[], line: string): Endpoint["answer"] {
  return {
    status: 200,
    description: `CSV (RFC 4180), at most ${STATEMENT_LINES_MAX} lines.`,
    mediaType: "text/csv",
    schema: z.string(),
    example: `${columns.join(",")}\r\n${line}\r\n`,
    headers: {
      [NEXT_CURSOR]: "Where to continue; absent in the last response.",
      "Content-Disposition": "File name.",
    },
  };
}

const STATEMENT = {
  method: "GET",
  ...ofAccount("read"),
  description: STATEMENT_DESCRIPTION,
} as const;

/** Returns the path of a member's own statement. */
export function statementPaths(name: string): readonly [string] {
  return [`/api/v2/backend/account/statements/${name}.csv`];
}

/** Endpoints of statements. */
export const STATEMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...STATEMENT,
    id: "sendTradeStatement",
    paths: statementPaths("trades"),
    summary: "Download a statement of your trades",
    description:
      `${STATEMENT_DESCRIPTION} A trade with yourself (\`self_trade_prevention\` \`none\`) has two lines ` +
      "with one id, one for each of its orders, so that a statement adds up to the balances.",
    query: MARKET_STATEMENT_QUERY,
    answer: statementAnswer(
      TRADE_COLUMNS,
      "1834499,2020-03-02T10:51:00Z,btcusdt,buy,maker,9120.0,0.05,456.0,0.002,btc,0.05,0.0001,0.0499,10440269",
    ),
    errors: { 403: [NO_TRADING], 422: [NO_MARKET] },
    handle: sendTrades,
  }),
  endpoint({
    ...STATEMENT,
    id: "sendOrderStatement",
    paths: statementPaths("orders"),
    summary: "Download a statement of your orders",
    query: MARKET_STATEMENT_QUERY,
    answer: statementAnswer(
      ORDER_COLUMNS,
      "10440269,b436163d-5c73-81ea-be71-1831bf9834b0,my-1,2020-03-02T10:51:00Z,2020-03-02T10:51:00Z,btcusdt,buy," +
        "limit,gtc,wait,9120.0,,9120.0,0.25,0.2,0.05,1,456.0,0.0001,btc",
    ),
    errors: { 422: [NO_MARKET] },
    handle: sendOrders,
  }),
  endpoint({
    ...STATEMENT,
    id: "sendTransactionStatement",
    paths: statementPaths("transactions"),
    summary: "Download a statement of your deposits and withdrawals",
    description:
      `${STATEMENT_DESCRIPTION} \`gross\` is what was locked or has arrived, \`net\` what is ` +
      "left of it behind the `fee`; `reverses` names the line whose money was taken or came back, " +
      "by its `type` and `id`. Balance adjustments have a list of their own.",
    levels: ["deposit", "withdraw"],
    query: CURRENCY_STATEMENT_QUERY,
    answer: statementAnswer(
      TRANSACTION_COLUMNS,
      "Deposit,2041,2020-03-02T10:51:00Z,2020-03-02T10:52:10Z,btc,0.5,0.0,0.5,collected,1,5b1d6c8e," +
        "sandbox-btc-4be1d0,,,",
    ),
    errors: { 422: [NO_CURRENCY] },
    handle: sendTransactions,
  }),
];
