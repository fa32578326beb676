/** What people's calls carry, and what they answer. The words are those of the family's gateway. */
import * as z from "zod";
import { MEMBER_STATES, NONCE_MODES, SCOPES } from "../../domain/member.ts";
import { ACTIVITY_TOPICS } from "../../identity/identity.ts";
import { isoTime } from "./answers.ts";
import { EMAIL_LENGTH_MAX, newEmail } from "./email.ts";
import { list, OBJECT, optional, someWords, text, word } from "./fields.ts";
import { pageFields } from "./lists.ts";

const PASSWORD_LENGTH_MAX = 256;
const TOKEN_LENGTH_MAX = 256;

const USER = "identity.user";
const SESSION = "identity.session";
const PASSWORD = "resource.password";
const OTP = "resource.otp";
const KEY = "resource.api_key";

const ADDRESS = { description: "Address.", example: "carol@example.org" };

function email(prefix: string): z.ZodType<string, string> {
  return text({ prefix, name: "email", lengthMin: 1, lengthMax: EMAIL_LENGTH_MAX }, ADDRESS);
}

function password(prefix: string, name: string, description: string): z.ZodType<string, string> {
  return text({ prefix, name, lengthMin: 1, lengthMax: PASSWORD_LENGTH_MAX }, { description });
}

/** A one-time code as typed, or as a number. */
function oneTimeCode(
  prefix: string,
  name: string,
  description: string,
): z.ZodType<string, string> {
  return text({ prefix, name, lengthMin: 1 }, { description, example: "123456" })
    .meta({ type: ["string", "integer"], description, examples: ["123456"] });
}

/** Who signs up. */
export const NEW_USER = z.object({
  email: newEmail(USER, ADDRESS),
  password: password(USER, "password", "With an upper and a lower case letter and a digit."),
}, OBJECT).meta({ id: "NewUser", description: "A person who becomes a member." });

/** What signing up and in takes. */
export const IDENTITY_SETTINGS = z.object({
  captcha_type: z.literal("none").meta({ description: "No puzzle is to be solved." }),
  password_min_entropy: z.int().meta({ description: "Bits that a password must have." }),
}).meta({ id: "IdentitySettings", description: "What signing up and in takes." });

/** A password that somebody thinks of. */
export const NEW_PASSWORD = z.object({
  password: password(USER, "password", "The password."),
}, OBJECT).meta({ id: "NewPassword", description: "A password that somebody thinks of." });

/** How strong a password is. */
export const PASSWORD_STRENGTH = z.object({
  entropy: z.int().meta({ description: "Bits; fewer than it must have where it is refused." }),
}).meta({ id: "PasswordStrength", description: "How strong a password is." });

/** Where a code is to be sent. */
export const CODE_REQUEST = z.object({ email: email(USER) }, OBJECT)
  .meta({ id: "CodeRequest", description: "Where a code is to be sent." });

/** The code that confirms an address. */
export const EMAIL_CONFIRMATION = z.object({
  token: text({ prefix: USER, name: "token", lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }, {
    description: "The code of the message.",
  }),
}, OBJECT).meta({ id: "EmailConfirmation", description: "The code that confirms an address." });

/** A password instead of a forgotten one. */
export const PASSWORD_RESET = z.object({
  reset_password_token: text({
    prefix: USER,
    name: "pass_token",
    lengthMin: 1,
    lengthMax: TOKEN_LENGTH_MAX,
  }, { description: "The code of the message." }),
  password: password(USER, "password", "The new password."),
  confirm_password: password(USER, "confirm_password", "The same once more."),
}, OBJECT).meta({ id: "PasswordReset", description: "A password instead of a forgotten one." });

/** Who signs in. */
export const NEW_SESSION = z.object({
  email: email(SESSION),
  password: password(SESSION, "password", "The password."),
  otp_code: optional(oneTimeCode(
    SESSION,
    "otp_code",
    "One-time code or recovery code, where the second factor is on.",
  )),
}, OBJECT).meta({ id: "NewSession", description: "Who signs in." });

/** A password instead of the present one. */
export const PASSWORD_CHANGE = z.object({
  old_password: password(PASSWORD, "old_password", "The present password."),
  new_password: password(PASSWORD, "new_password", "The new password."),
  confirm_password: password(PASSWORD, "confirm_password", "The new one once more."),
}, OBJECT).meta({ id: "PasswordChange", description: "A password instead of the present one." });

/** The code of an authenticator. */
export const OTP_CODE = z.object({
  code: oneTimeCode(OTP, "code", "One-time code of the authenticator."),
}, OBJECT).meta({ id: "OtpCode", description: "The code of an authenticator." });

/** The code of an authenticator, or one kept for its loss. */
export const OTP_OR_RECOVERY_CODE = z.object({
  code: oneTimeCode(OTP, "code", "One-time code or recovery code."),
}, OBJECT).meta({ id: "OtpOrRecoveryCode", description: "A code, or one kept for its loss." });

const totpCode = optional(oneTimeCode(KEY, "totp_code", "One-time code; mandatory."));
const scopes = {
  scope: optional(someWords(KEY, "scope", SCOPES, { description: "What the key may do." })),
  scopes: optional(someWords(KEY, "scopes", SCOPES, { description: "The same by another name." })),
};
const ipAllowList = optional(list(KEY, "ip_allow_list", {
  description: "Addresses and ranges that may use the key; empty for all.",
  example: ["203.0.113.0/24"],
}));

