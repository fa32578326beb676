/** Whether the chain, and what the rail has written down of it, agree to the last unit. */
import { assert, assertEquals } from "@std/assert";
import { networkKey, sidecarRows } from "../../../src/engine/sidecar_rows.ts";
import { present } from "../../../src/domain/assert.ts";
import { UtxoCoins } from "../../../src/wallet/utxo/utxo_coins.ts";
import {
  type CoinRow,
  type OutputName,
  type PayoutRow,
  UtxoRows,
} from "../../../src/wallet/utxo/utxo_rows.ts";
import type { RailWorld } from "./rail_world.ts";

const NO_PAYOUTS = { left: 0, payouts: [] };

/** What a rail's rows add up to, in units of 10⁻⁸. */
export interface Books {
  /** What came from outside. */
  readonly received: bigint;
  readonly paid: bigint;
  readonly fees: bigint;
  readonly left: bigint;
  readonly payouts: readonly PayoutRow[];
}

/** Mines and watches until all is final, and compares the rows with the chain. */
export async function settledBooks(world: RailWorld): Promise<Books> {
  for (let i = 0; i < 3; i++) {
    await world.node.mine(world.network.finalDepth + 1);
    await world.watch();
  }
  const coins = await all<CoinRow>(world, "coin");
  // What is taken or spent is only taken out of the index by who meets it there.
  await new UtxoCoins(world.test.engine, new UtxoRows(world.network.name)).free(NO_PAYOUTS);
  const free = await all<OutputName>(world, "free");
  const payouts = await all<PayoutRow>(world, "payout");
  assertEquals(await all(world, "open"), []);
  const journal = await world.test.engine.readSidecar(networkKey(world.network.name, "journal"));
  assertEquals((journal as { payouts: unknown } | null)?.payouts ?? [], []);
  const versions = payouts.map(({ versions, end }) =>
    versions.find(({ txid }) => txid === end?.txid)
  );
  const final = coins.filter(({ height, place }) => height !== null && !("cold" in place));
  const own = new Set(versions.map((version) => version?.txid));
  const received = sum(final.filter(({ txid }) => !own.has(txid)));
  const left = sum(final.filter(({ takenBy }) => takenBy === null));
  const paid = sum(payouts);
  const fees = versions.reduce((total, version) => total + (version?.fee ?? 0n), 0n);
  const onChain = await world.onChain();
  assertEquals(onChain, left, "the chain has what the rows have");
  const { hot, deposits } = await world.rail.balances("ltc");
  assertEquals([hot, deposits], [onChain, 0n], "all that the chain has is final");
  // Payouts to members are paid and received.
  const inside = sum(final.filter(({ txid, place }) => own.has(txid) && "member" in place));
  assertEquals(received + inside - paid - fees, left, "money in is money out");
  const listed = new Set(free.map(({ txid, index }) => `${txid}:${index}`));
  for (const { txid, index, takenBy } of final) {
    assert(takenBy !== null || listed.has(`${txid}:${index}`), "a free coin is listed");
  }
  const spendable = new Map(final.map((coin) => [`${coin.txid}:${coin.index}`, coin]));
  for (const name of listed) {
    const coin = present(spendable.get(name), `what is listed is final: ${name}`);
    assertEquals([coin.takenBy, coin.spentAt], [null, undefined], "what is listed is unspent");
  }
  for (const { inputs, amount, versions } of payouts) {
    for (const { fee, change, parts = 1 } of versions) {
      assertEquals(sum(inputs), amount + fee + change * BigInt(parts));
    }
  }
  const spent = payouts.flatMap(({ inputs }) =>
    inputs.map(({ txid, index }) => `${txid}:${index}`)
  );
  assertEquals(new Set(spent).size, spent.length, "a coin is spent once");
  return { received, paid, fees, left, payouts };
}

async function all<T>(world: RailWorld, kind: string): Promise<T[]> {
  const prefix = networkKey(world.network.name, kind);
  const rows = await Array.fromAsync(sidecarRows(world.test.engine, { prefix }));
  return rows.map(({ value }) => value as T);
}

function sum(items: readonly { readonly amount: bigint }[]): bigint {
  return items.reduce((total, { amount }) => total + amount, 0n);
}
