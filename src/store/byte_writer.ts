/** Writes values into a growing buffer: integers of variable length, text and `bigint`. */
import { assert } from "../domain/assert.ts";

const ENCODER = new TextEncoder();
const UINT64_MAX = 0xffff_ffff_ffff_ffffn;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** A buffer that values are appended to; reused by {@linkcode ByteWriter.reset}. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Empties the buffer, but keeps its memory. */
  reset(): void {
    this.#length = 0;
  }

  /** Drops everything after `length`. */
  truncate(length: number): void {
    assert(length <= this.#length, "a buffer is cut to less than it holds");
    this.#length = length;
  }

  /** Returns a copy of what was written. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Returns what was written, as a view that the next write may change. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** Writes one byte. */
  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a non-negative safe integer in one to eight bytes. */
  uint(value: number): void {
    assert(
      value >= 0 && Number.isSafeInteger(value),
      "an encoded integer is safe and not negative",
    );
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80000000) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a non-negative integer of any size; a safe one like {@linkcode ByteWriter.uint}. */
  natural(value: bigint): void {
    let rest = value;
    while (rest > SAFE_MAX) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.uint(Number(rest));
  }

  /** Writes a safe integer of either sign. */
  int(value: number): void {
    this.uint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** Writes a `bigint` of up to 127 bytes: length × 2 + sign, then the bytes, lowest first. */
  bigint(value: bigint): void {
    const sign = value < 0n ? 1 : 0;
    let rest = sign === 1 ? -value : value;
    this.#reserve(40);
    const start = this.#length++;
    while (rest > UINT64_MAX) {
      this.#reserve(16);
      this.#view.setBigUint64(this.#length, BigInt.asUintN(64, rest), true);
      this.#length += 8;
      rest >>= 64n;
    }
    this.#view.setBigUint64(this.#length, rest, true);
    this.#length += 8;
    while (this.#length > start + 1 && this.#bytes[this.#length - 1] === 0) this.#length -= 1;
    const size = this.#length - start - 1;
    assert(size < 128, "an encoded bigint has less than 128 bytes");
    this.#bytes[start] = size * 2 + sign;
  }

  /** Writes a text in UTF-8. */
  text(value: string): void {
    const encoded = value.length === 0 ? null : ENCODER.encode(value);
    this.uint(encoded?.length ?? 0);
    if (encoded !== null) this.raw(encoded);
  }

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a plain record as JSON, `bigint` included: for what changes rarely. */
  record(value: unknown): void {
    this.text(
      JSON.stringify(value, (_, item) => typeof item === "bigint" ? { bigint: `${item}` } : item),
    );
  }
}
