/** Fields with secret values, which are left out of errors and of the audit trail. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "password",
  "old_password",
  "new_password",
  "confirm_password",
  "secret",
  "code",
  "pin",
  "token",
  "reset_password_token",
  "email_code",
  "otp",
  "otp_code",
  "totp_code",
]);
