/** Schemas of profit and loss. */
import * as z from "zod";
import { decimalText } from "./answers.ts";
import { integer, optional } from "./fields.ts";
import { LIST_LIMIT_MAX, pageFields } from "./lists.ts";

/** Query of profit and loss. */
export const PNL_QUERY = z.object({
  pnl_currency: z.string("pnl.currency.doesnt_exist").optional().meta({
    description: "Only rows valued in this currency; case-insensitive.",
    examples: ["usdt"],
  }),
  limit: optional(
    integer({ prefix: "pagination", name: "limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Number of items per page; if absent, all rows are returned as one page.",
    }),
  ),
  page: pageFields("pagination").page,
});

/** Profit and loss of one currency, valued in another. */
export const PNL = z.object({
  currency: z.string().meta({ description: "Currency of the row.", examples: ["btc"] }),
  pnl_currency: z.string().meta({ description: "Currency of the values.", examples: ["usdt"] }),
  total_credit: decimalText("Total credited, net of fees.", "2.994"),
  total_debit: decimalText("Total debited, net of fees.", "1.0"),
  total_credit_value: decimalText("Value of the credits.", "29940.0"),
  total_debit_value: decimalText("Value of the debits, fees included.", "9000.0"),
  average_buy_price: decimalText(
    "Credit value per coin; null without credits.",
    "10000.0",
  )
    .nullable(),
  average_sell_price: decimalText("Debit value per coin; null without debits.", "9000.0")
    .nullable(),
  average_balance_price: decimalText("Cost per coin of what is left.", "10000.0"),
  total_balance_value: decimalText("Cost of what is left.", "19940.0"),
}).meta({ id: "Pnl", description: "Profit and loss of a member in one currency." });

/** Example of a row of profit and loss. */
export const PNL_EXAMPLE: z.infer<typeof PNL> = {
  currency: "btc",
  pnl_currency: "usdt",
  total_credit: "2.994",
  total_debit: "1.0",
  total_credit_value: "29940.0",
  total_debit_value: "9000.0",
  average_buy_price: "10000.0",
  average_sell_price: "9000.0",
  average_balance_price: "10000.0",
  total_balance_value: "19940.0",
};
