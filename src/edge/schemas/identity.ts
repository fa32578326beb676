/** Schemas of calls by people, with the field names of the family's gateway. */
import * as z from "zod";
import { MEMBER_STATES, NONCE_MODES, OPERATOR_ROLES, SCOPES } from "../../domain/people/member.ts";
import { ACTIVITY_TOPICS } from "../../identity/identity.ts";
import { decimalText, isoTime } from "./answers.ts";
import { EMAIL_LENGTH_MAX, newEmail } from "./email.ts";
import { flag, list, OBJECT, optional, someWords, text, unlessAll, word } from "./fields.ts";

/** More than a password may have, so that one that is too long is refused as too weak. */
const PASSWORD_FIELD_LENGTH_MAX = 256;
const TOKEN_LENGTH_MAX = 256;

const USER = "identity.user";
const SESSION = "identity.session";
const PASSWORD = "resource.password";
const OTP = "resource.otp";
const OWN_USER = "resource.user";
const KEY = "resource.api_key";

const ADDRESS = { description: "Email address.", example: "carol@example.org" };

function email(prefix: string): z.ZodType<string, string> {
  return text({ prefix, name: "email", lengthMin: 1, lengthMax: EMAIL_LENGTH_MAX }, ADDRESS);
}

function password(prefix: string, name: string, description: string): z.ZodType<string, string> {
  return text({ prefix, name, lengthMin: 1, lengthMax: PASSWORD_FIELD_LENGTH_MAX }, {
    description,
  });
}

/** Returns a field for a one-time code, as text or as a number. */
function oneTimeCode(
  prefix: string,
  name: string,
  description: string,
): z.ZodType<string, string> {
  return text({ prefix, name, lengthMin: 1 }, { description, example: "123456" });
}

/** A person who signs up. */
export const NEW_USER = z.object({
  email: newEmail(USER, ADDRESS),
  password: password(
    USER,
    "password",
    "Password, with at least one upper-case letter, one lower-case letter and one digit.",
  ),
}, OBJECT).meta({ id: "UserInput", description: "A person who signs up." });

/** Settings for signing up and in. */
export const IDENTITY_SETTINGS = z.object({
  captcha_type: z.literal("none").meta({ description: "Kind of captcha." }),
  password_min_entropy: z.int().meta({ description: "Minimum entropy of a password, in bits." }),
}).meta({ id: "IdentitySettings", description: "What signing up and signing in require." });

/** A password to rate. */
export const NEW_PASSWORD = z.object({
  password: password(USER, "password", "Password to rate."),
}, OBJECT).meta({ id: "PasswordInput", description: "A password to rate." });

/** The strength of a password. */
export const PASSWORD_STRENGTH = z.object({
  entropy: z.int().meta({
    description: "Entropy in bits; below the minimum if the password would be refused.",
  }),
}).meta({ id: "PasswordStrength", description: "Strength of a password." });

/** The email address to send a code to. */
export const CODE_REQUEST = z.object({ email: email(USER) }, OBJECT)
  .meta({ id: "CodeRequest", description: "Where to send a code." });

/** What confirms an email address. */
export const EMAIL_CONFIRMATION = z.object({
  token: text({ prefix: USER, name: "token", lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }, {
    description: "Code from the message.",
  }),
  password: password(
    USER,
    "password",
    "Password of the sign-up that the message belongs to, the latest with this address.",
  ),
}, OBJECT).meta({
  id: "EmailConfirmation",
  description: "What confirms an email address: code and password of its sign-up.",
});

/** A new password in place of a forgotten one. */
export const PASSWORD_RESET = z.object({
  reset_password_token: text({
    prefix: USER,
    name: "pass_token",
    lengthMin: 1,
    lengthMax: TOKEN_LENGTH_MAX,
  }, { description: "Code from the message." }),
  password: password(USER, "password", "New password."),
  confirm_password: password(USER, "confirm_password", "New password, repeated."),
  disable_otp: optional(flag(USER, "disable_otp", {
    description: "Whether to turn off the second factor, which must be on for less than 48 hours.",
  })),
}, OBJECT).meta({
  id: "PasswordReset",
  description: "A new password in place of a forgotten one.",
});

/** The credentials of a sign-in. */
export const NEW_SESSION = z.object({
  email: email(SESSION),
  password: password(SESSION, "password", "Password."),
  otp_code: optional(oneTimeCode(
    SESSION,
    "otp_code",
    "One-time code or recovery code, if the second factor is on.",
  )),
}, OBJECT).meta({ id: "SessionInput", description: "Credentials of a sign-in." });

/** A new password in place of the current one. */
export const PASSWORD_CHANGE = z.object({
  old_password: password(PASSWORD, "old_password", "Current password."),
  new_password: password(PASSWORD, "new_password", "New password."),
  confirm_password: password(PASSWORD, "confirm_password", "New password, repeated."),
  keep_keys: optional(list(PASSWORD, "keep_keys", {
    description: "Access keys of the API keys to keep; all others that you made are disabled.",
    example: ["0123456789abcdef"],
  })),
  totp_code: optional(oneTimeCode(KEY, "totp_code", "One-time code; required to keep keys.")),
}, OBJECT).meta({
  id: "PasswordChange",
  description: "A new password in place of the current one.",
});

