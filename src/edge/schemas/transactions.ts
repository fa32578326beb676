/** Schemas of the list of deposits and withdrawals. */
import * as z from "zod";
import { DEPOSIT_STATES } from "../../domain/money/deposit.ts";
import { CHAIN_NAME_LENGTH_MAX } from "../../domain/limits.ts";
import { WITHDRAW_STATES } from "../../domain/money/withdraw.ts";
import { decimalText, isoTime } from "./answers.ts";
import { currencyCode, filled, optional, stateWords, withDefault } from "./fields.ts";
import { REVERSED, SHOWN_NETWORK } from "./deposits.ts";
import { pageFields, timeFields } from "./lists.ts";
import { FILTERABLE_WITHDRAW_STATES } from "./withdraws.ts";

const PREFIX = "account.transactions";

/** A deposit or withdrawal. */
export const TRANSACTION = z.object({
  id: z.int().meta({
    description: "Id of the deposit or withdrawal, among those of its `type`.",
    examples: [815],
  }),
  address: z.string().nullable().meta({
    description:
      "Where it went: for a deposit your address, for a withdrawal its `rid`; with its tag if it has " +
      "one.",
    examples: ["sandbox-btc-4be1d0"],
  }),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  network: SHOWN_NETWORK,
  amount: decimalText("Amount, excluding the fee.", "0.2495"),
  fee: decimalText("Fee.", "0.0005"),
  txid: z.string().nullable().meta({
    description: "Transaction id; null if there is none.",
    examples: [null],
  }),
  state: z.enum([...new Set([...DEPOSIT_STATES, ...WITHDRAW_STATES])])
    .meta({ examples: ["accepted"] }),
  note: z.string().nullable().meta({
    description: "The member's note on a withdrawal.",
    examples: [null],
  }),
  confirmations: z.int().optional().meta({
    description: "Number of confirmations on the chain; coins only.",
    examples: [0],
  }),
  created_at: isoTime("Time of creation."),
  updated_at: isoTime("Time of the last change."),
  type: z.enum(["Deposit", "Withdraw"]),
  reverses: REVERSED.optional(),
}).meta({ id: "Transaction", description: "A deposit or a withdrawal." });

/** Query of the list. */
export const TRANSACTIONS_QUERY = z.object({
  currency: optional(currencyCode(PREFIX)),
  order_by: withDefault(
    z.enum(["asc", "desc"], `${PREFIX}.order_by_invalid`)
      .meta({
        description: "Sort order: `asc` for oldest first, `desc` for newest first.",
      }) as z.ZodType<"asc" | "desc">,
    "desc",
  ),
  ...timeFields(PREFIX),
  deposit_state: optional(stateWords(`${PREFIX}.invalid_deposit_state`, DEPOSIT_STATES, {
    description: "Only deposits in these states; withdrawals are listed regardless.",
  })),
  withdraw_state: optional(
    stateWords(`${PREFIX}.invalid_withdraw_state`, FILTERABLE_WITHDRAW_STATES, {
      description: "Only withdrawals in these states; deposits are listed regardless.",
    }),
  ),
  txid: optional(filled({ prefix: PREFIX, name: "txid", lengthMax: CHAIN_NAME_LENGTH_MAX }, {
    description: "Only records with this transaction.",
  })),
  ...pageFields(PREFIX),
  after: optional(filled({ prefix: PREFIX, name: "after" }, {
    description: "Where to continue: the `X-Next-Cursor` of the previous answer, to a call with " +
      "the same `order_by` and filters. Beside it there is no `page` but the first.",
  })),
});
