import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import {
  divideUp,
  feeOf,
  formatDecimal,
  formatInteger,
  LEDGER_DIGITS,
  LEDGER_ONE,
  parseDecimal,
  powerOfTen,
  WHOLE_DIGITS_MAX,
} from "../../../src/domain/money/money.ts";

const UNITS = fc.bigInt({ min: -(10n ** 36n) + 1n, max: 10n ** 36n - 1n });
const SCALE = fc.integer({ min: 0, max: LEDGER_DIGITS });

describe("parseDecimal", () => {
  it("reads plain decimals", () => {
    const cases: [string, bigint][] = [
      ["1", LEDGER_ONE],
      ["+1", LEDGER_ONE],
      ["-12.50", -125n * LEDGER_ONE / 10n],
      ["0.0000000000000001", 1n],
      ["00012", 12n * LEDGER_ONE],
      ["-0", 0n],
      ["1.00000000000000000000", LEDGER_ONE],
      ["99999999999999999999", 99999999999999999999n * LEDGER_ONE],
    ];
    for (const [text, units] of cases) assertEquals(parseDecimal(text), units, text);
  });

  it("returns null for anything but a plain decimal", () => {
    const texts = [
      "",
      " 1",
      "1 ",
      ".5",
      "5.",
      "1e3",
      "NaN",
      "Infinity",
      "0x10",
      "1,5",
      "--1",
      "１",
    ];
    for (const text of texts) assertEquals(parseDecimal(text), null, text);
  });

  it("returns null for too many digits, not counting extra zeros", () => {
    assertEquals(parseDecimal("0.00000000000000001"), null);
    assertEquals(parseDecimal("1.25", 1), null);
    assertEquals(parseDecimal("1.2000", 1), 12n);
    assertEquals(parseDecimal("1" + "0".repeat(WHOLE_DIGITS_MAX)), null);
    assertEquals(parseDecimal("0".repeat(50) + "7", 0), 7n);
  });

  it("reads back what formatDecimal wrote, at every scale", () => {
    fc.assert(fc.property(UNITS, SCALE, fc.nat(20), (units, scale, fractionMin) => {
      const text = formatDecimal(units, scale, fractionMin);
      const isShort = text.replace("-", "").split(".")[0]?.length ?? 0;
      assertEquals(parseDecimal(text, scale), isShort > WHOLE_DIGITS_MAX ? null : units);
    }));
  });

  it("is exact where a float is not", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 16 });
    fc.assert(fc.property(fc.nat(10 ** 9), digits, (whole, fraction) => {
      const text = `${whole}.${fraction.join("")}`;
      const wanted = BigInt(whole) * LEDGER_ONE +
        BigInt(fraction.join("")) * 10n ** BigInt(LEDGER_DIGITS - fraction.length);
      assertEquals(parseDecimal(text), wanted);
    }));
  });
});

describe("formatDecimal", () => {
  it("writes the shortest form with at least the given fraction digits", () => {
    assertEquals(formatDecimal(15n, 1), "1.5");
    assertEquals(formatDecimal(10n, 1), "1");
    assertEquals(formatDecimal(10n, 1, 1), "1.0");
    assertEquals(formatDecimal(-5n, 2), "-0.05");
    assertEquals(formatDecimal(0n, 0, 1), "0.0");
    assertEquals(formatDecimal(1_250_000n, 6, 4), "1.2500");
  });

  it("agrees with formatInteger on safe integers", () => {
    fc.assert(fc.property(fc.nat(), SCALE, fc.nat(6), (units, scale, fractionMin) => {
      assertEquals(
        formatInteger(units, scale, fractionMin),
        formatDecimal(BigInt(units), scale, fractionMin),
      );
    }));
  });

  it("never ends in a zero beyond the given fraction digits", () => {
    fc.assert(fc.property(UNITS, (units) => !/\.\d*0$|\.$/.test(formatDecimal(units))));
  });
});

describe("the arithmetic of money", () => {
  it("computes exact fees and throws on an inexact one", () => {
    assertEquals(feeOf(1_000_000n, 2000), 2000n);
    assertEquals(feeOf(999n, 0), 0n);
    assertThrows(() => feeOf(1n, 1), InvariantError);
  });

  it("rounds a division up by less than one", () => {
    assertEquals(divideUp(7n, 2n), 4n);
    assertEquals(divideUp(8n, 2n), 4n);
    assertThrows(() => divideUp(1n, 0n), InvariantError);
    assertThrows(() => divideUp(-1n, 2n), InvariantError);
    fc.assert(fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 20n), (a, b) => {
      const up = divideUp(a, b);
      return a <= up * b && up * b < a + b;
    }));
  });

  it("knows powers of ten up to the largest one used", () => {
    assertEquals(powerOfTen(0), 1n);
    assertEquals(powerOfTen(40), 10n ** 40n);
    assertThrows(() => powerOfTen(41), InvariantError);
  });
});
