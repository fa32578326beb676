/** Schemas of operators' calls about withdrawal limits, switches and the audit trail. */
import * as z from "zod";
import { MEMBER_LEVEL_MAX } from "../../../domain/limits.ts";
import type { Switches } from "../../../domain/event.ts";
import { ANY_LEVEL, type WithdrawLimit } from "../../../domain/money/withdraw_limits.ts";
import { agreedField } from "../../agreed_field.ts";
import { definedFields } from "../../answer.ts";
import { decimalText, isoTime } from "../answers.ts";
import {
  changed,
  decimal,
  filled,
  flag,
  integer,
  memberGroup,
  OBJECT,
  optional,
  orNone,
  unlessAll,
  unlessAny,
} from "../fields.ts";
import { pageFields, timeFields } from "../lists.ts";

const LIMIT_WORDS = "admin.withdraw_limit";
const ANY = "any";
const WORDS_OF_NONE = "0 lets nothing leave without an operator, and null is no limit";
const A_MONTH =
  "Limit since the same time one month ago (counted as in `last_1_month` of the withdrawal " +
  "sums), in the platform currency.";

/** Returns the field of a level, which is named `kyc_level` or `level`. */
function level(name: string, description: string): z.ZodType<number | undefined, unknown> {
  const memberLevel = integer({ prefix: LIMIT_WORDS, name, min: 0, max: MEMBER_LEVEL_MAX });
  const invalid = `${LIMIT_WORDS}.invalid_${name}`;
  return unlessAll(
    z.union([z.literal(ANY).transform(() => ANY_LEVEL), memberLevel], { error: invalid }).meta({
      type: "string",
      pattern: `^(${ANY}|\\d{1,2})$`,
      description,
      examples: [ANY],
    }),
    invalid,
  );
}

function sum(name: string, description: string): z.ZodType<bigint | null, string | null> {
  const rules = { prefix: LIMIT_WORDS, name, sign: "not_negative" } as const;
  return orNone(decimal(rules, { description, example: "1000.0" }));
}

/** A row of the table of withdrawal limits to set. */
export const NEW_WITHDRAW_LIMIT: z.ZodType<WithdrawLimit> = z.object({
  kyc_level: level("kyc_level", `Member level, as text or number; \`${ANY}\` by default.`),
  level: level("level", "Alias of `kyc_level`; refused if both are given and differ."),
  group: unlessAny(
    memberGroup(LIMIT_WORDS, { description: `Member group, or \`${ANY}\`.` }),
    `${LIMIT_WORDS}.invalid_group`,
    ANY,
  ),
  limit_24_hour: sum(
    "limit_24_hour",
    `Limit per 24 hours, in the platform currency; ${WORDS_OF_NONE}.`,
  ),
  limit_1_month: sum("limit_1_month", `${A_MONTH} Not below that per 24 hours; ${WORDS_OF_NONE}.`),
}, OBJECT).meta({
  id: "WithdrawLimitInput",
  description: "A row of the withdrawal limit table.",
}).transform(({ kyc_level, level, group, limit_24_hour, limit_1_month }) => ({
  level: agreedField(`${LIMIT_WORDS}.invalid_level`, "level", kyc_level, level) ?? ANY_LEVEL,
  group,
  limit24h: limit_24_hour,
  limit1m: limit_1_month,
}));

const SWITCH_WORDS = "admin.switches";

/** Changes of the switches. */
export const SWITCH_CHANGES: z.ZodType<Partial<Switches>> = z.object(
  changed(SWITCH_WORDS, {
    trading: flag(SWITCH_WORDS, "trading", {
      description: "Whether new orders are accepted; cancels always are.",
    }),
    withdrawals: flag(SWITCH_WORDS, "withdrawals", {
      description: "Whether new withdrawals are accepted and payouts sent.",
    }),
  }),
  OBJECT,
).meta({
  id: "SwitchChanges",
  description: "Fields to change; all others stay as they are.",
})
  .transform((given) => definedFields<Partial<Switches>>(given));

/** The venue's switches. */
export const SWITCHES = z.object({
  trading: z.boolean().meta({ description: "Whether new orders are accepted." }),
  withdrawals: z.boolean().meta({
    description: "Whether new withdrawals are accepted and payouts sent.",
  }),
}).meta({ id: "Switches", description: "Venue-wide switches; `false` means stopped." });

const ACT_WORDS = "admin.act";