/** A one-time code from an authenticator. */
export const OTP_CODE = z.object({
  code: oneTimeCode(OTP, "code", "One-time code from the authenticator."),
}, OBJECT).meta({ id: "OtpCode", description: "A one-time code from an authenticator." });

/** A session that was given a code. */
export const CONFIRMED_SESSION = z.object({
  confirmed_until: isoTime("Until when the code is fresh."),
}).meta({ id: "ConfirmedSession", description: "A session that was given a one-time code." });

/** What proves in a session that its member is there. */
const ownerProof = {
  password: optional(
    password(OWN_USER, "password", "Current password; required without `email_code`."),
  ),
  email_code: optional(
    text({ prefix: OWN_USER, name: "email_code", lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }, {
      description: "Code sent to the member's address, in place of the password.",
    }),
  ),
};

/** The first code of a new secret, and a proof that the member enters it. */
export const FIRST_OTP_CODE = OTP_CODE.extend(ownerProof).meta({
  id: "FirstOtpCode",
  description: "The first code of a new secret, and a proof that the member enters it.",
});

/** A one-time code or a recovery code, and the same proof. */
export const OTP_OR_RECOVERY_CODE = z.object({
  code: oneTimeCode(OTP, "code", "One-time code or recovery code."),
  ...ownerProof,
}, OBJECT).meta({ id: "OtpOrRecoveryCode", description: "A one-time code or recovery code." });

const totpCode = optional(oneTimeCode(KEY, "totp_code", "One-time code; required."));
const scopes = {
  scope: optional(someWords(KEY, "scope", SCOPES, { description: "Scopes of the key." })),
  scopes: optional(
    someWords(KEY, "scopes", SCOPES, {
      description: "Alias of `scope`; refused if both are given and differ.",
    }),
  ),
};
const ipAllowList = list(KEY, "ip_allow_list", {
  description: "Addresses and address ranges that may use the key; empty for all.",
  example: ["203.0.113.0/24"],
});

/** An API key that a member creates for itself. */
export const NEW_OWN_KEY = z.object({
  totp_code: totpCode,
  ...ownerProof,
  algorithm: optional(word(KEY, "algorithm", ["HS256"], { description: "Signature algorithm." })),
  ...scopes,
  ip_allow_list: unlessAll(ipAllowList, `${KEY}.invalid_ip_allow_list`),
  nonce_mode: optional(word(KEY, "nonce_mode", NONCE_MODES, {
    description: "With `request`, a nonce may be reused for a different request.",
  })),
}, OBJECT).meta({ id: "OwnApiKeyInput", description: "An API key to create." });

/** Changes of a member's own API key. */
export const OWN_KEY_CHANGES = z.object({
  totp_code: totpCode,
  ...ownerProof,
  state: optional(word(KEY, "state", ["active", "disabled"], { description: "Key state." })),
  ...scopes,
  ip_allow_list: optional(ipAllowList),
}, OBJECT).meta({
  id: "OwnApiKeyChanges",
  description: "Fields to change; all others stay as they are.",
});

/** Query with the code for deleting a key; unnamed, since a name would hide its fields. */
export const KEY_PROOF_QUERY = z.object({ totp_code: totpCode }, OBJECT);

/** Body with the same code, and a proof that the member enters it. */
export const KEY_PROOF = KEY_PROOF_QUERY.extend(ownerProof).meta({
  id: "ApiKeyProof",
  description: "Proof of the second factor, and that the member itself is there.",
});

/** A member as it sees itself. */
export const USER_ANSWER = z.object({
  uid: z.string().meta({ examples: ["ID0A1B2C3D4E"] }),
  email: z.string().nullable(),
  role: z.enum(["member", ...OPERATOR_ROLES]).meta({
    description: "What it may do as an operator in its sessions; `member` for nothing.",
  }),
  level: z.int(),
  otp: z.boolean().meta({ description: "Whether the second factor is on." }),
  state: z.enum(MEMBER_STATES),
  created_at: isoTime("Time of creation."),
}).meta({ id: "User", description: "A member's own account." });

/** The same, with the CSRF token of the session. */
export const USER_IN_SESSION = USER_ANSWER.extend({
  csrf_token: z.string().meta({
    description: "Token to send in `X-CSRF-Token` with requests that use the cookie.",
  }),
  confirmed_until: isoTime("Until when its code is fresh; null if it is not.").nullable(),
}).meta({
  id: "UserInSession",
  description: "The signed-in member, with the token of the session.",
});

/** What a member may do, by its level, its group and the operator's settings. */
const MEMBER_LIMITS = z.object({
  open_orders_max: z.int().meta({ description: "Open orders per market." }),
  bulk_orders_max: z.int().meta({ description: "Orders per bulk call." }),
  untraded_orders_max: z.int().nullable().meta({
    description: "Orders a day (UTC) that may end without a trade; `null` for no limit.",
  }),
  withdraw_24_hour: decimalText("In the platform currency, within 24 hours.", "1000.0").nullable(),
  withdraw_1_month: decimalText("The same within a month.", "10000.0").nullable(),
}).meta({
  id: "MemberLimits",
  description: "What the member may do. Withdrawals above a limit wait for the operator.",
});

