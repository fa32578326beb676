import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { NetworkBalances } from "../../../src/wallet/rails/network_rail.ts";
import { balancesOf, type UtxoBalanceParts } from "../../../src/wallet/utxo/utxo_balances.ts";
import { UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { type LitecoinNode, NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { RailWorld } from "./rail_world.ts";

const COIN = 100_000_000n;

/** Returns a rail's balances, which have to be what the node finds at the addresses. */
async function balances(world: RailWorld, rail: UtxoRail = world.rail): Promise<NetworkBalances> {
  const found = await rail.balances("ltc");
  assertEquals(found.hot + found.deposits, await world.onChain());
  assertEquals(found.height, await world.node.height());
  return found;
}

async function mineEmpty(node: LitecoinNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await node.mineOnly();
}

describe("balances that change while they are added up", () => {
  const name = { txid: "ab", index: 0 };
  const coin = { ...name, amount: 5n, address: "a", place: { own: 0 }, spends: [], takenBy: null };
  const parts: UtxoBalanceParts = {
    walk: { last: { height: 7, hash: "cd" }, isAtEnd: true, blocks: [], isMature: () => true },
    coins: {
      listed: () => Promise.resolve([name]),
      rows: () => Promise.resolve([{ ...coin, height: 3, changeOf: null }]),
    },
    payouts: { taken: () => Promise.resolve([]) },
    cold: null,
  };

  it("lack a coin that others have spent since it was listed", async () => {
    const { rows } = parts.coins;
    const spent = async () => (await rows([])).map((row) => ({ ...row, spentAt: 6 }));
    assertEquals((await balancesOf(parts)).hot, 5n);
    assertEquals((await balancesOf({ ...parts, coins: { ...parts.coins, rows: spent } })).hot, 0n);
  });

  it("are not told of a walk that others have begun to go on with", async () => {
    const walk = { ...parts.walk, isAtEnd: false };
    await assertRejects(() => balancesOf({ ...parts, walk }), UtxoFaultError, "not all read");
  });
});

describe("the balances of a rail of Bitcoin's family", () => {
  itUnless(NO_LITECOIN)(
    "are what the chain holds: deposits until they are final, then what pays, with its change",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const none = { hot: 0n, deposits: 0n, cold: null };
        assertEquals(await balances(world), { height: await node.height(), ...none });
        await node.pay(await world.address("alice"), "1");
        await node.pay(world.rail.ownAddress, "2");
        // In no block.
        assertEquals((await balances(world)).deposits, 0n);
        await node.mine(12);
        assertEquals((await balances(world)).deposits, COIN);
        assertEquals((await balances(world)).hot, 2n * COIN);
        await node.mine(1);
        assertEquals((await balances(world)).deposits, 0n);
        assertEquals((await balances(world)).hot, 3n * COIN);
        // What a payout takes is there until a block holds it.
        await world.sent("withdraw-1", await node.address(), COIN / 2n);
        assertEquals((await balances(world)).hot, 3n * COIN);
        await node.mine(1);
        const paid = (await balances(world)).hot;
        assert(paid < 5n * COIN / 2n && paid > 249n * COIN / 100n);
        // The change pays before it is final, and has no payout to come back from a lost block.
        await world.sent("withdraw-2", await world.address("bob"), 2n * COIN);
        await node.mine(1);
        assertEquals((await balances(world)).deposits, 2n * COIN);
        await node.reorganise(2, () => mineEmpty(node, 3));
        assertEquals((await balances(world)).hot, 3n * COIN);
        await node.mine(2);
        const late = world.join();
        assertEquals(await balances(world, late), await balances(world));
        await node.mine(13);
        assertEquals((await balances(world, late)).deposits, 0n);
        assertEquals(await balances(world, late), await balances(world, world.join()));
        assertEquals(await balances(world), await balances(world, late));
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "count the cold address apart, of whatever kind it is, and nothing of it pays",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const cold = await node.rpc.call("getnewaddress", "", "p2sh-segwit") as string;
        const rail = world.join({ cold });
        await node.pay(cold, "3");
        await node.mine(1);
        const height = await node.height();
        const empty = { height, hot: 0n, deposits: 0n };
        assertEquals(await balances(world, rail), { ...empty, cold: 3n * COIN });
        await node.mine(13);
        assertEquals((await balances(world, rail)).cold, 3n * COIN);
        assertEquals((await rail.watch("ltc", null)).outputs, []);
        await assertRejects(() => world.send("withdraw-1", cold, COIN, rail), Error, "too few");
        // Its owner takes some of it out.
        const [coin] = await node.rpc.call("listunspent", 1, 999, [cold]) as {
          txid: string;
          vout: number;
        }[];
        const raw = await node.rpc.call(
          "createrawtransaction",
          [{ txid: coin?.txid ?? "", vout: coin?.vout ?? 0 }],
          [{ [rail.ownAddress]: "1" }, { [cold]: "1.999" }],
        );
        const { hex } = await node.rpc.call("signrawtransactionwithwallet", raw) as { hex: string };
        await node.mineOnly(hex);
        const after = { hot: COIN, deposits: 0n, cold: 199_900_000n };
        assertEquals(await balances(world, rail), { height: height + 14, ...after });
        await node.mine(13);
        for (const one of [rail, world.join({ cold })]) {
          assertEquals(await balances(world, one), { height: height + 27, ...after });
          await world.watch(one);
        }
        // Another address begins with what comes from now on; without one there is nothing to count.
        const other = world.join({ cold: await node.address() });
        assertEquals((await balances(world, other)).cold, 0n);
        assertEquals((await balances(world)).cold, null);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "lack what others spend with the same keys, also once that is final and forgotten",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await using other = await RailWorld.open(node);
        await world.fund("1", "2", "4");
        await other.watch();
        await other.sent("withdraw-1", await node.address(), 3n * COIN);
        // A payout of the same coin, which never arrives.
        const silent = {
          call: () => Promise.reject(new Error("The process dies")),
        };
        const mute = world.join({
          node: {
            call: (method, ...params) =>
              method === "sendrawtransaction"
                ? silent.call()
                : method === "gettxout"
                ? node.rpc.call(method, params[0] ?? "", params[1] ?? 0, false)
                : node.rpc.call(method, ...params),
          },
        });
        await world.sent("withdraw-1", await node.address(), 7n * COIN / 2n, mute);
        await node.mine(1);
        const first = (await balances(world)).hot;
        assert(first < 4n * COIN && first > 399n * COIN / 100n);
        await node.mine(13);
        assertEquals((await balances(world)).hot, first);
        assertEquals((await world.found("withdraw-1")).isFailed, true);
        await other.sent("withdraw-2", await node.address(), COIN);
        await node.mine(30);
        const second = (await balances(world)).hot;
        assert(second < 3n * COIN && second > 299n * COIN / 100n);
        await world.watch();
        await world.watch();
        assertEquals((await balances(world)).hot, second);
        assertEquals((await balances(world, world.join())).hot, second);
      }),
  );

  itUnless(NO_LITECOIN)(
    "are not told while the node can't be relied on",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const behind = world.join({
          node: {
            call: async (method, ...params) => {
              const answer = await node.rpc.call(method, ...params);
              return method === "getblockchaininfo"
                ? { ...answer as Record<string, never>, headers: 999_999 }
                : answer;
            },
          },
        });
        await assertRejects(() => behind.balances("ltc"), UtxoFaultError, "caught up");
        await node.mine(20);
        const slow = world.join({ followMsMax: 0 });
        await assertRejects(() => slow.balances("ltc"), UtxoFaultError, "not all read");
        await node.mine(20);
        // As an audit reads, which nobody shows where to begin again.
        for (let calls = 0; calls < 40 && slow.health().fault !== null; calls++) {
          await slow.balances("ltc").catch(() => {});
        }
        assertEquals(await slow.balances("ltc"), await balances(world));
        await assertRejects(() => world.rail.balances("btc"), Error, "no coin btc");
        await assertRejects(() => world.rail.feeOf("btc"), Error, "no coin btc");
      }),
  );

  itUnless(NO_LITECOIN)(
    "come with what a payout costs, within the network's bounds",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const fee = await world.rail.feeOf("ltc");
        const before = (await balances(world)).hot;
        await world.sent("withdraw-1", await node.address(), COIN / 2n);
        await node.mine(1);
        assertEquals(before - COIN / 2n - (await balances(world)).hot, fee);
      }),
  );
});
