/** What becomes of payouts and their nonces where a reorganisation reaches deeper than what is final. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import type { Payout } from "../../../src/wallet/rails/rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ETHER, EvmGround, NETWORK, STEP } from "../evm/evm_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const OTHER = "0x2222222222222222222222222222222222222222";

function payoutOf(number: number): Payout {
  return {
    id: `withdraw-${number}`,
    currency: "eth",
    address: PAYEE,
    tag: null,
    amount: ETHER / STEP,
  };
}

/** More than a fill's first fee, in wei: it gets into no such block before it has a higher one. */
const DEAR_GAS = `0x${(100n * 10n ** 9n).toString(16)}`;

/** A payment that nobody knows, with the next payout behind it: no block has either of them. */
async function forget(ground: EvmGround): Promise<{
  readonly rail: EvmRail;
  readonly kept: number;
  /** Has the forgotten payment in the node's pool again, in a fill's place; returns its txid. */
  readonly bringBack: () => Promise<unknown>;
}> {
  await ground.fund(100n * ETHER);
  const kept = await ground.anvil.height();
  const rail = ground.rail();
  await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
  const forgotten = { from: rail.ownAddress, to: OTHER, value: "0x1", nonce: "0x0" };
  await ground.anvil.rpc("eth_sendTransaction", forgotten);
  await ground.anvil.mine();
  await assertRejects(() => rail.send(payoutOf(1)), PayoutWaitsError, "more than");
  await ground.anvil.mine();
  await rail.send(payoutOf(1));
  await ground.anvil.mine();
  await ground.anvil.reorganise(3);
  for (let block = 1; block <= NETWORK.bumpBlocks; block++) {
    await rail.tend();
    await ground.anvil.mine();
  }
  await rail.tend();
  const bringBack = async () => {
    await ground.anvil.rpc("anvil_dropAllTransactions");
    return await ground.anvil.rpc("eth_sendTransaction", forgotten);
  };
  return { rail, kept, bringBack };
}

/** Mines until all is final, and lets a rail see that. */
async function end(ground: EvmGround, rail: EvmRail): Promise<void> {
  await rail.tend();
  await ground.anvil.mine(NETWORK.finalBlocks + 1);
  for (let times = 1; times <= 2; times++) await rail.tend();
}

describeUnless(NO_ANVIL)("a nonce that is filled", () => {
  it("is told with the transaction that is mined, once that is final", async () => {
    await using ground = await EvmGround.open();
    const { rail } = await forget(ground);
    for (let block = 0; block <= NETWORK.bumpBlocks; block++) {
      await ground.anvil.rpc("anvil_setNextBlockBaseFeePerGas", DEAR_GAS);
      await ground.anvil.mine();
      await rail.tend();
    }
    await ground.anvil.mine();
    await rail.tend();
    assertEquals(ground.lost, []);
    await end(ground, rail);
    assertEquals(ground.lost, ["forgotten fill-0"]);
    const [{ txids = [], detail = "" } = {}] = ground.lostPayments;
    assertEquals([new Set(txids).size, detail], [2, "Nonce 0 of the wallet's address"]);
    assert(await ground.anvil.rpc("eth_getTransactionReceipt", txids[0]) !== null);
    assertEquals(ground.faults, []);
  });

  it("is not to be paid by hand where what had it before is mined after all", async () => {
    await using ground = await EvmGround.open();
    const { rail, bringBack } = await forget(ground);
    const txid = await bringBack();
    await ground.anvil.mine();
    await end(ground, rail);
    assertEquals([ground.lost, ground.returned[0]?.txid], [["returned fill-0"], txid]);
    assertEquals([await ground.anvil.balance(OTHER), await ground.anvil.balance(PAYEE)], [
      1n,
      ETHER,
    ]);
    assertEquals(ground.faults, []);
  });

  it("is told again where what had it before is mined after that was told to be gone", async () => {
    await using ground = await EvmGround.open();
    const { rail, kept, bringBack } = await forget(ground);
    await ground.anvil.mine();
    await end(ground, rail);
    assertEquals(ground.lost, ["forgotten fill-0"]);
    await ground.anvil.reorganise(await ground.anvil.height() - kept);
    const txid = await bringBack();
    await ground.anvil.mine();
    await rail.goBack(kept);
    await end(ground, rail);
    assertEquals(ground.lost, ["forgotten fill-0", "returned fill-0"]);
    const [{ txid: told = "", detail = "" } = {}] = ground.returned;
    assertEquals([told, detail], [txid, "Nonce 0 of the wallet's address"]);
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
  });
});

describeUnless(NO_ANVIL)("a nonce that another transaction has taken", () => {
  it("is told though it was taken far below the block that its payout was signed at", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const kept = await ground.anvil.height();
    await ground.anvil.mine(2 * NETWORK.finalBlocks);
    const rail = ground.rail();
    await rail.send(payoutOf(1));
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await rail.tend();
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    const foreign = { from: rail.ownAddress, to: OTHER, value: "0x1", nonce: "0x0", gas: "0x5208" };
    await ground.anvil.rpc("anvil_reorg", await ground.anvil.height() - kept, [[foreign, 1]]);
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(OTHER), 1n);
    await rail.goBack(kept);
    for (let times = 1; times <= 2; times++) await rail.tend();
    const found = await rail.find("withdraw-1");
    assert(found.kind === "sent" && found.isFailed);
    assertEquals([ground.lost, ground.faults], [["without_effect withdraw-1"], []]);
  });
});
