import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { bech32, bech32m } from "@scure/base";
import { present } from "../../../src/domain/assert.ts";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { CoinsMissingError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { JsonRpc, NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import type { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { type FreeCoin, UtxoCoins } from "../../../src/wallet/utxo/utxo_coins.ts";
import { type PayoutRow, UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import {
  type LitecoinNode,
  NO_LITECOIN,
  units,
  withLitecoin,
} from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { estimating, RailWorld, UNIT } from "./rail_world.ts";

const AMOUNT = 1_000_000n;

describe("payouts of Bitcoin's family", () => {
  itUnless(NO_LITECOIN)(
    "are made of members' deposits once these are final, and of own coins",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await node.pay(await world.address("alice"), "0.3");
        await node.pay(await world.address("bob"), "0.4");
        await node.mine(12);
        await world.watch();
        const payee = await node.address();
        await assertRejects(() => world.send("withdraw-1", payee, 60_000_000n), CoinsMissingError);
        await node.mine(1);
        await world.watch();
        await assertRejects(() => world.send("withdraw-2", payee, 70_000_000n), CoinsMissingError);
        await world.sent("withdraw-1", payee, 60_000_000n);
        const { received, paid, fees } = await settledBooks(world);
        assertEquals([received, paid], [70_000_000n, 60_000_000n]);
        assert(fees > 0n && fees < 10_000n);
        assertEquals(await node.received(payee), 60_000_000n);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "that wait for coins say how much is to be sent where, which is enough",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const payee = await node.address();
        for (const funds of [[], ["0.5", "0.2"]]) {
          await world.fund(...funds);
          const id = `withdraw-${funds.length}`;
          const wait = await assertRejects(
            () => world.send(id, payee, 90_000_000n),
            CoinsMissingError,
          );
          const [, amount = "", address = ""] = present(
            /^The wallet has too few coins now: send (\S+) ltc to (\S+) on litecoin-regtest, unless/
              .exec(wait.message),
            wait.message,
          );
          assertEquals([wait.reason, address], ["too_little", world.rail.ownAddress]);
          const least = funds.length === 0 ? 90_000_000n : 20_000_000n;
          assert(units(amount) > least && units(amount) < least + 100_000n, amount);
          await world.fund(amount);
          await world.sent(id, payee, 90_000_000n);
          await node.mine(1);
        }
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)("go to every kind of address", () =>
    withLitecoin(async (node) => {
      await using world = await RailWorld.open(node);
      await world.fund("1", "1", "1", "1", "1");
      const payees: string[] = [];
      for (const kind of ["legacy", "p2sh-segwit", "bech32"]) {
        payees.push(await node.rpc.call("getnewaddress", "", kind) as string);
      }
      const words = bech32.toWords(new Uint8Array(32).fill(3));
      payees.push(bech32.encode("rltc", [0, ...words]), bech32m.encode("rltc", [1, ...words]));
      for (const [i, payee] of payees.entries()) {
        await world.sent(`withdraw-${i}`, i < 2 ? payee : payee.toUpperCase(), AMOUNT);
      }
      await node.mine(1);
      for (const payee of payees) assertEquals(await node.unspent(payee), AMOUNT);
      await settledBooks(world);
      world.assertNoFaults();
    }));

  itUnless(NO_LITECOIN)(
    "are signed as on networks without witnesses, too",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bech32: null, signatures: "legacy" });
        await node.pay(await world.address("carol"), "0.2");
        await world.fund("0.2");
        const payee = await node.rpc.call("getnewaddress", "", "legacy") as string;
        await world.sent("withdraw-1", payee, 35_000_000n);
        await node.mine(1);
        assertEquals(await node.received(payee), 35_000_000n);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "to members are deposits, unless nobody knows of the withdrawal any more",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        // A restored venue has forgotten what this one pays.
        await using lost = await RailWorld.open(node);
        await world.fund("1", "1");
        await lost.watch();
        const bob = await world.address("bob");
        const amounts = async (rail?: UtxoRail) =>
          (await world.watch(rail)).map(({ amount }) => amount / UNIT);
        await lost.sent("withdraw-1", bob, AMOUNT);
        assertEquals(await amounts(), [], "in the mempool");
        await node.mine(1);
        // Of the first one's change, which the restored one sees in that block only.
        const txid = await lost.sent("withdraw-2", bob, 120n * AMOUNT);
        await node.mine(1);
        assertEquals(await amounts(), [], "in blocks");
        await node.reorganise(1, () => mineEmpty(node, 2));
        for (const rail of [world.rail, world.join()]) assertEquals(await amounts(rail), []);
        await node.mine(13);
        assertEquals(await amounts(), [], "final");
        assertEquals((await world.rail.look("ltc", txid, 0))?.isDropped, true);
        // Its coins are the wallet's, and pay.
        const { hot } = await world.rail.balances("ltc");
        assertEquals(hot, await world.onChain());
        const paid = await world.sent("withdraw-1", bob, 110n * AMOUNT);
        // And its change is nobody's.
        const seen = await world.watch();
        assertEquals(seen.map(({ txid, address }) => [txid, address]), [[paid, bob]]);
        await node.mine(1);
        for (const rail of [world.rail, world.join()]) {
          assertEquals(await amounts(rail), [110n * AMOUNT]);
        }
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "are deposits of who asks for the recipient's address before the block",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const bob = await world.address("bob");
        world.owners.delete(bob);
        const txid = await world.sent("withdraw-1", bob, AMOUNT);
        world.owners.set(bob, "bob");
        await node.mine(1);
        const seen = (await world.watch()).map((one) => [one.txid, one.address]);
        assertEquals(seen, [[txid, bob]]);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "to members are deposits by whichever of their transactions arrives",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 });
        await using lost = await RailWorld.open(node);
        await world.fund("1", "1");
        await lost.watch();
        const bob = await world.address("bob");
        const watched = async () =>
          (await world.watch()).filter(({ isDropped }) => !isDropped)
            .map(({ txid, confirmations }) => [txid, confirmations]);
        const first = await world.sent("withdraw-1", bob, AMOUNT);
        await mineEmpty(node, 1);
        await world.watch();
        const { txid: second } = await world.found("withdraw-1");
        assert(second !== first);
        assertEquals((await watched()).filter(([txid]) => txid === second), [[second, 0]]);
        await node.mine(14);
        assertEquals(await watched(), [[second, 14]]);
        await settledBooks(world);
        // The venue was restored from a copy that has the payout, and not what has replaced it.
        await lost.watch();
        await world.sent("withdraw-2", bob, AMOUNT, world.join({ node: mute(node) }));
        const dear = lost.join({ node: estimating(node, "0.001") });
        const forgotten = await lost.sent("withdraw-2", bob, AMOUNT, dear);
        await node.mine(12);
        assertEquals(await watched(), []);
        await node.mine(1);
        assertEquals(await watched(), [[forgotten, 13]]);
        assertEquals((await world.found("withdraw-2")).isFailed, false);
      }),
  );

  itUnless(NO_LITECOIN)(
    "that never can be are refused, and take nothing",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const payee = await node.address();
        const refused = async (address: string, amount: bigint) => {
          const outcome = await world.rail.send({
            id: "withdraw-1",
            currency: "ltc",
            address,
            tag: null,
            amount,
          });
          return outcome.kind === "refused" ? outcome.reason : outcome;
        };
        const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        assertEquals(await refused(bitcoin, AMOUNT * UNIT), "it is no address of the network");
        assertEquals(
          await refused(payee, AMOUNT * UNIT + 1n),
          "the amount is finer than the network's unit",
        );
        assertEquals(
          await refused(payee, (world.network.dust - 1n) * UNIT),
          "the amount is too small for the network",
        );
        assertEquals(
          await refused(payee, (world.network.amountMax + 1n) * UNIT),
          "there are not that many coins",
        );
        assertEquals(await world.rail.find("withdraw-1"), { kind: "absent" });
        await world.sent("withdraw-1", payee, world.network.dust);
        await settledBooks(world);
      }),
  );

  itUnless(NO_LITECOIN)(
    "that wait for long are sent with a higher fee, and arrive once",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1", "1");
        const payee = await node.address();
        const first = await world.sent("withdraw-1", payee, AMOUNT);
        const fee = await mempoolFee(node, first);
        await mineEmpty(node, 2);
        await world.watch();
        assertEquals((await world.found("withdraw-1")).txid, first);
        await mineEmpty(node, 1);
        await world.watch();
        const second = (await world.found("withdraw-1")).txid;
        assert(second !== first);
        assertEquals(await node.rpc.call("getrawmempool"), [second]);
        const higher = await mempoolFee(node, second);
        assert(higher >= fee + fee / 4n);
        // Another process does not raise it once more.
        await world.watch(world.join());
        assertEquals((await world.found("withdraw-1")).txid, second);
        assertEquals(await world.sent("withdraw-1", payee, AMOUNT), second);
        // A miner may have kept the first one.
        await node.mineOnly(await rawOf(world, "withdraw-1", 0));
        assertEquals(await world.found("withdraw-1"), {
          kind: "sent",
          txid: first,
          confirmations: 1,
          isFailed: false,
        });
        const { paid } = await settledBooks(world);
        assertEquals(paid, AMOUNT);
        assertEquals(await node.received(payee), AMOUNT);
        assertEquals((await world.found("withdraw-1")).txid, first);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "have no change of what never arrives, be it listed by an older program",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 });
        await world.fund("1");
        const payee = await node.address();
        const first = await world.sent("withdraw-1", payee, AMOUNT);
        await mineEmpty(node, 1);
        await world.watch();
        assert((await world.found("withdraw-1")).txid !== first);
        await node.mine(1);
        await world.watch();
        assertEquals(await world.freeCoins(), 4, "nobody knows yet which one stays");
        await settledBooks(world);
        const { engine } = world.test;
        const rows = new UtxoRows(world.network.name);
        const coins = new UtxoCoins(engine, rows);
        for (let index = 1; index <= 4; index++) {
          const known = present(await coins.coin({ txid: first, index }), "it was expected");
          const { spentAt: _, ...gone } = known as FreeCoin;
          await engine.writeSidecar({ key: rows.coin(gone), value: gone });
          await coins.expectChange(gone, "withdraw-1");
        }
        assertEquals(await world.freeCoins(), 8);
        await assertRejects(() => world.send("withdraw-2", payee, 150n * AMOUNT));
        assertEquals(await world.freeCoins(), 4);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "are made of the smallest coin that is enough",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("9", "0.5", "0.2", "0.01");
        const payee = await node.address();
        const inputs = async (id: string, amount: bigint) => {
          await world.sent(id, payee, amount);
          return (await payoutRow(world, id)).inputs.map(({ amount }) => amount);
        };
        // The fee is not in the coin that is as large as the payout.
        assertEquals(await inputs("withdraw-1", AMOUNT), [20n * AMOUNT]);
        assertEquals(await inputs("withdraw-2", AMOUNT / 2n), [AMOUNT]);
        assertEquals(await inputs("withdraw-3", 60n * AMOUNT), [900n * AMOUNT]);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "are raised no higher than the bound, and not if their change is spent",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 });
        await world.fund("1");
        const payee = await node.address();
        const first = await world.sent("withdraw-1", payee, AMOUNT);
        await node.mine(1);
        const second = await world.sent("withdraw-2", payee, AMOUNT);
        await node.reorganise(1, () => mineEmpty(node, 3));
        await world.watch();
        assertEquals((await world.found("withdraw-1")).txid, first);
        assert((await world.found("withdraw-2")).txid !== second);
        for (let i = 0; i < 12; i++) {
          await mineEmpty(node, 1);
          await world.watch();
        }
        const versions = (await payoutRow(world, "withdraw-2")).versions;
        assert(versions.length > 3 && versions.length <= 4);
        await settledBooks(world);
        assertEquals(await node.received(payee), 2n * AMOUNT);
      }),
  );

  itUnless(NO_LITECOIN)(
    "have room for the most coins and the most raises",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { bumpBlocks: 1 });
        await node.payMany(world.rail.ownAddress, AMOUNT, 45);
        await node.mine(13);
        await world.watch();
        const payee = await node.address();
        await world.sent("withdraw-1", payee, 39_500_000n);
        for (let i = 0; i < 8; i++) {
          await mineEmpty(node, 1);
          await world.watch();
        }
        const { inputs, versions } = await payoutRow(world, "withdraw-1");
        assertEquals([inputs.length, versions.length], [40, 4]);
        await node.mine(1);
        assertEquals(await node.received(payee), 39_500_000n);
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "are sent in turns by two processes at once, each once",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const count = 12;
        await node.payMany(world.rail.ownAddress, 10n * AMOUNT, count);
        await world.fund();
        const rails = [world.rail, world.join()];
        const payees = await Promise.all(Array.from({ length: count }, () => node.address()));
        const sent = await Promise.all(
          payees.flatMap((payee, i) =>
            rails.map((rail) => world.sent(`withdraw-${i}`, payee, AMOUNT, rail))
          ),
        );
        assertEquals(new Set(sent).size, count);
        await node.mine(1);
        for (const payee of payees) {
          assertEquals(await node.received(payee), AMOUNT);
        }
        const { paid } = await settledBooks(world);
        assertEquals(paid, AMOUNT * BigInt(count));
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "fail when somebody else has spent their coins, and give back the others",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        // The same keys in other hands, whose rows know nothing of this.
        await using other = await RailWorld.open(node);
        await world.fund("0.1", "0.1");
        await other.watch();
        const payee = await node.address();
        await world.sent("withdraw-1", payee, 15_000_000n, world.join({ node: mute(node) }));
        await other.sent("withdraw-9", payee, 9_000_000n);
        await node.mine(1);
        assertEquals((await world.found("withdraw-1")).isFailed, false);
        await node.mine(13);
        assertEquals((await world.found("withdraw-1")).isFailed, true);
        assertEquals((await world.found("withdraw-1")).confirmations, 0);
        await world.sent("withdraw-2", payee, 5_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "are at most as dear as the network's bound, whatever the node's estimate",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1", "1", "1");
        const payee = await node.address();
        const feeOf = async (id: string, feerate: string) => {
          await world.sent(id, payee, AMOUNT, world.join({ node: estimating(node, feerate) }));
          return (await payoutRow(world, id)).versions[0]?.fee ?? 0n;
        };
        const low = await feeOf("withdraw-1", "1e-8");
        const usual = await feeOf("withdraw-2", "0.00020001");
        const high = await feeOf("withdraw-3", "1000");
        // Of one coin and five outputs, and what can't be parted into four.
        assertEquals([low, usual, high], [234n + 2n, 4_681n + 3n, 234_000n]);
        await settledBooks(world);
      }),
  );
});

/** A node that passes nothing on. */
function mute(node: LitecoinNode): JsonRpc {
  return {
    call: (method, ...params) =>
      method === "sendrawtransaction"
        ? Promise.reject(new Error("It is mute"))
        : node.rpc.call(method, ...params),
  };
}

async function mineEmpty(node: LitecoinNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await node.mineOnly();
}

async function mempoolFee(node: LitecoinNode, txid: string): Promise<bigint> {
  const entry = await node.rpc.call("getmempoolentry", txid) as { fees: { base: NodeValue } };
  return units(entry.fees.base);
}

async function payoutRow(world: RailWorld, id: string): Promise<PayoutRow> {
  const key = networkKey(world.network.name, "payout", id);
  return present(await world.test.engine.readSidecar(key) as PayoutRow | null, "it has a row");
}

async function rawOf(world: RailWorld, id: string, version: number): Promise<string> {
  const { bytes } = present((await payoutRow(world, id)).versions[version], "it has that version");
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
