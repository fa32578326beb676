import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { hex } from "@scure/base";
import { present } from "../../../src/domain/assert.ts";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { CoinsMissingError } from "../../../src/wallet/utxo/utxo_faults.ts";
import { lastOf } from "../../../src/wallet/utxo/utxo_payouts.ts";
import type { PayoutRow } from "../../../src/wallet/utxo/utxo_rows.ts";
import {
  type LitecoinNode,
  NO_LITECOIN,
  nobody,
  withLitecoin,
} from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { estimating, RailWorld } from "./rail_world.ts";

const COIN = 100_000_000n;
const SMALL = 6_000n;

describe("a wallet of Bitcoin's family with few coins", () => {
  itUnless(NO_LITECOIN)(
    "pays more at once with each block, until they are enough",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("100");
        const paid: number[] = [];
        for (let block = 1; block <= 4; block++) {
          paid.push(await payMany(world, `block-${block}`, 20));
          await node.mine(1);
          await world.watch();
        }
        assertEquals(paid, [1, 4, 16, 16]);
        assertEquals(await world.freeCoins(), 16, "no more are made");
        const books = await settledBooks(world);
        assertEquals(books.paid, 37n * SMALL);
        assertEquals(books.payouts.length, 37, "and none are combined");
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "parts its change into coins that pay as much again, and their fees",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        // What members pay in little coins is not enough for what is paid out.
        await node.payMany(await world.address("alice"), SMALL, 20);
        await world.fund("1", "1", "1", "1", "1");
        const partsOf = async (percent: bigint, rail = world.rail) => {
          await world.sent(`percent-${percent}`, nobody(), COIN * percent / 100n, rail);
          const { txid, parts, fee } = lastOf(
            (await payoutRow(world, `percent-${percent}`)).versions,
          );
          const { vsize } = await node.rpc.call("getmempoolentry", txid) as { vsize: number };
          assert(fee >= 10 * vsize && fee < 11 * vsize, "all of its outputs pay");
          return parts;
        };
        assertEquals(await partsOf(60n), undefined);
        assertEquals(await partsOf(40n), undefined);
        assertEquals(await partsOf(30n), 2);
        assertEquals(await partsOf(20n), 3);
        // There are seven of as much, and no more than ten make one payment.
        assertEquals(await partsOf(1n, world.join({ inputsMax: 10 })), 3);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "pays small amounts from its small coins, as soon as they have a block",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1", "10");
        for (const id of ["small-1", "small-2"]) await world.sent(id, nobody(), SMALL);
        await node.mine(1);
        await world.watch();
        for (let i = 3; i <= 6; i++) {
          await world.sent(`small-${i}`, nobody(), SMALL);
          const { inputs } = await payoutRow(world, `small-${i}`);
          assertEquals(inputs.map(({ amount }) => amount < COIN / 2n), [true]);
        }
        await world.sent("large", nobody(), 9n * COIN);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );
});

describe("change in several parts", () => {
  itUnless(NO_LITECOIN)(
    "comes back once, whatever blocks are replaced and whoever pays",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("3");
        const other = world.join();
        let paid = 0;
        for (let round = 1; round <= 3; round++) {
          const rails = [world.rail, other];
          const all = await Promise.all(
            rails.map((rail) => payMany(world, `round-${round}`, 6, rail)),
          );
          paid += Math.max(...all);
          await node.mine(1);
          await Promise.all(rails.map((rail) => world.watch(rail)));
          await node.reorganise(1, () => mineEmpty(node, 2));
          await Promise.all(rails.map((rail) => world.watch(rail)));
          await node.mine(1);
          await Promise.all(rails.map((rail) => world.watch(rail)));
        }
        const { payouts, received } = await settledBooks(world);
        assertEquals(received, 3n * COIN);
        assertEquals([paid, payouts.length], [1 + 4 + 6, 1 + 4 + 6]);
      }),
  );

  for (const arriving of [0, 1]) {
    itUnless(NO_LITECOIN)(
      `pays for a higher fee, in fewer of them, and comes by transaction ${arriving}`,
      () =>
        withLitecoin(async (node) => {
          await using world = await RailWorld.open(node, { bumpBlocks: 1 });
          await world.fund("0.000918");
          await world.sent("withdraw-1", nobody(), world.network.dust);
          await mineEmpty(node, 1);
          await world.watch(world.join({ node: estimating(node, "0.003") }));
          const { versions } = await payoutRow(world, "withdraw-1");
          assertEquals(versions.map(({ parts }) => parts), [4, 2]);
          assertEquals(await node.rpc.call("getrawmempool"), [lastOf(versions).txid]);
          const { bytes, txid } = present(versions[arriving], "it has two");
          await node.mineOnly(hex.encode(bytes));
          await world.watch();
          const { payouts } = await settledBooks(world);
          assertEquals(payouts.map(({ end }) => end?.txid), [txid]);
          assertEquals(await world.freeCoins(), versions[arriving]?.parts);
          world.assertNoFaults();
        }),
    );
  }

  itUnless(NO_LITECOIN)(
    "is counted in a fee that is raised as little as nodes take",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 }, {
          node: estimating(node, "0.00001"),
        });
        await world.fund("1");
        await world.sent("withdraw-1", nobody(), SMALL);
        await mineEmpty(node, 1);
        await world.watch();
        const { versions } = await payoutRow(world, "withdraw-1");
        assertEquals(versions.map(({ parts }) => parts), [4, 4]);
        assertEquals(await node.rpc.call("getrawmempool"), [lastOf(versions).txid]);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );
});

/** Sends payouts until coins are missing; returns how many it has sent. */
async function payMany(
  world: RailWorld,
  name: string,
  most: number,
  rail = world.rail,
): Promise<number> {
  for (let i = 0; i < most; i++) {
    try {
      await world.sent(`${name}-${i}`, nobody(), SMALL, rail);
    } catch (error) {
      if (!(error instanceof CoinsMissingError)) throw error;
      return i;
    }
  }
  return most;
}

async function payoutRow(world: RailWorld, id: string): Promise<PayoutRow> {
  const key = networkKey(world.network.name, "payout", id);
  return present(await world.test.engine.readSidecar(key) as PayoutRow | null, "it has a row");
}

async function mineEmpty(node: LitecoinNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await node.mineOnly();
}
