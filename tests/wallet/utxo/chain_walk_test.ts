import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { settledBooks } from "./books.ts";
import { MEMBERS, RailWorld, UNIT } from "./rail_world.ts";

describe("a walk along a chain of Bitcoin's family", () => {
  itUnless(NO_LITECOIN)(
    "shows each output of a transaction as a deposit",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const addresses = await Promise.all(MEMBERS.map((uid) => world.address(uid)));
        const amounts = { [addresses[0] ?? ""]: "0.1", [addresses[1] ?? ""]: "0.00000001" };
        // The node would not pass on so little by itself.
        const inputs = await node.rpc.call("listunspent", 101) as { txid: string; vout: number }[];
        const coin = present(inputs[0], "the world has a coin");
        const outputs = [
          ...Object.entries(amounts).map(([address, amount]) => ({ [address]: amount })),
          { [await node.address()]: "49.89" },
        ];
        const raw = await node.rpc.call("createrawtransaction", [{
          txid: coin.txid,
          vout: coin.vout,
        }], outputs);
        const signed = await node.rpc.call("signrawtransactionwithwallet", raw) as { hex: string };
        await node.mineOnly(signed.hex);
        const seen = await world.watch();
        assertEquals(
          seen.map(({ address, output, amount }) => [address, output, amount]),
          [[addresses[0], 0, 10_000_000n * UNIT], [addresses[1], 1, UNIT]],
        );
        await settledBooks(world);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "counts a new block's coins once they can be spent, and no process misses them",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node, { coinbaseMaturity: 30 });
        await world.watch();
        const address = await world.address("alice");
        await node.mine(1, address);
        const young = present((await world.watch())[0], "a block pays to the member");
        const { txid } = young;
        assertEquals([young.address, young.confirmations], [address, 0]);
        assertEquals(await world.rail.look("ltc", txid, 0), young);
        await node.mine(28);
        assertEquals(await world.watch(), [young]);
        // Its block is final, and forgotten.
        assertEquals(await world.watch(), []);
        const late = world.join();
        world.cursors.set(late, world.cursors.get(world.rail) ?? null);
        const anew = world.join();
        assertEquals(await world.watch(late), []);
        assertEquals((await anew.watch("ltc", null)).outputs, [young]);
        for (const rail of [world.rail, late, anew, world.join()]) {
          assertEquals(await rail.look("ltc", txid, 0), young);
        }
        await node.mine(1);
        const mature = { ...young, confirmations: 30 };
        assertEquals((await world.join().watch("ltc", null)).outputs, [mature]);
        for (const rail of [world.rail, late, anew, world.join()]) {
          assertEquals(await rail.look("ltc", txid, 0), mature);
        }
        // Lost with its block, nobody has ever been credited.
        await node.mine(1, address);
        const lost = present((await world.watch())[0], "another block does");
        await node.reorganise(1, () => node.mineOnly());
        await node.mineOnly();
        assertEquals((await world.watch()).map(({ isDropped }) => isDropped), [false]);
        for (let i = 0; i < 12; i++) await node.mineOnly();
        assertEquals(await world.watch(), [{ ...lost, isDropped: true }]);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "begins where the first process has met the chain, and again where the last one stopped",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const address = await world.address("bob");
        // Nobody watches for a while after the address was given out.
        const txid = await node.pay(address, "0.5");
        await node.mine(40);
        const late = world.join();
        const [seen] = await world.watch(late);
        assertEquals([seen?.txid, seen?.confirmations], [txid, 40]);
        const cursor = world.cursors.get(late) ?? "";
        assertEquals(
          Number(cursor.split(":")[0]),
          (await node.height()) - world.network.finalDepth,
        );
        // A process that has never watched knows where others have been.
        const other = world.join();
        assertEquals((await other.look("ltc", txid, seen?.output ?? 0))?.confirmations, 40);
        const spelled = txid.toUpperCase();
        assertEquals((await other.look("ltc", spelled, seen?.output ?? 0))?.confirmations, 40);
        for (const unknown of ["ab".repeat(32), "by hand", ""]) {
          assertEquals(await other.look("ltc", unknown, 0), null);
        }
      }),
  );

  itUnless(NO_LITECOIN)(
    "takes nothing for lost that is in blocks which others have walked over",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const txid = await node.pay(await world.address("alice"), "0.1");
        const idle = world.join();
        assertEquals((await world.watch(idle)).map((output) => output.confirmations), [0]);
        await node.mine(30);
        await world.watch();
        for (let i = 0; i < 3; i++) {
          world.cursors.set(idle, world.cursors.get(world.rail) ?? null);
          assertEquals(await world.watch(idle), []);
          await node.mine(13);
          await world.watch();
        }
        const outputs = [0, 1].map((output) => idle.look("ltc", txid, output));
        const [seen] = (await Promise.all(outputs)).filter((output) => output !== null);
        assertEquals([seen?.confirmations, seen?.isDropped], [69, false]);
      }),
  );

  itUnless(NO_LITECOIN)(
    "goes on where it stopped when it has little time",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const address = await world.address("bob");
        for (let i = 0; i < 5; i++) {
          await node.pay(address, "0.01");
          await node.mine(8);
        }
        const slow = world.join({ followMsMax: 0 });
        const found = new Set<string>();
        let rounds = 0;
        for (; rounds < 60 && slow.health().height !== await node.height(); rounds++) {
          for (const { txid } of await world.watch(slow)) found.add(txid);
        }
        assert(rounds > 3);
        assertEquals(found.size, 5);
        world.assertNoFaults();
      }),
  );
});
