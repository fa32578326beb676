/** Adjustments, fees and levels, for operators. */
import type * as z from "zod";
import { emptyAccount } from "../../../domain/money/account.ts";
import { ANY_MARKET } from "../../../domain/trading/fees.ts";
import { FEES_MEMBER } from "../../../domain/people/member.ts";
import type { BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import { classAnswers, requireClass } from "../../member_classes.ts";
import { byPosition } from "../../../edge/wire/listed_markets.ts";
import { memberLevelsJson, tradingFeeJson } from "../../../edge/wire/market_wire.ts";
import { ADJUSTMENT, ADJUSTMENT_DONE } from "../../../edge/schemas/admin/admin_members.ts";
import { FEE_INCOME, NEW_FEE, NEW_LEVELS } from "../../../edge/schemas/admin/admin_venue.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import {
  MEMBER_LEVELS,
  MEMBER_LEVELS_EXAMPLE,
  TRADING_FEE,
  TRADING_FEE_EXAMPLE,
} from "../../../edge/schemas/market_answers.ts";
import { amountText } from "../../../edge/wire/wire.ts";
import { askSecond, asksSecond } from "../../second_operator.ts";
import { listTradingFees, readMemberLevels, TRADING_FEES_ANSWER } from "../venue_info.ts";

const LEVELS_ANSWER = ok("The minimum member levels.", MEMBER_LEVELS, MEMBER_LEVELS_EXAMPLE);

async function adjust(call: BodyCall<typeof ADJUSTMENT>): Promise<Response> {
  const { uid, currency, amount, reason } = call.body;
  const { fraction } = call;
  const command = { kind: "adjust_balance", uid, currency, amount } as const;
  if (asksSecond(call)) {
    const asked = { kind: "adjustment", uid, currency, amount } as const;
    return await askSecond(call, { asked, command, member: uid });
  }
  const receipt = await call.submit(command);
  const { id, available } = expectedReceipt(receipt, "balance_adjusted");
  return call.json(201, {
    id,
    uid,
    currency,
    amount: amountText(amount, fraction),
    balance: amountText(available, fraction),
    reason,
  });
}

const FEE_WORDS = "admin.trading_fee";

async function setFee(call: BodyCall<typeof NEW_FEE>): Promise<Response> {
  const { venue } = call.engine;
  await requireClass(call.engine, FEE_WORDS, call.body);
  await call.submit({ kind: "set_fee", ...call.body }, { answers: classAnswers(FEE_WORDS) });
  await call.engine.fresh();
  const market = venue.bookById.get(call.body.market)?.market.index ?? ANY_MARKET;
  return call.json(201, tradingFeeJson(venue, { ...call.body, market }, call.fraction));
}

/**
 * Deletes the row that the path names.
 *
 * @throws {ApiError} 404 if there is none
 */
async function deleteFee(call: Call): Promise<Response> {
  const { venue } = call.engine;
  const [market, group] = [call.param("market_id"), call.param("group")];
  const receipt = await call.submit({ kind: "delete_fee", market, group });
  const { row } = expectedReceipt(receipt, "fee_deleted");
  return call.json(200, tradingFeeJson(venue, row, call.fraction));
}

function listFeeIncome(call: QueryCall<typeof PAGE_QUERY>): Response {
  const { query, fraction } = call;
  const { venue } = call.engine;
  const { accounts } = venue.holder(FEES_MEMBER);
  const page = pageOf([...venue.currencies].sort(byPosition), query, "pagination");
  const items = page.items.map(({ id, index }): z.infer<typeof FEE_INCOME> => {
    const { available } = accounts[index] ?? emptyAccount();
    return { currency: id, amount: amountText(available, fraction) };
  });
  return call.page(items, query, page);
}

async function setLevels(call: BodyCall<typeof NEW_LEVELS>): Promise<Response> {
  const receipt = await call.submit({ kind: "set_levels", levels: call.body });
  return call.json(200, memberLevelsJson(expectedReceipt(receipt, "levels_set").levels));
}

