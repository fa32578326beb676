import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../src/domain/assert.ts";
import { multiply, toBigint } from "../../src/domain/whole_number.ts";

describe("whole numbers", () => {
  it("become the same bigints", () => {
    const edges = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 1, Number.MAX_SAFE_INTEGER];
    assertEquals(edges.map(toBigint), edges.map(BigInt));
    fc.assert(fc.property(fc.maxSafeNat(), (value) => toBigint(value) === BigInt(value)));
  });

  it("are neither negative nor broken", () => {
    for (const value of [-1, -(2 ** 40), 0.5, 7.25, 2 ** 64, NaN, Infinity]) {
      assertThrows(() => toBigint(value), InvariantError, "a whole number");
    }
    assertThrows(() => multiply(-1, 3), InvariantError);
  });

  it("multiply exactly beyond the safe integers", () => {
    assertEquals(multiply(3, 4), 12n);
    assertEquals(multiply(Number.MAX_SAFE_INTEGER, 3), BigInt(Number.MAX_SAFE_INTEGER) * 3n);
    fc.assert(fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
      return multiply(a, b) === BigInt(a) * BigInt(b);
    }));
  });
});
