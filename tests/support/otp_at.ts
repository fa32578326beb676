import { Secret, TOTP } from "otpauth";

/** Returns the one-time code of a base32 secret at a time in ms. */
export function otpAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}
