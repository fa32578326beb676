import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../src/domain/assert.ts";
import { ByteReader } from "../../src/store/byte_reader.ts";
import { ByteWriter } from "../../src/store/byte_writer.ts";

/** Writes and reads a value; asserts that the reader ends where the writer did. */
function roundTrip<T>(
  value: T,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
): T {
  const writer = new ByteWriter(1);
  write(writer, value);
  const reader = new ByteReader(writer.take());
  const found = read(reader);
  assertEquals(reader.isAtEnd, true);
  return found;
}

function check<T>(
  arbitrary: fc.Arbitrary<T>,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => assertEquals(roundTrip(value, write, read), value)),
    { numRuns: 500 },
  );
}

/** Returns the numbers around every power of two. */
function edges(): number[] {
  const numbers = [0];
  for (let bits = 0; bits <= 53; bits++) numbers.push(2 ** bits - 1, 2 ** bits);
  return numbers.filter(Number.isSafeInteger);
}

describe("byte encoding", () => {
  it("round-trips non-negative integers of any size", () => {
    check(fc.maxSafeNat(), (w, value) => w.uint(value), (r) => r.uint());
    for (const value of edges()) {
      assertEquals(roundTrip(value, (w, one) => w.uint(one), (r) => r.uint()), value);
    }
  });

  it("round-trips non-negative big integers, safe ones encoded like plain integers", () => {
    const big = fc.bigInt({ min: 0n, max: 2n ** 200n });
    check(big, (w, value) => w.natural(value), (r) => r.natural());
    for (let bits = 0n; bits <= 200n; bits++) {
      for (const value of [2n ** bits - 1n, 2n ** bits]) {
        // Values that follow it are not part of it.
        const followed = [value, 1n, 2n ** 64n];
        const write = (writer: ByteWriter) => followed.forEach((one) => writer.natural(one));
        assertEquals(roundTrip(followed, write, (r) => followed.map(() => r.natural())), followed);
      }
    }
    for (const value of edges()) {
      assertEquals(roundTrip(value, (w, one) => w.natural(BigInt(one)), (r) => r.uint()), value);
    }
  });

  it("round-trips signed integers up to half the safe range", () => {
    const half = 2 ** 52 - 1;
    check(fc.integer({ min: -half, max: half }), (w, value) => w.int(value), (r) => r.int());
    check(fc.maxSafeInteger().map((n) => Math.trunc(n / 2)), (w, v) => w.int(v), (r) => r.int());
  });

  it("is passed over up to the value that follows", () => {
    const write = (writer: ByteWriter) => {
      for (const value of edges()) writer.uint(value);
      for (const value of [-300, 64]) writer.int(value);
      writer.natural(2n ** 100n);
      for (const value of [0n, -1n, 2n ** 63n, -(2n ** 100n)]) writer.bigint(value);
      writer.uint(7);
      return 7;
    };
    const read = (reader: ByteReader) => {
      reader.passIntegers(edges().length + 3);
      for (let left = 4; left > 0; left--) reader.passBigint();
      return reader.uint();
    };
    assertEquals(roundTrip(7, write, read), 7);
    assertThrows(() => new ByteReader(new Uint8Array(3)).passBytes(4), InvariantError);
  });

  it("round-trips signed big integers of up to 128 bits", () => {
    const big = fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n });
    check(big, (w, value) => w.bigint(value), (r) => r.bigint());
    for (let bits = 0n; bits <= 128n; bits++) {
      for (const value of [2n ** bits - 1n, 2n ** bits, -(2n ** bits), 1n - 2n ** bits]) {
        assertEquals(roundTrip(value, (w, one) => w.bigint(one), (r) => r.bigint()), value);
        // Values that follow it are not part of it.
        const followed = [value, -1n, 2n ** 64n];
        const write = (writer: ByteWriter) => followed.forEach((one) => writer.bigint(one));
        assertEquals(roundTrip(followed, write, (r) => followed.map(() => r.bigint())), followed);
      }
    }
  });

  it("round-trips texts of any characters", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    check(text, (w, value) => w.text(value), (r) => r.text());
    const marked = fc.string({ unit: "binary", maxLength: 9 }).map((tail) => `\ufeff${tail}`);
    check(marked, (w, value) => w.text(value), (r) => r.text());
  });

  it("round-trips records with big integers anywhere in them", () => {
    const value = fc.oneof(fc.bigInt(), fc.boolean(), fc.integer(), fc.string({ unit: "binary" }));
    const record = fc.dictionary(
      fc.string().filter((name) => name !== "__proto__" && name !== "bigint"),
      fc.oneof(value, fc.array(value)),
      { noNullPrototype: true },
    );
    check(record, (w, one) => w.record(one), (r) => r.record());
  });

  it("reads values back one after another", () => {
    const value = fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }));
    fc.assert(fc.property(fc.array(fc.oneof(value, fc.string())), (values) => {
      const writer = new ByteWriter(1);
      for (const one of values) {
        if (typeof one === "number") writer.uint(one);
        else if (typeof one === "bigint") writer.bigint(one);
        else writer.text(one);
      }
      const reader = new ByteReader(writer.take());
      const found = values.map((one) =>
        typeof one === "number"
          ? reader.uint()
          : typeof one === "bigint"
          ? reader.bigint()
          : reader.text()
      );
      assertEquals(found, values);
      assertEquals(reader.isAtEnd, true);
    }));
  });

  it("refuses bytes that no writer could have written", () => {
    const large = new Uint8Array([255, 255, 255, 255, 255, 255, 255, 127]);
    assertThrows(() => new ByteReader(large).uint(), InvariantError, "is safe");
  });

  it("returns a copy unaffected by later writes, and can be truncated", () => {
    const writer = new ByteWriter();
    writer.uint(7);
    writer.uint(8);
    const taken = writer.take();
    writer.truncate(1);
    assertEquals([...writer.take()], [7]);
    writer.uint(9);
    assertEquals([[...taken], [...writer.take()]], [[7, 8], [7, 9]]);
    assertThrows(() => writer.truncate(3), InvariantError, "less than it holds");
  });

  it("refuses values that would not round-trip", () => {
    const writer = new ByteWriter();
    assertThrows(() => writer.uint(-1), InvariantError);
    assertThrows(() => writer.uint(0.5), InvariantError);
    assertThrows(() => writer.uint(2 ** 53), InvariantError);
    assertThrows(() => writer.bigint(2n ** 1024n), InvariantError);
    assertThrows(() => writer.natural(-1n), InvariantError);
  });

  it("refuses bytes that end too early", () => {
    const writer = new ByteWriter();
    writer.bigint(2n ** 90n);
    writer.natural(2n ** 90n);
    writer.text("a text");
    const bytes = writer.take();
    for (let length = 0; length < bytes.length; length++) {
      const reader = new ByteReader(bytes.subarray(0, length));
      assertThrows(() => [reader.bigint(), reader.natural(), reader.text()], InvariantError);
    }
  });
});
