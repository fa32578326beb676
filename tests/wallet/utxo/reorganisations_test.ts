import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import { UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { type LitecoinNode, NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { RailWorld } from "./rail_world.ts";

const DEPTHS = [1, 2, 3, 5, 8];

describe("a rail of Bitcoin's family in a reorganisation", () => {
  itUnless(NO_LITECOIN)(
    "counts a deposit's confirmations anew, at every depth",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const address = await world.address("alice");
        for (const depth of DEPTHS) {
          const txid = await node.pay(address, "0.5");
          await node.mine(depth);
          assertEquals((await watched(world, txid)).confirmations, depth);
          await node.reorganise(depth, () => mineEmpty(node, depth + 1));
          const lost = await watched(world, txid);
          assertEquals([lost.confirmations, lost.isDropped], [0, false]);
          assertEquals(await world.rail.look("ltc", txid, lost.output), lost);
          await node.mine(2);
          assertEquals((await watched(world, txid)).confirmations, 2);
        }
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "drops a deposit that another transaction took the place of, once that is final",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const { first, second } = await node.doubleSpend(await world.address("alice"));
        const txid = await sendRaw(node, first);
        await node.mine(3);
        const { output, confirmations } = await watched(world, txid);
        assertEquals(confirmations, 3);
        const joined = world.join();
        assertEquals((await watched(world, txid, joined)).confirmations, 3);
        let other = "";
        await node.reorganise(3, async () => {
          await mineEmpty(node, 3);
          assertEquals(await node.rpc.call("getrawmempool"), [txid]);
          other = await mineRaw(node, second);
        });
        const look = async (isDropped: boolean) => {
          for (const rail of [world.rail, joined]) {
            const lost = await watched(world, txid, rail);
            assertEquals([lost.confirmations, lost.isDropped], [0, isDropped]);
            assertEquals(await rail.look("ltc", txid, output), lost);
          }
        };
        await look(false);
        // A process that starts now has seen nothing of it but the row.
        const late = world.join();
        await late.watch("ltc", null);
        await late.look("ltc", txid, output);
        await late.watch("ltc", null);
        await node.mine(world.network.finalDepth);
        await look(true);
        await late.watch("ltc", null);
        assertEquals((await late.look("ltc", txid, output))?.isDropped, true);
        assert(other !== txid);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "drops a payment whose payer has replaced it before any block",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const { first, second } = await node.doubleSpend(await world.address("alice"));
        const txid = await sendRaw(node, first);
        assertEquals((await watched(world, txid)).isDropped, false);
        await sendRaw(node, second);
        // Both may still be in a block.
        assertEquals((await watched(world, txid)).isDropped, false);
        await node.mine(world.network.finalDepth - 1);
        assertEquals((await watched(world, txid)).isDropped, false);
        await node.mine(1);
        assertEquals((await watched(world, txid)).isDropped, true);
        await node.mine(world.network.finalDepth + 1);
        assertEquals(await world.watch(), []);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps a payment that comes back when the block with another in its place is gone",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const { first, second } = await node.doubleSpend(await world.address("alice"));
        const txid = await sendRaw(node, first);
        await watched(world, txid);
        await mineRaw(node, second);
        const { confirmations, isDropped } = await watched(world, txid);
        assertEquals([confirmations, isDropped], [0, false]);
        await node.reorganise(1, async () => {
          await mineRaw(node, first);
          await mineEmpty(node, 1);
        });
        assertEquals((await watched(world, txid)).confirmations, 2);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps a payout in its place, at every depth",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: null });
        await world.fund("5");
        const payee = await node.address();
        for (const depth of DEPTHS) {
          const id = `withdraw-${depth}`;
          const txid = await world.sent(id, payee, 1_000_000n);
          await node.mine(depth);
          assertEquals((await world.found(id)).confirmations, depth);
          await node.reorganise(depth, () => mineEmpty(node, depth + 1));
          const lost = await world.found(id);
          assertEquals([lost.txid, lost.confirmations, lost.isFailed], [txid, 0, false]);
          await node.mine(1);
          assertEquals((await world.found(id)).confirmations, 1);
        }
        await node.mine(1);
        assertEquals(await node.received(payee), 1_000_000n * BigInt(DEPTHS.length));
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "stops below what is final, and says so until the chain is back",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        await node.mine(2);
        await world.watch();
        await node.mine(12);
        for (let i = 0; i < 2; i++) await world.watch();
        const { height: top } = world.rail.health();
        const settled = (top ?? 0) - world.network.finalDepth;
        const hash = await node.rpc.call("getblockhash", settled);
        const old = await node.rpc.call("getbestblockhash");
        const kept = await node.height() - 20;
        await node.reorganise(20, () => mineEmpty(node, 22));
        const payee = await node.address();
        for (let i = 0; i < 2; i++) {
          await assertRejects(() => world.watch(), UtxoFaultError, "counted as final");
          assertEquals(world.rail.health().fault, "reorganised");
          await assertRejects(() => world.send("withdraw-1", payee, 1_000_000n), PayoutWaitsError);
        }
        const late = world.join();
        await assertRejects(() => late.watch("ltc", world.cursors.get(world.rail) ?? null));
        assertEquals(late.health().fault, "reorganised");
        for (const rail of [late, world.rail]) {
          const { replaced } = rail.health();
          const depth = world.network.finalDepth + 1;
          assertEquals(replaced, { height: settled, hash: `${hash}`, depth, kept });
        }
        assertEquals(await world.rail.find("withdraw-1"), { kind: "absent" });
        const wrong = await node.rpc.call("getblockhash", (await node.height()) - 21);
        await node.rpc.call("invalidateblock", wrong);
        await node.rpc.call("reconsiderblock", old);
        await node.mine(4);
        await world.watch();
        const { fault, replaced } = world.rail.health();
        assertEquals([fault, replaced], [null, undefined]);
        await world.sent("withdraw-1", payee, 1_000_000n);
      }),
  );
});

/** Returns the output of a transaction as a watch shows it. */
async function watched(
  world: RailWorld,
  txid: string,
  rail: UtxoRail = world.rail,
): Promise<SeenOutput> {
  const outputs = await world.watch(rail);
  return present(outputs.find((output) => output.txid === txid), "the watch shows it");
}

async function mineEmpty(node: LitecoinNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await node.mineOnly();
}

async function sendRaw(node: LitecoinNode, hex: string): Promise<string> {
  return await node.rpc.call("sendrawtransaction", hex) as string;
}

/** Mines a transaction that the mempool does not take; returns its txid. */
async function mineRaw(node: LitecoinNode, hex: string): Promise<string> {
  await node.mineOnly(hex);
  const { txid } = await node.rpc.call("decoderawtransaction", hex) as { txid: string };
  return txid;
}
