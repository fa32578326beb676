/** Deposits that payments were made of are spent otherwise, in blocks below what had been final. */
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import {
  CoinsMissingError,
  NodeRefusalError,
  UtxoFaultError,
} from "../../../src/wallet/utxo/utxo_faults.ts";
import { isRecord, type JsonRpc, type NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import { NO_LITECOIN, nobody, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { estimating, RailWorld } from "./rail_world.ts";
import { deposit, depositOfChild, DEPTH, ends, replace, resume } from "./replaced_deposits.ts";

describe("a payment of a coin that never will be", () => {
  itUnless(NO_LITECOIN)(
    "ends once that is final, and so do those of its change",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4", "3");
        const kept = await node.height();
        const second = await deposit(node, world, 600_000_000n);
        await world.sent("first", payee, 900_000_000n);
        await node.mine(1);
        await world.watch();
        // Of what is left, and of the first one's change.
        await world.sent("next", payee, 350_000_000n);
        await node.mine(DEPTH + 1);
        assertEquals((await world.found("next")).confirmations, DEPTH + 1);
        await replace(world, kept, second);
        assertEquals(await ends(world, "first", "next"), [true, true]);
        assertEquals(world.lost, ["first", "next"]);
        assertEquals([await node.received(payee), await world.freeCoins()], [0n, 2]);
        await world.sent("other", payee, 650_000_000n);
        await node.mine(1);
        assertEquals(await node.received(payee), 650_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps its coins until it is final that it never arrives",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4");
        const kept = await node.height();
        const { first, second } = await node.doubleSpend(
          await world.address("alice"),
          600_000_000n,
        );
        await node.rpc.call("sendrawtransaction", first);
        await node.mine(DEPTH + 1);
        await world.watch();
        await world.sent("first", payee, 900_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        // What takes its place is in the last block alone.
        const blocks = await node.height() - kept;
        await node.reorganise(blocks, async () => {
          for (let block = 0; block <= blocks; block++) await node.mineOnly();
          await node.mineOnly(second);
        });
        await resume(world, kept);
        for (let block = 1; block <= DEPTH; block++) {
          await world.watch();
          assertEquals([(await world.found("first")).isFailed, world.lost], [false, []]);
          await node.mineOnly();
        }
        await world.watch();
        assertEquals([(await world.found("first")).isFailed, world.lost], [true, ["first"]]);
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps no other one to the cold address, or for combining, waiting",
    () =>
      withLitecoin(async (node) => {
        const cold = await node.address();
        const parts = { cold, hotLimit: 500_000_000n };
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, parts);
        await world.fund("4");
        const kept = await node.height();
        const second = await deposit(node, world, 600_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        assertEquals(await node.received(cold), 500_000_000n);
        await replace(world, kept, second);
        await world.watch();
        assertEquals([world.lost.length, await node.received(cold)], [1, 0n]);
        await world.fund("5");
        await node.mine(1);
        assertEquals(await node.received(cold), 400_000_000n);
      }),
  );
});

describe("a payment of a coin that replaced blocks alone tell of", () => {
  itUnless(NO_LITECOIN)(
    "ends where what its coin descends from is spent otherwise, and so do those of its change",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4", "3");
        const kept = await node.height();
        const { second } = await depositOfChild(world);
        await world.sent("first", payee, 900_000_000n);
        await node.mine(1);
        await world.watch();
        await world.sent("next", payee, 350_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept, second);
        assertEquals(await ends(world, "first", "next"), [true, true]);
        assertEquals(world.lost, ["first", "next"]);
        assertEquals([await node.received(payee), await world.freeCoins()], [0n, 2]);
        await world.sent("other", payee, 650_000_000n);
        await node.mine(1);
        assertEquals(await node.received(payee), 650_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is not asked for again: such a coin is none of the free ones",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        await world.fund("4");
        const kept = await node.height();
        const { second } = await depositOfChild(world);
        assertEquals(await world.freeCoins(), 2);
        await replace(world, kept, second);
        await world.watch();
        assertEquals(await world.freeCoins(), 1);
      }),
  );

  itUnless(NO_LITECOIN)(
    "ends where another block is in the place of the one that made its coin",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4");
        const kept = await node.height();
        await node.mine(1, await world.address("alice"));
        await node.mine(100);
        await world.watch();
        await world.sent("first", payee, 600_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept);
        assertEquals([await ends(world, "first"), world.lost], [[true], ["first"]]);
      }),
  );

  itUnless(NO_LITECOIN)(
    "ends where one of many that its coin was made of is spent otherwise",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4");
        const many = await node.payMany(await node.address(), 100_000_000n, 33);
        await node.mine(1);
        const kept = await node.height();
        const inputs = Array.from({ length: 33 }, (_, vout) => ({ txid: many, vout }));
        const to = { [await world.address("alice")]: "6", [await node.address()]: "26.999" };
        const first = await node.spend(inputs, to);
        const second = await node.spend(inputs.slice(-1), { [await node.address()]: "0.999" });
        await node.mineOnly(first);
        await node.mine(DEPTH + 1);
        await world.watch();
        await world.sent("first", payee, 900_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept, second);
        assertEquals([await ends(world, "first"), world.lost], [[true], ["first"]]);
      }),
  );

  itUnless(NO_LITECOIN)(
    "keeps its coins until that is final, of the last of those blocks the node has headers alone",
    () =>
      withLitecoin(async (node) => {
        let headed: NodeValue = null;
        const read = new Set<NodeValue>();
        const rpc: JsonRpc = {
          call: (method, ...params) => {
            if (method === "getblock") read.add(params[0] ?? null);
            return method === "getblock" && params[0] === headed
              ? Promise.reject(new NodeRefusalError(method, -1))
              : node.rpc.call(method, ...params);
          },
        };
        // What was never final has made no coin of a payout.
        const short = await node.mineOnly();
        await node.reorganise(1, () => node.mineOnly());
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, { node: rpc });
        await world.fund("4");
        const kept = await node.height();
        const { second } = await depositOfChild(world);
        await world.sent("first", await node.address(), 900_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        headed = await node.rpc.call("getbestblockhash");
        const blocks = await node.height() - kept;
        await node.reorganise(blocks, async () => {
          for (let block = 0; block <= blocks; block++) await node.mineOnly();
          await node.mineOnly(second);
        });
        await resume(world, kept);
        for (let block = 1; block <= DEPTH; block++) {
          assertEquals([await ends(world, "first"), world.lost], [[false], []]);
          await node.mineOnly();
        }
        assertEquals([await ends(world, "first"), world.lost], [[true], ["first"]]);
        assertEquals([world.doubted, read.has(headed), read.has(short)], [[], true, false]);
      }),
  );
});

