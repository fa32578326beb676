import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { KnownPayout } from "../../../src/wallet/evm/payouts/evm_nonces.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { laterEngine } from "../../support/later_engine.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ETHER, type EvmGround, NETWORK, STEP } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";
import { SweepGround } from "./sweep_ground.ts";

const COLD = "0x4444444444444444444444444444444444444444";
const PAYEE = "0x1111111111111111111111111111111111111111";
const ROUND = NETWORK.finalBlocks + 1;
const TOKEN = 10n ** 6n;

describeUnless(NO_ANVIL)("what the wallet has beyond a limit", () => {
  it("goes to the cold address once it is a tenth of it, one payment after the other", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" }, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: 10n * ETHER };
    ground.coins[1] = { ...swept.coin("usdt"), hotLimit: 1_000n * TOKEN };
    const wallet = rail.ownAddress;
    await ground.fund(109n * ETHER / 10n);
    await swept.payTokens("usdt", wallet, 1_099n * TOKEN);
    await swept.live(2 * ROUND);
    assertEquals([await swept.held("eth", COLD), await swept.held("usdt", COLD)], [0n, 0n]);
    await ground.anvil.send({ to: wallet, value: ETHER });
    await swept.payTokens("usdt", wallet, 1n * TOKEN);
    const other = ground.rail({ cold: COLD });
    for (let block = 0; block < ROUND + 1; block++) {
      await ground.anvil.mine();
      await Promise.all([swept.watch(), other.tend()]);
      // Until what was paid is final.
      if (block < NETWORK.finalBlocks - 1) assertEquals(await swept.held("eth", COLD), 0n);
    }
    const moved = await swept.held("eth", COLD);
    // Tokens may have gone first, for gas.
    assert(moved > 18n * ETHER / 10n && moved <= 19n * ETHER / 10n, `${moved}`);
    assertEquals(await swept.held("usdt", COLD), 100n * TOKEN);
    assertEquals(await swept.held("usdt", wallet), 1_000n * TOKEN);
    await swept.payTokens("usdt", wallet, 200n * TOKEN);
    await swept.live(3 * ROUND);
    assertEquals(await swept.held("usdt", COLD), 300n * TOKEN);
    assertEquals(await swept.sentBy(wallet), 3);
    const told = new Set(
      ground.moves.map(({ coin, units, txid }) =>
        [coin.currency, coin.currency === "eth" ? "" : units / TOKEN, txid].join(" ")
      ),
    );
    const first = async (id: string) => (await noted(ground, id))[0];
    assertEquals(
      told,
      new Set([
        `eth  ${await first("cold-eth-1")}`,
        `usdt 100 ${await first("cold-usdt-1")}`,
        `usdt 200 ${await first("cold-usdt-2")}`,
      ]),
    );
    assertEquals((await rail.balances("usdt")).cold, 300n * TOKEN);
    assertEquals(ground.faults, []);
  });

  it("goes without what its own gas may take, at once, where nothing is to stay", async () => {
    await using swept = await SweepGround.open({}, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: 0n };
    // PUSH1 1 PUSH1 0 SSTORE: it takes more gas than an account.
    await ground.anvil.rpc("anvil_setCode", COLD, "0x6001600055");
    await ground.fund(4n * ETHER);
    await swept.live(ROUND + 1, ground.rail({ cold: rail.ownAddress }));
    assertEquals(await swept.sentBy(rail.ownAddress), 0, "it is there already");
    const amount = 3n * ETHER / STEP;
    await rail.send({ id: "withdraw-1", currency: "eth", address: PAYEE, tag: null, amount });
    await swept.live(3);
    const moved = await swept.held("eth", COLD);
    assert(moved > 99n * ETHER / 100n, `${moved}`);
    assert(await swept.held("eth", rail.ownAddress) < ETHER / 100n);
    // What is not worth its fee stays, whatever it is worth otherwise.
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: 0n, price: 0n };
    await ground.fund(ETHER / 10_000n);
    await swept.live(ROUND + 2);
    assertEquals([await swept.held("eth", COLD), ground.faults], [moved, []]);
  });

  it("stays where payouts wait for it or are on their way, and without a cold address", async () => {
    await using swept = await SweepGround.open({}, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: ETHER };
    await ground.fund(4n * ETHER);
    const payout = {
      id: "withdraw-1",
      currency: "eth",
      address: PAYEE,
      tag: null,
      amount: 5n * ETHER / STEP,
    };
    await assertRejects(() => rail.send(payout), PayoutWaitsError, "too little");
    // It is tried again long after the blocks here have come, and perhaps by another process.
    await swept.live(2 * ROUND, ground.rail({ cold: COLD }));
    assertEquals(await swept.held("eth", COLD), 0n);
    const engine = laterEngine(ground.venue.engine, 601_000);
    swept.rail = ground.rail({ cold: COLD, engine });
    ground.owed.set("eth", 5n * ETHER);
    await swept.live(2 * ROUND);
    assertEquals(await swept.held("eth", COLD), 0n, "an approved withdrawal takes it all");
    ground.owed.clear();
    // No block takes this one, whose amount and gas are to stay beside the limit.
    await rail.send({ ...payout, id: "withdraw-2", amount: ETHER / STEP });
    await ground.anvil.rpc("evm_setBlockGasLimit", "0x4000");
    await swept.live(2 * NETWORK.bumpBlocks);
    assertEquals((await rail.find("cold-eth-1")).kind, "sent");
    assertEquals([await swept.held("eth", COLD), await swept.held("eth", PAYEE)], [0n, 0n]);
    await ground.anvil.rpc("evm_setBlockGasLimit", "0x1c9c380");
    // The node has said that no block can take them.
    assertEquals(new Set(ground.faults.splice(0).map((one) => String(one))).size, 1);
    await swept.live(ROUND);
    assertEquals(await swept.held("eth", PAYEE), ETHER);
    const [moved, hot] = [
      await swept.held("eth", COLD),
      await swept.held("eth", rail.ownAddress),
    ];
    assert(moved > 19n * ETHER / 10n && hot > 99n * ETHER / 100n, `${moved} ${hot}`);
    assertEquals(ground.faults, []);
  });

  for (const [currency, what] of [["usdt", "it"], ["eth", "its gas"]] as const) {
    it(`of a token stays where payouts wait for ${what}`, async () => {
      await using swept = await SweepGround.open({ usdt: "honest" }, { cold: COLD });
      const { ground, rail } = swept;
      ground.coins[1] = { ...swept.coin("usdt"), hotLimit: 0n };
      await ground.fund(ETHER);
      await swept.payTokens("usdt", rail.ownAddress, 100n * TOKEN);
      const amount = 200n * ETHER / STEP;
      const payout = { id: "withdraw-1", currency, address: PAYEE, tag: null, amount };
      await assertRejects(() => rail.send(payout), PayoutWaitsError, "too little");
      await swept.live(ROUND + 2);
      assertEquals([await swept.held("usdt", COLD), ground.faults], [0n, []]);
    });
  }

  it("is sent for more where it waits, also where there is no limit any more", async () => {
    await using swept = await SweepGround.open({}, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: ETHER };
    await ground.fund(4n * ETHER);
    await ground.anvil.mine(ROUND - 1);
    await ground.anvil.rpc("evm_setBlockGasLimit", "0x4000");
    await swept.live(1);
    assertEquals((await rail.find("cold-eth-1")).kind, "sent");
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: null };
    const attempts = () => noted(ground, "cold-eth-1");
    await swept.live(NETWORK.bumpBlocks - 1);
    assertEquals((await attempts()).length, 1);
    const other = ground.rail({ cold: COLD, keys: ground.watchingKeys() });
    await swept.live(1, other);
    assertEquals((await attempts()).length, 1, "without the seed, nothing is signed");
    await swept.live(1);
    assertEquals((await attempts()).length, 2);
    await ground.anvil.rpc("evm_setBlockGasLimit", "0x1c9c380");
    await swept.live(2);
    assertEquals(await swept.held("eth", COLD), 3n * ETHER);
    const [signed, raised] = await attempts();
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: 9n * ETHER };
    // Whoever has sent it may have been killed before it told of it.
    for (const told of [ground.moves.splice(0), ground.moves]) {
      await swept.live(1);
      assertEquals(new Set(told.map(({ txid }) => txid)), new Set([signed]));
    }
    const receipt = await ground.anvil.rpc("eth_getTransactionReceipt", raised);
    assert(receipt !== null);
  });

  it("stays where it is not worth its fee, and is told of where it can't go", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" }, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: null };
    ground.coins[1] = { ...swept.coin("usdt"), hotLimit: 0n };
    await ground.fund(ETHER);
    await swept.payTokens("usdt", rail.ownAddress, TOKEN / 10n);
    await swept.live(2 * ROUND);
    assertEquals([await swept.held("eth", COLD), await swept.held("usdt", COLD)], [0n, 0n]);
    await ground.anvil.rpc("anvil_setCode", COLD, "0xfe");
    ground.coins[0] = { ...swept.coin("eth"), hotLimit: ETHER / 2n };
    await swept.live(1);
    assertEquals(ground.faults.map(String), [
      "ColdPaymentError: What is beyond the limit of eth can't be moved: " +
      "its recipient or token refuses it",
    ]);
    // Of unknown price, it goes whatever it is worth.
    ground.coins[1] = { ...swept.coin("usdt"), price: 0n };
    await swept.live(2);
    assertEquals(await swept.held("usdt", COLD), TOKEN / 10n);
  });

  it("is told of where it was paid for in vain", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" }, { cold: COLD });
    const { ground } = swept;
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node, cold: COLD });
    ground.coins[1] = { ...swept.coin("usdt"), hotLimit: 0n };
    await ground.fund(ETHER);
    await swept.payTokens("usdt", rail.ownAddress, 100n * TOKEN);
    await swept.live(2, rail);
    // A token that does not tell of a transfer has not made it.
    node.lies.set("eth_getTransactionReceipt", (answer) => ({ ...answer as object, logs: [] }));
    await swept.live(2 * ROUND, rail);
    assertEquals(ground.faults.map(String), [
      "ColdPaymentError: What is beyond the limit of usdt was not moved, and is tried again: " +
      "its transaction was mined without effect",
    ]);
    assertEquals(ground.lost, [], "which tells it, so that it is tried again");
  });

  it("goes to the cold address where the network's own coin is no currency", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" }, { cold: COLD });
    const { ground, rail, takers } = swept;
    ground.coins.splice(0, 2, { ...swept.coin("usdt"), hotLimit: 0n });
    takers.delete("eth");
    await swept.payTokens("usdt", rail.ownAddress, TOKEN);
    // No payout waits for the gas that this lacks.
    await swept.live(ROUND + 1);
    await ground.fund(ETHER);
    await swept.live(3);
    assertEquals([await swept.held("usdt", COLD), ground.faults], [TOKEN, []]);
  });
});

/** Returns the txids by which a payment may come, as they were signed. */
async function noted(ground: EvmGround, id: string): Promise<readonly string[]> {
  const key = new EvmRows(NETWORK.name).payout(id);
  const { attempts } = await ground.venue.engine.readSidecar(key) as KnownPayout;
  return attempts.map(({ txid }) => txid);
}
