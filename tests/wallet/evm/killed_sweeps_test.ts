import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ETHER, NETWORK, STEP } from "./evm_ground.ts";
import { type Kill, KilledError, MortalProcess } from "./mortal_process.ts";
import { SweepGround } from "./sweep_ground.ts";

const ROUND = NETWORK.finalBlocks + 1;
const TOKENS = 500n * 10n ** 6n;
/** Blocks between looks at a sweep as it is begun, given gas, signed, mined and final. */
const LIFE = [1, 1, 1, NETWORK.finalBlocks, 1, NETWORK.finalBlocks, 1];
/** Steps after which a turn has certainly ended. */
const STEPS_MAX = 40;

describeUnless(NO_ANVIL)("sweeps of a process that is killed at each step", () => {
  // Each block of a sweep's life that writes or sends something has its own steps to die at.
  for (const [phase, steps] of [[0, 10], [1, 6], [ROUND, 2]] as const) {
    it(`move everything once, where it lives ${phase} blocks after a deposit is final`, async () => {
      await using swept = await SweepGround.open({ usdt: "honest" });
      const { ground } = swept;
      await ground.fund(10n * ETHER);
      const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
      let [step, count, isOver] = [0, 0n, false];
      while (!isOver) {
        step += 1;
        count += 1n;
        assert(step < STEPS_MAX);
        await ground.anvil.send({ to: alice, value: ETHER });
        await swept.payTokens("usdt", bob, TOKENS);
        await ground.anvil.mine(ROUND - 1);
        await swept.watch();
        await swept.live(phase);
        await ground.anvil.mine();
        const when = step % 2 === 0 ? "before" : "after";
        isOver = !await watchAndDie(swept, { step, when, isOfTraces: true });
        await liveOn(swept);
        await mustHaveSwept(swept, count, [alice, bob]);
      }
      assert(step > steps, `a turn has only ${step} steps`);
    });
  }

  it("move everything once while another process does the same", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground } = swept;
    await ground.fund(10n * ETHER);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    const others = [ground.rail(), ground.rail()];
    for (let count = 1n; count <= 4n; count++) {
      await ground.anvil.send({ to: alice, value: ETHER });
      await swept.payTokens("usdt", bob, TOKENS);
      for (const blocks of [ROUND - 1, ...LIFE]) {
        await ground.anvil.mine(blocks);
        await Promise.all([...others.map((rail) => watchAlone(rail, swept)), swept.watch()]);
      }
      await mustHaveSwept(swept, count, [alice, bob]);
    }
    assertEquals(ground.faults, []);
  });
});

async function watchAlone(rail: EvmRail, { takers }: SweepGround): Promise<void> {
  await rail.tend();
  await rail.watch("eth", takers.get("eth")?.cursor ?? null);
}

async function liveOn(swept: SweepGround): Promise<void> {
  for (const blocks of LIFE) {
    await swept.ground.anvil.mine(blocks);
    await swept.watch();
  }
}

/** Returns whether the process was killed before it had ended its turn. */
async function watchAndDie(swept: SweepGround, kill: Kill): Promise<boolean> {
  const { ground } = swept;
  const process = new MortalProcess(kill, ground.venue.engine, ground.node());
  const rail = ground.rail({ engine: process.engine, node: process.node });
  await watchAlone(rail, swept).catch(() => {});
  // What it did after its death, it has only told itself.
  const faults = ground.faults.splice(0);
  assertEquals(faults.filter((fault) => !(fault instanceof KilledError)), []);
  return process.isDead;
}

/** Everything is in the wallet, in as few transactions as can be, and members have no more for it. */
async function mustHaveSwept(
  swept: SweepGround,
  count: bigint,
  [alice = "", bob = ""]: readonly string[],
): Promise<void> {
  const { ground, rail, takers } = swept;
  assertEquals((await swept.sweeping()).open, []);
  assertEquals([await swept.held("eth", alice), await swept.held("usdt", bob)], [0n, 0n]);
  assertEquals(await swept.held("usdt", rail.ownAddress), count * TOKENS);
  const sent = [await swept.sentBy(alice), await swept.sentBy(bob)];
  assertEquals(sent, [Number(count), Number(count)]);
  // One payment of gas for each of bob's at most, and nothing else.
  assert(await swept.sentBy(rail.ownAddress) <= Number(count));
  assertEquals(takers.get("eth")?.sum, count * ETHER / STEP);
  assertEquals(ground.faults, []);
}
