import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import {
  isStrongPassword,
  PASSWORD_BITS_MIN,
  passwordBits,
} from "../../../src/identity/proofs/password_strength.ts";

const STRONG = [
  "Tr0ub4dor&3",
  "Tecohvi0",
  "Demo-alice-1",
  "Zoë12Ab3",
  `Aa1b2${"x".repeat(123)}`,
];
const WEAK = [
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
  // Normalized before hashing: to plain letters, and to six characters of which two are composed.
  "\uff30assword1",
  "A1bc\u0065\u0301\u0065\u0301",
];

describe("isStrongPassword()", () => {
  it("accepts long and mixed passwords", () => {
    for (const password of STRONG) assert(isStrongPassword(password), password);
  });

  it("refuses short, long, uniform and commonly tried ones", () => {
    for (const password of WEAK) assert(!isStrongPassword(password), password);
  });
});

describe("passwordBits()", () => {
  it("is enough only for strong ones", () => {
    for (const password of STRONG) assert(passwordBits(password) >= PASSWORD_BITS_MIN, password);
    for (const password of WEAK) assert(passwordBits(password) < PASSWORD_BITS_MIN, password);
  });

  it("grows with the length and with the kinds of characters", () => {
    const bits = ["", "abc", "abcd", "abcD", "Tecohvi0", "Tecohv-0", "Tecohvi0-"].map(passwordBits);
    assertEquals(bits, [0, 14, 18, 22, 47, 52, 59]);
  });
});
