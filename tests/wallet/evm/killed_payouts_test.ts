import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import type { Payout } from "../../../src/wallet/rails/rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ETHER, EvmGround, MANNERS, STEP } from "./evm_ground.ts";
import { type Kill, MortalProcess } from "./mortal_process.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
/** Steps after which a payout of these tests has certainly ended. */
const STEPS_MAX = 60;

describeUnless(NO_ANVIL)("payouts of a process that is killed at each step", () => {
  for (const when of ["before", "after"] as const) {
    it(`go out once, ${when} whichever it is`, async () => {
      await using ground = await EvmGround.open();
      const usdt = await ground.token("usdt", MANNERS.honest);
      await ground.fund(200n * ETHER, usdt);
      const survivor = ground.rail();
      let [paid, step, isOver] = [0n, 0, false];
      while (!isOver) {
        step += 1;
        assert(step < STEPS_MAX);
        const payout = payoutOf(step);
        isOver = !await sendAndDie(ground, { step, when }, payout);
        const found = await survivor.find(payout.id);
        // Every other payout is given up by its operator if it was not sent.
        if (found.kind === "sent" || step % 2 === 0) {
          assertEquals((await survivor.send(payout)).kind, "sent");
          paid += 1n;
        }
        await ground.anvil.mine();
        await mustHavePaid(ground, survivor, paid);
      }
      assert(step > 8, `a payout has only ${step} steps`);
      assertEquals(ground.faults, []);
    });
  }

  it("go out once while another process sends the same", async () => {
    await using ground = await EvmGround.open();
    await ground.token("usdt", MANNERS.honest);
    await ground.fund(200n * ETHER, ...ground.coins.slice(1));
    const survivor = ground.rail();
    for (let step = 1; step <= 24; step++) {
      const payout = payoutOf(step);
      const [, sent] = await Promise.all([
        sendAndDie(ground, { step, when: step % 2 === 0 ? "before" : "after" }, payout),
        survivor.send(payout),
      ]);
      assertEquals(sent.kind, "sent");
      await ground.anvil.mine();
      await mustHavePaid(ground, survivor, BigInt(step));
    }
    assertEquals(ground.faults, []);
  });

  it("are raised once, whichever step of it is the last", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(200n * ETHER);
    const survivor = ground.rail();
    for (let step = 1; step <= 16; step++) {
      const payout = { ...payoutOf(step), currency: "eth", amount: ETHER / STEP };
      const sent = await survivor.send(payout);
      const waiting = sent.kind === "sent" ? sent.txid : "";
      await ground.anvil.rpc("anvil_dropTransaction", waiting);
      await ground.anvil.mine(3);
      const dying = mortal(ground, { step, when: step % 2 === 0 ? "before" : "after" });
      await dying.rail.find(payout.id).catch(() => {});
      await survivor.find(payout.id);
      await ground.anvil.mine();
      const found = await survivor.find(payout.id);
      assert(found.kind === "sent" && found.confirmations === 1 && found.txid !== waiting);
      assertEquals(await ground.anvil.balance(PAYEE), BigInt(step) * ETHER);
    }
  });
});

/** Every third is of a token. */
function payoutOf(step: number): Payout {
  const isToken = step % 3 === 0;
  const amount = isToken ? 10n ** 16n : ETHER / STEP;
  return {
    id: `withdraw-${step}`,
    currency: isToken ? "usdt" : "eth",
    address: PAYEE,
    tag: null,
    amount,
  };
}

function mortal(ground: EvmGround, kill: Kill): { process: MortalProcess; rail: EvmRail } {
  const process = new MortalProcess(kill, ground.venue.engine, ground.node());
  return { process, rail: ground.rail({ engine: process.engine, node: process.node }) };
}

/** Returns whether the process was killed before its payout had been sent completely. */
async function sendAndDie(ground: EvmGround, kill: Kill, payout: Payout): Promise<boolean> {
  const { process, rail } = mortal(ground, kill);
  await rail.send(payout).catch(() => {});
  // What it did after its death, it has only told itself.
  ground.faults.length = 0;
  return process.isDead;
}

/** Every payout arrived once, and none of its nonces is missing. */
async function mustHavePaid(ground: EvmGround, rail: EvmRail, count: bigint): Promise<void> {
  const contract = ground.coins[1]?.contract ?? "";
  const tokens = await ground.anvil.tokens(contract, PAYEE) / 10n ** 6n;
  assertEquals(await ground.anvil.balance(PAYEE) / ETHER + tokens, count);
  const sent = await ground.anvil.rpc("eth_getTransactionCount", rail.ownAddress, "latest");
  assertEquals(BigInt(String(sent)), count);
}
