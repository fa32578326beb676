import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ledgerAmount, networkUnits } from "../../../src/wallet/evm/evm_amounts.ts";

describe("an amount of a network", () => {
  it("is exact in the ledger, with what is below its precision beside it", () => {
    assertEquals(ledgerAmount(12_345n, { digits: 18, precision: 16 }), { amount: 123n, rest: 45n });
    assertEquals(ledgerAmount(12_345n, { digits: 16, precision: 16 }), {
      amount: 12_345n,
      rest: 0n,
    });
    assertEquals(ledgerAmount(12_345n, { digits: 6, precision: 16 }), {
      amount: 12_345n * 10n ** 10n,
      rest: 0n,
    });
    assertEquals(ledgerAmount(99n, { digits: 18, precision: 16 }), { amount: 0n, rest: 99n });
    assertEquals(ledgerAmount(7n, { digits: 0, precision: 16 }), {
      amount: 7n * 10n ** 16n,
      rest: 0n,
    });
  });

  it("is nothing where all of it is below the precision that the venue gives the coin", () => {
    const ether = { digits: 18, precision: 8 };
    assertEquals(ledgerAmount(1_234_567_890_123_456_789n, ether), {
      amount: 12_345_678_901_234_567n,
      rest: 89n,
    });
    assertEquals(ledgerAmount(10_000_000_000n, ether), { amount: 100_000_000n, rest: 0n });
    assertEquals(ledgerAmount(9_999_999_999n, ether), { amount: 0n, rest: 9_999_999_999n });
    assertEquals(ledgerAmount(1_234_567n, { digits: 6, precision: 2 }), {
      amount: 1_234_567n * 10n ** 10n,
      rest: 0n,
    });
    assertEquals(ledgerAmount(9_999n, { digits: 6, precision: 2 }), { amount: 0n, rest: 9_999n });
  });

  it("is refused where it is too much for the ledger", () => {
    assertEquals(ledgerAmount(10n ** 20n - 1n, { digits: 0, precision: 16 })?.rest, 0n);
    assertEquals(ledgerAmount(10n ** 20n, { digits: 0, precision: 16 }), null);
    assertEquals(ledgerAmount(10n ** 38n - 1n, { digits: 18, precision: 16 })?.rest, 99n);
    assertEquals(ledgerAmount(10n ** 38n, { digits: 18, precision: 16 }), null);
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
