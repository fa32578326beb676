/** Why a person is refused: every identifier of this layer and the status it is answered with. */

/**
 * The closed list of refusals. Identifiers are those of the interface's older gateway, if it has
 * one for the case; a sign-in that lacks a valid code is answered with 401.
 */
const IDENTITY_REFUSALS = {
  /** Too short, too common, or lacks an upper-case letter, a lower-case letter or a digit. */
  password_weak: { status: 422, identifier: "password.requirements" },
  /** The old password is wrong. */
  password_wrong: { status: 422, identifier: "resource.password.prev_pass_not_correct" },
  /** The new password equals the old one. */
  password_unchanged: { status: 422, identifier: "resource.password.no_change_provided" },
  /** What protects the account is changed by its member only, which has to be proven. */
  owner_unproven: { status: 422, identifier: "resource.user.missing_password" },
  /** The password is wrong. */
  owner_password_wrong: { status: 422, identifier: "resource.user.invalid_password" },
  /** The code is unknown, used or too old. */
  owner_code_wrong: { status: 422, identifier: "resource.user.invalid_email_code" },
  /** The second factor was turned on too long ago for a reset to turn it off. */
  factor_not_new: { status: 422, identifier: "identity.password.otp_not_new" },
  /** The member has no such key that it could keep. */
  kept_key_unknown: { status: 422, identifier: "resource.password.invalid_keep_keys" },
  /** Keeping keys takes a one-time code. */
  key_code_missing: { status: 422, identifier: "resource.api_key.missing_totp" },
  /** The code is wrong or was used before. */
  key_code_wrong: { status: 422, identifier: "resource.api_key.invalid_totp" },
  /** The second factor is not on. */
  key_factor_off: { status: 422, identifier: "resource.api_key.2fa_disabled" },
  /** The confirmation code is unknown, used or too old. */
  email_code_invalid: { status: 422, identifier: "identity.user.invalid_token" },
  /** The code is right, but its sign-up had another password. */
  sign_up_password_wrong: { status: 422, identifier: "identity.user.wrong_password" },
  /** The reset code is unknown, used or too old. */
  reset_code_invalid: { status: 422, identifier: "identity.password.invalid_token" },
  /** The address or the password is wrong; the answer does not say which. */
  credentials_wrong: { status: 401, identifier: "identity.session.invalid_params" },
  /** The address is not confirmed yet. */
  member_pending: { status: 401, identifier: "identity.session.not_active" },
  member_locked: { status: 401, identifier: "identity.session.locked" },
  member_banned: { status: 401, identifier: "identity.session.banned" },
  /** The second factor is on, and no code was given. */
  sign_in_code_missing: { status: 401, identifier: "identity.session.missing_otp" },
  /** The code is wrong or was used before. */
  sign_in_code_wrong: { status: 401, identifier: "identity.session.invalid_otp" },
  /** The session has ended while its call was under way. */
  session_over: { status: 401, identifier: "authz.invalid_session" },
  /** The member has no such session. */
  session_not_found: { status: 404, identifier: "resource.session.not_found" },
  /** The second factor is already on. */
  two_factor_on: { status: 400, identifier: "resource.otp.already_enabled" },
  /** The second factor is not on. */
  two_factor_off: { status: 400, identifier: "resource.otp.not_enabled" },
  /** No secret was generated before enabling. */
  two_factor_not_generated: { status: 422, identifier: "resource.otp.not_generated" },
  /** The code is wrong or was used before. */
  code_wrong: { status: 422, identifier: "resource.otp.invalid" },
  /** Too many wrong passwords or mailed codes, or sign-ups from an address; `retryAfter` says how long to wait. */
  sign_in_throttled: { status: 429, identifier: "identity.session.too_many_failures" },
  /** Too many wrong codes; `retryAfter` says how long to wait. */
  code_throttled: { status: 429, identifier: "identity.otp.too_many_failures" },
  /** Too many wrong codes in a day: locked until an operator unlocks. */
  code_locked: { status: 429, identifier: "identity.otp.locked" },
  /** Too many wrong beneficiary pins; `retryAfter` says how long to wait. */
  pins_throttled: { status: 429, identifier: "account.beneficiary.too_many_failures" },
  /** Too many codes were requested; `retryAfter` says how long to wait. */
  messages_throttled: { status: 429, identifier: "identity.code.sent_recently" },
  /** Too many passwords are being hashed, or no message can be sent. */
  unavailable: { status: 503, identifier: "server.unavailable" },
} as const satisfies Readonly<Record<string, { status: number; identifier: string }>>;

/** Names of the refusals. */
export type IdentityRefusal = keyof typeof IDENTITY_REFUSALS;

/** A person's call was refused. */
export class IdentityError extends Error {
  override name = "IdentityError";

  constructor(readonly refusal: IdentityRefusal, options?: ErrorOptions) {
    super(IDENTITY_REFUSALS[refusal].identifier, options);
  }

  get status(): (typeof IDENTITY_REFUSALS)[IdentityRefusal]["status"] {
    return IDENTITY_REFUSALS[this.refusal].status;
  }

  get identifier(): string {
    return IDENTITY_REFUSALS[this.refusal].identifier;
  }
}

/** Refusals that end with time. */
export type ThrottleRefusal =
  | "sign_in_throttled"
  | "code_throttled"
  | "pins_throttled"
  | "messages_throttled";

/** Too many tries; may be repeated later. */
export class ThrottledError extends IdentityError {
  override name = "ThrottledError";

  /** @param retryAfter for `Retry-After`: whole seconds, at least 1 */
  constructor(refusal: ThrottleRefusal, readonly retryAfter: number) {
    super(refusal);
  }
}
