import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { networkKey, sidecarRows } from "../../../src/engine/sidecar_rows.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { CoinsMissingError, CoinsScatteredError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { PayoutRow } from "../../../src/wallet/utxo/utxo_rows.ts";
import {
  type LitecoinNode,
  NO_LITECOIN,
  nobody,
  withLitecoin,
} from "../../support/litecoin_node.ts";
import { laterEngine } from "../../support/later_engine.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { estimating, RailWorld, UNIT } from "./rail_world.ts";

const COIN = 100_000_000n;
const AMOUNT = 1_000_000n;
/** Fewer than a venue's, so that it takes fewer coins to meet these bounds. */
const FEW = { coinsMax: 10, inputsMax: 5 };

describe("a wallet of Bitcoin's family with many small coins", () => {
  itUnless(NO_LITECOIN)(
    "makes one of them while that is cheap, the largest aside",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        await node.payMany(world.rail.ownAddress, AMOUNT, 8);
        await node.payMany(world.rail.ownAddress, AMOUNT / 10n, 2);
        // Not worth it.
        await node.payMany(world.rail.ownAddress, 6_000n, 1);
        await world.fund();
        assertEquals(await waiting(node), []);
        await node.payMany(world.rail.ownAddress, AMOUNT / 2n, 1);
        await node.mine(13);
        const dear = world.join({ node: estimating(node, "0.00010001") });
        await world.watch(dear);
        assertEquals(await waiting(node), []);
        const rails = [world.rail, world.join()];
        await Promise.all(rails.map((rail) => world.watch(rail)));
        const [txid = ""] = await waiting(node);
        for (const rail of rails) await world.watch(rail);
        assertEquals(await waiting(node), [txid]);
        const [{ id, inputs, amount, versions }] = await payouts(world);
        assertEquals([id, inputs.length, amount, versions.length], ["combine-0", 5, 0n, 1]);
        assertEquals(inputs.map((coin) => coin.amount).toSorted(compare).slice(1, 4), [
          AMOUNT / 10n,
          AMOUNT / 2n,
          AMOUNT,
        ]);
        // Its coin pays with one confirmation, as change does.
        await node.mine(1);
        await world.watch();
        await world.sent("withdraw-1", nobody(), 6n * AMOUNT);
        const { received, paid, fees, left } = await settledBooks(world);
        assertEquals((await payouts(world)).length, 2);
        assertEquals(received, 8n * AMOUNT + AMOUNT * 7n / 10n + 6_000n);
        assertEquals(left, received - paid - fees);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "has a payout wait that takes too many, and then go out",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, { inputsMax: 5 });
        await node.payMany(world.rail.ownAddress, AMOUNT, 12);
        await world.fund();
        const payee = nobody();
        const rails = [1, 2].map(() => world.join({ node: estimating(node, "0.0005") }));
        const send = (rail = world.rail) => world.send("withdraw-1", payee, 11n * AMOUNT, rail);
        for (let round = 1; round <= 2; round++) {
          await Promise.all(
            rails.map((rail) =>
              assertRejects(() => send(rail), CoinsScatteredError, "combined first")
            ),
          );
          assertEquals((await payouts(world)).length, round);
          assertEquals((await waiting(node)).length, 1);
          // What is combined is not there until a block has it.
          await assertRejects(() => send(), CoinsMissingError);
          assertEquals((await payouts(world)).length, round);
          await node.mine(1);
          await world.watch();
        }
        await world.sent("withdraw-1", payee, 11n * AMOUNT);
        const { paid, fees } = await settledBooks(world);
        assertEquals(paid, 11n * AMOUNT);
        assertEquals(await node.unspent(payee), paid);
        assert(fees > 2n * 19_000n);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "combines nothing for a payout that it could not make anyway",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        await node.payMany(world.rail.ownAddress, AMOUNT, 7);
        await world.fund();
        const error = await assertRejects(
          () => world.send("withdraw-1", nobody(), 7n * AMOUNT),
          CoinsMissingError,
          "too few",
        );
        assert(!(error instanceof CoinsScatteredError));
        assertEquals((await payouts(world)).length, 0);
      }),
  );

  itUnless(NO_LITECOIN)(
    "raises the fee of what it combines by the way only while a payout lacks coins",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 }, FEW);
        await node.payMany(world.rail.ownAddress, AMOUNT, 11);
        await world.fund();
        const [first = ""] = await waiting(node);
        await mineEmpty(node, 2);
        await world.watch();
        assertEquals(await waiting(node), [first]);
        await assertRejects(() => world.send("withdraw-1", nobody(), COIN), CoinsMissingError);
        await mineEmpty(node, 1);
        await world.watch();
        const [second = ""] = await waiting(node);
        assert(second !== first);
        const books = await settledBooks(world);
        assertEquals(books.payouts.map(({ end }) => end?.txid), [second]);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "combines them again in a block that is lost, and as they were",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        await node.payMany(world.rail.ownAddress, AMOUNT, 11);
        await world.fund();
        for (const depth of [1, 3, 8]) {
          await node.mine(depth);
          await world.watch();
          await node.reorganise(depth, () => mineEmpty(node, depth + 1));
          await world.watch();
          assertEquals((await waiting(node)).length, 1);
          const { hot } = await world.rail.balances("ltc");
          assertEquals(hot, 11n * AMOUNT);
        }
        await settledBooks(world);
        assertEquals((await payouts(world)).length, 1);
        world.assertNoFaults();
      }),
  );
});

