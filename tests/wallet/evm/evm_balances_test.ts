import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import {
  type NotedOutput,
  type NotedRest,
  noteOutput,
} from "../../../src/wallet/evm/noted_outputs.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, Taker } from "./evm_ground.ts";
import { KilledError, MortalProcess } from "./mortal_process.ts";

const ROWS = new EvmRows(NETWORK.name);

/** Returns the rests that are not a part of the sum yet. */
async function restRows({ venue }: EvmGround): Promise<readonly unknown[]> {
  const rows = await venue.engine.listSidecar({ prefix: ROWS.allRests("eth"), limit: 100 });
  return rows.map(({ value }) => value);
}

/** More than any process here has. */
const STEPS_MAX = 1_000;
const COLD = "0x3333333333333333333333333333333333333333";

describeUnless(NO_ANVIL)("what a chain holds", () => {
  it("is told of the wallet, members' addresses and the cold one, after the last block", async () => {
    await using ground = await EvmGround.open();
    const usdt = await ground.token("usdt", MANNERS.honest);
    const contract = usdt.contract ?? "";
    const rail = ground.rail({ cold: COLD });
    const takers = ["eth", "usdt"].map((currency) => new Taker(rail, currency, 1));
    for (const taker of takers) await taker.watch();
    await ground.fund(5n * ETHER, usdt);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await ground.anvil.send({ to: alice, value: 2n * ETHER + 1n });
    await ground.anvil.send({ to: bob, value: ETHER });
    await ground.anvil.send({ to: COLD, value: 7n });
    await ground.anvil.call(contract, CALLS.transferTwice, [bob, 10n, 20n]);
    await ground.anvil.call(contract, CALLS.transfer, [COLD, 3n]);
    await ground.anvil.mine();
    for (const taker of takers) await taker.watch();
    const height = await ground.anvil.height();
    const eth = { height, hot: 5n * ETHER, deposits: 3n * ETHER + 1n, cold: 7n };
    assertEquals(await rail.balances("eth"), eth);
    assertEquals(await rail.balances("usdt"), { height, hot: 5n * ETHER, deposits: 30n, cold: 3n });
    assertEquals(await ground.rail().balances("eth"), { ...eth, cold: null });
    assertEquals(rail.health().fault, null);
  });

  it("costs gas as it is now to move, also of a token that the wallet has none of", async () => {
    await using ground = await EvmGround.open();
    const usdt = await ground.token("usdt", MANNERS.honest);
    const rail = ground.rail();
    const priceOf = async () => {
      const block = await ground.anvil.rpc("eth_getBlockByNumber", "latest", false);
      const tip = await ground.anvil.rpc("eth_maxPriorityFeePerGas");
      return BigInt((block as { baseFeePerGas: string }).baseFeePerGas) + BigInt(String(tip));
    };
    assertEquals(await rail.feeOf("eth"), 21_000n * await priceOf());
    assertEquals(await rail.feeOf("usdt"), 65_000n * await priceOf());
    await ground.fund(ETHER, usdt);
    const gas = await rail.feeOf("usdt") / await priceOf();
    assert(gas > 40_000n && gas < 60_000n, `${gas}`);
  });

  it("has rests that the ledger can't tell, once they are final", async () => {
    await using ground = await EvmGround.open();
    const payer = await ground.anvil.deploy(PAYER_CODE);
    const rail = ground.rail();
    const taker = new Taker(rail, "eth", 1);
    await taker.watch();
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER + 7n });
    await ground.anvil.mine(2);
    await taker.watch();
    assertEquals(await rail.rests("eth"), 0n);
    await ground.anvil.reorganise(2);
    await ground.anvil.send({ to: alice, value: ETHER + 11n });
    await ground.anvil.send({ to: alice, value: 2n * ETHER });
    await ground.anvil.call(payer, CALLS.pay, [alice], 13n);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    for (let turn = 0; turn < 2; turn++) await taker.watch();
    for (const one of [rail, ground.rail()]) assertEquals(await one.rests("eth"), 24n);
    // What is final is one row; the other is of a block that was replaced.
    const replaced: NotedRest = { units: 7n };
    assertEquals(await restRows(ground), [replaced]);
    await ground.anvil.send({ to: alice, value: ETHER + 3n });
    await ground.anvil.mine(2);
    await taker.watch();
    assertEquals([await rail.rests("eth"), (await restRows(ground)).length], [24n, 2]);
    await ground.anvil.mine(NETWORK.finalBlocks);
    assertEquals([await rail.rests("eth"), await restRows(ground)], [27n, [replaced]]);
    assertEquals(ground.faults, []);
  });

  it("has each rest once, by several processes, some of which are killed", async () => {
    await using ground = await EvmGround.open();
    const taker = new Taker(ground.rail(), "eth", 1);
    await taker.watch();
    const alice = await ground.address("alice");
    let [sum, step, isOver] = [0n, 0, false];
    while (!isOver) {
      step += 1;
      for (const rest of [7n, 11n]) {
        await ground.anvil.send({ to: alice, value: ETHER + rest });
        sum += rest;
      }
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      await taker.watch();
      const when = step % 2 === 0 ? "before" : "after";
      const kill = { step, when, isOfTraces: true } as const;
      const process = new MortalProcess(kill, ground.venue.engine, ground.node());
      const rail = ground.rail({ engine: process.engine, node: process.node });
      isOver = await rail.rests("eth").then((one) => one === sum, () => false);
      const others = await Promise.all([1, 2, 3].map(() => ground.rail().rests("eth")));
      assertEquals(others, [sum, sum, sum]);
      assertEquals(await restRows(ground), []);
    }
    assert(step > 5, "it adds two, removes each, and notes that it has");
  });

  it("has each rest once, whoever was late to note what it has removed", async () => {
    await using ground = await EvmGround.open();
    const { engine } = ground.venue;
    const taker = new Taker(ground.rail(), "eth", 1);
    await taker.watch();
    const alice = await ground.address("alice");
    const pay = async (rest: bigint) => {
      await ground.anvil.send({ to: alice, value: ETHER + rest });
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      await taker.watch();
    };
    const process = (step: number) => {
      const kill = { step, when: "after", isOfTraces: true } as const;
      return new MortalProcess(kill, engine, ground.node());
    };
    // Each is killed as it has added its own.
    await pay(7n);
    await assertRejects(() => ground.rail(process(2)).rests("eth"), KilledError);
    await pay(11n);
    const late = process(STEPS_MAX);
    let isOvertaken = false;
    const changeSidecar: typeof engine.changeSidecar = async (key, change) => {
      if (!isOvertaken && key.includes("rest_sum")) {
        isOvertaken = true;
        await assertRejects(() => ground.rail(process(4)).rests("eth"), KilledError);
      }
      return await engine.changeSidecar(key, change);
    };
    const rail = ground.rail({ node: late.node, engine: { ...late.engine, changeSidecar } });
    assertEquals([await rail.rests("eth"), isOvertaken], [18n, true]);
    assertEquals([await ground.rail().rests("eth"), await restRows(ground)], [18n, []]);
  });

  it("has rests that an older version of the program has noted, and none again", async () => {
    await using ground = await EvmGround.open();
    const { engine } = ground.venue;
    const rail = ground.rail();
    const taker = new Taker(rail, "eth", 1);
    await taker.watch();
    const alice = await ground.address("alice");
    const names = [];
    for (const rest of [7n, 11n]) {
      const txid = await ground.anvil.send({ to: alice, value: ETHER + rest });
      names.push({ currency: "eth", txid, output: 0 });
    }
    const [first = { currency: "", txid: "", output: 0 }, second = first] = names;
    const keyOf = ({ currency, txid, output }: typeof first) => ROWS.rest(currency, txid, output);
    // One was noted as it was killed.
    const old: NotedRest = { units: 11n };
    await engine.createSidecar({ key: keyOf(second), value: old });
    await ground.anvil.mine();
    await taker.watch();
    await engine.changeSidecar(keyOf(first), () => ({ units: 7n, isFinal: true }));
    await ground.anvil.mine(NETWORK.finalBlocks);
    await taker.watch();
    assertEquals([await rail.rests("eth"), await restRows(ground)], [18n, []]);
    for (const { currency, txid, output } of names) {
      const noted = await engine.readSidecar(ROWS.output(currency, txid, output)) as NotedOutput;
      assertEquals(await noteOutput(engine, ROWS, { currency, txid, output }, noted), false);
    }
    assertEquals([await rail.rests("eth"), await restRows(ground)], [18n, []]);
  });
});
