/** The ledger of an account, as its member and operators read it: as JSON, and as CSV. */
import * as z from "zod";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { csvLine } from "../csv.ts";
import { type LedgerLine, type LedgerPart, parseLineId, readLedger } from "../account_ledger.ts";
import { MOVEMENT_WORDS } from "../account_statement.ts";
import { definedFields } from "../../edge/answer.ts";
import { invalidField } from "../../edge/errors.ts";
import { msOf } from "../../edge/filters.ts";
import {
  ACCOUNT_STATEMENT_QUERY,
  CURRENCY_STATEMENT_QUERY,
  INVALID_CURSOR,
  LEDGER_EXAMPLE,
  LEDGER_LINE,
} from "../../edge/schemas/statements.ts";
import { NEXT_CURSOR } from "../../edge/schemas/lists.ts";
import { amountText, currencyId, isoSeconds } from "../../edge/wire/wire.ts";
import { backendPaths, NOT_FOUND, ofAccount, ofOperators, ok } from "../endpoint_parts.ts";
import { currencyIndex, NO_CURRENCY } from "./account_currency.ts";
import { holderOf } from "./admin/admin_members.ts";
import { statementAnswer, statementPaths } from "./statements.ts";

type LedgerCall = QueryCall<typeof CURRENCY_STATEMENT_QUERY>;
type OwnerOf = (call: LedgerCall) => number;
type LineJson = z.infer<typeof LEDGER_LINE>;

const ownOf: OwnerOf = ({ caller }) => caller.member;
const namedOf: OwnerOf = (call) => holderOf(call).member.index;

const COLUMNS = [
  "id",
  "type",
  "reference",
  "created_at",
  "created_at_ms",
  "currency",
  "gross",
  "fee",
  "amount",
  "balance",
] as const satisfies readonly (keyof LineJson)[];

async function partOf(call: LedgerCall, member: number): Promise<LedgerPart> {
  const { after: cursor, limit, time_from, time_to } = call.query;
  const after = cursor === undefined ? null : parseLineId(cursor);
  if (cursor !== undefined && after === null) throw invalidField(INVALID_CURSOR, "after", cursor);
  const range = definedFields({ from: msOf(time_from), to: msOf(time_to) });
  const currency = await currencyIndex(call, call.query.currency);
  const part = await readLedger(call, member, { range, currency, after, limit });
  call.chargeRecords(part.scanned);
  return part;
}

function headersOf({ next }: LedgerPart): Record<string, string> {
  return next === null ? {} : { [NEXT_CURSOR]: next };
}

function sendJson(ownerOf: OwnerOf): (call: LedgerCall) => Promise<Response> {
  return async (call) => {
    const part = await partOf(call, ownerOf(call));
    return call.json(200, part.lines.map((line) => lineJson(call, line)), headersOf(part));
  };
}

function sendCsv(ownerOf: OwnerOf): (call: LedgerCall) => Promise<Response> {
  return async (call) => {
    const part = await partOf(call, ownerOf(call));
    const lines = part.lines.map((line) => {
      const json = lineJson(call, line);
      return csvLine(COLUMNS.map((column) => json[column]));
    });
    const text = new Blob([csvLine(COLUMNS), ...lines]);
    return call.csv("ledger.csv", text.stream(), headersOf(part));
  };
}

function lineJson({ engine: { venue }, fraction }: LedgerCall, line: LedgerLine): LineJson {
  const amount = (units: bigint) => amountText(units, fraction);
  return {
    id: line.id,
    type: MOVEMENT_WORDS[line.kind],
    reference: line.of,
    created_at: isoSeconds(line.at),
    created_at_ms: line.at,
    currency: currencyId(venue, line.currency),
    gross: amount(line.gross),
    fee: amount(line.fee),
    amount: amount(line.gross - line.fee),
    balance: amount(line.balance),
  };
}

const DESCRIPTION =
  "Each change of a balance, available and locked together, oldest first: trades (a line for either " +
  "currency), deposits, withdrawals, reversals and adjustments. `balance` is what the account has " +
  "of the currency behind the line, so that a currency's `amount`s add up to its balance, exactly. " +
  `To go on, repeat the request with the last line's \`id\`, or \`${NEXT_CURSOR}\`, as \`after\`: ` +
  "no line is skipped or repeated, whatever happens meanwhile.";

const JSON_ANSWER = {
  ...ok("Lines of the ledger.", z.array(LEDGER_LINE), [LEDGER_EXAMPLE]),
  headers: { [NEXT_CURSOR]: "Where to continue; absent in the last response." },
};
const CSV_ANSWER = statementAnswer(
  COLUMNS,
  "m81,Deposit,2041,2020-03-02T10:51:00Z,1583146260123,btc,0.5,0.0001,0.4999,1.9999",
);
const AS_JSON = {
  method: "GET",
  description: DESCRIPTION,
  query: ACCOUNT_STATEMENT_QUERY,
  answer: JSON_ANSWER,
} as const;
const AS_CSV = {
  method: "GET",
  description: DESCRIPTION,
  query: CURRENCY_STATEMENT_QUERY,
  answer: CSV_ANSWER,
} as const;
const ERRORS = { 422: [NO_CURRENCY] };
const MEMBER_PATH = "/api/v2/admin/members/{uid}";

/** Endpoints of the ledger of an account. */
export const LEDGER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...AS_JSON,
    ...ofAccount("read"),
    id: "readLedger",
    paths: backendPaths("account/ledger"),
    summary: "Read the ledger of your account, with running balances",
    errors: ERRORS,
    handle: sendJson(ownOf),
  }),
  endpoint({
    ...AS_CSV,
    ...ofAccount("read"),
    id: "sendLedger",
    paths: statementPaths("ledger"),
    summary: "Download the ledger of your account, with running balances",
    errors: ERRORS,
    handle: sendCsv(ownOf),
  }),
  endpoint({
    ...AS_JSON,
    ...ofOperators("viewer"),
    id: "readMemberLedger",
    paths: [`${MEMBER_PATH}/ledger`],
    summary: "Read the ledger of a member's account, with running balances",
    errors: { ...NOT_FOUND, ...ERRORS },
    handle: sendJson(namedOf),
  }),
  endpoint({
    ...AS_CSV,
    ...ofOperators("viewer"),
    id: "exportMemberLedger",
    paths: [`${MEMBER_PATH}/statements/ledger.csv`],
    summary: "Download the ledger of a member's account, with running balances",
    errors: { ...NOT_FOUND, ...ERRORS },
    handle: sendCsv(namedOf),
  }),
];
