import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { encodeCashAddress } from "../../../src/domain/money/cash_address.ts";
import { addressForms, legacyAddress } from "../../../src/wallet/rails/address_forms.ts";

/** From the CashAddr specification. */
const PAIRS = [
  ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
  ["3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"],
  ["16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb", "bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r"],
] as const;

describe("addressForms", () => {
  for (const [address, cashAddress] of PAIRS) {
    it(`are both, whichever a rail gives of ${address}`, () => {
      for (const given of [address, cashAddress, cashAddress.toUpperCase()]) {
        assertEquals(addressForms("cash", given), { address, cashAddress }, given);
      }
    });
  }

  it("are one for coins without the other, even if it could be read", () => {
    for (const [address] of PAIRS) {
      for (const form of ["common", "exact"] as const) {
        assertEquals(addressForms(form, address), { address });
      }
    }
    assertEquals(addressForms("cash", "bc1qexample"), { address: "bc1qexample" });
  });

  it("keep the network of a CashAddr, and its wallet's knowledge of tokens", () => {
    const hash = new Uint8Array(20).fill(7);
    const given = encodeCashAddress({ prefix: "bchreg", type: 2, hash });
    const { address, cashAddress } = addressForms("cash", given);
    assertEquals(cashAddress, given);
    const plain = encodeCashAddress({ prefix: "bchtest", type: 0, hash });
    assertEquals(addressForms("cash", address), { address, cashAddress: plain });
  });

  it("are CashAddr alone where the hash is longer than a legacy one", () => {
    const long = { prefix: "bchreg", type: 1, hash: new Uint8Array(32) };
    const given = encodeCashAddress(long);
    assertEquals(legacyAddress(long), null);
    assertEquals(addressForms("cash", given), { address: given, cashAddress: given });
  });
});
