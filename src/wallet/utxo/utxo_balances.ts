/** What a chain holds of a wallet's coins, by its rows and the blocks that are in memory. */
import { present } from "../../domain/assert.ts";
import type { NetworkBalances } from "../rails/network_rail.ts";
import type { ChainWalk } from "./chain_walk.ts";
import { outpoint } from "./node_chain.ts";
import type { UtxoCoins } from "./utxo_coins.ts";
import { UtxoFaultError } from "./utxo_faults.ts";
import type { UtxoPayouts } from "./utxo_payouts.ts";
import type { OutputName, PlacedOutput } from "./utxo_rows.ts";

/** What balances are added up from. */
export interface UtxoBalanceParts {
  readonly walk: Pick<ChainWalk, "last" | "isAtEnd" | "blocks" | "isMature">;
  readonly coins: Pick<UtxoCoins, "listed" | "rows">;
  readonly payouts: Pick<UtxoPayouts, "taken">;
  /** The cold address; null if there is none. */
  readonly cold: string | null;
}

/** A coin that the chain holds. */
interface HeldCoin extends PlacedOutput {
  readonly isFinal: boolean;
}

/**
 * Adds up what the chain holds as of the last block, which the walk has reached.
 *
 * @throws {UtxoFaultError} it has not
 */
export async function balancesOf(parts: UtxoBalanceParts): Promise<NetworkBalances> {
  const { walk, cold } = parts;
  const last = present(walk.last, "the walk has begun");
  if (!walk.isAtEnd) {
    throw new UtxoFaultError("behind", "The blocks since the last look are not all read yet");
  }
  const sums = { hot: 0n, deposits: 0n, cold: 0n };
  for (
    const { place, address, amount, isFinal } of (await heldCoins(parts, last.height)).values()
  ) {
    if ("cold" in place) sums.cold += address === cold ? amount : 0n;
    else if ("member" in place && !isFinal) sums.deposits += amount;
    else sums.hot += amount;
  }
  return { ...sums, height: last.height, cold: cold === null ? null : sums.cold };
}

/** Returns the names of the coins that the wallet counts: free ones, and those that payouts have. */
export async function countedCoins(
  { coins, payouts }: Pick<UtxoBalanceParts, "coins" | "payouts">,
): Promise<ReadonlyMap<string, OutputName>> {
  // In this order no coin is missed that goes from the free ones to a payout meanwhile, or back.
  const names = [await coins.listed(), await payouts.taken(), await coins.listed()];
  return new Map(names.flat().map(({ txid, index }) => [outpoint(txid, index), { txid, index }]));
}

/**
 * Returns the coins that are in blocks up to a height and spent in none of them, by their names. What
 * a block made and is not mature is none yet: its deposit is not confirmed either.
 */
async function heldCoins(
  parts: UtxoBalanceParts,
  height: number,
): Promise<ReadonlyMap<string, HeldCoin>> {
  const { walk, coins } = parts;
  const named = await countedCoins(parts);
  const held = new Map<string, HeldCoin>();
  for (const row of await coins.rows([...named.values()])) {
    // What is not final is in memory, if it is in a block.
    if (row.height === null || row.height > height || row.spentAt !== undefined) continue;
    if (!walk.isMature(row, row.height)) continue;
    held.set(outpoint(row.txid, row.index), { ...row, isFinal: true });
  }
  for (const block of walk.blocks) {
    for (const output of block.outputs) {
      const name = outpoint(output.txid, output.index);
      if (held.has(name) || !walk.isMature(output, block.height)) continue;
      held.set(name, { ...output, isFinal: false });
    }
  }
  for (const { spenders } of walk.blocks) {
    for (const name of spenders.keys()) held.delete(name);
  }
  return held;
}
