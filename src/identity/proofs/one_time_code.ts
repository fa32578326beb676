/** One-time codes of RFC 6238, as common authenticators compute them. */
import { Secret, TOTP } from "otpauth";

/** Name of the venue in authenticators. */
const ISSUER = "kvenue";
const STEP_SECONDS = 30;
const DIGITS = 6;
/** 160 bits, the output length of SHA-1. */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted. */
const WINDOW_STEPS = 1;

/** Creates a secret in base32. */
export function createOtpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the URI that sets up an authenticator. */
export function otpUri(secret: string, label: string): string {
  return totp(secret, label).toString();
}

/**
 * Returns the time step of a code at a time in ms; null if the code is wrong.
 *
 * @param code as typed; see {@linkcode otpText}
 */
export function otpStepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta;
}

/**
 * Returns a code as six digits if it was sent as a number, which has lost its leading zeros, or its
 * digits are spaced as authenticators show them, `123 456`; otherwise as typed.
 */
export function otpText(code: string): string {
  const text = code.trim().replace(/^(\d{3})\s(\d{3})$/, "$1$2");
  return /^\d{1,5}$/.test(text) ? text.padStart(DIGITS, "0") : text;
}

function totp(secret: string, label: string = ""): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: DIGITS,
    period: STEP_SECONDS,
  });
}
