/** Schemas of operators' calls about members, keys and balances. */
import * as z from "zod";
import type { MemberChanges } from "../../../domain/command.ts";
import { ANY_GROUP } from "../../../domain/group_table.ts";
import {
  MEMBER_LEVEL_MAX,
  OPEN_ORDERS_OVERRIDE_MAX,
  ORDERS_PER_BULK_OVERRIDE_MAX,
  UNTRADED_ORDERS_OVERRIDE_MAX,
} from "../../../domain/limits.ts";
import {
  KEY_STATES,
  MEMBER_STATES,
  NONCE_MODES,
  OPERATOR_ROLES,
  ROLES,
  SCOPES,
} from "../../../domain/people/member.ts";
import { definedFields } from "../../answer.ts";
import { decimalText, isoTime } from "../answers.ts";
import { EMAIL_LENGTH_MAX, newEmail } from "../email.ts";
import {
  changed,
  decimal,
  flag,
  integer,
  list,
  memberGroup,
  OBJECT,
  optional,
  someWords,
  stateWords,
  text,
  unlessAll,
  withDefault,
  word,
} from "../fields.ts";
import { pageFields, timeFields } from "../lists.ts";

/** Maximum length of a reason, in characters. */
export const REASON_LENGTH_MAX = 500;

const level = integer({ prefix: "admin.member", name: "level", min: 0, max: MEMBER_LEVEL_MAX }, {
  description: "Member level.",
  example: 3,
});

const MEMBER_STATE =
  "`active` may do everything that its level allows. `pending` has yet to confirm its email " +
  "address, by signing up with it: it cannot sign in, but its keys work. `locked` and `banned`, " +
  "which differ only in what signing in answers, have no access: sessions, keys and sockets are " +
  "refused, and withdrawals wait. In every state, open orders stay and trade until they are cancelled, if " +
  "need be by `POST /api/v2/admin/members/{uid}/orders/cancel`.";

const group = memberGroup("admin.member", { description: "Member group.", example: "any" });

/** Query of the list of members. */
export const MEMBERS_QUERY = z.object({
  ...pageFields("pagination"),
  email: optional(text({ prefix: "admin.member", name: "email", lengthMax: EMAIL_LENGTH_MAX }, {
    description: "Only the member with this address.",
    example: "alice@example.org",
  })),
  state: optional(stateWords("admin.member.invalid_state", MEMBER_STATES)),
  level: optional(level),
  group: optional(group),
  ...timeFields("admin.member"),
});

/** A new member. */
export const NEW_MEMBER = z.object({
  email: newEmail("admin.member", {
    description: "Email address; unique among members.",
    example: "alice@example.org",
  }),
  level: withDefault(level, 0),
  group: withDefault(group, ANY_GROUP),
}, OBJECT).meta({ id: "MemberInput", description: "A member to create." });

const MEMBER_CHANGES_FIELDS = z.object(
  changed("admin.member", {
    level: level,
    group: group,
    state: word("admin.member", "state", MEMBER_STATES, { description: MEMBER_STATE }),
    bulk_orders_max: integer({
      prefix: "admin.member",
      name: "bulk_orders_max",
      min: 0,
      max: ORDERS_PER_BULK_OVERRIDE_MAX,
    }, { description: "Maximum orders per bulk request; 0 for the venue's setting." }),
    open_orders_max: integer({
      prefix: "admin.member",
      name: "open_orders_max",
      min: 0,
      max: OPEN_ORDERS_OVERRIDE_MAX,
    }, { description: "Maximum open orders per market; 0 for the venue's default." }),
    untraded_orders_max: integer({
      prefix: "admin.member",
      name: "untraded_orders_max",
      min: 0,
      max: UNTRADED_ORDERS_OVERRIDE_MAX,
    }, {
      description:
        "Maximum orders that may end without a trade on a day (UTC); 0 for the venue's " +
        "setting.",
    }),
    market_orders_enabled: flag("admin.member", "market_orders_enabled", {
      description: "Whether market orders are accepted.",
    }),
    otp: flag("admin.member", "otp", {
      description:
        "`false` turns off the second factor of a member who has lost it; an operator cannot " +
        "turn it on.",
    }).refine((isOn) => !isOn, "admin.member.invalid_otp"),
  }),
  OBJECT,
).meta({
  id: "MemberChanges",
  description: "Fields to change; all others stay as they are.",
});

/** Changes of a member. */
export const MEMBER_CHANGES: z.ZodType<MemberChanges> = MEMBER_CHANGES_FIELDS
  .transform((given) =>
    definedFields<MemberChanges>({
      level: given.level,
      group: given.group,
      state: given.state,
      bulkOrdersMax: given.bulk_orders_max,
      openOrdersMax: given.open_orders_max,
      untradedOrdersMax: given.untraded_orders_max,
      marketOrdersEnabled: given.market_orders_enabled,
      hasTwoFactor: given.otp,
    })
  );

