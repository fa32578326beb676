/** Profit and loss. */
import type * as z from "zod";
import type { PnlRow } from "../../domain/pnl/pnl.ts";
import type { Venue } from "../../domain/venue.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, ofAccount, okPage } from "../endpoint_parts.ts";
import { ApiError, invalidField } from "../../edge/errors.ts";
import { LIST_LIMIT_MAX, pageOf } from "../../edge/schemas/lists.ts";
import { PNL, PNL_EXAMPLE, PNL_QUERY } from "../../edge/schemas/pnl.ts";
import { amountText, type Fraction } from "../../edge/wire/wire.ts";

const NO_CURRENCY = "pnl.currency.doesnt_exist";
const NOT_KEPT = "pnl.currency.not_kept";

async function readPnl(call: QueryCall<typeof PNL_QUERY>): Promise<Response> {
  const { engine, query, fraction } = call;
  const given = query.pnl_currency;
  const pnlCurrency = given === undefined ? null : pnlCurrencyOf(engine.venue, given);
  const all = await engine.pnl(call.caller.member);
  const rows = pnlCurrency === null ? all : all.filter((row) => row.pnlCurrency === pnlCurrency);
  const request = { page: query.page, limit: query.limit ?? Math.max(LIST_LIMIT_MAX, rows.length) };
  const page = pageOf(rows, request, "pagination");
  const items = page.items.map((row) => pnlJson(row, fraction));
  return call.page(items, request, page);
}

/**
 * Returns the code of a currency, visible or not.
 *
 * @throws {ApiError} 422 if there is none, or nothing is valued in it
 */
function pnlCurrencyOf(venue: Venue, given: string): string {
  const currency = venue.currencyById.get(given.toLowerCase());
  if (currency === undefined) throw invalidField(NO_CURRENCY, "pnl_currency", given);
  if (venue.pnlCurrencies.includes(currency.id)) return currency.id;
  const limit = venue.pnlCurrencies.join(",");
  const details = { field: "pnl_currency", value: given, rule: "known", limit } as const;
  throw new ApiError(422, NOT_KEPT, { details });
}

function pnlJson(row: PnlRow, fraction: Fraction): z.infer<typeof PNL> {
  const optionalText = (price: bigint | null) =>
    price === null ? null : amountText(price, fraction);
  return {
    currency: row.currency,
    pnl_currency: row.pnlCurrency,
    total_credit: amountText(row.totalCredit, fraction),
    total_debit: amountText(row.totalDebit, fraction),
    total_credit_value: amountText(row.totalCreditValue, fraction),
    total_debit_value: amountText(row.totalDebitValue, fraction),
    average_buy_price: optionalText(row.averageBuyPrice),
    average_sell_price: optionalText(row.averageSellPrice),
    average_balance_price: amountText(row.averageBalancePrice, fraction),
    total_balance_value: amountText(row.totalBalanceValue, fraction),
  };
}

/** Endpoints of profit and loss. */
export const PNL_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readPnl",
    method: "GET",
    paths: backendPaths("account/stats/pnl"),
    ...ofAccount("read"),
    summary: "Get your profit and loss",
    description:
      "A trade quoted in `pnl_currency` is valued at its own price, everything else at the price " +
      "of the last trade before it or, where there was none yet, of the first trade ever. As long " +
      "as no trade gives a price, the currencies' own prices of the moment do. Of a `pnl_currency` " +
      "in which none is kept, the error's `limit` names those in which it is.",
    query: PNL_QUERY,
    answer: okPage(
      "One row for each currency that you ever had and each currency it is valued in.",
      PNL,
      PNL_EXAMPLE,
    ),
    errors: { 422: [NO_CURRENCY, NOT_KEPT] },
    handle: readPnl,
  }),
];
