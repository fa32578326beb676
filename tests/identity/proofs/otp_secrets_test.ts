import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertRejects } from "@std/assert";
import { Vault, VaultError } from "../../../src/secrets/vault.ts";
import { OtpSecrets } from "../../../src/identity/proofs/otp_secrets.ts";
import { IdentityVenue, SECRET } from "../../support/identity_venue.ts";

const OLD = new Uint8Array(32);
const NEW = new Uint8Array(32).fill(1);

describe("OtpSecrets", () => {
  it("are resealed under a new master key and no longer need the old one", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    const { uid: other, index } = await venue.join("dave@example.org");
    const { secret } = await venue.identity.twoFactor.generate(index);
    const both = new OtpSecrets(venue.engine, new Vault([NEW, OLD]));
    assertEquals(await both.resealAll(), 2);
    assertEquals(await both.resealAll(), 0);
    const after = new OtpSecrets(venue.engine, new Vault([NEW]));
    assertEquals(await after.current(uid), SECRET);
    assertEquals(await after.proposed(other, Date.now()), secret);
    await assertRejects(
      () => new OtpSecrets(venue.engine, new Vault([OLD])).current(uid),
      VaultError,
    );
  });

  it("do not open in another member's row", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    const row = await venue.engine.readSidecar(["two_factor", uid]);
    await venue.engine.writeSidecar({ key: ["two_factor", "ID00"], value: row });
    const secrets = new OtpSecrets(venue.engine, new Vault([OLD]));
    await assertRejects(() => secrets.current("ID00"), VaultError);
  });
});
