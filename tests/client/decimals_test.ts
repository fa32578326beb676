import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { decimalOf, unitsOf } from "../../src/client/decimals.ts";

describe("decimals of a client", () => {
  it("are whole numbers of their smallest units", () => {
    for (
      const [decimal, digits, units] of [
        ["20000.0", 2, 2000000n],
        ["0.01", 2, 1n],
        ["-0.5", 1, -5n],
        ["7", 0, 7n],
        ["7.000", 0, 7n],
        ["1.", 3, 1000n],
        ["123456789012345678.0000000000000001", 16, 1234567890123456780000000000000001n],
      ] as const
    ) assertEquals(unitsOf(decimal, digits), units, decimal);
  });

  it("are written without zeros at their end", () => {
    for (
      const [units, digits, decimal] of [
        [2000000n, 2, "20000"],
        [1n, 2, "0.01"],
        [-5n, 1, "-0.5"],
        [0n, 4, "0"],
        [-1200n, 4, "-0.12"],
        [7n, 0, "7"],
      ] as const
    ) assertEquals(decimalOf(units, digits), decimal);
  });

  it("that have more digits, or are none, are refused", () => {
    for (const text of ["0.001", "1e3", "", ".5", "1,5", "+1", "NaN", " 1"]) {
      assertThrows(() => unitsOf(text, 2), RangeError, "is no decimal");
    }
  });
});