/** A key that a member makes. */
export const NEW_OWN_KEY = z.object({
  totp_code: totpCode,
  algorithm: optional(word(KEY, "algorithm", ["HS256"], { description: "Of its signatures." })),
  ...scopes,
  ip_allow_list: ipAllowList,
  nonce_mode: optional(word(KEY, "nonce_mode", NONCE_MODES, {
    description: "`request`: a nonce may be used again for another request.",
  })),
}, OBJECT).meta({ id: "NewOwnApiKey", description: "A key that a member makes." });

/** What a member changes of its key. */
export const OWN_KEY_CHANGES = z.object({
  totp_code: totpCode,
  state: optional(word(KEY, "state", ["active", "disabled"], { description: "State." })),
  ...scopes,
  ip_allow_list: ipAllowList,
}, OBJECT).meta({ id: "OwnApiKeyChanges", description: "What to change; the rest stays." });

/** Proof for the deletion of a key, in the query; without a name, which would hide its fields. */
export const KEY_PROOF_QUERY = z.object({ totp_code: totpCode }, OBJECT);

/** The same in the body. */
export const KEY_PROOF = KEY_PROOF_QUERY
  .meta({ id: "ApiKeyProof", description: "Proof of the second factor." });

/** Which activities to list. */
export const ACTIVITY_QUERY = z.object(pageFields("pagination"));

/** A person as it sees itself. */
export const USER_ANSWER = z.object({
  uid: z.string().meta({ examples: ["ID0A1B2C3D4E"] }),
  email: z.string().nullable(),
  role: z.literal("member"),
  level: z.int(),
  otp: z.boolean().meta({ description: "Whether the second factor is on." }),
  state: z.enum(MEMBER_STATES),
  created_at: isoTime("Creation."),
}).meta({ id: "User", description: "A person as it sees itself." });

/** The same in a session. */
export const USER_IN_SESSION = USER_ANSWER.extend({
  csrf_token: z.string().meta({
    description: "What calls with the cookie send back in `X-CSRF-Token`.",
  }),
}).meta({ id: "UserInSession", description: "A person who is signed in." });

/** A session. */
export const SESSION_ANSWER = z.object({
  id: z.string(),
  user_ip: z.string(),
  user_agent: z.string(),
  current: z.boolean().meta({ description: "The one that asks." }),
  created_at: isoTime("Sign-in."),
  last_seen_at: isoTime("Last call."),
  expires_at: isoTime("End at the latest."),
}).meta({ id: "Session", description: "A session of the member." });

/** How many sessions ended. */
export const SESSIONS_ENDED = z.object({ ended: z.int() })
  .meta({ id: "SessionsEnded", description: "How many sessions ended." });

/** Something that happened to the account. */
export const ACTIVITY = z.object({
  user_ip: z.string(),
  user_agent: z.string(),
  topic: z.enum(ACTIVITY_TOPICS),
  action: z.string(),
  result: z.enum(["succeed", "failed"]),
  created_at: isoTime("When."),
}).meta({ id: "Activity", description: "Something that happened to the account." });

/** A secret for an authenticator. */
export const OTP_SECRET = z.object({
  data: z.object({
    url: z.string().meta({ description: "For the authenticator: `otpauth://…`." }),
    secret: z.string().meta({ description: "Base32." }),
    barcode: z.string().meta({ description: "The QR code as the address of an image." }),
    svg: z.string().meta({ description: "The QR code." }),
  }),
}).meta({ id: "OtpSecret", description: "A secret for an authenticator, not in force yet." });

/** What is kept for the loss of the authenticator. */
export const RECOVERY_CODES = z.object({
  recovery_codes: z.array(z.string()).meta({
    description: "Each is good once, for signing in or turning off; shown this once.",
  }),
}).meta({ id: "RecoveryCodes", description: "What is kept for the loss of the authenticator." });

/** A key as its member sees it. */
export const OWN_KEY = z.object({
  kid: z.string().meta({ description: "The access key." }),
  algorithm: z.literal("HS256"),
  scope: z.array(z.enum(SCOPES)),
  state: z.enum(["active", "disabled"]),
  nonce_mode: z.enum(NONCE_MODES),
  ip_allow_list: z.array(z.string()),
  created_at: isoTime("Creation."),
  updated_at: isoTime("Last change."),
}).meta({ id: "OwnApiKey", description: "A key of the member, without its secret." });

/** A key of a member right after its creation. */
export const CREATED_OWN_KEY = OWN_KEY.extend({
  secret: z.string().meta({ description: "Shown this once." }),
}).meta({ id: "CreatedOwnApiKey", description: "A new key with its secret." });

/** The answer where there is nothing to say. */
export const DONE = z.object({}).meta({ id: "Done", description: "Nothing more to say." });

/** A message in the demo's outbox. */
export const OUTBOX_MESSAGE = z.object({
  id: z.int(),
  uid: z.string(),
  to: z.string().meta({ description: "Mailbox." }),
  kind: z.string().meta({ examples: ["email_confirmation"] }),
  code: z.string().nullable().meta({ description: "Code or pin; null in a mere notice." }),
  created_at: isoTime("When it was sent."),
}).meta({ id: "OutboxMessage", description: "A message that was sent." });

/** Whose messages to list. */
export const OUTBOX_QUERY = z.object({
  uid: optional(text({ prefix: "admin.outbox", name: "uid" }, {
    description: "Only messages to this member.",
  })),
});
