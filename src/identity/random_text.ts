/** Unguessable texts, and what is stored of them. */
import { timingSafeEqual } from "@std/crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Random bytes in hex. */
export function randomHex(bytes: number): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Random letters and digits of base32, five bits each. */
export function randomBase32(length: number): string {
  const random = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(random, (byte) => BASE32.charAt(byte & 31)).join("");
}

/** Whether two texts are the same; how long it takes does not tell where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [left, right] = [utf8ToBytes(a), utf8ToBytes(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Digest of a text that is too random to be guessed, in hex: all that is stored of it. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
