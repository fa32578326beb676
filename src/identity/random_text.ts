/** Unguessable texts and their digests. */
import { timingSafeEqual } from "@std/crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns random bytes in hex. */
export function randomHex(bytes: number): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Returns random base32 characters, five bits each. */
export function randomBase32(length: number): string {
  const random = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(random, (byte) => BASE32.charAt(byte & 31)).join("");
}

/** Compares two texts in a time that does not reveal where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [left, right] = [utf8ToBytes(a), utf8ToBytes(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns whose a code or cookie says that it is, before its last point; this is not verified. */
export function claimedName(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf(".")));
}

/** Returns the hex digest of a text too random to be guessed, which is all that is stored of it. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
