/** Fields whose values are told to nobody: no error repeats them, and no trail keeps them. */
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
  "otp",
  "otp_code",
  "totp_code",
]);