/** The role that a member is given as an operator. */
export const OPERATOR_ROLE = z.object({
  role: word("admin.member", "role", OPERATOR_ROLES, {
    description:
      "`viewer` reads, `support` also cares for members, `finance` also moves money, and " +
      "`admin` may do everything.",
    example: "support",
  }),
}, OBJECT).meta({ id: "OperatorRoleInput", description: "A role as an operator." });

const KEY = "admin.api_key";
const scopes = someWords(KEY, "scopes", SCOPES, { description: "Scopes of the key." });
const ipAllowList = list(KEY, "ip_allow_list", {
  description: "Addresses and address ranges that may use the key; empty for all.",
  example: ["203.0.113.0/24"],
});

/** A new key. */
export const NEW_KEY = z.object({
  scopes: optional(scopes),
  ip_allow_list: unlessAll(ipAllowList, `${KEY}.invalid_ip_allow_list`),
  nonce_mode: withDefault(
    word(KEY, "nonce_mode", NONCE_MODES, {
      description: "With `request`, a nonce may be reused for a different request.",
    }),
    "single",
  ),
}, OBJECT).meta({ id: "ApiKeyInput", description: "An API key to create." });

/** Changes of a key. */
export const KEY_CHANGES = z.object({
  ...changed(KEY, {
    state: word(KEY, "state", ["active", "disabled"], { description: "Key state." }),
  }),
  // Generated clients send null for a list that they don't set.
  scopes: optional(scopes),
  ip_allow_list: optional(ipAllowList),
}, OBJECT).meta({
  id: "ApiKeyChanges",
  description: "Fields to change; all others stay as they are.",
});

const adjustmentReason = text({
  prefix: "admin.adjustment",
  name: "reason",
  lengthMin: 1,
  lengthMax: REASON_LENGTH_MAX,
}, { description: "Reason, kept in the audit trail.", example: "opening balance" });

/** An adjustment, which moves funds between a member and the outside. */
export const ADJUSTMENT = z.object({
  uid: text({ prefix: "admin.adjustment", name: "uid" }, { example: "ID0A1B2C3D4E" }),
  currency: text({ prefix: "admin.adjustment", name: "currency" }, { example: "btc" }),
  amount: decimal({ prefix: "admin.adjustment", name: "amount" }, {
    description: "Positive to credit the member, negative to debit.",
    example: "100.0",
  }),
  reason: adjustmentReason
    .refine((reason) => reason.trim() !== "", "admin.adjustment.invalid_reason")
    .meta({ ...adjustmentReason.meta() }),
}, OBJECT).meta({ id: "AdjustmentInput", description: "An adjustment to make." });

/** A member as operators see it. */
export const MEMBER = z.object({
  uid: z.string(),
  email: z.string().nullable().meta({
    description: "Email address; null if unknown, or in the answer to a change by a " +
      "process that can't open it.",
  }),
  level: z.int(),
  group: z.string(),
  state: z.enum(MEMBER_STATES).meta({ description: MEMBER_STATE }),
  bulk_orders_max: z.int(),
  open_orders_max: z.int(),
  untraded_orders_max: z.int(),
  market_orders_enabled: z.boolean(),
  otp: z.boolean().meta({ description: "Whether the second factor is on." }),
  operator_role: z.enum(OPERATOR_ROLES).nullable().meta({
    description: "What it was given to do as an operator; null if nothing.",
  }),
  operator_role_active: z.boolean().meta({
    description: "Whether that is in force. A change of its password or second factor that its " +
      "member has not made with the old password ends it, until it is given again.",
  }),
  created_at: isoTime("Time of creation."),
}).meta({ id: "Member", description: "A member of the venue." });

/** A key as operators see it. */
export const API_KEY = z.object({
  kid: z.string().meta({ description: "Access key." }),
  algorithm: z.literal("HS256"),
  scopes: z.array(z.enum(SCOPES)),
  state: z.enum(KEY_STATES),
  role: z.enum(ROLES),
  nonce_mode: z.enum(NONCE_MODES),
  ip_allow_list: z.array(z.string()),
  created_at: isoTime("Time of creation."),
  updated_at: isoTime("Time of the last change."),
}).meta({ id: "ApiKey", description: "An API key, without its secret." });

/** A key right after its creation. */
export const CREATED_API_KEY = API_KEY.extend({
  secret: z.string().meta({ description: "Secret of the key; shown only once." }),
}).meta({ id: "CreatedApiKey", description: "A new API key with its secret." });

/** An adjustment that was made. */
export const ADJUSTMENT_DONE = z.object({
  id: z.int(),
  uid: z.string(),
  currency: z.string(),
  amount: decimalText("Amount credited or debited.", "100.0"),
  balance: decimalText("The member's balance after the adjustment.", "100.0"),
  reason: z.string(),
}).meta({ id: "Adjustment", description: "An adjustment of a member's balance." });

/** An adjustment as its member sees it. */
export const MEMBER_ADJUSTMENT = z.object({
  id: z.int().meta({ description: "Number of the adjustment." }),
  currency: z.string(),
  amount: decimalText("What was added; negative for what was taken.", "-0.5"),
  reason: z.string(),
  created_at: isoTime("Time of the adjustment."),
}).meta({ id: "MemberAdjustment", description: "A change of a balance by an operator." });
