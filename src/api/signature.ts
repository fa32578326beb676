/** The signature of a call: hex(HMAC-SHA256(secret, nonce + access key)), lower case. */
import { timingSafeEqual } from "@std/crypto";
import { createKeyedHash, type KeyedHash } from "../engine/credentials.ts";

/** Header names, as the specification spells them. */
export const API_KEY_HEADER = "X-Auth-Apikey";
export const NONCE_HEADER = "X-Auth-Nonce";
export const SIGNATURE_HEADER = "X-Auth-Signature";

const DIGEST_BYTES = 32;
const encoder = new TextEncoder();
const spare = createKeyedHash("");
const computed = new Uint8Array(DIGEST_BYTES);
const claimed = new Uint8Array(DIGEST_BYTES);

/** Whether the signature is that of the nonce and access key; takes the same time for all wrong ones. */
export function verifySignature(
  keyedHash: KeyedHash,
  nonce: string,
  kid: string,
  signature: string,
): boolean {
  // Copied into one spare state: three times as fast as a new one for each call.
  keyedHash._cloneInto(spare).update(encoder.encode(nonce + kid)).digestInto(computed);
  const isWellFormed = decodeHex(signature, claimed);
  return timingSafeEqual(computed, claimed) && isWellFormed;
}

/** Reads lower-case hex of exactly the target's length; false where the text is anything else. */
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

/** Value of a hex digit by its character code; negative where it is none. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}