describe("a payment of a coin that a node tells of in its own time", () => {
  /** Pays of a coin that is spent otherwise, below what had been final; returns the height before. */
  async function paidOfLost(world: RailWorld): Promise<{ kept: number; second: string }> {
    await world.fund("4");
    const kept = await world.node.height();
    const { second } = await depositOfChild(world);
    await world.sent("first", nobody(), 900_000_000n);
    await world.node.mine(DEPTH + 1);
    await world.watch();
    return { kept, second };
  }

  for (const method of ["getchaintips", "getblock"]) {
    itUnless(NO_LITECOIN)(
      `ends once it tells, is asked with each block, and goes on with all else (${method})`,
      () =>
        withLitecoin(async (node) => {
          let late: NodeValue | undefined = null;
          let asked = 0;
          const rpc: JsonRpc = {
            call: (...call) => {
              if (call[0] !== method || call[1] !== late) return node.rpc.call(...call);
              asked += 1;
              return Promise.reject(new UtxoFaultError("unreachable", "It is too slow"));
            },
          };
          await using world = await RailWorld.open(node, { finalDepth: DEPTH }, { node: rpc });
          const { kept, second } = await paidOfLost(world);
          late = method === "getblock" ? await node.rpc.call("getbestblockhash") : undefined;
          await replace(world, kept, second);
          for (let block = 1; block <= DEPTH; block++) {
            assertEquals([await ends(world, "first"), asked], [[false], block]);
            world.clock.now += 10_000;
            assertEquals([await ends(world, "first"), asked], [[false], block]);
            await node.mineOnly();
          }
          late = null;
          assertEquals([await ends(world, "first"), world.lost], [[true], ["first"]]);
        }),
    );
  }

  itUnless(NO_LITECOIN)(
    "ends after some looks, none of which reads for long",
    () =>
      withLitecoin(async (node) => {
        let read = 0;
        const rpc: JsonRpc = {
          call: async (method, ...params) => {
            const answer = await node.rpc.call(method, ...params);
            if (method === "getblock" && isRecord(answer) && answer.confirmations === -1) {
              read += 1;
              await new Promise((resolve) => setTimeout(resolve, 250));
            }
            return answer;
          },
        };
        await using world = await RailWorld.open(node, { finalDepth: DEPTH }, { node: rpc });
        const { kept, second } = await paidOfLost(world);
        const blocks = await node.height() - kept;
        await replace(world, kept, second);
        assertEquals(await ends(world, "first"), [false]);
        assert(read > 0 && read < blocks, `${read} of ${blocks} in one look`);
        for (let look = 1; look <= 3; look++) {
          world.clock.now += 10_000;
          await world.watch();
        }
        assertEquals([await ends(world, "first"), world.lost, read], [[true], ["first"], blocks]);
      }),
  );
});

