import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Transaction } from "micro-eth-signer";
import { hexToBytes } from "@noble/hashes/utils.js";
import { EVM_NETWORKS, EVM_PATH, evmNetwork } from "../../../src/wallet/evm/evm_networks.ts";
import {
  callOf,
  gasFee,
  raisedFee,
  signPayment,
  WALLET_KEY,
} from "../../../src/wallet/evm/evm_payments.ts";
import { addressOfKey } from "../../../src/wallet/evm/evm_address.ts";
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";

const GWEI = 10n ** 9n;
const ETHEREUM = present(evmNetwork("ethereum"), "it is known");
const KEYS = AccountKeys.ofSeed(new Uint8Array(32).fill(7), EVM_PATH);
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CONTRACT = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const DATA = "0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed" +
  "00000000000000000000000000000000000000000000000000000000000f4240";
const TERMS = { nonce: 5, gas: 60_000n, feeMax: 30n * GWEI, tip: GWEI };

describe("a payment", () => {
  it("is signed for one network, by the wallet's key", () => {
    const payment = { address: ADDRESS, contract: null, units: 7n };
    const { signed, txid } = signPayment(KEYS, WALLET_KEY, 11_155_111n, payment, TERMS);
    const read = Transaction.fromHex(signed);
    assertEquals(txid, read.hash);
    assertEquals(read.type, "eip1559");
    assertEquals(read.sender, addressOfKey(KEYS.publicKeyAt({ own: 0 })));
    const { chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, to, value, data } =
      // What it holds depends on its type, which was just checked.
      read.raw as unknown as Record<string, unknown>;
    assertEquals([chainId, nonce, gasLimit], [11_155_111n, 5n, 60_000n]);
    assertEquals([maxFeePerGas, maxPriorityFeePerGas], [30n * GWEI, GWEI]);
    assertEquals([to, value, data], [ADDRESS, 7n, "0x"]);
  });

  it("is the one that others publish for its key", () => {
    // The first of packages/tx/test/json/eip1559.json of ethereumjs, without the string around it.
    const published =
      "0x02f870821e8e8203338301284d8301d97c828ae094000000000000000000000000000000000000aaaa" +
      "8402933bc980c080a0d067f2167008c59219652f91cbf8788dbca5f771f6e91e2b7657e85b78b472e0" +
      "a01d305af9fe81fdba43f0dfcd400ed24dcace0a7e30d4e85701dcaaf484cd079e";
    const digits = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
    const keys = { privateKeyAt: () => hexToBytes(digits) };
    const address = "0x000000000000000000000000000000000000aaaa";
    const payment = { address, contract: null, units: 43_203_529n };
    const terms = { nonce: 819, gas: 35_552n, feeMax: 121_212n, tip: 75_853n };
    assertEquals(signPayment(keys, WALLET_KEY, 7_822n, payment, terms).signed, published);
  });

  it("is signed by what makes the example of EIP-155, though of a later type", () => {
    const transaction = Transaction.prepare({
      type: "legacy",
      chainId: 1n,
      nonce: 9n,
      gasPrice: 20n * GWEI,
      gasLimit: 21_000n,
      to: `0x${"35".repeat(20)}`,
      value: 10n ** 18n,
    });
    const published = "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0" +
      "b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276" +
      "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83";
    assertEquals(transaction.signBy(new Uint8Array(32).fill(0x46), false).toHex(), published);
  });

  it("of a token calls its contract with no coins", () => {
    const payment = { address: ADDRESS, contract: CONTRACT, units: 1_000_000n };
    const { signed } = signPayment(KEYS, WALLET_KEY, 1n, payment, TERMS);
    const { to, value, data } = Transaction.fromHex(signed).raw as unknown as Record<
      string,
      unknown
    >;
    assertEquals([to, value, data], [CONTRACT, 0n, DATA]);
    assertEquals(callOf(payment, ADDRESS), { from: ADDRESS, to: CONTRACT, data: DATA });
  });

  it("pays for gas what blocks ask, within the network's limits", () => {
    const fee = (baseFee: bigint, tip: bigint) => gasFee(ETHEREUM, { baseFee, tip });
    assertEquals(fee(20n * GWEI, GWEI), { feeMax: 41n * GWEI, tip: GWEI });
    assertEquals(fee(20n * GWEI, 0n)?.tip, ETHEREUM.tipMin);
    assertEquals(fee(20n * GWEI, 10n ** 15n)?.tip, ETHEREUM.tipMax);
    assertEquals(fee(400n * GWEI, GWEI), { feeMax: ETHEREUM.feeMax, tip: GWEI });
    assertEquals(fee(499n * GWEI, GWEI)?.feeMax, ETHEREUM.feeMax);
    assertEquals(fee(500n * GWEI, GWEI), null);
  });

  it("pays an eighth more when it is sent again, or what is usual, up to the limit", () => {
    const usual = { feeMax: 10n * GWEI, tip: GWEI };
    const raised = (feeMax: bigint, tip: bigint) => raisedFee(ETHEREUM, { feeMax, tip }, usual);
    assertEquals(raised(16n * GWEI, 8n * GWEI), { feeMax: 18n * GWEI, tip: 9n * GWEI });
    assertEquals(raised(7n, 1n), usual);
    assertEquals(raised(10n * GWEI + 1n, GWEI + 1n), {
      feeMax: 11_250_000_002n,
      tip: 1_125_000_002n,
    });
    assertEquals(raised(480n * GWEI, GWEI), null);
  });
});

describe("the networks", () => {
  it("have names and ids of their own, and limits that fit together", () => {
    assertEquals(new Set(EVM_NETWORKS.map(({ name }) => name)).size, EVM_NETWORKS.length);
    assertEquals(new Set(EVM_NETWORKS.map(({ chainId }) => chainId)).size, EVM_NETWORKS.length);
    for (const { finalBlocks, tipMin, tipMax, feeMax } of EVM_NETWORKS) {
      assertEquals([finalBlocks >= 12, tipMin < tipMax, tipMax < feeMax], [true, true, true]);
    }
    assertEquals(evmNetwork("bitcoin"), undefined);
  });
});