const ADJUSTMENT_ENDPOINT = endpoint({
  id: "createAdjustment",
  method: "POST",
  paths: ["/api/v2/admin/adjustments"],
  ...ofOperators("finance", { needsCode: true }),
  summary: "Adjust a member's balance",
  description:
    "Whichever way, it is worth at most `ADJUSTMENT_MAX` in the platform currency, or else refused " +
    "with that `limit`; a currency without a price counts as if one were one.",
  isOnce: true,
  isForTwo: true,
  body: {
    schema: ADJUSTMENT,
    example: { uid: "ID0A1B2C3D4E", currency: "btc", amount: "100.0", reason: "opening balance" },
  },
  answer: created("The adjustment.", ADJUSTMENT_DONE, {
    id: 1,
    uid: "ID0A1B2C3D4E",
    currency: "btc",
    amount: "100.0",
    balance: "100.0",
    reason: "opening balance",
  }),
  errors: {
    422: [
      "admin.member.doesnt_exist",
      "admin.currency.doesnt_exist",
      "admin.venue.invalid_amount",
      "admin.adjustment.above_maximum",
      "market.account.insufficient_balance",
    ],
  },
  handle: adjust,
});

const FEE_AND_LEVEL_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "setTradingFee",
    method: "POST",
    paths: ["/api/v2/admin/trading_fees"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Set a row of the fee table",
    description: "Open orders keep the rates they were placed with.",
    body: {
      schema: NEW_FEE,
      example: { market_id: "any", group: "any", maker: "0.002", taker: "0.002" },
    },
    answer: created("The row.", TRADING_FEE, TRADING_FEE_EXAMPLE),
    errors: {
      422: ["admin.trading_fee.invalid_rate", "market.market.doesnt_exist_or_not_enabled"],
    },
    handle: setFee,
  }),
  endpoint({
    id: "deleteTradingFee",
    method: "DELETE",
    paths: ["/api/v2/admin/trading_fees/{market_id}/{group}"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Delete a row of the fee table",
    description:
      "The next less specific row applies to new orders; if there is none, they are free.",
    answer: ok("The row as it was.", TRADING_FEE, TRADING_FEE_EXAMPLE),
    errors: NOT_FOUND,
    handle: deleteFee,
  }),
  endpoint({
    id: "listAllTradingFees",
    method: "GET",
    paths: ["/api/v2/admin/trading_fees"],
    ...ofOperators("viewer"),
    summary: "List the fee table",
    query: PAGE_QUERY,
    answer: TRADING_FEES_ANSWER,
    handle: listTradingFees,
  }),
  endpoint({
    id: "listFeeIncome",
    method: "GET",
    paths: ["/api/v2/admin/fee_income"],
    ...ofOperators("viewer"),
    summary: "List the venue's income from fees",
    description: "What trades, deposits and withdrawals have paid since the venue began.",
    query: PAGE_QUERY,
    answer: okPage("Income by position of the currency, also where it is zero.", FEE_INCOME, {
      currency: "btc",
      amount: "0.0125",
    }),
    handle: listFeeIncome,
  }),
  endpoint({
    id: "setMemberLevels",
    method: "PUT",
    paths: ["/api/v2/admin/member_levels"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Set the minimum member levels",
    body: { schema: NEW_LEVELS, example: { deposit: 1, withdraw: 3, trading: 2 } },
    answer: LEVELS_ANSWER,
    handle: setLevels,
  }),
  endpoint({
    id: "readAllMemberLevels",
    method: "GET",
    paths: ["/api/v2/admin/member_levels"],
    ...ofOperators("viewer"),
    summary: "Get the minimum member levels",
    answer: LEVELS_ANSWER,
    handle: readMemberLevels,
  }),
];

/** Endpoints of adjustments, fees and levels. */
export const ADMIN_VENUE_ENDPOINTS: readonly Endpoint[] = [
  ADJUSTMENT_ENDPOINT,
  ...FEE_AND_LEVEL_ENDPOINTS,
];
