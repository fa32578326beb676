import { Secret, TOTP } from "otpauth";

/** The code that an authenticator shows for a secret, in base32, at a time in ms. */
export function otpAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}
