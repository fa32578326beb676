import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBody } from "../../../src/edge/reading/body.ts";
import { isSameDecimal, plainDecimal } from "../../../src/edge/reading/plain_decimal.ts";
import { decimal } from "../../../src/edge/schemas/fields.ts";
import { parseDecimal } from "../../../src/domain/money/money.ts";
import { Prng } from "../../support/prng.ts";

const FIELD = decimal({ prefix: "test", name: "value", sign: "positive" });

/** Parses a field; returns ledger units, or the identifiers of the issues. */
function read(text: unknown): bigint | string {
  const result = FIELD.safeParse(text);
  return result.success ? result.data : result.error.issues.map(({ message }) => message).join();
}

describe("plainDecimal()", () => {
  it("moves the point exactly, and leaves digits on both sides of it", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["5e-05", "0.00005"],
      ["1e-7", "0.0000001"],
      ["1E5", "100000"],
      ["1e+5", "100000"],
      ["1e5", "100000"],
      ["1.25e1", "12.5"],
      ["1.25e2", "125"],
      ["1.25e3", "1250"],
      ["12.5e-1", "1.25"],
      ["12.5e-2", "0.125"],
      ["12.5e-3", "0.0125"],
      ["-1.5e0", "-1.5"],
      ["+1.5e-1", "+0.15"],
      ["0e0", "0"],
      ["-0e5", "-000000"],
      ["1e00000000000000000000002", "100"],
      ["9007199254740993e0", "9007199254740993"],
      ["0.1000000000000000055511151231257827e-0", "0.1000000000000000055511151231257827"],
      [".5", "0.5"],
      ["-.05", "-0.05"],
      ["5.", "5"],
      ["+50.", "+50"],
      [".5e1", "5"],
      [".5e2", "50"],
      [".5e-1", "0.05"],
      [".05e1", "0.5"],
      ["1.e5", "100000"],
      ["5.e-1", "0.5"],
      ["1e40", `1${"0".repeat(40)}`],
      ["1e-40", `0.${"0".repeat(39)}1`],
    ];
    for (const [text, plain] of cases) {
      assertEquals(plainDecimal(text), plain, text);
    }
  });

  it("leaves plain decimals and non-decimals as they are", () => {
    const texts = ["1", "-0.50", "007", "1e5.0", "1e", "e5", "1e5e5", ".", "-.", ".e1", "x", ""];
    for (const text of texts) {
      assertEquals(plainDecimal(text), text);
    }
  });

  it("returns null if the exponent is beyond any amount", () => {
    for (const text of ["1e41", "1e-41", "1e400", "1e-400", "0e41", `1e${"9".repeat(400)}`]) {
      assertEquals(plainDecimal(text), null);
    }
  });

  it("gives a float's digits wherever it is written with an exponent", () => {
    const prng = new Prng(6);
    for (let i = 0; i < 2000; i++) {
      const digits = String(prng.between(1, 999_999_999));
      const places = prng.between(1, 16);
      const plain = `0.${digits.padStart(places, "0")}`;
      const fraction = Math.max(places, digits.length);
      const found = plainDecimal(`${digits}e-${fraction}`) ?? "";
      assertEquals(parseDecimal(found), parseDecimal(plain), plain);
      const float = String(Number(`${digits}e-15`));
      assertEquals(parseDecimal(plainDecimal(float) ?? ""), BigInt(digits) * 10n, float);
    }
  });
});

describe("isSameDecimal()", () => {
  it("compares numbers, not their texts", () => {
    const same = [["1", "1.0"], ["0.1", "0.10"], ["-1000", "-1e3"], ["0", "0.000"], ["1", "10e-1"]];
    for (const [one = "", other = ""] of same) assert(isSameDecimal(one, other), `${one} ${other}`);
    const different = [["1", "10"], ["1", "-1"], ["0", "1e-400"], ["1e41", "1e41"], [
      "0.1",
      "0.11",
    ]];
    for (const [one = "", other = ""] of different) {
      assert(!isSameDecimal(one, other), `${one} ${other}`);
    }
  });
});

describe("a decimal field", () => {
  it("takes JSON numbers as programs write them, exactly", async () => {
    const cases: readonly (readonly [string, bigint | string])[] = [
      ["5e-05", 5n * 10n ** 11n],
      ["1e-16", 1n],
      ["1e-17", "test.invalid_value"],
      ["10e-17", 1n],
      ["1E5", 10n ** 21n],
      ["1e+5", 10n ** 21n],
      ["9007199254740993e0", 9007199254740993n * 10n ** 16n],
      ["0.9007199254740993e1", 90071992547409930n],
      ["9.9999999999999999999e19", 99999999999999999999n * 10n ** 16n],
      ["1e19", 10n ** 35n],
      ["1e20", "test.invalid_value"],
      ["1e400", "test.invalid_value"],
      ["1e-400", "test.invalid_value"],
      ["0e0", "test.non_positive_value"],
      ["-0e5", "test.non_positive_value"],
      ["-1e0", "test.non_positive_value"],
      [`${"9".repeat(60_000)}e0`, "test.invalid_value"],
      [`0.${"0".repeat(60_000)}1e40`, "test.invalid_value"],
      [`1${"0".repeat(39)}e-39`, 10n ** 16n],
    ];
    const texts: readonly (readonly [string, bigint | string])[] = [
      [".5", 5n * 10n ** 15n],
      ["5.", 5n * 10n ** 16n],
      ["-.5", "test.non_positive_value"],
      [".0", "test.non_positive_value"],
      [".00000000000000001", "test.invalid_value"],
      [`${"9".repeat(60_000)}.`, "test.invalid_value"],
    ];
    for (const [number, expected] of cases) {
      const body = await parseBody("application/json", `{"a":${number}}`) as { a: unknown };
      assertEquals(read(body.a), expected, number.slice(0, 40));
      assertEquals(read(number), expected, `"${number.slice(0, 40)}"`);
    }
    for (const [text, expected] of texts) assertEquals(read(text), expected, text.slice(0, 40));
  });

  it("takes no other spelling of one", () => {
    const texts = [
      "1e5.0",
      "1e",
      "e1",
      "1e1e1",
      "1e 1",
      " 1e1",
      "0x1e1",
      ".",
      "+.",
      ".e1",
      "1..",
      "1.5.",
    ];
    for (const text of texts) assertEquals(read(text), "test.non_decimal_value", text);
  });
});
