/** Blocks are replaced by which a process had concluded something, on a chain like Ethereum. */
import { assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { EvmNodeError } from "../../../src/wallet/evm/evm_node_error.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "../evm/evm_ground.ts";
import { LyingNode } from "../evm/lying_node.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const ONE = { id: "withdraw-1", currency: "eth", address: PAYEE, tag: null, amount: ETHER / STEP };

/** Replaces the blocks above a height by more of them. */
async function replaceAbove({ anvil }: EvmGround, height: number): Promise<void> {
  await anvil.reorganise(await anvil.height() - height);
  await anvil.mine(2);
}

/** Answers nothing. */
function away(): never {
  throw new EvmNodeError("unreachable", "it gave no answer in time");
}

/** Has a wallet with coins whose final blocks are replaced; returns what is kept of the chain. */
async function replaced(ground: EvmGround, taker: Taker): Promise<number> {
  await ground.fund(9n * ETHER);
  await ground.anvil.mine(NETWORK.finalBlocks + 2);
  await taker.watch();
  const kept = await ground.anvil.height();
  await ground.anvil.mine(NETWORK.finalBlocks + 2);
  await taker.watch();
  await replaceAbove(ground, kept);
  return kept;
}

async function mustSendNothing(ground: EvmGround, rail: EvmRail): Promise<void> {
  await assertRejects(() => rail.send(ONE), PayoutWaitsError, "counted as final");
  await assertRejects(() => rail.tend(), EvmNodeError);
  assertEquals(rail.health().fault, "reorganised");
  await ground.anvil.mine(1);
  assertEquals(await ground.anvil.balance(PAYEE), 0n);
}

describeUnless(NO_ANVIL)("what was concluded by blocks that are gone", () => {
  it("keeps no coin from being read that was added meanwhile", async () => {
    await using ground = await EvmGround.open();
    const rail = ground.rail();
    const taker = new Taker(rail);
    await ground.fund(9n * ETHER);
    const kept = await ground.anvil.height();
    await ground.anvil.mine(NETWORK.finalBlocks + 2);
    for (let turn = 0; turn < 3; turn++) await taker.watch();
    await replaceAbove(ground, kept);
    await assertRejects(() => taker.watch(), EvmNodeError, "reorganised");
    await ground.token("another", MANNERS.honest);
    taker.cursor = await rail.goBack(kept);
    // The first time it still knows of the old blocks.
    await taker.watch().catch(() => {});
    await taker.watch();
    assertEquals([rail.health().fault, taker.cursor === null], [null, false]);
    assertEquals((await rail.send(ONE)).kind, "sent");
  });

  it("is missed by the next process, though no cursor was stored", async () => {
    await using ground = await EvmGround.open();
    const { anvil, faults } = ground;
    const payer = await anvil.deploy(PAYER_CODE);
    await ground.fund(9n * ETHER);
    const rail = ground.rail();
    const alice = await ground.address("alice");
    const taker = new Taker(rail);
    await anvil.mine(NETWORK.finalBlocks + 1);
    await taker.watch();
    const kept = await anvil.height();
    await anvil.call(payer, CALLS.pay, [alice], 5n * ETHER);
    await anvil.mine(NETWORK.finalBlocks + 1);
    // It ends before the venue has taken what is shown.
    const { outputs } = await rail.watch("eth", taker.cursor);
    assertEquals(outputs.map(({ amount }) => amount), [5n * ETHER / STEP]);
    for (const { txid } of outputs) ground.bookings.set(txid, "none");
    await replaceAbove(ground, kept);
    const next = taker.rail = ground.rail();
    await assertRejects(() => taker.watch(), EvmNodeError, "reorganised");
    assertEquals(next.health().replaced?.height, kept + 1);
    await mustSendNothing(ground, next);
    assertEquals(taker.sum, 0n);
    // The cursor stays where it is: it is before this block.
    await next.goBack(kept);
    await anvil.call(payer, CALLS.pay, [alice], 7n * ETHER);
    await anvil.mine(NETWORK.finalBlocks + 2);
    for (let turn = 0; turn < 3; turn++) await taker.watch();
    assertEquals([taker.sum, next.health().fault, faults], [7n * ETHER / STEP, null, []]);
  });

  it("stops a process from its start, by the venue's cursors alone where rows are old", async () => {
    await using ground = await EvmGround.open();
    const taker = new Taker(ground.rail());
    await replaced(ground, taker);
    await mustSendNothing(ground, ground.rail());
    await ground.venue.engine.changeSidecar(new EvmRows("anvil").final(), () => null);
    ground.cursors.push(present(taker.cursor, "it has watched"));
    await mustSendNothing(ground, ground.rail());
  });

  it("stops it until a look finds all in order, whatever else its node does", async () => {
    await using ground = await EvmGround.open();
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const taker = new Taker(rail);
    const kept = await replaced(ground, taker);
    await assertRejects(() => rail.tend(), EvmNodeError, "reorganised");
    node.lies.set("eth_chainId", away);
    await assertRejects(() => rail.tend(), EvmNodeError, "unreachable");
    assertEquals(rail.health().fault, "reorganised");
    node.lies.clear();
    await assertRejects(() => taker.watch(), EvmNodeError, "reorganised");
    await mustSendNothing(ground, rail);
    taker.cursor = await rail.goBack(kept);
    assertEquals(rail.health().fault, "reorganised");
    await taker.watch();
    assertEquals([rail.health().fault, (await rail.send(ONE)).kind], [null, "sent"]);
  });

  it("holds a coin's watch up until that finds all in order, and so payments", async () => {
    await using ground = await EvmGround.open();
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await ground.fund(9n * ETHER);
    const cursor = `2:0x${"9".repeat(64)}`;
    await assertRejects(() => rail.watch("eth", cursor), EvmNodeError, "reorganised");
    node.lies.set("eth_chainId", away);
    await assertRejects(() => rail.watch("eth", cursor), EvmNodeError, "unreachable");
    node.lies.clear();
    await rail.tend();
    await assertRejects(() => rail.send(ONE), PayoutWaitsError, "counted as final");
    await rail.watch("eth", null);
    assertEquals([rail.health().fault, (await rail.send(ONE)).kind], [null, "sent"]);
  });

  it("is known to a process that was late when another one was resumed", async () => {
    await using ground = await EvmGround.open();
    const late = ground.rail();
    const taker = new Taker(late);
    await ground.anvil.mine(2);
    const kept = await ground.anvil.height();
    await ground.anvil.mine(NETWORK.finalBlocks + 2);
    // All that it has in memory comes after what is kept.
    for (let turn = 0; turn < 2; turn++) await taker.watch();
    await replaceAbove(ground, kept);
    const other = taker.rail = ground.rail();
    taker.cursor = await other.goBack(kept);
    await ground.anvil.mine(4);
    for (let turn = 0; turn < 2; turn++) await taker.watch();
    const { cursor } = await late.watch("eth", taker.cursor);
    assertEquals([late.health().fault, cursor], [null, taker.cursor]);
  });

  it("is read anew from the earlier of two blocks from which it was resumed", async () => {
    await using ground = await EvmGround.open();
    const rail = ground.rail();
    const kept = await replaced(ground, new Taker(rail));
    const first = await rail.goBack(kept - 4);
    assertEquals(await ground.rail().goBack(kept), first);
    assertEquals(rail.heightOf(await rail.goBack(kept - 6) ?? ""), kept - 6);
  });
});
