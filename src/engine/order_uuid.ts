/**
 * Order uuids, computed from ids and back by a keyed permutation, so that no index is needed.
 * Version 8 (RFC 9562): 61 bits of tag, a keyed hash of the id, and 61 bits of id, masked by a
 * keyed hash of the tag.
 */

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab])([0-9a-f]{3})-([0-9a-f]{12})$/;
const HIGH_BITS = 29;
const HIGH_MASK = 2 ** HIGH_BITS - 1;
const TWO_32 = 2 ** 32;

/** A 64-bit number in two halves. */
interface Halves {
  high: number;
  low: number;
}

/** Converts ids to uuids and back, with one key of 32 bytes. */
export class OrderUuids {
  readonly #tagKey: Uint32Array;
  readonly #maskKey: Uint32Array;

  constructor(key: Uint8Array) {
    const words = new Uint32Array(key.slice(0, 32).buffer);
    this.#tagKey = words.subarray(0, 4);
    this.#maskKey = words.subarray(4, 8);
  }

  /** Returns the uuid of an id, in lower case. */
  toUuid(id: number): string {
    const tag = this.#tag(id);
    const mask = sipHash(this.#maskKey, tag);
    const high = (Math.floor(id / TWO_32) ^ mask.high) & HIGH_MASK;
    writeHex(tag.low, 8, 0);
    writeHex(tag.high >>> 12, 4, 9);
    writeHex(tag.high, 3, 15);
    writeHex(8 | (tag.high >>> 28) << 1 | high >>> 28, 1, 19);
    writeHex(high >>> 16, 3, 20);
    writeHex(high, 4, 24);
    writeHex(id ^ mask.low, 8, 28);
    return String.fromCharCode(...written);
  }

  /** Returns the id of a uuid; null if it is none of this venue's. */
  toId(uuid: string): number | null {
    const match = UUID.exec(uuid.toLowerCase());
    if (match === null) return null;
    const [, head = "", four = "", three = "", nibble = "", first = "", last = ""] = match;
    const variant = parseInt(nibble, 16);
    const tail = first + last;
    const tag = {
      low: parseInt(head, 16),
      high: parseInt(four + three, 16) + (variant >>> 1 & 1) * 2 ** 28,
    };
    const mask = sipHash(this.#maskKey, tag);
    const high = (parseInt(tail.slice(0, 7), 16) + (variant & 1) * 2 ** 28) ^
      (mask.high & HIGH_MASK);
    const low = (parseInt(tail.slice(7), 16) ^ mask.low) >>> 0;
    const id = high * TWO_32 + low;
    if (!Number.isSafeInteger(id) || id < 1) return null;
    const expected = this.#tag(id);
    return expected.low === tag.low && expected.high === tag.high ? id : null;
  }

  #tag(id: number): Halves {
    const hash = sipHash(this.#tagKey, { high: Math.floor(id / TWO_32), low: id >>> 0 });
    return { high: hash.high & HIGH_MASK, low: hash.low };
  }
}

/** Character codes of the uuid being written: three times as fast as joining strings. */
const written: number[] = codesOf("00000000-0000-8000-0000-000000000000");
const HEX_DIGITS: readonly number[] = codesOf("0123456789abcdef");

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/** Writes the lowest `digits` hex digits of a number. */
function writeHex(value: number, digits: number, at: number): void {
  for (let i = at + digits - 1; i >= at; i--) {
    written[i] = HEX_DIGITS[value & 15] ?? 0;
    value >>>= 4;
  }
}

/** Returns the SipHash-2-4 (Aumasson, Bernstein 2012) of one 8-byte message, in 32-bit halves. */
export function sipHash(key: Uint32Array, message: Halves): Halves {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = key;
  const v: Words = {
    al: 0x70736575 ^ k0,
    ah: 0x736f6d65 ^ k1,
    bl: 0x6e646f6d ^ k2,
    bh: 0x646f7261 ^ k3,
    cl: 0x6e657261 ^ k0,
    ch: 0x6c796765 ^ k1,
    dl: 0x79746573 ^ k2,
    dh: 0x74656462 ^ k3,
  };
  absorb(v, message.low | 0, message.high | 0);
  // The last block holds the message's length, 8, in its highest byte.
  absorb(v, 0, 0x08000000);
  v.cl ^= 0xff;
  for (let i = 0; i < 4; i++) round(v);
  return { low: (v.al ^ v.bl ^ v.cl ^ v.dl) >>> 0, high: (v.ah ^ v.bh ^ v.ch ^ v.dh) >>> 0 };
}

/** The four 64-bit words of SipHash, each in a low and a high half. */
interface Words {
  al: number;
  ah: number;
  bl: number;
  bh: number;
  cl: number;
  ch: number;
  dl: number;
  dh: number;
}

function absorb(v: Words, low: number, high: number): void {
  v.dl ^= low;
  v.dh ^= high;
  round(v);
  round(v);
  v.al ^= low;
  v.ah ^= high;
}

/** One SipRound. */
function round(v: Words): void {
  let { al, ah, bl, bh, cl, ch, dl, dh } = v;
  let t = (al + bl) | 0;
  ah = (ah + bh + carry(t, al)) | 0;
  al = t;
  t = bl;
  bl = (bl << 13 | bh >>> 19) ^ al;
  bh = (bh << 13 | t >>> 19) ^ ah;
  t = al;
  al = ah;
  ah = t;
  t = (cl + dl) | 0;
  ch = (ch + dh + carry(t, cl)) | 0;
  cl = t;
  t = dl;
  dl = (dl << 16 | dh >>> 16) ^ cl;
  dh = (dh << 16 | t >>> 16) ^ ch;
  t = (al + dl) | 0;
  ah = (ah + dh + carry(t, al)) | 0;
  al = t;
  t = dl;
  dl = (dl << 21 | dh >>> 11) ^ al;
  dh = (dh << 21 | t >>> 11) ^ ah;
  t = (cl + bl) | 0;
  ch = (ch + bh + carry(t, cl)) | 0;
  cl = t;
  t = bl;
  bl = (bl << 17 | bh >>> 15) ^ cl;
  bh = (bh << 17 | t >>> 15) ^ ch;
  v.al = al;
  v.ah = ah;
  v.bl = bl;
  v.bh = bh;
  v.cl = ch;
  v.ch = cl;
  v.dl = dl;
  v.dh = dh;
}

/** Returns 1 if the sum of two low halves has wrapped round, else 0. */
function carry(sum: number, term: number): number {
  return (sum >>> 0) < (term >>> 0) ? 1 : 0;
}
