import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ledgerAmount, networkUnits } from "../../../src/wallet/evm/evm_amounts.ts";

describe("an amount of a network", () => {
  it("is exact in the ledger, with what is below its precision beside it", () => {
    assertEquals(ledgerAmount(12_345n, 18), { amount: 123n, rest: 45n });
    assertEquals(ledgerAmount(12_345n, 16), { amount: 12_345n, rest: 0n });
    assertEquals(ledgerAmount(12_345n, 6), { amount: 12_345n * 10n ** 10n, rest: 0n });
    assertEquals(ledgerAmount(99n, 18), { amount: 0n, rest: 99n });
    assertEquals(ledgerAmount(7n, 0), { amount: 7n * 10n ** 16n, rest: 0n });
  });

  it("is refused where it is too much for the ledger", () => {
    assertEquals(ledgerAmount(10n ** 20n - 1n, 0)?.rest, 0n);
    assertEquals(ledgerAmount(10n ** 20n, 0), null);
    assertEquals(ledgerAmount(10n ** 38n - 1n, 18)?.rest, 99n);
    assertEquals(ledgerAmount(10n ** 38n, 18), null);
  });

  it("is made of one of the ledger, unless the network can't move that", () => {
    assertEquals(networkUnits(123n, 18), 12_300n);
    assertEquals(networkUnits(15n * 10n ** 9n, 6), null);
    assertEquals(networkUnits(2n * 10n ** 10n, 6), 2n);
    assertEquals(networkUnits(0n, 18), null);
    assertEquals(networkUnits(-1n, 18), null);
    assertEquals(networkUnits(2n ** 256n, 16), null);
    assertEquals(networkUnits(2n ** 256n - 1n, 16), 2n ** 256n - 1n);
  });
});
