import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { NO_LITECOIN, withLitecoin } from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { present } from "../../../src/domain/assert.ts";
import { RailWorld, UNIT } from "./rail_world.ts";

describe("UtxoRail", () => {
  itUnless(NO_LITECOIN)(
    "takes a deposit from the mempool to its last confirmation, once",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        assertEquals(await world.watch(), []);
        const address = await world.address("alice");
        const txid = await node.pay(address, "0.1");
        const waiting = present((await world.watch())[0], "it is seen in the mempool");
        const { output } = waiting;
        const seen = { address, txid, output, amount: 10_000_000n * UNIT, isDropped: false };
        assertEquals(waiting, { ...seen, confirmations: 0 });
        for (let confirmations = 1; confirmations <= 12; confirmations++) {
          await node.mine(1);
          assertEquals(await world.watch(), [{ ...seen, confirmations }]);
          assertEquals(await world.rail.look("ltc", txid, output), { ...seen, confirmations });
        }
        await node.mine(2);
        assertEquals(await world.watch(), [{ ...seen, confirmations: 14 }]);
        assertEquals(await world.watch(), []);
        assertEquals(await world.rail.look("ltc", txid, output), { ...seen, confirmations: 14 });
        assertEquals(world.rail.health(), { height: await node.height(), fault: null });
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "pays out once, and gets its change back",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund("1");
        const address = await node.address();
        assertEquals(await world.rail.find("withdraw-1"), { kind: "absent" });
        const txid = await world.sent("withdraw-1", address, 30_000_000n);
        assertEquals(await world.sent("withdraw-1", address, 30_000_000n), txid);
        assertEquals(await world.found("withdraw-1"), {
          kind: "sent",
          txid,
          confirmations: 0,
          isFailed: false,
        });
        await assertRejects(() => world.send("withdraw-2", address, 30_000_000n), Error, "too few");
        await node.mine(1);
        assertEquals((await world.found("withdraw-1")).confirmations, 1);
        const second = await world.sent("withdraw-2", address, 30_000_000n);
        await node.mine(20);
        assertEquals(await world.watch(), []);
        assertEquals((await world.found("withdraw-1")).confirmations, 21);
        assertEquals((await world.found("withdraw-2")).confirmations, 20);
        assertEquals(await node.received(address), 60_000_000n);
        assert(second !== txid);
        world.assertNoFaults();
      }),
  );

  itUnless(NO_LITECOIN)(
    "credits nothing that is all below the currency's precision, and knows how much that is",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        const rail = world.join({ precision: 4 });
        const txids = [
          await node.pay(await world.address("alice"), "0.12345678"),
          await node.pay(await world.address("bob"), "0.00009999"),
          await node.pay(await world.address("bob"), "0.5"),
          // The wallet's own needs no digits.
          await node.pay(rail.ownAddress, "0.33333333"),
        ];
        const amounts = async () =>
          (await world.watch(rail)).map(({ amount }) => amount / UNIT).toSorted().map(String);
        assertEquals(await amounts(), ["12345678", "50000000"]);
        await node.mine(12);
        assertEquals(await amounts(), ["12345678", "50000000"]);
        assertEquals(await rail.rests("ltc"), 0n);
        await node.mine(1);
        await world.watch(rail);
        assertEquals(await rail.rests("ltc"), 9_999n);
        // Final, and once, whoever reads the block.
        const late = world.join({ precision: 4 });
        await late.watch("ltc", null);
        assertEquals(await late.rests("ltc"), 9_999n);
        const looked = txids.slice(0, 2).map(async (txid) => {
          const outputs = await Promise.all([0, 1].map((output) => late.look("ltc", txid, output)));
          return outputs.map((seen) => (seen?.amount ?? 0n) / UNIT).find((amount) => amount > 0n);
        });
        assertEquals(await Promise.all(looked), [12_345_678n, undefined]);
        const { hot } = await rail.balances("ltc");
        assertEquals(hot, 12_345_678n + 9_999n + 50_000_000n + 33_333_333n);
        await assertRejects(() => rail.rests("btc"), Error, "no coin btc");
        world.assertNoFaults();
      }),
  );
});
