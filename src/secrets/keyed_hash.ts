/**
 * HMAC-SHA256 (RFC 2104, FIPS 180-4) of texts by secrets that are kept. Each order has a signature
 * to verify: the library's hash takes twice as long, since it takes data in parts and wipes itself,
 * and the platform's six times.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Length of a digest, in bytes. */
export const DIGEST_BYTES = 32;

const BLOCK_BYTES = 64;
const BLOCK_WORDS = BLOCK_BYTES / 4;
const STATE_WORDS = DIGEST_BYTES / 4;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** The bit that ends a message, as a byte and as a word. */
const END = 0x80;
const END_WORD = 0x80000000;
/** Of the end and the length behind a message, which may begin another block. */
const PADDING_BYTES_MAX = BLOCK_BYTES + 9;
/** Longer than what is signed usually is, in characters. */
const USUAL_LENGTH = 256;

const INITIAL_STATE = Int32Array.of(
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a],
  ...[0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
);
const ROUND_CONSTANTS = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4],
  ...[0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe],
  ...[0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f],
  ...[0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7],
  ...[0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc],
  ...[0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b],
  ...[0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116],
  ...[0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7],
  0xc67178f2,
);

const encoder = new TextEncoder();
const usual = new Uint8Array(3 * USUAL_LENGTH + PADDING_BYTES_MAX);
/** The block that is compressed, and what its words are extended to. */
const words = new Int32Array(ROUND_CONSTANTS.length);
const digest = new Int32Array(STATE_WORDS);

/** Signs texts with one secret. */
export class KeyedHash {
  /** The states of both hashes once they have taken the secret. */
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;

  constructor(secret: string) {
    const bytes = utf8ToBytes(secret);
    const key = bytes.length > BLOCK_BYTES ? sha256(bytes) : bytes;
    this.#inner = stateBehind(key, INNER_PAD);
    this.#outer = stateBehind(key, OUTER_PAD);
  }

  /** Writes the signature of a text, in UTF-8, into the first 32 bytes of `target`. */
  signInto(text: string, target: Uint8Array): void {
    const isUsual = text.length <= USUAL_LENGTH;
    const message = isUsual ? usual : new Uint8Array(3 * text.length + PADDING_BYTES_MAX);
    const { written } = encoder.encodeInto(text, message);
    hashMessage(this.#inner, message, written);
    hashDigest(this.#outer);
    for (let i = 0; i < DIGEST_BYTES; i++) target[i] = (digest[i >> 2] ?? 0) >>> 24 - 8 * (i & 3);
  }
}

function stateBehind(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(BLOCK_BYTES);
  for (let i = 0; i < BLOCK_BYTES; i++) block[i] = (key[i] ?? 0) ^ pad;
  readBlock(block, 0);
  const state = new Int32Array(STATE_WORDS);
  compress(INITIAL_STATE, state);
  return state;
}

/** Hashes a message of `length` bytes, behind which there is room, into `digest`. */
function hashMessage(state: Int32Array, message: Uint8Array, length: number): void {
  const end = Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  message[length] = END;
  message.fill(0, length + 1, end);
  for (let at = 0; at < end; at += BLOCK_BYTES) {
    readBlock(message, at);
    if (at + BLOCK_BYTES === end) words[BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + length);
    compress(at === 0 ? state : digest, digest);
  }
}

/** Hashes the digest into itself. */
function hashDigest(state: Int32Array): void {
  words.set(digest);
  words[STATE_WORDS] = END_WORD;
  words.fill(0, STATE_WORDS + 1, BLOCK_WORDS - 1);
  words[BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + DIGEST_BYTES);
  compress(state, digest);
}

function readBlock(bytes: Uint8Array, start: number): void {
  for (let i = 0; i < BLOCK_WORDS; i++) {
    const at = start + 4 * i;
    words[i] = (bytes[at] ?? 0) << 24 | (bytes[at + 1] ?? 0) << 16 | (bytes[at + 2] ?? 0) << 8 |
      (bytes[at + 3] ?? 0);
  }
}

/** SHA-256's compression of the block in `words`; `next` may be `state`. */
function compress(state: Int32Array, next: Int32Array): void {
  extendWords();
  const [a0 = 0, b0 = 0, c0 = 0, d0 = 0, e0 = 0, f0 = 0, g0 = 0, h0 = 0] = state;
  let [a, b, c, d, e, f, g, h] = [a0, b0, c0, d0, e0, f0, g0, h0];
  for (let i = 0; i < words.length; i++) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = g ^ e & (f ^ g);
    const one = h + sum1 + choice + (ROUND_CONSTANTS[i] ?? 0) + (words[i] ?? 0) | 0;
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = a & b | c & (a | b);
    h = g;
    g = f;
    f = e;
    e = d + one | 0;
    d = c;
    c = b;
    b = a;
    a = one + sum0 + majority | 0;
  }
  next[0] = a0 + a;
  next[1] = b0 + b;
  next[2] = c0 + c;
  next[3] = d0 + d;
  next[4] = e0 + e;
  next[5] = f0 + f;
  next[6] = g0 + g;
  next[7] = h0 + h;
}

function extendWords(): void {
  for (let i = BLOCK_WORDS; i < words.length; i++) {
    const early = words[i - 15] ?? 0;
    const late = words[i - 2] ?? 0;
    const sum0 = rotated(early, 7) ^ rotated(early, 18) ^ early >>> 3;
    const sum1 = rotated(late, 17) ^ rotated(late, 19) ^ late >>> 10;
    words[i] = (words[i - 16] ?? 0) + sum0 + (words[i - 7] ?? 0) + sum1;
  }
}

function rotated(word: number, bits: number): number {
  return word >>> bits | word << 32 - bits;
}
