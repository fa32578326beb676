/** Schemas of calls about deposits and deposit addresses. */
import * as z from "zod";
import { DEPOSIT_STATES, REVERSIBLES } from "../../domain/money/deposit.ts";
import { CHAIN_NAME_LENGTH_MAX } from "../../domain/limits.ts";
import { decimalText, isoTime } from "./answers.ts";
import { currencyCode, filled, optional, stateWords, withDefault, word } from "./fields.ts";
import { directionField, idPageFields, SHORT_LIST_LIMIT_MAX, timeFields } from "./lists.ts";

const PREFIX = "account.deposit";

/** How a currency is transferred: through banks, or on a chain. */
export const TRANSFER_TYPES = ["fiat", "crypto"] as const;

/** What a deposit takes back. */
export const REVERSED = z.object({
  type: z.enum(REVERSIBLES),
  id: z.int().meta({ examples: [2041] }),
}).meta({
  id: "Reversed",
  description:
    "What a deposit takes back: another deposit, with a negative amount, or a withdrawal whose " +
    "payment came back.",
});

/** The network of a record. */
export const SHOWN_NETWORK = z.string().optional().meta({
  description: "Network that it goes by; absent where the currency lives on none.",
  examples: ["sepolia"],
});

/** A field that names one of a currency's networks. */
export function networkField(
  prefix: string,
  description = "One of the currency's networks; its first by default.",
): z.ZodType<string | undefined, string | undefined> {
  return optional(filled({ prefix, name: "network" }, { description, example: "sepolia" }));
}

const DEPOSIT_FIELDS = {
  id: z.int().meta({ examples: [2041] }),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  network: SHOWN_NETWORK,
  amount: decimalText("Amount credited to the member: the amount received less the fee.", "0.5"),
  fee: decimalText("Deposit fee.", "0.0"),
  txid: z.string().nullable().meta({
    description: "Transaction id; null if there is none.",
    examples: ["5b1d6c8e"],
  }),
  confirmations: z.int().optional().meta({
    description: "Number of confirmations on the chain; coins only.",
    examples: [1],
  }),
  state: z.enum(DEPOSIT_STATES).meta({ examples: ["collected"] }),
  transfer_type: z.enum(TRANSFER_TYPES),
  created_at: isoTime("Time when the deposit was first seen."),
  completed_at: isoTime("Time when the deposit was accepted, rejected or cancelled; null before.")
    .nullable(),
  tid: z.string().meta({ description: "Public id of the deposit.", examples: ["TID9493F6CD41"] }),
  reverses: REVERSED.optional(),
};

/** A deposit as its member reads it. */
export const DEPOSIT = z.object(DEPOSIT_FIELDS)
  .meta({ id: "Deposit", description: "A deposit from outside the venue." });

/**
 * Returns the schema of a field that is always null. It keeps the type that it has in a deposit,
 * because client generators cannot handle fields that are only null.
 */
function absent<T extends z.ZodType>(field: T): z.ZodNullable<T> {
  return field.nullable().meta({ description: "Always null." });
}

/** An address, in the shape of a deposit that has not happened yet. */
export const DEPOSIT_ADDRESS = z.object({
  id: absent(z.int()),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  network: SHOWN_NETWORK,
  amount: decimalText("Always zero.", "0.0"),
  fee: decimalText("Always zero.", "0.0"),
  txid: absent(z.string()),
  confirmations: z.int().meta({ description: "Always zero.", examples: [0] }),
  transfer_type: z.enum(TRANSFER_TYPES),
  created_at: absent(z.string()),
  completed_at: absent(z.string()),
  tid: absent(z.string()),
  currencies: z.array(z.string()).meta({
    description: "All currencies accepted by the address.",
    examples: [["btc"]],
  }),
  address: z.string().nullable().meta({
    description: "Deposit address; null while it is being created: try again.",
    examples: ["sandbox-btc-4be1d0"],
  }),
  tag: z.string().nullable().optional().meta({
    description:
      "Your tag at the address, which all members share: a payment without it is not credited. " +
      "Null while the address is; absent for a currency without a `tag`.",
    examples: ["2654435761"],
  }),
  state: z.enum(["pending", "active"]),
}).meta({ id: "DepositAddress", description: "Where to deposit a currency." });

/** Query of the list of deposits. */
export const DEPOSITS_QUERY = z.object({
  currency: optional(currencyCode(PREFIX)),
  state: optional(stateWords(`${PREFIX}.invalid_state`, DEPOSIT_STATES)),
  txid: optional(filled({ prefix: PREFIX, name: "txid", lengthMax: CHAIN_NAME_LENGTH_MAX }, {
    description: "Only deposits with this transaction.",
  })),
  ...timeFields(PREFIX),
  ...idPageFields(PREFIX, { limitMax: SHORT_LIST_LIMIT_MAX }),
  order_by: directionField(PREFIX),
});

/** Query of a deposit address. */
export const DEPOSIT_ADDRESS_QUERY = z.object({
  network: networkField("account.deposit_address"),
  address_format: withDefault(
    word("account.deposit_address", "address_format", ["legacy", "cash"], {
      description:
        "Form of the address. Every coin has `legacy`; `cash` is CashAddr, with its prefix, for " +
        "coins whose addresses have that form too.",
    }),
    "legacy",
  ),
});
