/** What becomes of payouts and their nonces where a reorganisation reaches deeper than what is final. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
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
