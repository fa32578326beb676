/** Schemas of the queries of statements. */
import * as z from "zod";
import { STATEMENT_LINES_MAX } from "../statement.ts";
import { filled, integer, optional, withDefault } from "./fields.ts";
import { timeFields } from "./lists.ts";

const WORDS = "account.statement";

const STATEMENT_FIELDS = {
  ...timeFields(WORDS),
  limit: withDefault(
    integer({ prefix: WORDS, name: "limit", min: 1, max: STATEMENT_LINES_MAX }, {
      description: "Maximum number of lines, without the header line.",
    }),
    STATEMENT_LINES_MAX,
  ),
  after: optional(filled({ prefix: WORDS, name: "after" }, {
    description: "Where to continue: the `X-Next-Cursor` of the previous response.",
  })),
};

/** Query of a statement of orders or trades. */
export const MARKET_STATEMENT_QUERY = z.object({
  market: optional(filled({ prefix: WORDS, name: "market" }, {
    description: "Only records of this market.",
    example: "btcusdt",
  })),
  ...STATEMENT_FIELDS,
});

/** Query of a statement of deposits and withdrawals. */
export const CURRENCY_STATEMENT_QUERY = z.object({
  currency: optional(filled({ prefix: WORDS, name: "currency" }, {
    description: "Only records of this currency; case-insensitive.",
    example: "btc",
  })),
  ...STATEMENT_FIELDS,
});

/** The fields that all statements share. */
export type StatementQuery = Omit<z.infer<typeof MARKET_STATEMENT_QUERY>, "market">;

/** Error identifier for an invalid cursor. */
export const INVALID_CURSOR = `${WORDS}.invalid_after`;
