/**
 * Order uuids: computed from ids and back by a keyed permutation, so that no
 * index is kept. Version 8 (RFC 9562): 61 bits of tag, a keyed hash of the id,
 * and 61 bits of id, masked by a keyed hash of the tag.
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

/** Ids to uuids and back, for one key of 32 bytes. */
export class OrderUuids {
  readonly #tagKey: Uint32Array;
  readonly #maskKey: Uint32Array;

  constructor(key: Uint8Array) {
    const words = new Uint32Array(key.slice(0, 32).buffer);
    this.#tagKey = words.subarray(0, 4);
    this.#maskKey = words.subarray(4, 8);
  }

  /** The uuid of an id, lower case. */
  toUuid(id: number): string {
    const tag = this.#tag(id);
    const mask = sipHash(this.#maskKey, tag);
    const high = (Math.floor(id / TWO_32) ^ mask.high) & HIGH_MASK;
    const low = (id ^ mask.low) >>> 0;
    const variant = 8 | (tag.high >>> 28) << 1 | high >>> 28;
    const head = hex(tag.low, 8);
    const middle = hex(tag.high & 0xfffffff, 7);
    const tail = hex(high & 0xfffffff, 7) + hex(low, 8);
    return `${head}-${middle.slice(0, 4)}-8${middle.slice(4)}-${variant.toString(16)}${
      tail.slice(0, 3)
    }-${tail.slice(3)}`;
  }

  /** The id of a uuid, or null where it is none of this venue's. */
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

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** SipHash-2-4 (Aumasson, Bernstein 2012) of one 8-byte message, in 32-bit halves. */
export function sipHash(key: Uint32Array, message: Halves): Halves {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = key;
  const v = new Int32Array([
    0x70736575 ^ k0,
    0x736f6d65 ^ k1,
    0x6e646f6d ^ k2,
    0x646f7261 ^ k3,
    0x6e657261 ^ k0,
    0x6c796765 ^ k1,
    0x79746573 ^ k2,
    0x74656462 ^ k3,
  ]);
  absorb(v, message);
  // The last block holds the message's length, 8, in its highest byte.
  absorb(v, { high: 0x08000000, low: 0 });
  (v[4] as number) ^= 0xff;
  for (let i = 0; i < 4; i++) round(v);
  return {
    low: ((v[0] as number) ^ (v[2] as number) ^ (v[4] as number) ^ (v[6] as number)) >>> 0,
    high: ((v[1] as number) ^ (v[3] as number) ^ (v[5] as number) ^ (v[7] as number)) >>> 0,
  };
}

function absorb(v: Int32Array, block: Halves): void {
  (v[6] as number) ^= block.low;
  (v[7] as number) ^= block.high;
  round(v);
  round(v);
  (v[0] as number) ^= block.low;
  (v[1] as number) ^= block.high;
}

/** One SipRound; words are pairs (low, high) at 0, 2, 4 and 6. */
function round(v: Int32Array): void {
  add(v, 0, 2);
  rotate(v, 2, 13);
  xor(v, 2, 0);
  swap(v, 0);
  add(v, 4, 6);
  rotate(v, 6, 16);
  xor(v, 6, 4);
  add(v, 0, 6);
  rotate(v, 6, 21);
  xor(v, 6, 0);
  add(v, 4, 2);
  rotate(v, 2, 17);
  xor(v, 2, 4);
  swap(v, 4);
}

function add(v: Int32Array, a: number, b: number): void {
  const low = ((v[a] as number) >>> 0) + ((v[b] as number) >>> 0);
  v[a + 1] = (v[a + 1] as number) + (v[b + 1] as number) + (low >= TWO_32 ? 1 : 0);
  v[a] = low;
}

function xor(v: Int32Array, a: number, b: number): void {
  (v[a] as number) ^= v[b] as number;
  (v[a + 1] as number) ^= v[b + 1] as number;
}

function rotate(v: Int32Array, a: number, bits: number): void {
  const low = v[a] as number;
  const high = v[a + 1] as number;
  v[a] = low << bits | high >>> (32 - bits);
  v[a + 1] = high << bits | low >>> (32 - bits);
}

function swap(v: Int32Array, a: number): void {
  const low = v[a] as number;
  v[a] = v[a + 1] as number;
  v[a + 1] = low;
}
