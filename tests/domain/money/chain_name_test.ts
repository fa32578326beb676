import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  canonicalName,
  isSameName,
  nameFormOf,
  spellings,
} from "../../../src/domain/money/chain_name.ts";
import { NAME_FORMS } from "../../../src/domain/money/currency.ts";

const TXID = "5b1d6c8e".repeat(8);
const ADDRESS = "52908400098527886e0f7030069857d2e4169ee7";
const BECH32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const LEGACY = "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu";
const CASH = "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";

describe("the canonical form of a name", () => {
  it("of a hexadecimal one is in lower case and without 0x", () => {
    for (const form of ["common", "cash"] as const) {
      for (const name of [TXID, TXID.toUpperCase(), `0x${TXID}`, `0X${TXID.toUpperCase()}`]) {
        assertEquals(canonicalName(form, name), TXID);
      }
      assertEquals(canonicalName(form, `0x${ADDRESS.toUpperCase()}`), ADDRESS);
    }
  });

  it("of a bech32 one is in lower case; mixed case is no bech32", () => {
    assertEquals(canonicalName("common", BECH32.toUpperCase()), BECH32);
    assertEquals(canonicalName("common", BECH32), BECH32);
    const mixed = BECH32.replace("q", "Q");
    assertEquals(canonicalName("common", mixed), mixed);
  });

  it("leaves others as they are, since case tells them apart", () => {
    const names = [LEGACY, "LEGACY1BB", "SEPA-1", "DEADBEEF", "0xDEADBEEF", "", "1QQQQQQQ"];
    for (const name of names) assertEquals(canonicalName("common", name), name);
    assertNotEquals(canonicalName("common", LEGACY), canonicalName("common", LEGACY.toLowerCase()));
  });

  it("makes both forms of an address of Bitcoin Cash one, only where the currency says so", () => {
    for (const name of [CASH, `bitcoincash:${CASH}`, CASH.toUpperCase()]) {
      assertEquals(isSameName("cash", LEGACY, name), true, name);
      assertEquals(isSameName("common", LEGACY, name), false, name);
    }
    assertEquals(canonicalName("cash", "x".repeat(256)), "x".repeat(256));
  });

  it("is the name itself where names are exact", () => {
    for (const name of [TXID.toUpperCase(), `0x${TXID}`, BECH32.toUpperCase(), CASH]) {
      assertEquals(canonicalName("exact", name), name);
    }
  });

  it("is its own canonical form", () => {
    for (const form of NAME_FORMS) {
      for (const name of [TXID.toUpperCase(), `0x${TXID}`, BECH32.toUpperCase(), CASH, LEGACY]) {
        const once = canonicalName(form, name);
        assertEquals(canonicalName(form, once), once);
      }
    }
  });
});

describe("a currency that does not say how its names are compared", () => {
  it("has those of a coin compared in their usual forms, and those of fiat as they are", () => {
    assertEquals(nameFormOf({ type: "coin" }), "common");
    assertEquals(nameFormOf({ type: "fiat" }), "exact");
    assertEquals(nameFormOf({ type: "coin", nameForm: "exact" }), "exact");
  });
});

describe("the spellings of a name", () => {
  it("begin with the canonical one, and include those that older versions recorded", () => {
    const upper = TXID.toUpperCase();
    const all = [TXID, upper, `0x${TXID}`, `0x${upper}`];
    for (const name of all) {
      const found = spellings("common", name);
      assertEquals(found[0], TXID);
      assertEquals([...found].sort(), [...all].sort());
    }
    assertEquals(spellings("common", "SEPA-1"), ["SEPA-1"]);
    assertEquals(spellings("common", BECH32.toUpperCase()), [BECH32, BECH32.toUpperCase()]);
    assertEquals(spellings("exact", upper), [upper]);
  });
});
