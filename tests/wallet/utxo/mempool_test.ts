import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import {
  ChainWalk,
  type ChainWalkParts,
  type LooseOutput,
  type WalkedBlock,
} from "../../../src/wallet/utxo/chain_walk.ts";
import type { ChainBlock, ChainTransaction } from "../../../src/wallet/utxo/node_chain.ts";
import { UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import { UTXO_NETWORKS, utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";

/** A walk over blocks, most of which are empty, and what its node was asked. */
class Chain {
  readonly walk: ChainWalk;
  readonly blocks: ChainBlock[] = [];
  readonly looked: string[] = [];
  waiting: string[] = [];
  asked = 0;
  /** Called before a block is read. */
  onRead = (): void => {};
  isAway = false;

  constructor(mempoolMs: number) {
    const network = { ...present(utxoNetwork("litecoin-regtest"), "it is one"), mempoolMs };
    const chain: ChainWalkParts["chain"] = {
      tip: () => this.isAway ? Promise.reject(new Error("away")) : Promise.resolve(this.#last),
      hashAt: (height) => Promise.resolve(this.blocks[height]?.hash ?? null),
      blockAt: (height) => {
        this.onRead();
        return Promise.resolve(this.blocks[height] ?? null);
      },
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
      onFault: () => {},
    });
    this.mine();
    this.walk.beginAfter(this.#last);
  }

  get #last(): ChainBlock {
    return present(this.blocks.at(-1), "there is a block");
  }

  mine(...transactions: ChainTransaction[]): void {
    const height = this.blocks.length;
    const parent = this.blocks.at(-1)?.hash ?? "";
    this.blocks.push({ height, hash: `${height}`, parent, transactions });
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

  it("drops what it lacks for as long as a block takes to be final, and has it once it is there", async () => {
    const chain = new Chain(0);
    const { finalDepth } = present(utxoNetwork("litecoin-regtest"), "it is one");
    const states = () => [...chain.walk.loose].map(({ droppedAt }) => droppedAt !== null);
    const live = async (blocks: number, ...waiting: string[]) => {
      chain.waiting = waiting;
      for (let block = 1; block <= blocks; block++) {
        chain.mine();
        await chain.follow(1);
      }
      return states();
    };
    assertEquals(await live(1, "aa"), [false]);
    assertEquals(await live(finalDepth), [false]);
    assertEquals(await live(1, "aa"), [false], "it is there again");
    assertEquals(await live(finalDepth), [false]);
    // It is the same, though its block was lost or a row tells of it.
    const [{ output }] = [...chain.walk.loose] as [LooseOutput];
    assertEquals(chain.walk.addLoose(output).missingSince, finalDepth + 3);
    assertEquals(await live(1), [true]);
    assertEquals(await live(1, "aa"), [false], "it is there again");
    assertEquals(await live(finalDepth + 1), [true]);
    assertEquals(await live(finalDepth), [true]);
    assertEquals(await live(1), [], "it is forgotten");
    assertEquals(await live(1, "aa"), [false], "it is looked at once more");
  });

  it("is asked for every few seconds, and on test networks of one's own at once", () => {
    const pauses = UTXO_NETWORKS.map(({ name, mempoolMs }) => [name, mempoolMs] as const);
    const isOwn = (name: string) => name.endsWith("-regtest");
    assertEquals(pauses.filter(([, ms]) => ms !== 0 && ms !== 5_000), []);
    assertEquals(pauses.filter(([name, ms]) => (ms === 0) !== isOwn(name)), []);
  });
});

describe("a walk along a chain", () => {
  it("has nothing of a chain that was replaced while it was read", async () => {
    const chain = new Chain(0);
    chain.mine();
    await chain.follow(1);
    chain.mine();
    chain.onRead = () => {
      const [base] = chain.blocks.splice(0);
      chain.blocks.push(present(base, "it began there"));
      for (const [height, parent] of [[1, "0"], [2, "other 1"]] as const) {
        chain.blocks.push({ height, hash: `other ${height}`, parent, transactions: [] });
      }
    };
    await chain.follow(1);
    assertEquals(chain.walk.blocks.map(({ hash }) => hash), ["other 1", "other 2"]);
  });

  it("is at the end as long as nothing else is known", async () => {
    const chain = new Chain(0);
    const isAtEnd = () => chain.walk.isAtEnd;
    assertEquals(isAtEnd(), false);
    chain.mine();
    await chain.follow(1);
    assertEquals(isAtEnd(), true);
    chain.isAway = true;
    await assertRejects(() => chain.follow(1), Error, "away");
    assertEquals(isAtEnd(), false);
    chain.isAway = false;
    await chain.follow(1);
    // Others have walked on.
    chain.walk.beginAfter({ height: 7, hash: "elsewhere" });
    assertEquals(isAtEnd(), false);
  });

  it("takes for loose nothing that a block holds, however far it has come", async () => {
    const chain = new Chain(0);
    chain.waiting = ["aa"];
    await chain.follow(1);
    chain.waiting = [];
    chain.mine(paying("aa"));
    for (let block = 1; block <= 9; block++) chain.mine();
    assertEquals(await chain.walk.follow(0), false);
    assertEquals([chain.loose(), chain.walk.isAtEnd], [[], false]);
    const [{ outputs: [output] }] = chain.walk.blocks as [WalkedBlock];
    await chain.follow(1);
    chain.walk.addLoose(present(output, "it is in the first block"));
    assertEquals(chain.loose(), ["aa"]);
    await chain.follow(1);
    assertEquals(chain.loose(), []);
  });

  it("knows which block spends an output otherwise", async () => {
    const chain = new Chain(0);
    chain.mine({ ...paying("bb"), spends: ["aa:0"] });
    await chain.follow(1);
    const { walk } = chain;
    const of = (...txids: string[]) => walk.conflictOf(["cc:0", "aa:0"], txids)?.height ?? null;
    assertEquals([of(), of("dd"), of("dd", "bb"), walk.conflictOf(["cc:0"], [])], [
      1,
      1,
      null,
      null,
    ]);
  });

  it("wants proof of what spends the wallet's coins, in the block that pays them as well", async () => {
    const chain = new Chain(0);
    const spending = { txid: "bb", isCoinbase: false, spends: ["aa:0"], outputs: [], raw: "00" };
    chain.mine(paying("aa"), spending);
    await assertRejects(() => chain.follow(1), UtxoFaultError, "a transaction");
  });
});
