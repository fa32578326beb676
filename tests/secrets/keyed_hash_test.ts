import { createHmac } from "node:crypto";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DIGEST_BYTES, KeyedHash } from "../../src/secrets/keyed_hash.ts";

/** Around the ends of blocks, of what is usual, and of a secret that is hashed itself. */
const LENGTHS = [0, 1, 29, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 128, 255, 256, 257, 9000];
const CHARACTERS = ["a", "é", "€", "🦉"];

function signed(secret: string, text: string): string {
  const target = new Uint8Array(DIGEST_BYTES);
  new KeyedHash(secret).signInto(text, target);
  return hex(target);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function expected(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

describe("a keyed hash", () => {
  it("is HMAC-SHA256, for texts and secrets of every length", () => {
    for (const character of CHARACTERS) {
      for (const length of LENGTHS) {
        const long = character.repeat(length);
        assertEquals(signed("secret", long), expected("secret", long), `text of ${length}`);
        assertEquals(signed(long, "text"), expected(long, "text"), `secret of ${length}`);
      }
    }
  });

  it("keeps nothing of a text for the next one, nor of another secret", () => {
    const [one, other] = [new KeyedHash("one"), new KeyedHash("other")];
    const target = new Uint8Array(DIGEST_BYTES);
    for (const text of ["long ".repeat(60), "", "long ".repeat(11), "short"]) {
      one.signInto(text, target);
      assertEquals(hex(target), expected("one", text));
      other.signInto(text, target);
      assertEquals(hex(target), expected("other", text));
    }
  });
});
