import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hex } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { RawTx, Script } from "@scure/btc-signer";
import { signECDSA } from "@scure/btc-signer/utils.js";
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { addressOfKey, scriptOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import { UTXO_NETWORKS, type UtxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { feeAt, signTransaction, transactionBytes } from "../../../src/wallet/utxo/utxo_signing.ts";
import type { OwnOutput } from "../../../src/wallet/utxo/utxo_rows.ts";

const SEED = new Uint8Array(32).fill(9);
interface SpentInput {
  readonly txid: Uint8Array;
  readonly index: number;
  readonly sequence: number;
}

describe("the signatures of Bitcoin's family", () => {
  it("are of what BIP-143 shows", () => {
    // Its example of a native P2WPKH.
    const input = (txid: string, index: number, sequence: number): SpentInput => ({
      txid: hex.decode(txid).reverse(),
      index,
      sequence,
    });
    const inputs = [
      input("fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f", 0, 0xffff_ffee),
      input("ef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a", 1, 0xffff_ffff),
    ];
    const outputs = hex.decode(
      "202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac" +
        "9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac",
    );
    const code = hex.decode("76a9141d0f172a0ecb48aee1be1f2687d2963ae33f71a188ac");
    const preimage = bip143({
      version: 1,
      inputs,
      outputs,
      at: 1,
      code,
      amount: 600_000_000n,
      locktime: 17,
      type: 1,
    });
    assertEquals(
      hex.encode(sha256(sha256(preimage))),
      "c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670",
    );
    const key = hex.decode("619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9");
    assertEquals(
      signatureOf(key, preimage),
      "304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a" +
        "0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee",
    );
  });

  it("hold, with the flag of the network, for each input alone", () => {
    for (const network of UTXO_NETWORKS.filter(({ signatures }) => signatures !== "legacy")) {
      const keys = AccountKeys.ofSeed(SEED, network.accountPath);
      const inputs = [coin(network, keys, 1, 50_000n), coin(network, keys, 2, 70_000n)];
      const payee = scriptOfKey(network, keys.publicKeyAt({ member: 8 }));
      const made = signTransaction(network, keys, inputs, [{ script: payee, amount: 100_000n }]);
      const parsed = RawTx.decode(made.bytes);
      const outputs = Uint8Array.of(...u64(100_000n), payee.length, ...payee);
      const isCash = network.signatures === "forkid";
      const type = isCash ? 0x41 : 0x01;
      inputs.forEach(({ place, amount }, at) => {
        const publicKey = keys.publicKeyAt(place);
        const own = scriptOfKey(network, publicKey);
        const code = isCash ? own : hex.decode(`76a914${hex.encode(own.subarray(2))}88ac`);
        const { version, lockTime: locktime } = parsed;
        const terms = { version, inputs: parsed.inputs, outputs, at, code, amount, locktime, type };
        const [signature, key] = isCash
          ? Script.decode(present(parsed.inputs[at], "an input").finalScriptSig) as Uint8Array[]
          : present(parsed.witnesses?.[at], "a witness");
        assertEquals(key, publicKey);
        assertEquals(signature?.at(-1), type);
        const der = present(signature, "a signature").slice(0, -1);
        const privateKey = keys.privateKeyAt(place);
        assertEquals(hex.encode(der), signatureOf(privateKey, bip143(terms)), network.name);
        const other = { ...terms, amount: amount + 1n };
        assert(hex.encode(der) !== signatureOf(privateKey, bip143(other)), network.name);
      });
      const sequence = network.bumpBlocks === null ? 0xffff_ffff : 0xffff_fffd;
      assertEquals(parsed.inputs.map((input) => input.sequence), [sequence, sequence]);
    }
  });

  it("make transactions no larger than their fees are for, and hardly smaller", () => {
    for (const network of UTXO_NETWORKS) {
      const keys = AccountKeys.ofSeed(SEED, network.accountPath);
      const payee = scriptOfKey(network, keys.publicKeyAt({ own: 0 }));
      for (const count of [1, 2, 20]) {
        const inputs = Array.from({ length: count }, (_, i) => coin(network, keys, i, 50_000n));
        const outputs = [{ script: payee, amount: 10_000n }, { script: payee, amount: 9_000n }];
        const { bytes } = signTransaction(network, keys, inputs, outputs);
        const { witnesses } = RawTx.decode(bytes);
        const apart = RawTx.encode({
          ...RawTx.decode(bytes),
          segwitFlag: false,
          witnesses: undefined,
        });
        const size = witnesses === undefined ? bytes.length : (3 * apart.length + bytes.length) / 4;
        const assumed = transactionBytes(network, count, [payee, payee]);
        assert(assumed >= size && assumed - size <= 3 * count + 2, `${assumed} for ${size}`);
      }
    }
    assertEquals([feeAt(1_000n, 141), feeAt(1_001n, 141), feeAt(0n, 141)], [141n, 142n, 0n]);
  });
});

function coin(
  network: UtxoNetwork,
  keys: AccountKeys,
  member: number,
  amount: bigint,
): OwnOutput {
  const place = { member };
  const address = addressOfKey(network, keys.publicKeyAt(place));
  return {
    txid: hex.encode(new Uint8Array(32).fill(member + 1)),
    index: member,
    amount,
    place,
    address,
  };
}

/** Writes what a signature is of, by the text of BIP-143. */
function bip143({ version, inputs, outputs, at, code, amount, locktime, type }: {
  readonly version: number;
  readonly inputs: readonly SpentInput[];
  readonly outputs: Uint8Array;
  readonly at: number;
  readonly code: Uint8Array;
  readonly amount: bigint;
  readonly locktime: number;
  readonly type: number;
}): Uint8Array {
  const outpoints = inputs.map(({ txid, index }) => [...txid.toReversed(), ...u32(index)]);
  const sequences = inputs.flatMap(({ sequence }) => u32(sequence));
  return Uint8Array.from([
    ...u32(version),
    ...twice(Uint8Array.from(outpoints.flat())),
    ...twice(Uint8Array.from(sequences)),
    ...present(outpoints[at], "an input"),
    code.length,
    ...code,
    ...u64(amount),
    ...u32(present(inputs[at], "an input").sequence),
    ...twice(outputs),
    ...u32(locktime),
    ...u32(type),
  ]);
}

/** Signatures are made of nothing but the key and what is signed (RFC 6979). */
function signatureOf(privateKey: Uint8Array, preimage: Uint8Array): string {
  return hex.encode(signECDSA(twice(preimage), privateKey));
}

function twice(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

function u32(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

function u64(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}
