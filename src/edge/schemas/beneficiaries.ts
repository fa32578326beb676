/** Schemas of calls about beneficiaries. */
import * as z from "zod";
import { BENEFICIARIES_PER_MEMBER_MAX } from "../../domain/limits.ts";
import { repeatedField } from "../errors.ts";
import { parseAsGiven, RepeatedKeyError } from "../reading/exact_json.ts";
import { plainDecimal } from "../reading/plain_decimal.ts";
import { isoTime } from "./answers.ts";
import { networkField, SHOWN_NETWORK } from "./deposits.ts";
import {
  currencyCode,
  filled,
  integer,
  OBJECT,
  optional,
  someWords,
  text,
  withDefault,
} from "./fields.ts";
import { idPageFields } from "./lists.ts";

const PREFIX = "account.beneficiary";
const DESCRIPTION_LENGTH_MAX = 255;
/** Maximum size of the data as JSON, in bytes: encrypted, it must fit into one row. */
const DATA_BYTES_MAX = 8 * 1024;
/** Maximum size of the body that creates one, in bytes: in a form the data is thrice as long. */
export const BENEFICIARY_BODY_BYTES_MAX = 4 * DATA_BYTES_MAX;
/** Fields of the data that the venue reads; for a bank the member may add others. */
const TEXTS: ReadonlySet<string> = new Set(["address", "full_name", "account_number"]);

/** States that members see. */
const VISIBLE_BENEFICIARY_STATES = ["pending", "active"] as const;

/** The destination of withdrawals. */
export type BeneficiaryFields = Readonly<Record<string, unknown>>;

/** A beneficiary as its member reads it. */
export const BENEFICIARY = z.object({
  id: z.int().meta({ examples: [7] }),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  network: SHOWN_NETWORK,
  uid: z.string().meta({ description: "Uid of the member.", examples: ["ID0A1B2C3D4E"] }),
  name: z.string().meta({ examples: ["My cold wallet"] }),
  description: z.string().meta({ examples: [""] }),
  data: z.record(z.string(), z.unknown()).meta({
    description:
      "For a coin: `address`, and the tag if it has one, under the name of the currency's `tag`. " +
      "For a bank account: `full_name` and other details, with the account number masked.",
    examples: [{ address: "sandbox-btc-4be1d0" }],
  }),
  state: z.enum(VISIBLE_BENEFICIARY_STATES),
  sent_at: isoTime("Time when the last pin was sent."),
  held_until: isoTime(
    "Time until which it is on hold: a withdrawal to it is refused. Null if none.",
  )
    .nullable(),
}).meta({ id: "Beneficiary", description: "A destination for withdrawals." });

const data = z.unknown()
  .transform((given, context): BeneficiaryFields => {
    const { value, fault } = readData(given);
    if (fault !== null) context.addIssue({ code: "custom", message: `${PREFIX}.${fault}` });
    return value;
  })
  .meta({
    type: "object",
    additionalProperties: {},
    description: "`address` for a coin. One with a `tag` may have that beside it, under its name " +
      '(`"destination_tag": 7`); many recipients need none. Anything else is refused, since no ' +
      "payout would carry it. `full_name` and what the bank needs for fiat. May also be the text " +
      "of this object.",
    examples: [{ address: "sandbox-btc-4be1d0" }],
  }) as unknown as z.ZodType<BeneficiaryFields, string | Record<string, unknown>>;

/** A new beneficiary. */
export const NEW_BENEFICIARY = z.object({
  currency: currencyCode(PREFIX),
  network: networkField(PREFIX),
  name: filled({ prefix: PREFIX, name: "name" }, {
    description: "Your name for the beneficiary.",
    example: "My cold wallet",
  }),
  description: withDefault(
    text({ prefix: PREFIX, name: "description", lengthMax: DESCRIPTION_LENGTH_MAX }),
    "",
  ),
  data,
}, OBJECT).meta({
  id: "BeneficiaryInput",
  description: "A beneficiary to create.",
});

/** The pin that makes a beneficiary active. */
export const ACTIVATION = z.object({
  pin: integer({ prefix: PREFIX, name: "pin", min: 0 }, {
    description: "Pin from the message.",
    example: 314159,
  }),
}, OBJECT).meta({ id: "Activation", description: "The pin of a beneficiary." });

/** Query of the list of beneficiaries. */
export const BENEFICIARIES_QUERY = z.object({
  currency: optional(currencyCode(PREFIX)),
  state: optional(someWords(PREFIX, "state", VISIBLE_BENEFICIARY_STATES, {
    description: "One or more states: `pending` until confirmed by the pin.",
  })),
  // By default, all of them.
  ...idPageFields(PREFIX, { limitDefault: BENEFICIARIES_PER_MEMBER_MAX }),
});

/** The data, with the reason why it is refused, or null. */
interface ReadData {
  readonly value: BeneficiaryFields;
  readonly fault: string | null;
}

function readData(given: unknown): ReadData {
  const refuse = (fault: string): ReadData => ({ value: {}, fault });
  if (given === undefined || given === null) return refuse("missing_data");
  if (typeof given === "string" && given.trim() === "") return refuse("empty_data");
  const value = typeof given === "string" ? parseJson(given) : given;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("non_json_data");
  }
  if (Object.keys(value).length === 0) return refuse("empty_data");
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes > DATA_BYTES_MAX) return refuse("too_long_data");
  return { value: withTexts(value), fault: null };
}

function parseJson(given: string): unknown {
  try {
    return parseAsGiven(given);
  } catch (error) {
    if (error instanceof RepeatedKeyError) throw repeatedField(`data.${error.key}`);
    return null;
  }
}

/** Returns the data with the fields that the venue reads as text, for masking and comparing. */
function withTexts(value: object): BeneficiaryFields {
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    TEXTS.has(name) && typeof field === "number" ? numberText(field) : field,
  ]);
  return Object.fromEntries(fields);
}

/** Formats a number without the exponent that JavaScript gives large ones. */
function numberText(number: number): string {
  const text = String(number);
  return plainDecimal(text) ?? text;
}
