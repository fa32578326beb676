import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { EvmReceipt } from "../../../src/wallet/evm/evm_chain.ts";
import { EVM_PATH, evmNetwork } from "../../../src/wallet/evm/evm_networks.ts";
import {
  emptyingFee,
  isWorthIt,
  signSweep,
  type SweepTerms,
  takenBy,
} from "../../../src/wallet/evm/sweep_terms.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { present } from "../../../src/domain/assert.ts";
import { ETH, ETHER } from "./evm_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const KEYS = AccountKeys.ofSeed(new Uint8Array(32).fill(7), EVM_PATH);
const GWEI = 10n ** 9n;
const DOLLAR = 10n ** 16n;
const NATIVE = { ...ETH, price: 2_000n * DOLLAR };
const TOKEN = { ...ETH, currency: "usdt", contract: "0x12", digits: 6, price: DOLLAR };
const NETWORK = present(evmNetwork("ethereum"), "it is known");

describe("a sweep", () => {
  it("of the network's own coin is worth twenty fees, or one that payouts wait for", () => {
    const of = (units: bigint, missing: bigint | null) =>
      isWorthIt({ coin: NATIVE, native: NATIVE, units, fee: 100n, missing });
    assertEquals([of(2_000n, null), of(1_999n, null)], [true, false]);
    assertEquals([of(101n, 1n), of(100n, 1n), of(0n, 1n)], [true, false, false]);
  });

  it("of a token is worth what it is by its price", () => {
    // A thousandth of an ether is two dollars.
    const of = (units: bigint, missing: bigint | null, price = DOLLAR) =>
      isWorthIt({
        coin: { ...TOKEN, price },
        native: NATIVE,
        units,
        fee: ETHER / 1_000n,
        missing,
      });
    assertEquals([of(40_000_000n, null), of(39_999_999n, null)], [true, false]);
    assertEquals([of(2_000_001n, 1n), of(2_000_000n, 1n)], [true, false]);
    assertEquals([of(20_000_000n, null, 2n * DOLLAR), of(1n, null, 0n)], [true, false]);
  });

  it("of what nobody knows the price of is worth it in twenty parts of what payouts wait for", () => {
    const unknown = [[{ ...TOKEN, price: 0n }, NATIVE], [TOKEN, ETH], [TOKEN, null]] as const;
    for (const [coin, native] of unknown) {
      const of = (units: bigint, missing: bigint | null) =>
        isWorthIt({ coin, native, units, fee: 1n, missing });
      assertEquals([of(10n ** 30n, null), of(5n, 100n), of(4n, 100n)], [false, true, false]);
    }
  });

  it("pays all of its fee to the block's maker, so that nothing is left", () => {
    const fee = emptyingFee(NETWORK, { baseFee: 40n * GWEI, tip: GWEI });
    assertEquals(fee, { feeMax: 51n * GWEI, tip: 51n * GWEI });
    assertEquals(emptyingFee(NETWORK, { baseFee: 400n * GWEI, tip: GWEI }), null);
  });

  it("takes what it moved and its gas, by the one of its transactions that has a block", () => {
    const sweep = { address: PAYEE, contract: null, units: 1_000_000n, currency: "eth", nonce: 0 };
    const signed = (terms: Partial<SweepTerms>, price: bigint) => {
      const fee = { feeMax: price, tip: price };
      const attempt = signSweep(KEYS, { own: 0 }, 1n, { ...sweep, gas: 21_000n, ...terms }, fee);
      return { ...attempt, ...fee, height: 1 };
    };
    const attempts = [
      signed({}, 2n),
      signed({}, 3n),
      signed({ units: 500_000n }, 4n),
      signed({ contract: PAYEE, gas: 60_000n }, 5n),
    ];
    const receipt = { height: 1, hash: "0x", isSuccess: true, fee: 42_000n, logs: [] };
    const taken = (i: number, changes: Partial<EvmReceipt> = {}) =>
      takenBy({ attempts }, { ...receipt, txid: attempts[i]?.txid ?? "", ...changes });
    assertEquals(taken(0), 1_000_000n);
    assertEquals(taken(1, { fee: 63_000n }), 1_000_000n);
    assertEquals(taken(2, { fee: 84_000n }), 500_000n);
    assertEquals(taken(0, { isSuccess: false }), 42_000n);
    assertEquals(taken(3), 42_000n);
  });
});
