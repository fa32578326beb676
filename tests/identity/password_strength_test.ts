import { describe, it } from "@std/testing/bdd";
import { assert } from "@std/assert";
import { isStrongPassword } from "../../src/identity/password_strength.ts";

describe("isStrongPassword()", () => {
  it("takes what is long enough and mixed", () => {
    const strong = [
      "Tr0ub4dor&3",
      "Tecohvi0",
      "Demo-alice-1",
      "Zoë12Ab3",
      `Aa1b2${"x".repeat(123)}`,
    ];
    for (const password of strong) assert(isStrongPassword(password), password);
  });

  it("refuses what is short, long, of one kind, or tried first", () => {
    const weak = [
      "",
      "Tr0ub4d",
      `Aa1b2${"x".repeat(124)}`,
      "tr0ub4dor&3",
      "TR0UB4DOR&3",
      "Troubador&x",
      "Aa1Aa1Aa1Aa1",
      "AaBbCc11",
      "Tr0ub4😀",
      "Password1",
      "pASSWORD123",
      "Qwerty123",
      "password",
      "12345678",
      // Hashed as plain letters, and as six of which two are composed.
      "\uff30assword1",
      "A1bc\u0065\u0301\u0065\u0301",
    ];
    for (const password of weak) assert(!isStrongPassword(password), password);
  });
});
