/** Blocks are replaced by which a process had concluded something, on a chain of Bitcoin's family. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { ReplacedBlockError, UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import type { UtxoEngine } from "../../../src/wallet/utxo/utxo_coins.ts";
import type { JsonRpc } from "../../../src/wallet/utxo/utxo_node.ts";
import type { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import {
  type LitecoinNode,
  NO_LITECOIN,
  nobody,
  withLitecoin,
} from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { interruptedEngine } from "../utxo/interrupted_engine.ts";
import { DeadError, mortalParts } from "../utxo/mortal_parts.ts";
import { RailWorld } from "../utxo/rail_world.ts";

const DEPTH = 4;
/** Steps of a process that goes back, at each of which it may end. */
const STEPS = 5;
/** More calls than one look or one resume makes of its engine. */
const CALLS_MAX = 100;

/** Replaces the blocks above a height by others, which hold nothing; one more by default. */
async function replaceAbove(node: LitecoinNode, height: number, more: number = 1): Promise<void> {
  const blocks = await node.height() - height;
  await node.reorganise(blocks, async () => {
    for (let block = 0; block < blocks + more; block++) await node.mineOnly();
  });
}

async function hot(rail: UtxoRail): Promise<bigint> {
  return (await rail.balances("ltc")).hot;
}

/** What a process does; returns the cursor that it stores. */
type Work = (rail: UtxoRail, height: number, cursor: string) => Promise<string | null>;

/** Goes back in a process that ends before it has noted that block as final. */
async function beginToGoBack(world: RailWorld, height: number): Promise<void> {
  const { network, test } = world;
  const final = new UtxoRows(network.name).final.join();
  const engine: UtxoEngine = {
    ...interruptedEngine(test.engine, () => false, () => Promise.resolve()),
    changeSidecar: (key, change) =>
      key.join() === final
        ? Promise.reject(new DeadError())
        : test.engine.changeSidecar(key, change),
  };
  await assertRejects(() => world.join({ engine }).goBack(height), DeadError);
}

/** Has another process go back, and end, before each call that one makes of its engine. */
async function assertReadAnew(node: LitecoinNode, work: Work): Promise<void> {
  await using world = await RailWorld.open(node, { finalDepth: DEPTH });
  await node.mine(1);
  const low = await node.height();
  await world.fund("5");
  const high = await node.height();
  await node.mine(2 * DEPTH);
  for (let i = 0; i < 2; i++) await world.watch();
  let cursor = world.cursors.get(world.rail) ?? null;
  let hasHappened = true;
  for (let at = 0; hasHappened; at++) {
    assert(at < CALLS_MAX);
    let left = Infinity;
    hasHappened = false;
    const engine = interruptedEngine(world.test.engine, () => left-- === 0, async () => {
      hasHappened = true;
      await beginToGoBack(world, low);
    });
    const rail = world.join({ engine });
    await rail.watch("ltc", cursor);
    await node.mine(1);
    left = at;
    cursor = await work(rail, high, cursor ?? "");
    const next = world.join();
    cursor = (await next.watch("ltc", cursor)).cursor;
    assertEquals([await hot(next), await world.onChain()], [500_000_000n, 500_000_000n], `${at}`);
  }
}

