/** Schemas of calls about withdrawals. */
import * as z from "zod";
import { APPROVAL_REASONS, WITHDRAW_STATES } from "../../domain/money/withdraw.ts";
import { decimalText, isoTime } from "./answers.ts";
import { SHOWN_NETWORK, TRANSFER_TYPES } from "./deposits.ts";
import {
  currencyCode,
  decimal,
  filled,
  integer,
  OBJECT,
  optional,
  stateWords,
  text,
} from "./fields.ts";
import { directionField, idPageFields, SHORT_LIST_LIMIT_MAX, timeFields } from "./lists.ts";

const PREFIX = "account.withdraw";
const OTP_DIGITS = 6;
const NOTE_LENGTH_MAX = 256;
const RID_LENGTH_MAX = 512;

/** Error identifier for a beneficiary that the member does not have. */
export const NO_BENEFICIARY = "account.beneficiary.doesnt_exist";

/** States that lists can be filtered by; the other two are internal to the family. */
export const FILTERABLE_WITHDRAW_STATES = WITHDRAW_STATES.filter((state) =>
  state !== "to_reject" && state !== "under_review"
);

/** A withdrawal as its member reads it. */
export const WITHDRAW = z.object({
  id: z.int().meta({ examples: [815] }),
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  network: SHOWN_NETWORK,
  type: z.enum(["fiat", "coin"]),
  amount: decimalText("Requested amount, including the fee.", "0.25"),
  fee: decimalText("Withdrawal fee, deducted from the amount.", "0.0005"),
  blockchain_txid: z.string().nullable().meta({
    description: "Transaction id; null until the withdrawal is sent.",
    examples: [null],
  }),
  rid: z.string().meta({
    description:
      "Destination: an address, with its tag if it has one (`address destination_tag=7`), or the " +
      "name of a bank beneficiary. Empty in the answer " +
      "to a change by a process that can't open it.",
    examples: ["sandbox-btc-4be1d0"],
  }),
  state: z.enum(WITHDRAW_STATES).meta({ examples: ["accepted"] }),
  waits_for: z.enum(["approval", "payout"]).nullable().meta({
    description: "What an `accepted` withdrawal waits for: the operator's approval, or to be " +
      "paid; null in all other states.",
    examples: ["approval"],
  }),
  approval_reason: z.enum(APPROVAL_REASONS).nullable().meta({
    description: "Why it waits for approval: it is above a limit of its currency or of its " +
      "member, its currency has no price to compare with the member's limit, it goes to a " +
      "bank, or it was approved and then its member locked or its beneficiary disabled. Null if it does not wait, or was requested before reasons were kept.",
    examples: ["member_limit"],
  }),
  confirmations: z.int().optional().meta({
    description: "Number of confirmations on the chain; coins only.",
    examples: [0],
  }),
  note: z.string().nullable().meta({ description: "The member's note.", examples: [null] }),
  transfer_type: z.enum(TRANSFER_TYPES),
  created_at: isoTime("Time of the request."),
  updated_at: isoTime("Time of the last change."),
  done_at: isoTime("Time when the withdrawal ended; null before.").nullable(),
}).meta({ id: "Withdraw", description: "A withdrawal to a beneficiary." });

/** Totals of recent withdrawals, in the platform currency. */
export const WITHDRAW_SUMS = z.object({
  last_4_hours: decimalText("Total of the last 4 hours.", "5000.0"),
  last_24_hours: decimalText("Total of the last 24 hours.", "5000.0"),
  last_1_month: decimalText(
    "Total since the same UTC time on the same day of the previous month, or on its last day " +
      "if it is shorter.",
    "12500.5",
  ),
}).meta({ id: "WithdrawSums", description: "Totals in the platform currency." });

const otp = integer({
  prefix: PREFIX,
  name: "otp",
  min: 0,
  max: 10 ** OTP_DIGITS - 1,
  digitsMax: OTP_DIGITS,
  empty: `${PREFIX}.empty_otp`,
})
  // As a number, a code has lost its leading zeros.
  .transform((code) => String(code).padStart(OTP_DIGITS, "0"))
  .meta({
    type: "integer",
    minimum: 0,
    maximum: 10 ** OTP_DIGITS - 1,
    description: "One-time code of six digits; leading zeros may be missing.",
    examples: [123456],
  });

/** A new withdrawal. */
export const NEW_WITHDRAW = z.object({
  otp: otp as z.ZodType<string, string>,
  beneficiary_id: integer({
    prefix: PREFIX,
    name: "beneficiary_id",
    empty: `${PREFIX}.empty_beneficiary_id`,
    tooLarge: NO_BENEFICIARY,
  }, { description: "Id of an active beneficiary of this currency.", example: 7 }),
  currency: currencyCode(PREFIX),
  amount: decimal({ prefix: PREFIX, name: "amount", sign: "positive" }, {
    description: "Amount, including the fee.",
    example: "0.25",
  }),
  note: optional(text({ prefix: PREFIX, name: "note", lengthMax: NOTE_LENGTH_MAX }, {
    description: "Your note on the withdrawal.",
  })),
}, OBJECT).meta({
  id: "WithdrawInput",
  description: "A withdrawal to request.",
});

/** Query of the list of withdrawals. */
export const WITHDRAWS_QUERY = z.object({
  currency: optional(currencyCode(PREFIX)),
  ...timeFields(PREFIX),
  ...idPageFields(PREFIX, { limitMax: SHORT_LIST_LIMIT_MAX }),
  order_by: directionField(PREFIX),
  state: optional(stateWords(`${PREFIX}.invalid_state`, FILTERABLE_WITHDRAW_STATES)),
  rid: optional(filled({ prefix: PREFIX, name: "rid", lengthMax: RID_LENGTH_MAX }, {
    description: "Only withdrawals to this destination, as `rid` has it.",
  })),
});
