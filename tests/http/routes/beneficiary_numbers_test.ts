import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBody } from "../../../src/edge/reading/body.ts";
import { isSameDecimal } from "../../../src/edge/reading/plain_decimal.ts";
import { NEW_BENEFICIARY } from "../../../src/edge/schemas/beneficiaries.ts";

describe("a number where a beneficiary's data have text", () => {
  it("is written out, however long it is", async () => {
    const numbers = ["1234567890", "1234567890123450000000", "10500031000000000000000000"];
    for (const number of numbers) {
      const body = `{"currency":"eur","name":"bank","data":{"account_number":${number}}}`;
      const { data } = NEW_BENEFICIARY.parse(
        await parseBody("application/json", body, { asGiven: "data" }),
      );
      assertEquals(data, { account_number: number });
    }
  });
});

describe("a number of 60,000 digits in a beneficiary's data", () => {
  it("is scanned once, wherever its zeros are, not once for each zero", async () => {
    const zeros = "0".repeat(60_000);
    for (const number of [`0.${zeros}1`, `1.${zeros}1`, `1${zeros}.5`]) {
      const body = `{"data":{"a":${number}}}`;
      assertEquals(await parseBody("application/json", body, { asGiven: "data" }), {
        data: { a: number },
      });
      assertEquals(isSameDecimal("1", number), false);
    }
    assertEquals(isSameDecimal("1.50", `0001.5${zeros}`), true);
  });
});
