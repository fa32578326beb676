/** The statement of an account, as its member and operators read it: as JSON, and as CSV. */
import type * as z from "zod";
import {
  ACCOUNT_COLUMNS,
  type AccountStatement,
  accountStatement,
  balanceLines,
  MOVEMENT_WORDS,
  type StatementBalance,
  type StatementLine,
} from "../account_statement.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../../edge/answer.ts";
import { backendPaths, NOT_FOUND, ofAccount, ofOperators, ok } from "../endpoint_parts.ts";
import { msOf } from "../../edge/filters.ts";
import {
  ACCOUNT_STATEMENT,
  ACCOUNT_STATEMENT_EXAMPLE,
  ACCOUNT_STATEMENT_QUERY,
  CURRENCY_STATEMENT_QUERY,
} from "../../edge/schemas/statements.ts";
import { NEXT_CURSOR } from "../../edge/schemas/lists.ts";
import { statementRecords, statementStream } from "../statement.ts";
import { amountText, currencyId, isoSeconds } from "../../edge/wire/wire.ts";
import { currencyIndex, NO_CURRENCY } from "./account_currency.ts";
import { holderOf } from "./admin/admin_members.ts";
import {
  type AnsweredPart,
  answeredPart,
  STATEMENT_DESCRIPTION,
  statementAnswer,
  statementPaths,
} from "./statements.ts";

type StatementCall = QueryCall<typeof CURRENCY_STATEMENT_QUERY>;

/** Returns whose statement a call asks for. */
type OwnerOf = (call: StatementCall) => number;

const ownOf: OwnerOf = ({ caller }) => caller.member;
const namedOf: OwnerOf = (call) => holderOf(call).member.index;

/** What is answered of a statement. */
interface Answered extends AnsweredPart {
  readonly statement: AccountStatement;
  readonly balances: readonly StatementBalance[];
}

async function answered(call: StatementCall, member: number): Promise<Answered> {
  const { query } = call;
  const currency = await currencyIndex(call, query.currency);
  const range = definedFields({ from: msOf(query.time_from), to: msOf(query.time_to) });
  const statement = await accountStatement(call, member, range, currency);
  call.chargeRecords(statement.scanned);
  const moved = new Set<number>();
  const part = await answeredPart(call, statement, (line) => moved.add(line.currency));
  return { ...part, statement, balances: statement.balances(moved) };
}

function sendCsv(ownerOf: OwnerOf): (call: StatementCall) => Promise<Response> {
  return async (call) => {
    const { after, end, hasMore, headers, statement, balances } = await answered(
      call,
      ownerOf(call),
    );
    const isFirst = call.query.after === undefined;
    const frame = {
      first: isFirst ? balanceLines(call, balances, "opening", statement.from) : [],
      last: hasMore ? [] : balanceLines(call, balances, "closing", statement.to),
    };
    return call.csv("account.csv", statementStream(statement, after, end, frame), headers);
  };
}

function sendJson(ownerOf: OwnerOf): (call: StatementCall) => Promise<Response> {
  return async (call) => {
    const { after, end, headers, statement, balances } = await answered(call, ownerOf(call));
    const lines = await Array.fromAsync(statementRecords(statement, after, end));
    const { fraction } = call;
    const { from, to } = statement;
    const json: z.infer<typeof ACCOUNT_STATEMENT> = {
      time_from: from === null ? null : isoSeconds(from),
      time_to: isoSeconds(to),
      balances: balances.map(({ currency, opening, closing }) => ({
        currency: currency.id,
        opening: amountText(opening, fraction),
        closing: amountText(closing, fraction),
      })),
      movements: lines.map((line) => lineJson(call, line)),
    };
    return call.json(200, json, headers);
  };
}

