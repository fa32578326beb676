/** Exports for operators: statements of one member, all deposits and withdrawals, and liabilities. */
import * as z from "zod";
import { present } from "../../../domain/assert.ts";
import type { QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, okPage } from "../../endpoint_parts.ts";
import { marketIndexes, NO_MARKET } from "../../../edge/filters.ts";
import { byPosition } from "../../../edge/wire/listed_markets.ts";
import { decimalText } from "../../../edge/schemas/answers.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import {
  CURRENCY_STATEMENT_QUERY,
  MARKET_STATEMENT_QUERY,
} from "../../../edge/schemas/statements.ts";
import { amountText } from "../../../edge/wire/wire.ts";
import { currencyIndex, NO_CURRENCY } from "../account_currency.ts";
import { holderOf } from "./admin_members.ts";
import {
  ORDER_COLUMNS,
  orderStatement,
  TRADE_COLUMNS,
  tradeStatement,
  TRANSACTION_COLUMNS,
  transactionStatement,
} from "../member_statements.ts";
import { sendStatement, STATEMENT_DESCRIPTION, statementAnswer } from "../statements.ts";

type MarketCall = QueryCall<typeof MARKET_STATEMENT_QUERY>;
type CurrencyCall = QueryCall<typeof CURRENCY_STATEMENT_QUERY>;

/** What the venue owes in one currency. */
const LIABILITY = z.object({
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  members: decimalText("What all members have: available and locked.", "125.5"),
  locked: decimalText("The part of it that orders, deposits and withdrawals hold.", "12.5"),
  fees: decimalText("What the venue has earned; no call takes it out.", "0.25"),
  holders: z.int().meta({ description: "How many members have any.", examples: [41] }),
}).meta({ id: "Liability", description: "What the venue owes in one currency." });

async function listLiabilities(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  const { engine: { funds, venue }, query, fraction } = call;
  const page = pageOf([...venue.currencies].sort(byPosition), query, "pagination");
  // Of the same moment as the page, so it has all of its currencies.
  const sums = await funds.sums();
  const items = page.items.map(({ id, index }): z.infer<typeof LIABILITY> => {
    const sum = present(sums[index], "a currency has a sum");
    return {
      currency: id,
      members: amountText(sum.total, fraction),
      locked: amountText(sum.locked, fraction),
      fees: amountText(sum.fees, fraction),
      holders: sum.holders,
    };
  });
  return call.page(items, query, page);
}

function exportTrades(call: MarketCall): Promise<Response> {
  const { index } = holderOf(call).member;
  const markets = marketIndexes(call.engine.venue, { market: call.query.market });
  return sendStatement(call, "trades", tradeStatement(call, index, markets));
}

function exportOrders(call: MarketCall): Promise<Response> {
  const { index } = holderOf(call).member;
  const markets = marketIndexes(call.engine.venue, { market: call.query.market });
  return sendStatement(call, "orders", orderStatement(call, index, markets));
}

async function exportTransactions(call: CurrencyCall): Promise<Response> {
  const { index } = holderOf(call).member;
  const currency = await currencyIndex(call, call.query.currency);
  return await sendStatement(call, "transactions", transactionStatement(call, index, currency));
}

async function exportAllTransactions(call: CurrencyCall): Promise<Response> {
  const currency = await currencyIndex(call, call.query.currency);
  return await sendStatement(call, "transactions", transactionStatement(call, undefined, currency));
}

const MEMBER_STATEMENT = {
  method: "GET",
  ...ofOperators("viewer"),
  description: STATEMENT_DESCRIPTION,
} as const;
const TRANSACTION_LINE =
  "Deposit,2041,2020-03-02T10:51:00Z,2020-03-02T10:52:10Z,btc,0.5,0.0,0.5,collected,1,5b1d6c8e," +
  "sandbox-btc-4be1d0,,,";

function memberPath(name: string): readonly [string] {
  return [`/api/v2/admin/members/{uid}/statements/${name}.csv`];
}

/** Endpoints of exports. */
export const ADMIN_EXPORT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...MEMBER_STATEMENT,
    id: "exportMemberTrades",
    paths: memberPath("trades"),
    summary: "Download a statement of a member's trades",
    query: MARKET_STATEMENT_QUERY,
    answer: statementAnswer(
      TRADE_COLUMNS,
      "1834499,2020-03-02T10:51:00Z,btcusdt,buy,maker,9120.0,0.05,456.0,0.002,btc,0.05,0.0001," +
        "0.0499,10440269",
    ),
    errors: { ...NOT_FOUND, 422: [NO_MARKET] },
    handle: exportTrades,
  }),
  endpoint({
    ...MEMBER_STATEMENT,
    id: "exportMemberOrders",
    paths: memberPath("orders"),
    summary: "Download a statement of a member's orders",
    query: MARKET_STATEMENT_QUERY,
    answer: statementAnswer(
      ORDER_COLUMNS,
      "10440269,b436163d-5c73-81ea-be71-1831bf9834b0,my-1,2020-03-02T10:51:00Z," +
        "2020-03-02T10:51:00Z,btcusdt,buy,limit,gtc,wait,9120.0,,9120.0,0.25,0.2,0.05,1,456.0," +
        "0.0001,btc",
    ),
    errors: { ...NOT_FOUND, 422: [NO_MARKET] },
    handle: exportOrders,
  }),
  endpoint({
    ...MEMBER_STATEMENT,
    id: "exportMemberTransactions",
    paths: memberPath("transactions"),
    summary: "Download a statement of a member's deposits and withdrawals",
    query: CURRENCY_STATEMENT_QUERY,
    answer: statementAnswer(TRANSACTION_COLUMNS, TRANSACTION_LINE),
    errors: { ...NOT_FOUND, 422: [NO_CURRENCY] },
    handle: exportTransactions,
  }),
  endpoint({
    ...MEMBER_STATEMENT,
    id: "exportTransactions",
    paths: ["/api/v2/admin/statements/transactions.csv"],
    summary: "Download all members' deposits and withdrawals",
    query: CURRENCY_STATEMENT_QUERY,
    answer: statementAnswer(["uid", ...TRANSACTION_COLUMNS], `ID0A1B2C3D4E,${TRANSACTION_LINE}`),
    errors: { 422: [NO_CURRENCY] },
    handle: exportAllTransactions,
  }),
  endpoint({
    id: "listLiabilities",
    method: "GET",
    paths: ["/api/v2/admin/liabilities"],
    ...ofOperators("viewer"),
    summary: "List what the venue owes, by currency",
    query: PAGE_QUERY,
    answer: okPage("Liabilities by position of the currency.", LIABILITY, {
      currency: "btc",
      members: "125.5",
      locked: "12.5",
      fees: "0.25",
      holders: 41,
    }),
    handle: listLiabilities,
  }),
];