/** A member as its keys see it, and its session, which adds what a key must not tell. */
export const ME = z.object({
  uid: z.string().meta({ examples: ["ID0A1B2C3D4E"] }),
  level: z.int(),
  group: z.string().meta({ description: "Group of the trading fees and withdrawal limits." }),
  state: z.enum(MEMBER_STATES),
  limits: MEMBER_LIMITS,
  ...USER_IN_SESSION.pick({
    email: true,
    role: true,
    otp: true,
    created_at: true,
    csrf_token: true,
    confirmed_until: true,
  }).partial().shape,
}).meta({
  id: "Me",
  description: "The caller. `email`, `role`, `otp`, `created_at` and the `csrf_token` and " +
    "`confirmed_until` of the session only in a session.",
});

/** A session. */
export const SESSION_ANSWER = z.object({
  id: z.string(),
  user_ip: z.string(),
  user_agent: z.string(),
  current: z.boolean().meta({ description: "Whether this is the session of the request." }),
  created_at: isoTime("Time of the sign-in."),
  last_seen_at: isoTime("Time of the last request."),
  expires_at: isoTime("Time when the session ends at the latest."),
}).meta({ id: "Session", description: "A session of the member." });

/** The number of sessions that ended. */
export const SESSIONS_ENDED = z.object({ ended: z.int() })
  .meta({ id: "SessionsEnded", description: "Number of sessions that ended." });

/** An event on the account. */
export const ACTIVITY = z.object({
  user_ip: z.string(),
  user_agent: z.string(),
  topic: z.enum(ACTIVITY_TOPICS),
  action: z.string(),
  result: z.enum(["succeed", "failed"]),
  created_at: isoTime("Time of the event."),
}).meta({ id: "Activity", description: "An event on the account." });

/** A secret for an authenticator. */
export const OTP_SECRET = z.object({
  data: z.object({
    url: z.string().meta({ description: "URI for the authenticator: `otpauth://…`." }),
    secret: z.string().meta({ description: "Secret in Base32." }),
    barcode: z.string().meta({ description: "QR code as the URL of an image." }),
    svg: z.string().meta({ description: "The secret as a QR code." }),
  }),
}).meta({
  id: "OtpSecret",
  description: "A secret for an authenticator that is not yet in force.",
});

/** Recovery codes for when the authenticator is lost. */
export const RECOVERY_CODES = z.object({
  recovery_codes: z.array(z.string()).meta({
    description:
      "Codes that each work once, to sign in or to turn off the second factor; shown only once.",
  }),
}).meta({ id: "OtpRecovery", description: "Codes for when the authenticator is lost." });

/** A key as its member sees it. */
export const OWN_KEY = z.object({
  kid: z.string().meta({ description: "Access key." }),
  algorithm: z.literal("HS256"),
  scope: z.array(z.enum(SCOPES)),
  state: z.enum(["active", "disabled"]),
  nonce_mode: z.enum(NONCE_MODES),
  ip_allow_list: z.array(z.string()),
  created_at: isoTime("Time of creation."),
  updated_at: isoTime("Time of the last change."),
}).meta({ id: "OwnApiKey", description: "An API key of the member, without its secret." });

/** The same right after its creation, with its secret. */
export const CREATED_OWN_KEY = OWN_KEY.extend({
  secret: z.string().meta({ description: "Secret of the key; shown only once." }),
}).meta({ id: "CreatedOwnApiKey", description: "A new API key with its secret." });

/** An answer without content. */
export const DONE = z.object({}).meta({
  id: "Done",
  description: "An empty object: the request succeeded.",
});

/** A message in the demo's outbox. */
export const OUTBOX_MESSAGE = z.object({
  id: z.int(),
  uid: z.string(),
  to: z.string().meta({ description: "Recipient's email address." }),
  kind: z.string().meta({ examples: ["email_confirmation"] }),
  code: z.string().nullable().meta({ description: "Code or pin; null for a mere notice." }),
  created_at: isoTime("Time when the message was sent."),
}).meta({ id: "OutboxMessage", description: "A message that was sent." });

/** Query of the demo's outbox. */
export const OUTBOX_QUERY = z.object({
  uid: optional(text({ prefix: "admin.outbox", name: "uid" }, {
    description: "Only messages to this member.",
  })),
});

/** An act of an operator as the member sees it whom it touched. */
export const OWN_ACT = z.object({
  id: z.int().meta({ description: "Number of the act." }),
  action: z.string().meta({
    description: "Operation id of the operator's request.",
    examples: ["changeMember"],
  }),
  reason: z.string().nullable().meta({ description: "Why; null if none was given." }),
  at: isoTime("Time of the act."),
}).meta({ id: "OwnAct", description: "What an operator did to your account." });
