import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { ChainWalk, type ChainWalkParts } from "../../../src/wallet/utxo/chain_walk.ts";
import type { ChainBlock, ChainTransaction } from "../../../src/wallet/utxo/node_chain.ts";
import { UTXO_NETWORKS, utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";

/** A walk over empty blocks, and what its node was asked. */
class Chain {
  readonly walk: ChainWalk;
  readonly blocks: ChainBlock[] = [];
  readonly looked: string[] = [];
  waiting: string[] = [];
  asked = 0;

  constructor(mempoolMs: number) {
    const network = { ...present(utxoNetwork("litecoin-regtest"), "it is one"), mempoolMs };
    const chain: ChainWalkParts["chain"] = {
      tip: () => Promise.resolve(this.#last),
      hashAt: (height) => Promise.resolve(this.blocks[height]?.hash ?? null),
      blockAt: (height) => Promise.resolve(this.blocks[height] ?? null),
      mempool: () => {
        this.asked += 1;
        return Promise.resolve([...this.waiting]);
      },
      waiting: (txid) => {
        this.looked.push(txid);
        return Promise.resolve(paying(txid));
      },
    };
    this.walk = new ChainWalk({
      network,
      chain,
      addressOf: (script) => script,
      placesOf: (addresses) => Promise.resolve(new Map(addresses.map((one) => [one, { own: 0 }]))),
      ownOf: () => Promise.resolve(new Set()),
      coins: () => Promise.resolve([]),
    });
    this.mine();
    this.walk.beginAfter(this.#last);
  }

  get #last(): ChainBlock {
    return present(this.blocks.at(-1), "there is a block");
  }

  mine(): void {
    const height = this.blocks.length;
    const parent = this.blocks.at(-1)?.hash ?? "";
    this.blocks.push({ height, hash: `${height}`, parent, transactions: [] });
  }

  async follow(times: number): Promise<void> {
    for (let i = 0; i < times; i++) await this.walk.follow(performance.now() + 1_000);
  }

  loose(): string[] {
    return [...this.walk.loose].map(({ output }) => output.txid);
  }
}

function paying(txid: string): ChainTransaction {
  const outputs = [{ index: 0, amount: 5n, script: "own" }];
  return { txid, isCoinbase: false, spends: [], outputs, raw: null };
}

describe("the mempool of a node", () => {
  it("is asked for again after a while, or once a new block comes", async () => {
    const chain = new Chain(60_000);
    chain.waiting = ["aa"];
    await chain.follow(3);
    assertEquals([chain.asked, chain.loose()], [1, ["aa"]]);
    chain.waiting = ["aa", "bb"];
    await chain.follow(1);
    assertEquals(chain.loose(), ["aa"]);
    chain.mine();
    await chain.follow(3);
    assertEquals([chain.asked, chain.loose()], [2, ["aa", "bb"]]);
    assertEquals(chain.looked, ["aa", "bb"]);
    const often = new Chain(0);
    await often.follow(3);
    assertEquals(often.asked, 3);
  });

  it("is looked at to its end without being asked for again", async () => {
    const chain = new Chain(60_000);
    chain.waiting = Array.from({ length: 450 }, (_, i) => `tx ${i}`);
    await chain.follow(1);
    assertEquals(chain.looked.length, 200);
    await chain.follow(3);
    assertEquals([chain.asked, chain.looked], [1, chain.waiting]);
    chain.mine();
    await chain.follow(2);
    assertEquals([chain.asked, chain.looked.length], [2, 450]);
  });

  it("is asked for at once by a walk that begins anew", async () => {
    const chain = new Chain(60_000);
    const [first] = chain.blocks;
    chain.mine();
    chain.walk.beginAfter(present(chain.blocks[1], "it was mined"));
    chain.waiting = ["aa"];
    await chain.follow(1);
    chain.walk.beginAfter(present(first, "it is there"));
    assertEquals(chain.loose(), []);
    await chain.follow(1);
    assertEquals([chain.asked, chain.loose()], [2, ["aa"]]);
  });

  it("is asked for every few seconds, and on test networks of one's own at once", () => {
    const pauses = UTXO_NETWORKS.map(({ name, mempoolMs }) => [name, mempoolMs] as const);
    const isOwn = (name: string) => name.endsWith("-regtest");
    assertEquals(pauses.filter(([, ms]) => ms !== 0 && ms !== 5_000), []);
    assertEquals(pauses.filter(([name, ms]) => (ms === 0) !== isOwn(name)), []);
  });
});
