import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBody } from "../../src/api/body.ts";
import { NEW_BENEFICIARY } from "../../src/api/schemas/beneficiaries.ts";

describe("a number where a beneficiary's data have text", () => {
  it("is written out, however long it is", () => {
    const numbers = ["1234567890", "1234567890123450000000", "10500031000000000000000000"];
    for (const number of numbers) {
      const body = `{"currency":"eur","name":"bank","data":{"account_number":${number}}}`;
      const { data } = NEW_BENEFICIARY.parse(parseBody("application/json", body, "data"));
      assertEquals(data, { account_number: number });
    }
  });
});
