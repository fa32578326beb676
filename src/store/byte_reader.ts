/** Reads what {@linkcode ByteWriter} wrote. */
import { assert, InvariantError } from "../domain/assert.ts";

// A leading byte order mark is an ordinary character.
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads values from a position in a buffer. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#position = position;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  /** Whether everything has been read. */
  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** Reads one byte. */
  byte(): number {
    const value = this.#bytes[this.#position++];
    assert(value !== undefined, "a record ends where it should");
    return value;
  }

  /** Reads a non-negative safe integer. */
  uint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
    }
    assert(Number.isSafeInteger(value), "a decoded integer is safe");
    return value;
  }

  /** Reads a non-negative integer of any size; a safe one like {@linkcode ByteReader.uint}. */
  natural(): bigint {
    let value = 0n;
    for (let shift = 0n;; shift += 49n) {
      let low = 0;
      // Seven bytes fit one number: a bigint for each byte would take far longer.
      for (let place = 1; place < 2 ** 49; place *= 128) {
        const byte = this.byte();
        low += (byte & 0x7f) * place;
        if (byte < 0x80) return value + (BigInt(low) << shift);
      }
      value += BigInt(low) << shift;
    }
  }

  /** Reads a safe integer of either sign. */
  int(): number {
    const value = this.uint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads a `bigint`. */
  bigint(): bigint {
    const head = this.byte();
    const size = head >> 1;
    const start = this.#position;
    this.passBytes(size);
    let at = size - size % 8;
    let value = this.#few(start + at, size - at);
    while (at > 0) {
      at -= 8;
      value = (value << 64n) | this.#view.getBigUint64(start + at, true);
    }
    return head % 2 === 1 ? -value : value;
  }

  /** Reads up to seven bytes, lowest first. */
  #few(start: number, count: number): bigint {
    // One read and a cut make one bigint; a loop makes two for each byte.
    if (start + 8 <= this.#bytes.length) {
      return BigInt.asUintN(8 * count, this.#view.getBigUint64(start, true));
    }
    let value = 0n;
    for (let at = start + count - 1; at >= start; at--) {
      value = (value << 8n) | BigInt(this.#bytes[at] as number);
    }
    return value;
  }

  /** Passes over integers of any size or sign, but not those of `bigint`. */
  passIntegers(count: number): void {
    for (let left = count; left > 0;) if (this.byte() < 0x80) left -= 1;
  }

  /** Passes over a `bigint`. */
  passBigint(): void {
    this.passBytes(this.byte() >> 1);
  }

  /** Passes over bytes. */
  passBytes(count: number): void {
    this.#position += count;
    assert(this.#position <= this.#bytes.length, "a record ends where it should");
  }

  /** Reads a text. */
  text(): string {
    const length = this.uint();
    return length === 0 ? "" : readable(() => DECODER.decode(this.raw(length)));
  }

  /** Reads `length` bytes as they are; a view, not a copy. */
  raw(length: number): Uint8Array {
    const start = this.#position;
    this.passBytes(length);
    return this.#bytes.subarray(start, this.#position);
  }

  /** Reads a plain record. */
  record<T>(): T {
    const text = this.text();
    return readable(() => revived(JSON.parse(text)) as T);
  }
}

/** Decodes a text or a record; one that can't be read is a broken invariant. */
function readable<T>(decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof SyntaxError)) throw cause;
    throw new InvariantError(`Broken invariant: a record can be read: ${cause.message}`);
  }
}

/** Revives bigints in place: a reviver of `JSON.parse` takes several times as long. */
function revived(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isBigint(value)) return BigInt(value.bigint);
  const items = value as Record<string, unknown>;
  for (const key of Object.keys(items)) items[key] = revived(items[key]);
  return items;
}

function isBigint(item: object): item is { bigint: string } {
  return "bigint" in item && typeof item.bigint === "string";
}
