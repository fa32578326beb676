import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type * as z from "zod";
import { ApiError } from "../../../src/edge/errors.ts";
import { ACTIVATION } from "../../../src/edge/schemas/beneficiaries.ts";
import { list } from "../../../src/edge/schemas/fields.ts";
import {
  EMAIL_CONFIRMATION,
  KEY_PROOF,
  NEW_SESSION,
  NEW_USER,
  OTP_CODE,
  PASSWORD_CHANGE,
  PASSWORD_RESET,
} from "../../../src/edge/schemas/identity.ts";
import { NEW_WITHDRAW } from "../../../src/edge/schemas/withdraws.ts";
import { parseWith } from "../../../src/edge/reading/validation.ts";

const SECRET = "hunter2";
const PASSWORD = "Tr0ub4dor&3x";

const SECRETS: [z.ZodType, Record<string, unknown>, string][] = [
  [NEW_USER, { email: "a@b.example" }, "password"],
  [NEW_SESSION, { email: "a@b.example" }, "password"],
  [NEW_SESSION, { email: "a@b.example", password: PASSWORD }, "otp_code"],
  [PASSWORD_CHANGE, { new_password: PASSWORD, confirm_password: PASSWORD }, "old_password"],
  [PASSWORD_CHANGE, { old_password: PASSWORD, confirm_password: PASSWORD }, "new_password"],
  [PASSWORD_CHANGE, { old_password: PASSWORD, new_password: PASSWORD }, "confirm_password"],
  [PASSWORD_RESET, { password: PASSWORD, confirm_password: PASSWORD }, "reset_password_token"],
  [EMAIL_CONFIRMATION, {}, "token"],
  [OTP_CODE, {}, "code"],
  [KEY_PROOF, {}, "totp_code"],
  [NEW_WITHDRAW, { beneficiary_id: "1", currency: "btc", amount: "1" }, "otp"],
  [ACTIVATION, {}, "pin"],
];

describe("a list", () => {
  it("may be a text with commas, and spaces around them", () => {
    const read = list("x", "scopes");
    const words = ["read", "trade"];
    for (const given of ["read,trade", " read , trade,", words, ["read, trade"]]) {
      assertEquals(parseWith(read, given), words);
    }
  });
});

describe("an invalid value", () => {
  it("is repeated to the caller with its field's name", () => {
    const error = assertThrows(() => parseWith(NEW_USER, { email: "no address" }), ApiError);
    assertEquals(error.extras.details, {
      field: "email",
      value: "no address",
      rule: "format",
    });
  });

  it("is not repeated if it is a secret, whole or in part", () => {
    for (const [schema, rest, field] of SECRETS) {
      for (const value of [SECRET.repeat(50), [SECRET], { [SECRET]: SECRET }]) {
        const error = assertThrows(() => parseWith(schema, { ...rest, [field]: value }), ApiError);
        assertEquals(error.extras.details, { field });
        assert(!JSON.stringify([error.errors, error.extras]).includes(SECRET), field);
      }
    }
  });
});
