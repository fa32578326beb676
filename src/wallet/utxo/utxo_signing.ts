/** Transactions of the wallet's coins: how large they are, and how each input is signed. */
import { Script, Transaction } from "@scure/btc-signer";
import { signECDSA } from "@scure/btc-signer/utils.js";
import type { AccountKeys } from "../keys/account_keys.ts";
import { scriptOfKey } from "./utxo_addresses.ts";
import type { UtxoNetwork } from "./utxo_networks.ts";
import type { OwnOutput } from "./utxo_rows.ts";

/** What a transaction pays. */
export interface SpentTo {
  readonly script: Uint8Array;
  readonly amount: bigint;
}

/** A transaction with all signatures. */
export interface SignedTransaction {
  readonly txid: string;
  readonly bytes: Uint8Array;
}

/** Tells nodes that a transaction may be replaced (BIP-125), and fixes no time. */
const REPLACEABLE = 0xffff_fffd;
const FINAL = 0xffff_ffff;
/** Signs all inputs and outputs; with the flag of Bitcoin Cash, so that it counts there alone. */
const ALL_WITH_FORK_ID = 0x41;

/** Virtual bytes, the largest signature assumed. */
const FRAME_BYTES = 11;
const WITNESS_INPUT_BYTES = 68;
const LEGACY_INPUT_BYTES = 149;
const AMOUNT_BYTES = 8;
const LENGTH_BYTES = 1;
const THOUSAND = 1_000n;

/** Returns the virtual bytes of a transaction, or a few more. */
export function transactionBytes(
  { signatures }: UtxoNetwork,
  inputs: number,
  scripts: readonly Uint8Array[],
): number {
  const input = signatures === "witness" ? WITNESS_INPUT_BYTES : LEGACY_INPUT_BYTES;
  const outputs = scripts.map((script) => AMOUNT_BYTES + LENGTH_BYTES + script.length);
  return FRAME_BYTES + inputs * input + outputs.reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the fee of a transaction at a rate for 1,000 virtual bytes. */
export function feeAt(rate: bigint, bytes: number): bigint {
  return (rate * BigInt(bytes) + THOUSAND - 1n) / THOUSAND;
}

/** Makes a transaction; each input is signed by the private key of its coin, which is then dropped. */
export function signTransaction(
  network: UtxoNetwork,
  keys: Pick<AccountKeys, "publicKeyAt" | "privateKeyAt">,
  inputs: readonly OwnOutput[],
  outputs: readonly SpentTo[],
): SignedTransaction {
  // The amounts of legacy inputs are compared with the node's before; nothing else could show them.
  const transaction = new Transaction({
    allowLegacyWitnessUtxo: true,
    // Whether a taproot key can sign is its owner's affair.
    allowUnknownOutputs: true,
  });
  const sequence = network.bumpBlocks === null ? FINAL : REPLACEABLE;
  for (const { txid, index, amount, place } of inputs) {
    const script = scriptOfKey(network, keys.publicKeyAt(place));
    transaction.addInput({ txid, index, sequence, witnessUtxo: { script, amount } });
  }
  for (const { script, amount } of outputs) transaction.addOutput({ script, amount });
  inputs.forEach(({ place, amount }, i) => {
    const privateKey = keys.privateKeyAt(place);
    try {
      if (network.signatures !== "forkid") transaction.signIdx(privateKey, i);
      else {
        const publicKey = keys.publicKeyAt(place);
        const script = scriptOfKey(network, publicKey);
        const digest = transaction.preimageWitnessV0(i, script, ALL_WITH_FORK_ID, amount);
        const signature = Uint8Array.of(...signECDSA(digest, privateKey), ALL_WITH_FORK_ID);
        const finalScriptSig = Script.encode([signature, publicKey]);
        transaction.updateInput(i, { finalScriptSig }, true);
      }
    } finally {
      privateKey.fill(0);
    }
  });
  if (network.signatures !== "forkid") transaction.finalize();
  return { txid: transaction.id, bytes: transaction.extract() };
}
