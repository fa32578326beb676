/** Verifies the signature of a call: hex(HMAC-SHA256(secret, nonce + access key)), in either case. */
import { timingSafeEqual } from "@std/crypto";
import { DIGEST_BYTES, type KeyedHash } from "../../secrets/keyed_hash.ts";

/** Header names as spelled in the specification. */
export const API_KEY_HEADER = "X-Auth-Apikey";
export const NONCE_HEADER = "X-Auth-Nonce";
export const SIGNATURE_HEADER = "X-Auth-Signature";

/** Tells a lower-case letter's code from that of the upper-case one. */
const LOWER_CASE_BIT = 32;
const computed = new Uint8Array(DIGEST_BYTES);
const claimed = new Uint8Array(DIGEST_BYTES);

/** Returns whether a signature is valid, in the same time for all that are not. */
export function verifySignature(
  keyedHash: KeyedHash,
  nonce: string,
  kid: string,
  signature: string,
): boolean {
  return verifyText(keyedHash, nonce + kid, signature);
}

/** Returns whether a text's signature is valid, in the same time for all that are not. */
export function verifyText(keyedHash: KeyedHash, text: string, signature: string): boolean {
  keyedHash.signInto(text, computed);
  const isWellFormed = decodeHex(signature, claimed);
  return timingSafeEqual(computed, claimed) && isWellFormed;
}

/** Decodes hex, in either case, of exactly the target's length; returns false for anything else. */
function decodeHex(text: string, target: Uint8Array): boolean {
  let isWellFormed = text.length === target.length * 2;
  for (let i = 0; i < target.length; i++) {
    const high = hexDigit(text.charCodeAt(2 * i));
    const low = hexDigit(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) isWellFormed = false;
    target[i] = (high & 15) << 4 | (low & 15);
  }
  return isWellFormed;
}

/** Returns the value of a hex digit's character code; negative if it is not one. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | LOWER_CASE_BIT;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
