import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import {
  createMasterKeyText,
  parseMasterKeys,
  Vault,
  VaultError,
} from "../../src/secrets/vault.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const PLACE = ["credentials", "alice"];

describe("Vault", () => {
  it("opens what it has sealed", async () => {
    const vault = new Vault([NEW]);
    const sealed = await vault.seal("s3cret – ü", PLACE);
    assertEquals(await vault.open(sealed, PLACE), "s3cret – ü");
    assertEquals(await new Vault([NEW]).open(structuredClone(sealed), PLACE), "s3cret – ü");
  });

  it("never seals a text the same way twice, nor reveals it", async () => {
    const vault = new Vault([NEW]);
    const first = await vault.seal("secret", PLACE);
    const second = await vault.seal("secret", PLACE);
    assertNotEquals(first.iv, second.iv);
    assertNotEquals(first.ciphertext, second.ciphertext);
    assertEquals(atob(first.iv).length, 12);
    assert(!atob(first.ciphertext).includes("secret"));
  });

  it("seals an empty text", async () => {
    const vault = new Vault([NEW]);
    assertEquals(await vault.open(await vault.seal("", PLACE), PLACE), "");
  });

  it("does not open a value in another row", async () => {
    const vault = new Vault([NEW]);
    const sealed = await vault.seal("secret", PLACE);
    const error = await assertRejects(
      () => vault.open(sealed, ["credentials", "bob"]),
      VaultError,
      '"credentials/bob"',
    );
    assert(!error.message.includes("secret"));
  });

  it("does not open with another master key, and names the one that is missing", async () => {
    const sealed = await new Vault([OLD]).seal("secret", PLACE);
    await assertRejects(() => new Vault([NEW]).open(sealed, PLACE), VaultError, sealed.key);
  });

  it("does not open a value whose key name was swapped", async () => {
    const theirs = await new Vault([OLD]).seal("secret", PLACE);
    const mine = await new Vault([NEW]).seal("secret", PLACE);
    await assertRejects(
      () => new Vault([NEW, OLD]).open({ ...theirs, key: mine.key }, PLACE),
      VaultError,
    );
  });

  it("does not open damaged ciphertext, tag or vector", async () => {
    const vault = new Vault([NEW]);
    const sealed = await vault.seal("secret", PLACE);
    for (let byte = 0; byte < atob(sealed.ciphertext).length; byte++) {
      const bytes = Uint8Array.from(atob(sealed.ciphertext), (char) => char.charCodeAt(0));
      bytes[byte] = (bytes[byte] ?? 0) ^ 1;
      const ciphertext = btoa(String.fromCharCode(...bytes));
      await assertRejects(() => vault.open({ ...sealed, ciphertext }, PLACE), VaultError);
    }
    await assertRejects(
      () => vault.open({ ...sealed, iv: btoa("012345678901") }, PLACE),
      VaultError,
    );
    await assertRejects(() => vault.open({ ...sealed, ciphertext: "" }, PLACE), VaultError);
    await assertRejects(() => vault.open({ ...sealed, ciphertext: "%%%" }, PLACE), VaultError);
  });

  it("refuses anything but a sealed value, and an unknown version", async () => {
    const vault = new Vault([NEW]);
    const sealed = await vault.seal("secret", PLACE);
    for (const value of [null, undefined, "secret", {}, { ...sealed, version: 2 }]) {
      await assertRejects(
        () => vault.open(value, PLACE),
        VaultError,
        "does not hold a sealed value",
      );
    }
  });

  it("opens old rows after a rotation and says which need resealing", async () => {
    const before = await new Vault([OLD]).seal("secret", PLACE);
    const rotated = new Vault([NEW, OLD]);
    assertEquals(await rotated.open(before, PLACE), "secret");
    assertEquals(rotated.needsReseal(before), true);
    const after = await rotated.seal("secret", PLACE);
    assertEquals(rotated.needsReseal(after), false);
    assertEquals(await new Vault([NEW]).open(after, PLACE), "secret");
  });

  it("needs at least one key, of 32 bytes", () => {
    assertThrows(() => new Vault([]), VaultError);
    assertThrows(() => new Vault([new Uint8Array(16)]), VaultError, "32 bytes, not 16");
  });
});

describe("parseMasterKeys()", () => {
  it("reads hex, base64 and url-safe base64, newest first", () => {
    const hex = "fb".repeat(32);
    const base64 = btoa(String.fromCharCode(...new Uint8Array(32).fill(0xfb)));
    assertEquals(parseMasterKeys(hex), [new Uint8Array(32).fill(0xfb)]);
    assertEquals(parseMasterKeys(base64), [new Uint8Array(32).fill(0xfb)]);
    const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    assertEquals(parseMasterKeys(urlSafe), [new Uint8Array(32).fill(0xfb)]);
    assertEquals(parseMasterKeys(`${"01".repeat(32)} , ${hex}`), [
      new Uint8Array(32).fill(1),
      new Uint8Array(32).fill(0xfb),
    ]);
  });

  it("refuses anything else without repeating it", () => {
    const bad = ["", "abc", "zz".repeat(32), "01".repeat(31), btoa("short"), `${"01".repeat(32)},`];
    for (const text of bad) {
      const error = assertThrows(() => parseMasterKeys(text), VaultError, "32 bytes");
      if (text !== "") assert(!error.message.includes(text));
    }
    assertThrows(
      () => parseMasterKeys(`${"01".repeat(32)},${"01".repeat(32)}`),
      VaultError,
      "twice",
    );
  });

  it("refuses a key of all zeros", () => {
    for (const zeros of ["00".repeat(32), `${"01".repeat(32)},${"A".repeat(43)}=`]) {
      assertThrows(() => parseMasterKeys(zeros), VaultError, "all zeros");
    }
    assertEquals(parseMasterKeys(`${"00".repeat(31)}01`).length, 1);
  });

  it("reads a newly created key", () => {
    assertEquals(parseMasterKeys(createMasterKeyText())[0]?.length, 32);
  });
});