describe("what was concluded by blocks that are gone", () => {
  itUnless(NO_LITECOIN)(
    "is missed by the next process, though no cursor was stored",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const payee = nobody();
        await world.fund("4");
        await node.mine(DEPTH);
        await world.watch();
        const stored = world.cursors.get(world.rail) ?? null;
        const kept = await node.height();
        await world.sent("first", payee, 300_000_000n);
        await node.mine(DEPTH + 1);
        // It ends before the venue has stored its cursor.
        await world.rail.watch("ltc", stored);
        assertEquals((await world.found("first")).confirmations, DEPTH + 1);
        await replaceAbove(node, kept);
        assertEquals(await node.unspent(payee), 0n);
        const next = world.join();
        await assertRejects(() => next.watch("ltc", stored), ReplacedBlockError);
        assertEquals(next.health().replaced?.height, kept + 1);
        await assertRejects(() => next.find("first"), PayoutWaitsError);
        // Older programs have noted no more than up to where coins are rows.
        await world.test.engine.changeSidecar(new UtxoRows(world.network.name).final, () => null);
        await assertRejects(() => world.join().watch("ltc", stored), ReplacedBlockError);
        await next.goBack(kept);
        await next.watch("ltc", stored);
        await node.mine(DEPTH + 1);
        await next.watch("ltc", stored);
        assertEquals(await node.unspent(payee), 300_000_000n, "it is sent again");
        assertEquals((await world.found("first", next)).confirmations, DEPTH + 1);
        assertEquals(await hot(next), await world.onChain());
      }),
  );

  itUnless(NO_LITECOIN)(
    "is read anew from the earlier of two blocks, whenever the first process ends",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        await node.mine(1);
        const low = await node.height();
        await world.fund("5");
        const high = await node.height();
        await node.mine(2 * DEPTH);
        await world.watch();
        const old = world.cursors.get(world.rail) ?? "";
        assert(world.rail.heightOf(old) > high);
        await replaceAbove(node, high);
        for (let death = 1; death <= STEPS; death++) {
          const mortal = mortalParts(world.test.engine, node.rpc, death);
          const dying = world.join(mortal);
          await dying.goBack(low).catch((error) => assert(mortal.isDead(), String(error)));
          const next = world.join();
          await assertRejects(() => next.watch("ltc", old), ReplacedBlockError);
        }
        const last = world.join();
        const cursor = await last.goBack(high);
        assertEquals(last.heightOf(cursor ?? ""), low);
        await node.mine(DEPTH);
        world.cursors.set(world.rail, cursor);
        await last.watch("ltc", cursor);
        assertEquals([await hot(last), await world.onChain()], [500_000_000n, 500_000_000n]);
        assertEquals(last.health().fault, null);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is forgotten as far as a process wanted that has ended soon",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const low = await node.height();
        await node.mine(3 * DEPTH);
        for (let i = 0; i < 2; i++) await world.watch();
        await beginToGoBack(world, low);
        for (const height of [low + DEPTH, low + 1]) {
          const cursor = await world.join().goBack(height) ?? "";
          assertEquals(world.rail.heightOf(cursor), low);
        }
      }),
  );

  for (
    const [what, work] of [
      ["another process goes back less far", (rail, height) => rail.goBack(height)],
      [
        "another process looks at the chain",
        async (rail, _, since) => (await rail.watch("ltc", since)).cursor,
      ],
    ] as const satisfies readonly (readonly [string, Work])[]
  ) {
    itUnless(NO_LITECOIN)(
      `is read anew from where a process has gone back that has ended, whenever ${what}`,
      () => withLitecoin((node) => assertReadAnew(node, work)),
    );
  }

  itUnless(NO_LITECOIN)(
    "is settled again by all processes, though no cursor has followed",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        const low = await node.height();
        await world.fund("5");
        await node.mine(2 * DEPTH);
        const other = world.join();
        for (const rail of [world.rail, other]) await world.watch(rail);
        await world.join().goBack(low);
        assertEquals(await world.freeCoins(), 1);
        for (const rail of [other, world.rail, world.join()]) {
          await node.mine(1);
          await rail.watch("ltc", world.cursors.get(world.rail) ?? null);
          assertEquals(await hot(rail), 500_000_000n);
        }
        assertEquals(await world.onChain(), 500_000_000n);
      }),
  );

  itUnless(NO_LITECOIN)(
    "stops a process from its start, by the venue's cursors alone where rows are old",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        await world.fund("4");
        const kept = await node.height();
        await node.mine(DEPTH + 2);
        await world.watch();
        await world.watch();
        await world.sent("first", nobody(), 100_000_000n);
        await replaceAbove(node, kept);
        const { engine } = world.test;
        const rows = new UtxoRows(world.network.name);
        const sends: string[] = [];
        const watching: JsonRpc = {
          call: (method, ...params) => {
            if (method === "sendrawtransaction") sends.push(method);
            return node.rpc.call(method, ...params);
          },
        };
        for (const gone of [[], [rows.final], [rows.walked]]) {
          for (const key of gone) await engine.changeSidecar(key, () => null);
          const rail = world.join({ node: watching });
          for (const id of ["first", "second"]) {
            await assertRejects(() => world.send(id, nobody(), 100_000_000n, rail));
          }
          assertEquals([rail.health().fault, sends], ["reorganised", []]);
        }
      }),
  );

  itUnless(NO_LITECOIN)(
    "stops it until a look finds all in order, whatever else its node does",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { finalDepth: DEPTH });
        await world.fund("4");
        const kept = await node.height();
        await node.mine(DEPTH + 2);
        await world.watch();
        await replaceAbove(node, kept, 0);
        // The last block is as high as the one that was read.
        await assertRejects(() => world.send("first", nobody(), 1_000_000n), PayoutWaitsError);
        assertEquals(world.rail.health().fault, "reorganised");
        let isAway = false;
        const rail = world.join({
          node: {
            call: (method, ...params) =>
              isAway
                ? Promise.reject(new UtxoFaultError("unreachable", "It gave no answer in time"))
                : node.rpc.call(method, ...params),
          },
        });
        const cursor = world.cursors.get(world.rail) ?? null;
        await assertRejects(() => rail.watch("ltc", cursor), ReplacedBlockError);
        isAway = true;
        await assertRejects(() => rail.watch("ltc", cursor), UtxoFaultError, "no answer");
        assertEquals(rail.health().fault, "reorganised");
        isAway = false;
        await rail.feeOf("ltc");
        assertEquals(rail.health().fault, "reorganised");
        const back = await rail.goBack(kept);
        world.cursors.set(world.rail, back);
        await rail.watch("ltc", back);
        assertEquals(rail.health().fault, null);
      }),
  );
});