describe("a wallet of Bitcoin's family with a limit", () => {
  itUnless(NO_LITECOIN)(
    "moves what is well over it to the cold address, once",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        const cold = await node.rpc.call("getnewaddress", "", "p2sh-segwit") as string;
        const parts = { cold, hotLimit: COIN };
        const rails = [world.join(parts), world.join(parts)];
        const both = () => Promise.all(rails.map((rail) => world.watch(rail)));
        // Over it by less than a tenth.
        await world.fund("0.5", "0.599");
        await both();
        assertEquals(await waiting(node), []);
        await node.pay(await world.address("alice"), "0.201");
        await node.mine(12);
        await both();
        assertEquals(await waiting(node), []);
        await node.mine(1);
        // A wallet without a limit, or without a cold address, or without a seed, moves nothing.
        const keys = AccountKeys.ofPublicKey(world.keys.publicKey);
        for (const some of [{ cold }, { hotLimit: COIN }, { ...parts, keys }]) {
          await world.watch(world.join(some));
        }
        assertEquals(await waiting(node), []);
        await both();
        assertEquals((await waiting(node)).length, 1);
        await node.mine(1);
        await both();
        const [rail = world.rail] = rails;
        const { hot, cold: moved } = await rail.balances("ltc");
        assertEquals(moved, COIN * 3n / 10n);
        assert(hot < COIN && hot > COIN * 99n / 100n);
        await node.mine(20);
        await both();
        assertEquals(await waiting(node), []);
        const { paid } = await settledBooks(world);
        const [{ id, versions }, ...others] = await payouts(world);
        assertEquals([id, others], ["cold-0", []]);
        // Processes that meet while one decides on it may both tell of it.
        const told = new Set(
          world.moves.map(({ coin, units, txid }) => `${units} ${coin.currency} ${txid}`),
        );
        assertEquals(told, new Set([`${moved} ltc ${versions[0]?.txid}`]));
        assertEquals([await node.unspent(cold), paid], [moved, moved]);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "moves nothing while a payout lacks coins, and as many as it can",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        const cold = nobody();
        const hotLimit = 2n * AMOUNT;
        await node.payMany(world.rail.ownAddress, AMOUNT, 8);
        await world.fund();
        await assertRejects(() => world.send("withdraw-1", nobody(), COIN), CoinsMissingError);
        await world.watch(world.join({ cold, hotLimit }));
        assertEquals(await waiting(node), []);
        const engine = laterEngine(world.test.engine, 601_000);
        const parts = { cold, hotLimit, engine };
        await world.watch(world.join({ ...parts, owedOf: () => COIN }));
        assertEquals(await waiting(node), [], "an approved withdrawal takes them all");
        await world.watch(world.join(parts));
        const [{ inputs, amount, versions }] = await payouts(world);
        assertEquals([inputs.length, amount + (versions[0]?.fee ?? 0n)], [5, 5n * AMOUNT]);
        // A member may pay there as well.
        const rail = world.join({ cold });
        await world.sent("withdraw-1", cold, AMOUNT, rail);
        await node.mine(1);
        assertEquals((await rail.balances("ltc")).cold, amount + AMOUNT);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "counts, pays and moves what a block has made once it is mature, and all else before",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        await world.fund("0.01");
        await node.mine(1, await world.address("alice"));
        const [reward] = await world.watch();
        const made = (reward?.amount ?? 0n) / UNIT;
        const payee = await node.address();
        await node.pay(await world.address("bob"), "0.03");
        await node.mine(98);
        await world.watch();
        const { hot, deposits } = await world.rail.balances("ltc");
        assertEquals([hot, deposits], [4n * AMOUNT, 0n]);
        await assertRejects(
          () => world.send("withdraw-1", payee, 4n * AMOUNT),
          CoinsMissingError,
        );
        await world.sent("withdraw-2", payee, AMOUNT);
        await node.mine(1);
        assertEquals((await world.watch()).length, 0);
        assert((await world.rail.balances("ltc")).hot > made + 2n * AMOUNT);
        await world.sent("withdraw-1", payee, made);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "is over it only by what can be moved",
    () =>
      withLitecoin(async (node) => {
        const cold = nobody();
        await using world = await RailWorld.open(node, {}, { ...FEW, cold, hotLimit: AMOUNT });
        await node.mine(1, await world.address("alice"));
        await world.fund("0.02");
        await node.mine(1);
        const { hot, cold: moved } = await world.rail.balances("ltc");
        assert(hot <= AMOUNT && moved === AMOUNT, "the young coin counts for nothing");
      }),
  );

  itUnless(NO_LITECOIN)(
    "moves nothing that is hardly worth its fee, and none to itself",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, {}, FEW);
        await world.fund("0.01");
        const cold = nobody();
        const hotLimit = AMOUNT / 2n;
        const dear = world.join({ cold, hotLimit, node: estimating(node, "0.0005") });
        await world.watch(dear);
        await world.watch(world.join({ cold: world.rail.ownAddress, hotLimit }));
        assertEquals(await waiting(node), []);
        await world.watch(world.join({ cold, hotLimit }));
        assertEquals((await waiting(node)).length, 1);
      }),
  );

  itUnless(NO_LITECOIN)(
    "raises the fee of what it moves no higher than that is worth",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 }, FEW);
        await world.fund("0.01");
        const rail = world.join({
          cold: nobody(),
          hotLimit: AMOUNT * 8n / 10n,
          node: estimating(node, "0.00001"),
        });
        await world.watch(rail);
        for (let i = 0; i < 12; i++) {
          await mineEmpty(node, 1);
          await world.watch(rail);
        }
        const [{ amount, versions }] = await payouts(world);
        const fees = versions.map(({ fee }) => fee);
        assertEquals(world.moves.map(({ txid }) => txid), [versions[0]?.txid]);
        assert(fees.length > 1, "it is raised");
        const dear = world.join({
          cold: nobody(),
          hotLimit: AMOUNT * 8n / 10n,
          node: estimating(node, "0.005"),
        });
        await mineEmpty(node, 1);
        await world.watch(dear);
        const [{ versions: raised }] = await payouts(world);
        for (const { fee } of raised) assert(fee <= amount / 100n);
        await settledBooks(world);
      }),
  );
});

async function waiting(node: LitecoinNode): Promise<readonly string[]> {
  return await node.rpc.call("getrawmempool") as string[];
}

async function payouts(world: RailWorld): Promise<[PayoutRow, ...PayoutRow[]]> {
  const prefix = networkKey(world.network.name, "payout");
  const rows = await Array.fromAsync(sidecarRows(world.test.engine, { prefix }));
  return rows.map(({ value }) => value) as [PayoutRow, ...PayoutRow[]];
}

async function mineEmpty(node: LitecoinNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await node.mineOnly();
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
