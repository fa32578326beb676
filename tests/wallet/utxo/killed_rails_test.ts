import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { NO_LITECOIN, nobody, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { DeadError, mortalParts } from "./mortal_parts.ts";
import { estimating, RailWorld } from "./rail_world.ts";

const AMOUNT = 1_000_000n;
/** Few blocks are read anew by each process: a death at any is like one at the next. */
const YOUNG = { finalDepth: 3 };
/** More steps than any scenario has. */
const STEPS_MAX = 100;

describe("a rail of Bitcoin's family whose process dies", () => {
  itUnless(NO_LITECOIN)(
    "pays once, at whatever step of a payout",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, YOUNG);
        await world.fund("1", "1", "1");
        const payees: string[] = [];
        for (let death = 1; death <= STEPS_MAX; death++) {
          const id = `withdraw-${payees.length}`;
          const payee = await node.address();
          payees.push(payee);
          const mortal = mortalParts(world.test.engine, node.rpc, death);
          const dying = world.join(mortal);
          await world.send(id, payee, AMOUNT, dying).catch(() => {});
          const survivor = world.join();
          const found = await survivor.find(id);
          const txid = await world.sent(id, payee, AMOUNT, survivor);
          if (found.kind === "sent") assertEquals(found.txid, txid);
          await survivor.watch("ltc", world.cursors.get(world.rail) ?? null);
          await node.mine(1);
          assertEquals((await world.found(id, survivor)).confirmations, 1);
          if (!mortal.isDead()) break;
        }
        assert(payees.length > 8);
        const { paid } = await settledBooks(world);
        assertEquals(paid, AMOUNT * BigInt(payees.length));
        for (const payee of payees) assertEquals(await node.received(payee), AMOUNT);
      }),
  );

  itUnless(NO_LITECOIN)(
    "makes a coin of each final output, at whatever step of a watch",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, YOUNG);
        await world.fund("1");
        const address = await world.address("alice");
        let rounds = 0;
        for (let death = 1; death <= STEPS_MAX; death++) {
          rounds += 1;
          await node.pay(address, "0.01");
          if (rounds % 2 === 0) {
            await world.watch();
            await world.sent(`withdraw-${rounds}`, await node.address(), AMOUNT);
          }
          await node.mine(1);
          const mortal = mortalParts(world.test.engine, node.rpc, death);
          const dying = world.join(mortal);
          await dying.watch("ltc", world.cursors.get(world.rail) ?? null).catch(() => {});
          if (!mortal.isDead()) break;
        }
        assert(rounds > 8);
        const { received } = await settledBooks(world);
        assertEquals(received, 100_000_000n + AMOUNT * BigInt(rounds));
      }),
  );

  itUnless(NO_LITECOIN)(
    "combines coins and moves what is too much once, at whatever step",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, YOUNG);
        // The node has an estimate of its own after some of this.
        const rpc = estimating(node, "0.0001");
        const few = { coinsMax: 6, inputsMax: 3 };
        const parts = { ...few, node: rpc, cold: nobody(), hotLimit: AMOUNT / 5n };
        // One without a seed reads the blocks, so that the others die of what they do about them.
        const keys = AccountKeys.ofPublicKey(world.keys.publicKey);
        const watching = world.join({ keys });
        let rounds = 0;
        let isThrough = false;
        for (let death = 1; death <= STEPS_MAX; death++) {
          rounds += 1;
          // Enough that are worth it, whatever change is among them.
          const free = await world.freeCoins();
          await node.payMany(world.rail.ownAddress, AMOUNT / 10n, Math.max(1, 12 - free));
          await node.mine(world.network.finalDepth + 1);
          await world.watch(watching);
          const since = world.cursors.get(watching) ?? null;
          const mortal = mortalParts(world.test.engine, rpc, death);
          const dying = world.join({ ...parts, ...mortal });
          await dying.watch("ltc", since).catch(() => {});
          await world.join(parts).watch("ltc", since);
          const waiting = await node.rpc.call("getrawmempool") as string[];
          assertEquals(waiting.length, 2, `a payment of each kind in round ${rounds}`);
          isThrough = !mortal.isDead();
          if (isThrough) break;
        }
        assert(rounds > 20 && isThrough);
        const { paid, payouts } = await settledBooks(world);
        assertEquals(payouts.length, 2 * rounds);
        const moved = payouts.filter(({ id }) => id.startsWith("cold-"));
        const told = new Set(world.moves.map(({ txid }) => txid));
        assertEquals(told, new Set(moved.map(({ versions: [first] }) => first?.txid ?? "")));
        assertEquals(await node.unspent(parts.cold), paid);
        assertEquals(world.faults.filter((error) => !(error instanceof DeadError)), []);
      }),
  );

  itUnless(NO_LITECOIN)(
    "is not needed for what another one has decided to be sent",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const payee = await node.address();
        const silent = world.join({
          node: {
            call: (method, ...params) =>
              method === "sendrawtransaction"
                ? Promise.reject(new Error("The process dies"))
                : node.rpc.call(method, ...params),
          },
        });
        const txid = await world.sent("withdraw-1", payee, AMOUNT, silent);
        assertEquals(await node.rpc.call("getrawmempool"), []);
        const since = world.cursors.get(world.rail) ?? null;
        const keys = AccountKeys.ofPublicKey(world.keys.publicKey);
        const watching = world.join({ keys });
        await watching.watch("ltc", since);
        assertEquals(await node.rpc.call("getrawmempool"), [], "it leaves that to who signs");
        await world.join().watch("ltc", since);
        assertEquals(await node.rpc.call("getrawmempool"), [txid]);
        await assertRejects(() => world.send("withdraw-2", payee, AMOUNT, watching), Error, "seed");
        assertEquals(await watching.find("withdraw-2"), { kind: "absent" });
      }),
  );
});
