import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { PasswordHasher, SCRYPT_COST } from "../../../src/identity/proofs/password_hasher.ts";
import { outcomeOf } from "../../support/identity_venue.ts";

describe("PasswordHasher", () => {
  it("hashes with scrypt at 64 MiB", async () => {
    const { hash: _, salt: __, ...parameters } = await new PasswordHasher(SCRYPT_COST).hash("a");
    assertEquals(SCRYPT_COST, 65_536);
    assertEquals(parameters, {
      algorithm: "scrypt",
      cost: 65_536,
      blockSize: 8,
      parallelization: 2,
    });
  });

  it("tells the right password from wrong ones", async () => {
    const hasher = new PasswordHasher(16);
    const stored = await hasher.hash("Tr0ub4dor&3");
    assert(await hasher.verify("Tr0ub4dor&3", stored));
    for (const wrong of ["Tr0ub4dor&4", "tr0ub4dor&3", "", "Tr0ub4dor&3 "]) {
      assert(!await hasher.verify(wrong, stored), wrong);
    }
  });

  it("salts, and treats a letter alike however it is composed", async () => {
    const hasher = new PasswordHasher(16);
    const [one, two] = [await hasher.hash("Zo\u00eb12345"), await hasher.hash("Zo\u00eb12345")];
    assertNotEquals(one.salt, two.salt);
    assertNotEquals(one.hash, two.hash);
    assertEquals(atob(one.salt).length, 16);
    assert(await hasher.verify("Zoe\u030812345", one));
  });

  it("accepts none without a hash", async () => {
    const hasher = new PasswordHasher(16);
    assert(!await hasher.verify("", null));
    assert(!await hasher.verify("Tr0ub4dor&3", null));
    assert(!await hasher.verify("", { ...await hasher.hash("a"), hash: "" }));
  });

  it("verifies hashes with other parameters and calls them outdated", async () => {
    const stored = await new PasswordHasher(16).hash("Tr0ub4dor&3");
    const hasher = new PasswordHasher(32);
    assert(await hasher.verify("Tr0ub4dor&3", stored));
    assert(hasher.isOutdated(stored));
    const present = await hasher.hash("Tr0ub4dor&3");
    assert(!hasher.isOutdated(present));
    assert(hasher.isOutdated({ ...present, parallelization: 1 }));
  });

  it("refuses what would wait too long, but takes it later", async () => {
    const hasher = new PasswordHasher(16);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => outcomeOf(hasher.hash("a"))),
    );
    assertEquals(outcomes.slice(0, 34), Array(34).fill("ok"));
    assertEquals(outcomes.slice(34), Array(6).fill("unavailable"));
    assertEquals(await outcomeOf(hasher.hash("a")), "ok");
  });
});