describe("a payment that has failed", () => {
  itUnless(NO_LITECOIN)(
    "is told of once more where the chain has it again, and is sent again if that goes as well",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = await node.address();
        await world.fund("4");
        const kept = await node.height();
        const { first, second } = await node.doubleSpend(
          await world.address("alice"),
          600_000_000n,
        );
        await node.rpc.call("sendrawtransaction", first);
        await node.mine(DEPTH + 1);
        await world.watch();
        const txid = await world.sent("first", payee, 900_000_000n);
        const payment = await node.rpc.call("getrawtransaction", txid) as string;
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept, second);
        assertEquals([await ends(world, "first"), world.lost], [[true], ["first"]]);
        // Both of its coins are free: one pays another.
        await world.sent("other", payee, 300_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        const blocks = await node.height() - kept;
        await node.reorganise(blocks, async () => {
          await node.mineOnly(first);
          for (let block = 0; block < blocks; block++) await node.mineOnly();
          await node.mineOnly(payment);
        });
        await resume(world, kept);
        assertEquals([await ends(world, "first", "other"), world.returned], [[true, false], []]);
        await node.mine(DEPTH);
        assertEquals(await ends(world, "first", "other"), [false, true]);
        assertEquals([world.lost, world.returned], [["first", "other"], [`first:${txid}`]]);
        assertEquals(await node.received(payee), 900_000_000n);
        // A block without it: the deposit's comes back, and it is sent again.
        await replace(world, kept, first);
        await world.watch();
        // Its coins are its own again: the change of both is listed.
        assertEquals(await world.freeCoins(), 2);
        await node.mine(DEPTH + 1);
        assertEquals(await ends(world, "first", "other"), [false, true]);
        assertEquals([await node.received(payee), await world.onChain()], [
          900_000_000n,
          (await world.rail.balances("ltc")).hot,
        ]);
        assertEquals([world.lost.length, world.returned.length], [2, 1]);
        await replace(world, kept, second);
        assertEquals([await ends(world, "first"), world.lost.at(-1)], [[true], "first"]);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is shown to be gone to a member whom it had paid",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        await world.fund("4");
        const kept = await node.height();
        const second = await deposit(node, world, 600_000_000n);
        const txid = await world.sent("first", await world.address("bob"), 900_000_000n);
        await node.mine(DEPTH + 1);
        const states = async () =>
          (await world.watch()).filter((seen) => seen.txid === txid)
            .map(({ isDropped }) => isDropped);
        assertEquals(await states(), [false]);
        await replace(world, kept, second);
        assertEquals(await ends(world, "first"), [true]);
        await node.mine(DEPTH);
        await states();
        await node.mine(1);
        assertEquals(await states(), [true]);
      }),
  );
});