/** Query of the audit trail. */
export const ACTS_QUERY = z.object({
  uid: optional(filled({ prefix: ACT_WORDS, name: "uid" }, {
    description: "Only acts of this operator.",
  })),
  kid: optional(filled({ prefix: ACT_WORDS, name: "kid" }, {
    description: "Only acts that this access key has signed: operators may share a uid.",
  })),
  action: optional(filled({ prefix: ACT_WORDS, name: "action" }, {
    description: "Only acts of this kind: the operation id of the request.",
    example: "approveWithdraw",
  })),
  member: optional(filled({ prefix: ACT_WORDS, name: "member" }, {
    description: "Only acts that touched this member.",
  })),
  ...timeFields(ACT_WORDS),
  ...pageFields(ACT_WORDS),
});

/** An act of the audit trail. */
export const ACT = z.object({
  id: z.int().meta({ description: "Number of the act; numbers have no gaps.", examples: [31] }),
  uid: z.string().nullable().meta({
    description: "The operator; null if a command of the venue acted.",
    examples: ["ID0A1B2C3D4E"],
  }),
  email: z.string().nullable().meta({
    description: "Email address that the operator has now; null if there is none.",
    examples: ["ann@example.org"],
  }),
  kid: z.string().nullable().meta({
    description: "Access key that signed the request; null if the operator acted in a session.",
    examples: ["0123456789abcdef"],
  }),
  action: z.string().nullable().meta({
    description: "Operation id of the request; `addOperatorKey` or `restoreVenue` of a command.",
    examples: ["approveWithdraw"],
  }),
  target: z.record(z.string(), z.string()).meta({
    description: "Path parameters.",
    examples: [{ id: "815" }],
  }),
  changes: z.record(z.string(), z.unknown()).meta({
    description: "Body fields, without secrets and personal data.",
    examples: [{}],
  }),
  member: z.string().nullable().meta({ description: "The member that it touched." }),
  made: z.string().nullable().meta({ description: "Id of what it made." }),
  before: z.record(z.string(), z.unknown()).nullable().meta({
    description: "The fields that it changed, as they were; null if it made something.",
  }),
  after: z.record(z.string(), z.unknown()).nullable().meta({
    description: "The same fields as they are since; null if it made something.",
  }),
  reason: z.string().nullable().meta({ description: "Reason given; null if none." }),
  approval: z.object({
    id: z.int().meta({ description: "Number of the act that asked for it." }),
    state: z.enum(["pending", "approved", "refused"]).meta({
      description: "Whether this act asked for it, had it happen, or refused it.",
    }),
    action: z.string().meta({ description: "Operation id of what was asked for." }),
    changes: z.record(z.string(), z.unknown()).meta({ description: "Its body fields." }),
    reason: z.string().nullable().meta({ description: "Reason given for it; null if none." }),
    first: z.object({ uid: z.string(), kid: z.string().nullable() }).meta({
      description: "Who asked for it.",
    }),
  }).nullable().meta({ description: "Present if it took two operators." }),
  at: isoTime("Time of the act.").nullable(),
}).meta({
  id: "Act",
  description:
    "An act of an operator. The log numbers acts; if only the log knows of one, only its " +
    "number is shown.",
});

/** Example of an act. */
export const ACT_EXAMPLE = {
  id: 31,
  uid: "ID0A1B2C3D4E",
  email: "ann@example.org",
  kid: "0123456789abcdef",
  action: "approveWithdraw",
  target: { id: "815" },
  changes: {},
  member: "ID0B0B0B0B0B",
  made: null,
  before: { approved: false },
  after: { approved: true },
  reason: "requested by the member",
  approval: null,
  at: "2020-03-02T10:51:00Z",
};

/** A row of the table of withdrawal limits. */
export const WITHDRAW_LIMIT = z.object({
  id: z.int().meta({
    description: "Names the row for as long as it is there; follows from what it is for.",
    examples: [1],
  }),
  group: z.string().meta({ description: `Member group, or \`${ANY}\`.`, examples: [ANY] }),
  kyc_level: z.string().meta({ description: `Member level, or \`${ANY}\`.`, examples: [ANY] }),
  limit_24_hour: decimalText("Limit per 24 hours, in the platform currency.", "1000.0").nullable(),
  limit_1_month: decimalText(A_MONTH, "10000.0").nullable(),
}).meta({
  id: "WithdrawLimit",
  description:
    "What a member may withdraw without an operator's approval: with 0 nothing, with null any sum.",
});

/** Example of a row of withdrawal limits. */
export const WITHDRAW_LIMIT_EXAMPLE = {
  id: 1,
  group: ANY,
  kyc_level: ANY,
  limit_24_hour: "1000.0",
  limit_1_month: "10000.0",
};
