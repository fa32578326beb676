import { createHmac } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { KeyedHash } from "../../../src/secrets/keyed_hash.ts";
import { verifySignature } from "../../../src/edge/callers/signature.ts";
import { signNonce } from "../../support/signed_headers.ts";

const NONCE = "1732185450123";
const KID = "demo-alice";
const SECRET = "demo-alice-secret";

describe("verifySignature()", () => {
  const keyedHash = new KeyedHash(SECRET);
  const good = signNonce(SECRET, NONCE, KID);

  it("accepts the right signature, again and again", () => {
    for (let round = 0; round < 3; round++) {
      assertEquals(verifySignature(keyedHash, NONCE, KID, good), true);
    }
  });

  it("expects hex, in either case, of HMAC-SHA256 over nonce and access key", () => {
    for (const [secret, kid] of [[SECRET, KID], ["ü".repeat(100), "clé"]] as const) {
      const hex = createHmac("sha256", secret).update(NONCE + kid).digest("hex");
      assertEquals(verifySignature(new KeyedHash(secret), NONCE, kid, hex), true);
      const upper = hex.toUpperCase();
      assertEquals(verifySignature(new KeyedHash(secret), NONCE, kid, upper), true);
    }
  });

  it("refuses one wrong digit at any place", () => {
    for (let i = 0; i < good.length; i++) {
      const digit = good[i] === "0" ? "1" : "0";
      const bad = good.slice(0, i) + digit + good.slice(i + 1);
      assertEquals(verifySignature(keyedHash, NONCE, KID, bad), false, `digit ${i}`);
    }
  });

  it("refuses wrong lengths and non-hex text", () => {
    const bad = [
      good.slice(2),
      good + "00",
      good.slice(0, -1) + "g",
      `0x${good.slice(2)}`,
      "",
      "ä".repeat(64),
      " ".repeat(64),
    ];
    for (const text of bad) {
      assertEquals(verifySignature(keyedHash, NONCE, KID, text), false, text);
    }
  });

  it("refuses another secret, nonce or access key", () => {
    assertEquals(verifySignature(new KeyedHash("other"), NONCE, KID, good), false);
    assertEquals(verifySignature(keyedHash, "1732185450124", KID, good), false);
    assertEquals(verifySignature(keyedHash, NONCE, "demo-bob", good), false);
  });

  it("does not read a character as the hex digit that shares its low bits", () => {
    for (const nonce of ["1", "2", "3", "4"]) {
      const right = signNonce(SECRET, nonce, KID);
      for (const code of [0x40, 0x50, 0x3a, 0x60, 0x67, 0x130]) {
        for (let i = 0; i < right.length; i++) {
          const bad = right.slice(0, i) + String.fromCharCode(code) + right.slice(i + 1);
          assertEquals(verifySignature(keyedHash, nonce, KID, bad), false, bad);
        }
      }
    }
  });
});
