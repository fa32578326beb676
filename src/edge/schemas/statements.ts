/** Schemas of statements and of their queries. */
import * as z from "zod";
import { decimalText, isoTime } from "./answers.ts";
import { filled, integer, optional, withDefault } from "./fields.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, timeFields } from "./lists.ts";

/** Maximum number of lines in one answer. */
export const STATEMENT_LINES_MAX = 10_000;

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

/** Query of the statement of an account as JSON. */
export const ACCOUNT_STATEMENT_QUERY = z.object({
  ...CURRENCY_STATEMENT_QUERY.shape,
  limit: withDefault(
    integer({ prefix: WORDS, name: "limit", min: 1, max: LIST_LIMIT_MAX }, {
      description: "Maximum number of movements.",
    }),
    LIST_LIMIT_DEFAULT,
  ),
});

/** What an account had of a currency before and after a statement. */
const STATEMENT_BALANCE = z.object({
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  opening: decimalText("Available and locked, at the beginning.", "1.5"),
  closing: decimalText("Available and locked, at the end.", "1.9999"),
}).meta({ id: "StatementBalance", description: "A balance at both ends of a statement." });

/** One movement of an account. */
const STATEMENT_MOVEMENT = z.object({
  type: z.enum(["Trade", "Deposit", "Withdraw", "Adjustment"]),
  id: z.int().meta({
    description: "Id of the trade, deposit, withdrawal or adjustment.",
    examples: [2041],
  }),
  created_at: isoTime("When the balance changed."),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  gross: decimalText("What came in; negative for what went out.", "0.5"),
  fee: decimalText("What the venue kept of it, or took on top.", "0.0001"),
  net: decimalText("By how much the balance has changed: `gross` - `fee`.", "0.4999"),
}).meta({ id: "StatementMovement", description: "A change of a balance." });

/** The statement of an account. */
export const ACCOUNT_STATEMENT = z.object({
  time_from: isoTime("When it begins; null if with the account.").nullable(),
  time_to: isoTime("When it ends: the time asked for, or now."),
  balances: z.array(STATEMENT_BALANCE).meta({
    description: "By currency; of one that is missing there was nothing at both ends.",
  }),
  movements: z.array(STATEMENT_MOVEMENT).meta({ description: "Oldest first." }),
}).meta({ id: "AccountStatement", description: "The statement of an account." });

/** An example of it. */
/** A line of the ledger of an account. */
export const LEDGER_LINE = z.object({
  id: z.string().meta({
    description: "Names the line.",
    examples: ["m81"],
  }),
  type: z.enum(["Trade", "Deposit", "Withdraw", "Adjustment"]),
  reference: z.int().meta({
    description: "Id of the trade, deposit, withdrawal or adjustment.",
    examples: [2041],
  }),
  created_at: isoTime("When the balance changed."),
  created_at_ms: z.int().meta({
    description: "When the balance changed, in ms since 1970.",
    examples: [1583146260123],
  }),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  gross: decimalText("What came in; negative for what went out.", "0.5"),
  fee: decimalText("What the venue kept of it, or took on top.", "0.0001"),
  amount: decimalText("By how much the balance has changed: `gross` - `fee`.", "0.4999"),
  balance: decimalText("What there is of the currency behind it.", "1.9999"),
}).meta({ id: "LedgerLine", description: "A change of a balance." });

/** Example of a line of a ledger. */
export const LEDGER_EXAMPLE = {
  id: "m81",
  type: "Deposit",
  reference: 2041,
  created_at: "2020-03-02T10:51:00Z",
  created_at_ms: 1583146260123,
  currency: "btc",
  gross: "0.5",
  fee: "0.0001",
  amount: "0.4999",
  balance: "1.9999",
} as const;

export const ACCOUNT_STATEMENT_EXAMPLE = {
  time_from: "2020-03-01T00:00:00Z",
  time_to: "2020-04-01T00:00:00Z",
  balances: [{ currency: "btc", opening: "1.5", closing: "1.9999" }],
  movements: [{
    type: "Deposit",
    id: 2041,
    created_at: "2020-03-02T10:51:00Z",
    currency: "btc",
    gross: "0.5",
    fee: "0.0001",
    net: "0.4999",
  }],
};

/** The fields that all statements share. */
export type StatementQuery = Omit<z.infer<typeof MARKET_STATEMENT_QUERY>, "market">;

/** Error identifier for an invalid cursor. */
export const INVALID_CURSOR = `${WORDS}.invalid_after`;
