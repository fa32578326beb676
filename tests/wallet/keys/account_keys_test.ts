import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { AccountKeys, KEY_INDEX_END } from "../../../src/wallet/keys/account_keys.ts";

/** The first seed of BIP-32's test vectors. */
const SEED = bytes("000102030405060708090a0b0c0d0e0f");
/** The seed of the mnemonic that BIP-84 shows, and its account. */
const BIP84_SEED = bytes(
  "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1" +
    "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4",
);

describe("AccountKeys", () => {
  it("derives what BIP-84 shows of its first receiving and change keys", () => {
    const keys = AccountKeys.ofSeed(BIP84_SEED, "m/84'/0'/0'");
    assertEquals(
      hex(keys.publicKeyAt({ member: 0 })),
      "0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c",
    );
    assertEquals(
      hex(keys.publicKeyAt({ member: 1 })),
      "03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77",
    );
    assertEquals(
      hex(keys.publicKeyAt({ own: 0 })),
      "03025324888e429ab8e3dbaf1f7802648b9cd01e9b418485c5fa4c1b9b5700e1a6",
    );
  });

  it("derives the same public keys without the seed, and signs with none", () => {
    const signing = AccountKeys.ofSeed(SEED, "m/44'/60'/0'");
    const watching = AccountKeys.ofPublicKey(signing.publicKey);
    assert(signing.canSign && !watching.canSign);
    const places = [{ member: 0 }, { member: 1_000_000 }, { member: 2, branch: 9 }, { own: 0 }];
    for (const place of places) {
      assertEquals(watching.publicKeyAt(place), signing.publicKeyAt(place));
      assertEquals(signing.privateKeyAt(place).length, 32);
      assertThrows(() => watching.privateKeyAt(place), Error, "only watches");
    }
  });

  it("has a key of its own for each member and for itself", () => {
    const keys = AccountKeys.ofSeed(SEED, "m/44'/60'/0'");
    const places = [
      { member: 0 },
      { member: 1 },
      { member: 0, branch: 1_800_000_000 },
      { member: 0, branch: 1_800_000_001 },
      { own: 0 },
      { own: 1 },
    ];
    assertEquals(new Set(places.map((place) => hex(keys.publicKeyAt(place)))).size, places.length);
  });

  it("has the first branch for members of whom no branch is known", () => {
    const keys = AccountKeys.ofSeed(SEED, "m/44'/60'/0'");
    assertEquals(keys.publicKeyAt({ member: 3 }), keys.publicKeyAt({ member: 3, branch: 0 }));
  });

  it("refuses keys beyond those that public keys can derive", () => {
    const keys = AccountKeys.ofSeed(SEED, "m/44'/60'/0'");
    for (const member of [-1, 0.5, KEY_INDEX_END, NaN]) {
      assertThrows(() => keys.publicKeyAt({ member }), RangeError, `no key ${member}`);
    }
  });

  it("takes no extended key that is private, and none that is broken", () => {
    const broken = AccountKeys.ofSeed(SEED, "m/44'/60'/0'").publicKey.slice(0, -1) + "1";
    assertThrows(() => AccountKeys.ofPublicKey(broken), Error);
    const xprv = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg" +
      "6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
    assertThrows(() => AccountKeys.ofPublicKey(xprv), Error, "private");
  });
});

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
