import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hexToBytes } from "@noble/hashes/utils.js";
import { addressOfKey, canonicalEvmAddress } from "../../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";

/** The examples of EIP-55. */
const CHECKED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("an address", () => {
  it("is spelled with its checksum, whether it came with one or not", () => {
    for (const address of CHECKED) {
      const digits = address.slice(2);
      for (const spelled of [digits, digits.toLowerCase(), digits.toUpperCase()]) {
        assertEquals(canonicalEvmAddress(`0x${spelled}`), address);
      }
    }
  });

  it("is none with a wrong checksum", () => {
    for (const address of CHECKED.slice(4)) {
      const place = address.search(/[a-f]/);
      const wrong = address.slice(0, place) + address.charAt(place).toUpperCase() +
        address.slice(place + 1);
      assertEquals(canonicalEvmAddress(wrong), null);
    }
  });

  it("is none of another length, without 0x, with other letters, or of zeros", () => {
    const digits = CHECKED[0]?.slice(2) ?? "";
    const wrong = [
      "",
      "0x",
      digits,
      `0X${digits}`,
      `0x${digits}0`,
      `0x${digits.slice(1)}`,
      `0x${digits.slice(1)}g`,
      ` 0x${digits}`,
      `0x${digits}\n`,
      `0x${"0".repeat(40)}`,
    ];
    for (const address of wrong) assertEquals(canonicalEvmAddress(address), null);
  });

  it("is that of its key", () => {
    const generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const address = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
    assertEquals(addressOfKey(hexToBytes(generator)), address);
  });

  it("is where wallets of the same seed have it", () => {
    // "test test test test test test test test test test test junk", whose keys all test nodes know.
    const seed = hexToBytes(
      "9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0",
    );
    const keys = AccountKeys.ofSeed(seed, EVM_PATH);
    const first = addressOfKey(keys.publicKeyAt({ member: 0 }));
    assertEquals(first, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  });
});