function lineJson(
  { engine: { venue }, fraction }: StatementCall,
  { kind, of, at, currency, gross, fee }: StatementLine,
): z.infer<typeof ACCOUNT_STATEMENT>["movements"][number] {
  return {
    type: MOVEMENT_WORDS[kind],
    id: of,
    created_at: isoSeconds(at),
    currency: currencyId(venue, currency),
    gross: amountText(gross, fraction),
    fee: amountText(fee, fraction),
    net: amountText(gross - fee, fraction),
  };
}

const BALANCES =
  "What the account had when `time_from` began and when `time_to` did, available and locked " +
  "together, and in between all that has changed it, when it did: each trade with a line for " +
  "either currency, deposits, withdrawals, reversals and adjustments. Opening balance and `net` of " +
  "all lines add up to the closing balance, exactly. A coin's deposit comes in when it is accepted, " +
  "and its fee is taken when it is collected; a withdrawal leaves once it has succeeded. Everything " +
  "in a response is of one moment; where `time_to` is not over, the last response has the closing " +
  "balances of its own.";
const CSV_DESCRIPTION = `${BALANCES} Lines of the type \`Opening\` come first and those of the ` +
  "type `Closing` last, one for each currency, with a `balance`; of a currency without there was " +
  `nothing. ${STATEMENT_DESCRIPTION}`;
const JSON_DESCRIPTION =
  `${BALANCES} If a response lacks movements, \`${NEXT_CURSOR}\` says where to continue: repeat the ` +
  "request with it as `after` until the header is absent.";

const JSON_ANSWER = {
  ...ok("The statement.", ACCOUNT_STATEMENT, ACCOUNT_STATEMENT_EXAMPLE),
  headers: { [NEXT_CURSOR]: "Where to continue; absent in the last response." },
};
const CSV_ANSWER = statementAnswer(
  ACCOUNT_COLUMNS,
  "Opening,,2020-03-01T00:00:00Z,btc,,,,1.5\r\n" +
    "Deposit,2041,2020-03-02T10:51:00Z,btc,0.5,0.0001,0.4999,\r\n" +
    "Closing,,2020-04-01T00:00:00Z,btc,,,,1.9999",
);
const AS_JSON = {
  method: "GET",
  description: JSON_DESCRIPTION,
  query: ACCOUNT_STATEMENT_QUERY,
  answer: JSON_ANSWER,
} as const;
const AS_CSV = {
  method: "GET",
  description: CSV_DESCRIPTION,
  query: CURRENCY_STATEMENT_QUERY,
  answer: CSV_ANSWER,
} as const;
const ERRORS = { 422: [NO_CURRENCY] };
const MEMBER_PATH = "/api/v2/admin/members/{uid}";

/** Endpoints of the statement of an account. */
export const ACCOUNT_STATEMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...AS_JSON,
    ...ofAccount("read"),
    id: "readAccountStatement",
    paths: backendPaths("account/statement"),
    summary: "Read the statement of your account, with opening and closing balances",
    errors: ERRORS,
    handle: sendJson(ownOf),
  }),
  endpoint({
    ...AS_CSV,
    ...ofAccount("read"),
    id: "sendAccountStatement",
    paths: statementPaths("account"),
    summary: "Download the statement of your account, with opening and closing balances",
    errors: ERRORS,
    handle: sendCsv(ownOf),
  }),
  endpoint({
    ...AS_JSON,
    ...ofOperators("viewer"),
    id: "readMemberStatement",
    paths: [`${MEMBER_PATH}/statement`],
    summary: "Read the statement of a member's account, with opening and closing balances",
    errors: { ...NOT_FOUND, ...ERRORS },
    handle: sendJson(namedOf),
  }),
  endpoint({
    ...AS_CSV,
    ...ofOperators("viewer"),
    id: "exportMemberStatement",
    paths: [`${MEMBER_PATH}/statements/account.csv`],
    summary: "Download the statement of a member's account, with opening and closing balances",
    errors: { ...NOT_FOUND, ...ERRORS },
    handle: sendCsv(namedOf),
  }),
];
