/** Deposits that other blocks have something else in the place of, below what had been final. */
import { assertRejects } from "@std/assert";
import { ReplacedBlockError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { LitecoinNode } from "../../support/litecoin_node.ts";
import type { RailWorld } from "./rail_world.ts";

export const DEPTH = 4;

/** Has the chain go back to a height, and mine other blocks: with these and no other payments. */
export async function replace(world: RailWorld, kept: number, ...others: string[]): Promise<void> {
  const { node } = world;
  const blocks = await node.height() - kept;
  await node.reorganise(blocks, async () => {
    await node.mineOnly(...others);
    for (let block = 0; block <= blocks; block++) await node.mineOnly();
  });
  await resume(world, kept);
}

/** Goes on behind a height, once it is known that what was final is gone. */
export async function resume(world: RailWorld, height: number): Promise<void> {
  await assertRejects(() => world.watch(), ReplacedBlockError);
  world.cursors.set(world.rail, await world.rail.goBack(height));
}

/** Pays so many units to alice by what can be spent otherwise; returns how. */
export async function deposit(
  node: LitecoinNode,
  world: RailWorld,
  amount: bigint,
): Promise<string> {
  const { first, second } = await node.doubleSpend(await world.address("alice"), amount);
  await node.rpc.call("sendrawtransaction", first);
  await node.mine(DEPTH + 1);
  await world.watch();
  return second;
}

/** A deposit of a coin that was made in the block before, and what takes its place; all in hex. */
export interface ChildDeposit {
  readonly parent: string;
  readonly child: string;
  /** Spends what the parent does. */
  readonly second: string;
  readonly txid: string;
}

/** Pays 6 coins to alice by a transaction whose own coin was made in the block before. */
export async function depositOfChild(world: RailWorld): Promise<ChildDeposit> {
  const { node } = world;
  const { first, second } = await node.doubleSpend(await node.address());
  const between = await node.rpc.call("sendrawtransaction", first) as string;
  await node.mineOnly(between);
  const child = await node.spend([{ txid: between, vout: 0 }], {
    [await world.address("alice")]: "6",
    [await node.address()]: "43.999",
  });
  const txid = await node.rpc.call("sendrawtransaction", child) as string;
  await node.mine(DEPTH + 2);
  await world.watch();
  return { parent: first, child, second, txid };
}

/** Returns how payments have ended, after one more look. */
export async function ends(world: RailWorld, ...ids: readonly string[]): Promise<boolean[]> {
  await world.watch();
  const found = await Promise.all(ids.map((id) => world.found(id)));
  return found.map(({ isFailed }) => isFailed);
}
