/** A block that is as full as blocks get. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { blockHashOf, merkleRootOf } from "../../../src/wallet/utxo/block_proof.ts";
import { ChainWalk } from "../../../src/wallet/utxo/chain_walk.ts";
import { AT_ONCE, NodeChain } from "../../../src/wallet/utxo/node_chain.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const TRANSACTIONS = 3_000;
const HEIGHT = 5;
const PARENT = "0".repeat(64);
const NETWORK = present(utxoNetwork("litecoin-regtest"), "there is a network");

/** A node whose last block has so many transactions, each of which pays to a script of its own. */
function fullNode(): { call(method: string): Promise<NodeValue> } {
  const txids = Array.from({ length: TRANSACTIONS }, (_, i) => hexOf(i + 1, 64));
  const header = {
    version: "20000000",
    parent: PARENT,
    merkleRoot: merkleRootOf(txids),
    time: 1,
    bits: "207fffff",
    nonce: 0,
  };
  const hash = blockHashOf(header);
  const tx = txids.map((txid, i) => ({
    txid,
    vin: [i === 0 ? { coinbase: "00" } : { txid: PARENT, vout: i }],
    vout: [{ value: "0.1", n: 0, scriptPubKey: { hex: hexOf(i, 40) } }],
  }));
  const { version: versionHex, parent, merkleRoot: merkleroot, time, bits, nonce } = header;
  const block = {
    hash,
    height: HEIGHT,
    previousblockhash: parent,
    versionHex,
    merkleroot,
    time,
    bits,
    nonce,
    tx,
  };
  const { landmarks: [first] } = NETWORK;
  const answers: Readonly<Record<string, (height: NodeValue) => NodeValue>> = {
    getblockhash: (height) => height === 0 ? first?.hash ?? "" : height === HEIGHT ? hash : PARENT,
    getblockchaininfo: () => ({ blocks: HEIGHT, bestblockhash: hash }),
    getblock: () => block,
    getrawmempool: () => [],
  };
  return {
    call: (method: string, ...params: readonly NodeValue[]) =>
      Promise.resolve(answers[method]?.(params[0] ?? null) ?? null),
  };
}

function hexOf(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

describe("a full block of Bitcoin's family", () => {
  it("lets others have turns while it is read and looked through", async () => {
    const chain = new NodeChain(NETWORK, fullNode());
    const read = await turnsDuring(async () => {
      const block = await chain.blockAt(HEIGHT);
      assertEquals(block?.transactions.map(({ txid }) => Number(`0x${txid}`)), [
        ...Array.from({ length: TRANSACTIONS }, (_, i) => i + 1),
      ]);
    });
    const addresses: string[] = [];
    const walk = new ChainWalk({
      network: NETWORK,
      chain,
      addressOf: (script) => script,
      placesOf: (asked) => {
        addresses.push(...asked);
        return Promise.resolve(new Map());
      },
      ownOf: () => Promise.resolve(new Set()),
      coins: () => Promise.resolve([]),
      onFault: () => {},
    });
    walk.beginAfter({ height: HEIGHT - 1, hash: PARENT });
    const walked = await turnsDuring(() => walk.follow(Infinity));
    assertEquals([walk.height, addresses.length], [HEIGHT, TRANSACTIONS]);
    const least = TRANSACTIONS / AT_ONCE - 1;
    assert(read >= least && walked >= 2 * least, `${read} and ${walked} turns`);
  });
});
