import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertRejects } from "@std/assert";
import { IdentityError } from "../../../src/identity/identity_error.ts";
import { PasswordHasher } from "../../../src/identity/proofs/password_hasher.ts";
import { Passwords } from "../../../src/identity/proofs/passwords.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

/** A hasher that finds every hash outdated, and can't make another one. */
class FailingHasher extends PasswordHasher {
  constructor(readonly error: Error) {
    super(4);
  }

  override hash(): Promise<never> {
    return Promise.reject(this.error);
  }
}

const HERE = { name: "here", lane: "other" } as const;

describe("renewing a password", () => {
  it("is left to the next sign-in if too many are being hashed", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    await new Passwords(engine, new PasswordHasher(2)).seed("ID1", "Tr0ub4dor&3");
    const before = await engine.readSidecar(["passwords", "ID1"]);
    const renewed = (error: Error) =>
      new Passwords(engine, new FailingHasher(error)).renew("ID1", "Tr0ub4dor&3", "", HERE);
    await renewed(new IdentityError("unavailable"));
    assertEquals(await engine.readSidecar(["passwords", "ID1"]), before);
    await assertRejects(() => renewed(new TypeError("broken")), TypeError);
  });
});
