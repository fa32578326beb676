/** Payouts of coins that are in no block any more, of which nothing proves that they never will be. */
import { hex } from "@scure/base";
import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { outpoint, readOutpoint } from "../../../src/wallet/utxo/node_chain.ts";
import { readRawTransaction } from "../../../src/wallet/utxo/raw_transaction.ts";
import { scriptOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import { NodeRefusalError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { JsonRpc, NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import type { OwnOutput, PayoutRow } from "../../../src/wallet/utxo/utxo_rows.ts";
import { signTransaction } from "../../../src/wallet/utxo/utxo_signing.ts";
import { type LitecoinNode, NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { RailWorld } from "./rail_world.ts";
import {
  type ChildDeposit,
  depositOfChild,
  DEPTH,
  ends,
  replace,
  resume,
} from "./replaced_deposits.ts";

/** Returns a node that refuses what it is asked about blocks that its chain has left. */
function forgetful(node: LitecoinNode, method: string = "getchaintips"): JsonRpc {
  return {
    call: (asked, ...params) =>
      asked === method
        ? Promise.reject(new NodeRefusalError(method, -32601))
        : node.rpc.call(asked, ...params),
  };
}

/** A node that takes nothing which pays less than others, nor what is made of it, while it is full. */
class FullNode implements JsonRpc {
  isFull = false;
  readonly cheap = new Set<string>();

  constructor(private readonly node: LitecoinNode) {}

  async call(method: string, ...params: readonly NodeValue[]): Promise<NodeValue> {
    if (method === "sendrawtransaction" && this.isFull) {
      const read = present(readRawTransaction(String(params[0])), "it is a transaction");
      if (this.cheap.has(read.txid)) throw new NodeRefusalError(method, -26);
      const isBehind = read.spends.some(({ txid }) => this.cheap.has(txid));
      if (isBehind) throw new NodeRefusalError(method, -25);
    }
    return await this.node.rpc.call(method, ...params);
  }
}

/** Mines one block after the other, and watches after each. */
async function pass(world: RailWorld, blocks: number): Promise<void> {
  for (let block = 1; block <= blocks; block++) {
    await world.node.mineOnly();
    await world.watch();
  }
}

/** Mines a payment of a coin of the wallet's to itself, as another program with its seed makes it. */
async function spendOwn(world: RailWorld, name: string): Promise<void> {
  const { network, keys, node, test: { engine } } = world;
  const { txid, index } = readOutpoint(name);
  const key = networkKey(network.name, "coin", txid, index);
  const coin = present(await engine.readSidecar(key) as OwnOutput | null, "it has its row");
  const script = scriptOfKey(network, keys.publicKeyAt({ own: 0 }));
  const outputs = [{ script, amount: coin.amount - 10_000n }];
  await node.mineOnly(hex.encode(signTransaction(network, keys, [coin], outputs).bytes));
}

/** Returns the name of the first coin that a payout is made of. */
async function coinOf(world: RailWorld, id: string): Promise<string> {
  const row = await world.test.engine.readSidecar(networkKey(world.network.name, "payout", id));
  const { txid, index } = present((row as PayoutRow).inputs[0], "it is made of a coin");
  return outpoint(txid, index);
}

/** Has the chain go back below a deposit, so that neither it nor anything else in its place is there. */
async function lose(world: RailWorld, kept: number, { second }: ChildDeposit): Promise<void> {
  const { node } = world;
  const blocks = await node.height() - kept;
  await node.reorganise(blocks, async () => {
    // The node forgets the deposit as soon as a block has something else in its place.
    const hash = await node.mineOnly(second);
    await node.rpc.call("invalidateblock", hash);
    for (let block = 0; block <= blocks; block++) await node.mineOnly();
  });
  await resume(world, kept);
}

describe("a payout of a coin that may never be", () => {
  itUnless(NO_LITECOIN)(
    "is told of once that is so for long, as one of its change is, and arrives if its coin does",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4");
        const kept = await node.height();
        const lost = await depositOfChild(world);
        const txid = await world.sent("first", payee, 900_000_000n);
        await node.mine(1);
        await world.watch();
        await world.sent("next", payee, 50_000_000n);
        await lose(world, kept, lost);
        await world.watch();
        const told = () => world.doubted.map(({ id }) => id);
        await pass(world, DEPTH);
        assertEquals(told(), []);
        await pass(world, 1);
        assertEquals(told(), ["first"]);
        await pass(world, DEPTH);
        assertEquals(told(), ["first"]);
        await pass(world, DEPTH);
        assertEquals([told(), world.lost], [["first", "next"], []]);
        const missing = world.doubted.flatMap(({ doubt }) => doubt.missing);
        assertEquals(missing.map((name) => name.split(":")[0]), [lost.txid, txid]);
        assertEquals(world.doubted.map(({ doubt }) => doubt.others.length), [1, 0]);
        assertEquals(await ends(world, "first", "next"), [false, false]);
        assertEquals(world.refused, [], "the node takes neither, which is told already");
        await node.mineOnly(lost.parent);
        await node.mineOnly(lost.child);
        await world.watch();
        await node.mine(1);
        assertEquals((await world.found("next")).confirmations, 1);
        await pass(world, DEPTH);
        assertEquals([await ends(world, "first", "next"), world.lost], [[false, false], []]);
        assertEquals(await node.received(payee), 950_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps no other one to the cold address waiting, and ends with its other coins",
    () =>
      withLitecoin(async (node) => {
        const cold = await node.address();
        const parts = { cold, hotLimit: 400_000_000n, node: forgetful(node) };
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, parts);
        await world.fund("4");
        const kept = await node.height();
        const { second } = await depositOfChild(world);
        await node.mine(DEPTH + 1);
        await world.watch();
        assertEquals(await node.received(cold), 600_000_000n);
        await replace(world, kept, second);
        await world.watch();
        await node.pay(world.rail.ownAddress, "8");
        await node.mine(DEPTH);
        await world.watch();
        assertEquals([world.doubted.length, await node.received(cold)], [0, 0n]);
        await node.mine(1);
        await world.watch();
        assertEquals([world.doubted.length, world.lost], [1, []]);
        await node.mine(1);
        assertEquals(await node.received(cold), 400_000_000n);
        // Whoever has the seed spends what else it was made of.
        const other = present(world.doubted[0]?.doubt.others[0], "it was made of something else");
        await spendOwn(world, other);
        await node.mine(DEPTH - 1);
        await world.watch();
        assertEquals(world.lost, []);
        await node.mine(1);
        await world.watch();
        assertEquals(world.lost.length, 1);
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps no other one for combining waiting, and is told of though it pays nobody",
    () =>
      withLitecoin(async (node) => {
        const parts = { coinsMax: 1, node: forgetful(node) };
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, parts);
        await world.fund("4");
        const kept = await node.height();
        const { second, txid } = await depositOfChild(world);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept, second);
        await world.watch();
        for (let coin = 0; coin < 2; coin++) await node.pay(world.rail.ownAddress, "1");
        await node.mine(DEPTH + 1);
        await world.watch();
        assertEquals(world.doubted.map(({ id, doubt }) => [id, doubt.missing]), [
          ["combine-0", [`${txid}:0`]],
        ]);
        assertEquals((await node.rpc.call("getrawmempool") as string[]).length, 1);
      }),
  );

  for (const [isBack, what] of [[true, "its coin is back"], [false, "it is lost"]] as const) {
    itUnless(NO_LITECOIN)(
      `is not told of where ${what} before that`,
      () =>
        withLitecoin(async (node) => {
          await using world = await RailWorld.open(node, { finalDepth: DEPTH });
          const payee = await node.address();
          await world.fund("4");
          const kept = await node.height();
          const lost = await depositOfChild(world);
          await world.sent("first", payee, 900_000_000n);
          await node.mine(1);
          await world.watch();
          await lose(world, kept, lost);
          await world.watch();
          await pass(world, DEPTH - 2);
          for (const hex of isBack ? [lost.parent, lost.child] : [lost.second]) {
            await node.mineOnly(hex);
            await world.watch();
          }
          await pass(world, DEPTH - 1);
          assertEquals([world.doubted, world.lost], [[], []]);
          await node.mine(1);
          await world.watch();
          assertEquals([world.doubted, world.lost], [[], isBack ? [] : ["first"]]);
          assertEquals(await node.received(payee), isBack ? 900_000_000n : 0n);
        }),
    );
  }

  itUnless(NO_LITECOIN)(
    "does not end by what a node says of it that its bytes don't",
    () =>
      withLitecoin(async (node) => {
        let spent: NodeValue = null;
        const lying: JsonRpc = {
          call: async (method, ...params) => {
            const answer = await node.rpc.call(method, ...params);
            if (method !== "getblock") return answer;
            const block = answer as { readonly confirmations: number; readonly tx: NodeValue[] };
            if (block.confirmations >= 0) return answer;
            const tx = block.tx.map((one) => ({ ...one as object, vin: [spent] }));
            return { ...block, tx: [block.tx[0] ?? null, ...tx.slice(1)] };
          },
        };
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, { node: lying });
        await world.fund("4");
        const kept = await node.height();
        const lost = await depositOfChild(world);
        await world.sent("first", await node.address(), 900_000_000n);
        await node.mine(1);
        await world.watch();
        const { first } = await node.doubleSpend(await node.address());
        const { vin } = await node.rpc.call("decoderawtransaction", first) as { vin: NodeValue[] };
        spent = vin[0] ?? null;
        await lose(world, kept, lost);
        await node.mineOnly(first);
        await pass(world, 2 * DEPTH + 2);
        assertEquals([world.lost, world.doubted.length], [[], 1]);
      }),
  );
});

describe("a payout that had arrived, and that the node does not take again", () => {
  itUnless(NO_LITECOIN)(
    "is told of once that is so for long, as what is made of it is, and arrives once it does",
    () =>
      withLitecoin(async (node) => {
        const full = new FullNode(node);
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, { node: full });
        const payee = await node.address();
        await world.fund("4");
        const kept = await node.height();
        const txid = await world.sent("P", payee, 100_000_000n);
        full.cheap.add(txid);
        await node.mine(DEPTH + 1);
        await world.watch();
        await world.sent("Q", payee, 250_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        full.isFull = true;
        await replace(world, kept);
        await world.watch();
        await pass(world, DEPTH);
        full.isFull = false;
        // What it takes once may wait as long again.
        await pass(world, 1);
        full.isFull = true;
        await pass(world, DEPTH + 1);
        assertEquals(world.refused, []);
        await pass(world, 1);
        const told = () => world.refused.map(({ id }) => id);
        assertEquals(told(), ["P", "Q"]);
        const [first, next] = world.refused.map(({ doubt }) => doubt);
        assertEquals([first?.missing, first?.others.length, next?.others], [[], 1, []]);
        const behind = next?.missing.map((name) => readOutpoint(name).txid);
        assertEquals([...new Set(behind)], [txid]);
        await pass(world, DEPTH);
        full.isFull = false;
        await pass(world, 1);
        await node.mine(DEPTH + 1);
        assertEquals(await ends(world, "P", "Q"), [false, false]);
        assertEquals([told(), world.lost, world.doubted], [["P", "Q"], [], []]);
        assertEquals(await node.received(payee), 350_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is not told of while it only waits for its block, or where another one has taken its place",
    () =>
      withLitecoin(async (node) => {
        const full = new FullNode(node);
        const changes = { finalDepth: DEPTH, bumpBlocks: null };
        await using world = await RailWorld.open(node, changes, { node: full });
        await world.fund("4");
        full.cheap.add(await world.sent("P", await node.address(), 100_000_000n));
        await pass(world, 2 * DEPTH);
        full.isFull = true;
        await pass(world, DEPTH);
        // A block has it for a while, after which it waits anew.
        await node.mine(1);
        await world.watch();
        await node.reorganise(1, async () => {
          for (let block = 0; block < 2; block++) await node.mineOnly();
        });
        await world.watch();
        await pass(world, DEPTH - 1);
        assertEquals(world.refused, []);
        await spendOwn(world, await coinOf(world, "P"));
        await pass(world, DEPTH + 2);
        assertEquals([world.refused, world.lost], [[], ["P"]]);
      }),
  );
});
