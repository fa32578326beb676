import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hex } from "@scure/base";
import { present } from "../../../src/domain/assert.ts";
import { ChainWalk, type WalkedOutput } from "../../../src/wallet/utxo/chain_walk.ts";
import {
  type ChainBlock,
  type ChainTransaction,
  outpoint,
} from "../../../src/wallet/utxo/node_chain.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { UtxoCoins } from "../../../src/wallet/utxo/utxo_coins.ts";
import { type CoinPlace, UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

/** A coin of which there is a row. */
const NOTED = outpoint(hash("noted"), 1);

describe("what the wallet itself pays to members", () => {
  it("is known by the coins that it spends, in whatever order a block has them", async () => {
    const chain = new TestChain();
    chain.blocks.push([
      // Before what it spends.
      payment("grandchild", "alice", [outpoint(hash("child"), 0)]),
      payment("child", "own", [NOTED]),
      payment("stranger", "bob", [outpoint(hash("other"), 0)]),
      // Whose key is elsewhere.
      payment("cold", "cold", [outpoint(hash("other"), 1)]),
      payment("from cold", "bob", [outpoint(hash("cold"), 0)]),
    ]);
    chain.blocks.push([payment("next", "bob", [
      outpoint(hash("other"), 2),
      outpoint(hash("grandchild"), 0),
    ])]);
    const { walk, sent } = chain.walk();
    await walk.follow(performance.now() + 1_000);
    assertEquals(walk.blocks.map(({ outputs }) => sent(outputs)), [
      [["grandchild", true], ["child", false], ["stranger", false], ["cold", false], [
        "from cold",
        false,
      ]],
      [["next", true]],
    ]);
  });

  it("is known before a block has it, and after its block was lost", async () => {
    const chain = new TestChain();
    chain.blocks.push([payment("first", "alice", [NOTED])]);
    const { walk, sent } = chain.walk();
    await walk.follow(performance.now() + 1_000);
    const loose = () => sent([...walk.loose].map(({ output }) => output));
    chain.waiting.push(payment("second", "bob", [outpoint(hash("first"), 0)]));
    await walk.follow(performance.now() + 1_000);
    assertEquals(loose(), [["second", true]]);
    // In memory as before, after other blocks have become final.
    chain.blocks.push([payment("later", "own", [outpoint(hash("other"), 0)])]);
    const last = present(walk.last, "there is a block");
    await walk.follow(performance.now() + 1_000);
    walk.beginAfter(last);
    chain.waiting.push(
      payment("third", "alice", [outpoint(hash("second"), 0)]),
      payment("fourth", "alice", [outpoint(hash("third"), 0)]),
      payment("fifth", "alice", [outpoint(hash("later"), 0)]),
    );
    await walk.follow(performance.now() + 1_000);
    assertEquals(loose(), [["second", true], ["third", true], ["fourth", true], ["fifth", true]]);
  });

  it("is looked for among the coins of no transaction that is larger than the wallet's", async () => {
    const chain = new TestChain();
    const names = (count: number) =>
      Array.from({ length: count }, (_, i) => outpoint(hash("other"), i));
    chain.blocks.push([
      payment("large", "alice", names(2_000)),
      payment("small", "alice", [...names(99), NOTED]),
    ]);
    const { walk, sent, asked } = chain.walk();
    await walk.follow(performance.now() + 1_000);
    assertEquals(walk.blocks.map(({ outputs }) => sent(outputs)), [
      [["large", false], ["small", true]],
    ]);
    assertEquals(asked.flat().length, 100);
  });

  it("is a deposit once its withdrawal is known, as final blocks have it", async () => {
    await using venue = await EngineVenue.open();
    const rows = new UtxoRows("litecoin-regtest");
    const coins = new UtxoCoins(venue.engine, rows);
    const { txid, spends, isCoinbase } = payment("child", "alice", [NOTED]);
    const seen = { txid, index: 0, amount: 5n, address: "alice", place: { member: 0 } };
    const output: WalkedOutput = { ...seen, spends, isCoinbase };
    await coins.note([output]);
    const deposits = async () => (await coins.deposits(await coins.rows([output]))).length;
    assertEquals(await deposits(), 1);
    assertEquals(await coins.deposits([{ ...seen, place: { own: 0 } }]), []);
    // What it spends was seen later.
    await coins.settle([{ ...output, isSent: true }], 7);
    assertEquals(await deposits(), 0);
    await coins.noteRests([{ ...output, isSent: true }], 2);
    assertEquals(await coins.rests(), 0n);
    await venue.engine.createSidecar({ key: rows.inside(txid), value: true });
    assertEquals(await deposits(), 1);
    assertEquals(await coins.own([outpoint(txid, 0), NOTED]), new Set([outpoint(txid, 0)]));
  });
});

/** Names of transactions are their txids' beginnings. */
function hash(name: string): string {
  return hexOf(name).padEnd(64, "0");
}

function payment(name: string, address: string, spends: readonly string[]): ChainTransaction {
  const outputs = [{ index: 0, amount: 5n, script: address }];
  return { txid: hash(name), isCoinbase: false, spends, outputs, raw: null };
}

/** A chain whose scripts are the names of places. */
class TestChain {
  readonly blocks: ChainTransaction[][] = [];
  readonly waiting: ChainTransaction[] = [];

  walk() {
    const places: Record<string, CoinPlace> = {
      alice: { member: 0 },
      bob: { member: 1 },
      own: { own: 0 },
      cold: { cold: true },
    };
    const asked: (readonly string[])[] = [];
    const walk = new ChainWalk({
      network: present(utxoNetwork("litecoin-regtest"), "there is a network"),
      chain: {
        tip: () => Promise.resolve(this.#nameAt(this.blocks.length)),
        hashAt: (height) => Promise.resolve(this.#nameAt(height).hash),
        blockAt: (height) => Promise.resolve(this.#blockAt(height)),
        mempool: () => Promise.resolve(this.waiting.map(({ txid }) => txid)),
        waiting: (txid) => Promise.resolve(this.waiting.find((one) => one.txid === txid) ?? null),
      },
      addressOf: (script) => script,
      placesOf: (addresses) =>
        Promise.resolve(
          new Map(addresses.map((address) => [address, present(places[address], "a place")])),
        ),
      coins: () => Promise.resolve([]),
      onFault: () => {},
      ownOf: (names) => {
        asked.push(names);
        return Promise.resolve(new Set(names.filter((name) => name === NOTED)));
      },
    });
    walk.beginAfter(this.#nameAt(0));
    const sent = (outputs: readonly { readonly txid: string; readonly isSent?: true }[]) =>
      outputs.map(({ txid, isSent }) => [nameOf(txid), isSent ?? false]);
    return { walk, sent, asked };
  }

  #nameAt(height: number) {
    return { height, hash: String(height).padStart(64, "f") };
  }

  #blockAt(height: number): ChainBlock {
    const transactions = this.blocks[height - 1] ?? [];
    const parent = this.#nameAt(height - 1).hash;
    return { ...this.#nameAt(height), parent, transactions };
  }
}

function hexOf(text: string): string {
  return hex.encode(new TextEncoder().encode(text));
}

function nameOf(txid: string): string {
  return new TextDecoder().decode(hex.decode(txid.replace(/(?:00)+$/, "")));
}