describe("a payment of a deposit whose block was replaced", () => {
  itUnless(NO_LITECOIN)(
    "waits until that is final again: who has paid it may spend it otherwise",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const kept = await node.height();
        const { first } = await node.doubleSpend(await world.address("alice"), 600_000_000n);
        await node.rpc.call("sendrawtransaction", first);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept);
        await node.mineOnly(first);
        for (let block = 1; block <= DEPTH; block++) {
          await world.watch();
          await assertRejects(() => world.sent("P", nobody(), 100_000_000n), CoinsMissingError);
          await node.mineOnly();
        }
        await world.watch();
        await world.sent("P", nobody(), 100_000_000n);
      }),
  );
});

describe("a payment whose change pays another one", () => {
  /** Pays P, raises it, has its first transaction mined, and pays Q of its change. */
  async function paidOfChange(world: RailWorld): Promise<void> {
    const { node } = world;
    const first = await world.sent("P", nobody(), 100_000_000n);
    const payment = await node.rpc.call("getrawtransaction", first) as string;
    await node.mineOnly();
    await world.watch();
    assertNotEquals((await world.found("P")).txid, first, "it is raised");
    await node.mineOnly(payment);
    await node.mine(DEPTH);
    await world.watch();
    await world.sent("Q", nobody(), 100_000_000n);
    await node.mine(DEPTH + 1);
    await world.watch();
  }

  /** Has blocks pass while fees are so high that a raised payment takes its own and its child's place. */
  async function waitWhileDear(world: RailWorld): Promise<void> {
    const { node, clock } = world;
    const dear = world.join({ node: estimating(node, "0.002") });
    world.cursors.set(dear, world.cursors.get(world.rail) ?? null);
    for (let block = 0; block < DEPTH; block++) {
      await node.mineOnly();
      clock.now += 20_000;
      await world.watch(dear);
    }
    world.cursors.delete(dear);
  }

  itUnless(NO_LITECOIN)(
    "is sent again as it was, however long it waits",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH, bumpBlocks: 1 });
        await world.fund("4");
        const kept = await node.height();
        await paidOfChange(world);
        const { txid } = await world.found("P");
        await replace(world, kept);
        await waitWhileDear(world);
        await node.mine(DEPTH + 1);
        assertEquals([await ends(world, "P", "Q"), world.lost], [[false, false], []]);
        assertEquals((await world.found("P")).txid, txid);
        assertEquals((await world.found("Q")).confirmations, DEPTH + 1);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is sent again as it was where what a member was paid pays it, before there are others or after",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH, bumpBlocks: 2 });
        await world.fund("4");
        const kept = await node.height();
        await world.sent("P", await world.address("alice"), 300_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        const { txid } = await world.found("P");
        await replace(world, kept);
        await world.watch();
        await node.mine(1);
        await world.watch();
        // The block that it is made of is not final, and is replaced.
        await world.sent("Q", nobody(), 250_000_000n);
        await node.reorganise(1, async () => {
          for (let block = 0; block < DEPTH; block++) await node.mineOnly();
        });
        await waitWhileDear(world);
        await node.mine(DEPTH + 1);
        assertEquals([await ends(world, "P", "Q"), world.lost], [[false, false], []]);
        await node.mine(1);
        await world.watch();
        await replace(world, kept);
        await waitWhileDear(world);
        assertEquals(world.doubted, []);
        await node.mine(DEPTH + 1);
        assertEquals([await ends(world, "P", "Q"), world.lost], [[false, false], []]);
        assertEquals((await world.found("P")).txid, txid);
        assertEquals((await world.found("Q")).confirmations, DEPTH + 1);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is not raised either where that comes in the blocks that took the place of others",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH, bumpBlocks: 2 });
        await world.fund("4");
        const kept = await node.height();
        await world.sent("P", nobody(), 100_000_000n);
        await node.mine(DEPTH + 1);
        await world.watch();
        await replace(world, kept);
        await world.watch();
        await node.mine(1);
        await world.watch();
        await world.sent("Q", nobody(), 100_000_000n);
        await node.reorganise(1, async () => {
          for (let block = 0; block < DEPTH; block++) await node.mineOnly();
        });
        await waitWhileDear(world);
        await node.mine(DEPTH + 1);
        assertEquals([await ends(world, "P", "Q"), world.lost], [[false, false], []]);
        assertEquals((await world.found("Q")).confirmations, DEPTH + 1);
      }),
  );
});
